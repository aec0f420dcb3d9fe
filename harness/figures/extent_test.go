package figures

import (
	"bytes"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Widths of DejaVu Sans, regular and bold, from space to tilde in 1/1000 of the size: viewers without
// Liberation Sans and Arial often have it, and it is the widest of the common fonts.
var dejaVu = [2][]float64{
	{318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838},
	{348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838},
}

// widestOf returns the width of a text in the wider of DejaVu Sans and Liberation Sans.
func widestOf(txt string, size float64, bold bool) float64 {
	font, other := 0, 736.
	if bold {
		font = 1
	}
	w := 0.
	for _, r := range txt {
		switch {
		case r >= ' ' && r <= '~':
			w += dejaVu[font][r-' ']
		case r >= 0x80 && r < 0x250: // as wide as a letter
			w += other
		default:
			w += 838 // operators and arrows
		}
	}
	return max(w*size/1000, float64(lettering{size: label.size, bold: bold}.style().Width(txt))*size/float64(label.size))
}

// svgText is a text element, with the attributes that its group gives it.
type svgText struct {
	X, Y   float64
	Size   float64
	Bold   bool
	Anchor string
	Text   string
}

// box returns the room that the text takes: left, right, upper and lower end.
func (s svgText) box() (x0, x1, y0, y1 float64) {
	w := widestOf(s.Text, s.Size, s.Bold)
	x0 = s.X - w*map[string]float64{"": 0, "middle": 0.5, "end": 1}[s.Anchor]
	return x0, x0 + w, s.Y - 0.72*s.Size, s.Y + 0.05*s.Size
}

// textsOf returns the texts of an SVG, and its size.
func textsOf(t *testing.T, svg []byte) (all []svgText, width, height float64) {
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return v
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err != nil {
			return all, width, height
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range start.Attr {
			attr[a.Name.Local] = a.Value
		}
		switch start.Name.Local {
		case "svg":
			box := bytes.Fields([]byte(attr["viewBox"]))
			width, height = number(string(box[2])), number(string(box[3]))
		case "text":
			s := svgText{X: number(attr["x"]), Y: number(attr["y"]), Size: float64(labelSize), Bold: attr["font-weight"] == "bold", Anchor: attr["text-anchor"]}
			if attr["font-size"] != "" {
				s.Size = number(attr["font-size"])
			}
			require.NoError(t, d.DecodeElement(&s.Text, &start))
			all = append(all, s)
		}
	}
}

// requireLegible requires that each text is inside the image and that no two overlap, in any common font.
func requireLegible(t *testing.T, name string, svg []byte) {
	texts, width, height := textsOf(t, svg)
	require.NotEmpty(t, texts, name)
	for i, a := range texts {
		ax0, ax1, ay0, ay1 := a.box()
		require.True(t, ax0 >= 0 && ax1 <= width && ay0 >= 0 && ay1 <= height, "%s: %q is cut: %.0f to %.0f of %.0f", name, a.Text, ax0, ax1, width)
		for _, b := range texts[:i] {
			bx0, bx1, by0, by1 := b.box()
			apart := math.Max(math.Max(bx0-ax1, ax0-bx1), math.Max(by0-ay1, ay0-by1))
			require.GreaterOrEqual(t, apart, -0.05, "%s: %q and %q overlap", name, a.Text, b.Text)
		}
	}
}

func TestTextsHaveRoomInAnyFont(t *testing.T) {
	for name, f := range samples() {
		svg, err := Render(f, "svg")
		require.NoError(t, err)
		requireLegible(t, name, svg)
	}
	kept, err := filepath.Glob("../../results/*/figures/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, kept)
	for _, path := range kept {
		svg, err := os.ReadFile(path)
		require.NoError(t, err)
		requireLegible(t, filepath.Base(path), svg)
	}
}
