package figures

import (
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// A lettering is how a text looks.
type lettering struct {
	size  vg.Length
	bold  bool
	color color.RGBA
}

const (
	titleSize   vg.Length = 13
	labelSize   vg.Length = 9
	captionSize vg.Length = 8.5
	lineSpacing           = 1.3
)

var (
	title   = lettering{titleSize, true, ink}
	heading = lettering{labelSize, true, ink}
	label   = lettering{labelSize, false, ink}
	remark  = lettering{captionSize, false, faint}
)

func (l lettering) style() text.Style {
	s := text.Style{Color: l.color, Handler: plot.DefaultTextHandler}
	s.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, l.size)
	if l.bold {
		s.Font.Weight = xfont.WeightBold
	}
	return s
}

// How much wider than in Liberation Sans a text may be in a viewer's font. DejaVu Sans, which many
// Linux machines fall back to, needs up to this; a test compares with its metrics.
const (
	widerRegular = 1.2
	widerBold    = 1.27
)

// width is the room that a text needs across in any of the common fonts.
func (l lettering) width(txt string) vg.Length {
	if l.bold {
		return widerBold * l.style().Width(printable(txt))
	}
	return widerRegular * l.style().Width(printable(txt))
}

// printable replaces what XML forbids by spaces, and joins lines.
func printable(txt string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, txt)
}

// wrap breaks txt into lines no wider than width, inside a word only if it is wider by itself.
func (l lettering) wrap(txt string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range phrases(txt) {
		if line != "" && l.width(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for l.width(word) > width {
			n := l.fitting(word, width)
			lines, word = append(lines, word[:n]), word[n:]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// phrases splits txt at its spaces, except inside short formulas and between a number and its unit:
// "T = 0.41", "5 %" and "19.3 ns" stay on one line.
func phrases(txt string) []string {
	var all []string
	joined := false // to the next word
	for _, word := range strings.Fields(printable(txt)) {
		bare := strings.Trim(word, ".,;:()")
		operator := strings.Contains("= < > ≤ ≥ ≈ + − · × /", bare) && bare != ""
		unit := strings.Contains(" % ns µs ms s k M B kB MiB times ticks ", " "+bare+" ") && len(all) > 0 &&
			unicode.IsDigit(rune(all[len(all)-1][len(all[len(all)-1])-1]))
		if len(all) > 0 && (joined || operator || unit) {
			all[len(all)-1] += " " + word
		} else {
			all = append(all, word)
		}
		joined = operator
	}
	return all
}

// balanced wraps txt into as few lines as wrap does, of about equal length: a title's last word
// does not stand alone.
func (l lettering) balanced(txt string, width vg.Length) []string {
	best := l.wrap(txt, width)
	for w := width; w > width/2; w -= 5 {
		if lines := l.wrap(txt, w); len(lines) == len(best) {
			best = lines
		}
	}
	return best
}

// shortened cuts txt to width, with an ellipsis in place of what is lost.
func (l lettering) shortened(txt string, width vg.Length) string {
	txt = printable(txt)
	if l.width(txt) <= width {
		return txt
	}
	return txt[:l.fitting(txt, width-l.width("…"))] + "…"
}

// fitting returns how many bytes of word fit into width: whole runes, at least one.
func (l lettering) fitting(word string, width vg.Length) int {
	n := 0
	for i, r := range word {
		end := i + utf8.RuneLen(r)
		if i > 0 && l.width(word[:end]) > width {
			break
		}
		n = end
	}
	return n
}
