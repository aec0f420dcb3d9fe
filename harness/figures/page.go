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
	"gonum.org/v1/plot/vg/draw"
)

// Sizes in points. Browsers show a page of 600 points 800 pixels wide.
const (
	pageWidth   vg.Length = 600
	pageMargin  vg.Length = 10
	bodyWidth             = pageWidth - 2*pageMargin
	titleSize   vg.Length = 13
	labelSize   vg.Length = 9
	captionSize vg.Length = 8.5
	lineSpacing           = 1.3
	blockGap    vg.Length = 8 // between title, body and caption
)

var (
	ink   = color.RGBA{0x22, 0x22, 0x22, 0xff}
	faint = color.RGBA{0x55, 0x55, 0x55, 0xff} // captions, reference lines
	hair  = color.RGBA{0xe2, 0xe2, 0xe2, 0xff} // grid lines
)

// lettering is a text style anchored at its left end, halfway up.
func lettering(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		XAlign:  text.XLeft,
		YAlign:  text.YCenter,
		Handler: plot.DefaultTextHandler,
	}
}

func bold(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}

// write puts one line of text so that its x-heights and digits look centred on y.
// align is 0 for a left end at x, -0.5 for the middle, -1 for a right end.
func write(c draw.Canvas, s text.Style, x, y vg.Length, align float64, txt string) {
	s.XAlign = text.XAlignment(align)
	s.YAlign = 0
	// With YAlign 0 the handler puts the baseline one size below the ascent line; correcting for
	// that leaves a baseline 0.36 of the size below y: half the height of a digit.
	base := y - 0.36*s.Font.Size
	off := s.FontExtents().Ascent - s.Font.Size
	c.FillText(s, vg.Point{X: x, Y: base + off}, printable(txt))
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
func wrap(s text.Style, txt string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(printable(txt)) {
		if line != "" && s.Width(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for s.Width(word) > width {
			n := fitting(s, word, width)
			lines, word = append(lines, word[:n]), word[n:]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// balanced wraps txt into as few lines as wrap does, of about equal length: a title's last word
// does not stand alone.
func balanced(s text.Style, txt string, width vg.Length) []string {
	best := wrap(s, txt, width)
	for w := width; w > width/2; w -= 5 {
		if lines := wrap(s, txt, w); len(lines) == len(best) {
			best = lines
		}
	}
	return best
}

// shortened cuts txt to width, with an ellipsis in place of what is lost.
func shortened(s text.Style, txt string, width vg.Length) string {
	txt = printable(txt)
	if s.Width(txt) <= width {
		return txt
	}
	return txt[:fitting(s, txt, width-s.Width("…"))] + "…"
}

// fitting returns how many bytes of word fit into width: whole runes, at least one.
func fitting(s text.Style, word string, width vg.Length) int {
	n := 0
	for i, r := range word {
		end := i + utf8.RuneLen(r)
		if i > 0 && s.Width(word[:end]) > width {
			break
		}
		n = end
	}
	return n
}

// A page is a plan with its words broken into lines.
type page struct {
	plan
	title, caption []string
	height         vg.Length
}

func layPage(p plan) page {
	pg := page{plan: p}
	pg.title = balanced(bold(lettering(titleSize, ink)), p.frame.Title, bodyWidth)
	for _, par := range append(p.frame.Caption[:len(p.frame.Caption):len(p.frame.Caption)], p.dropped.note(p.linear)...) {
		pg.caption = append(pg.caption, wrap(lettering(captionSize, faint), par, bodyWidth)...)
	}
	pg.height = 2*pageMargin + p.height +
		blockHeight(pg.title, titleSize) + blockHeight(pg.caption, captionSize)
	return pg
}

// blockHeight is the height of the lines and of the gap that parts them from the body.
func blockHeight(lines []string, size vg.Length) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*size*lineSpacing + blockGap
}

func (pg page) draw(c draw.Canvas) {
	fill(c, color.White, rect(0, 0, pageWidth, pg.height))
	y := block(c, bold(lettering(titleSize, ink)), pg.height-pageMargin, pg.title)
	if len(pg.title) > 0 {
		y -= blockGap
	}
	body := rect(pageMargin, y-pg.plan.height, pageWidth-pageMargin, y)
	block(c, lettering(captionSize, faint), body.Min.Y-blockGap, pg.caption)
	pg.plan.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: body})
}

// block writes lines from the height top downwards and returns where it ends.
func block(c draw.Canvas, s text.Style, top vg.Length, lines []string) vg.Length {
	for _, line := range lines {
		write(c, s, pageMargin, top-s.Font.Size*lineSpacing/2, 0, line)
		top -= s.Font.Size * lineSpacing
	}
	return top
}

func rect(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

// fill paints all rectangles as one path, which keeps an SVG small.
func fill(c draw.Canvas, col color.Color, rects ...vg.Rectangle) {
	var p vg.Path
	for _, r := range rects {
		p.Move(r.Min)
		p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
		p.Line(r.Max)
		p.Line(vg.Point{X: r.Min.X, Y: r.Max.Y})
		p.Close()
	}
	if len(p) > 0 {
		c.SetColor(col)
		c.Fill(p)
	}
}

// stroke draws all lines as one path.
func stroke(c draw.Canvas, s draw.LineStyle, lines ...[]vg.Point) {
	var p vg.Path
	for _, l := range lines {
		for i, pt := range l {
			if i == 0 {
				p.Move(pt)
			} else {
				p.Line(pt)
			}
		}
	}
	if len(p) > 0 {
		c.SetLineStyle(s)
		c.Stroke(p)
	}
}
