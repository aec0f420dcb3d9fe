package figures

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	ink   = color.RGBA{0x22, 0x22, 0x22, 0xff}
	faint = color.RGBA{0x55, 0x55, 0x55, 0xff} // captions, the key of slopes
	hair  = color.RGBA{0xe2, 0xe2, 0xe2, 0xff} // grid lines
	white = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// A sheet is a canvas for paths, and the texts that go on top of them. The texts are kept apart
// because gonum/plot aligns them by the width that they have in its own font: in a viewer with
// another font, a label that ends at an axis would run over the axis.
type sheet struct {
	draw.Canvas
	texts []placedText
}

// A placedText is one line of text whose base line begins, is centred or ends at x, y.
type placedText struct {
	lettering
	x, y  vg.Length
	align align
	text  string
}

type align int

const (
	left align = iota
	middle
	right
)

// write puts one line of text so that its x-heights and digits look centred on y.
func (s *sheet) write(l lettering, x, y vg.Length, a align, txt string) {
	if txt = printable(txt); txt != "" {
		// Half the height of a digit is 0.36 of the size.
		s.texts = append(s.texts, placedText{l, x, y - 0.36*l.size, a, txt})
	}
}

// drawTexts draws the texts with the library's font.
func (s *sheet) drawTexts() {
	for _, t := range s.texts {
		style := t.style()
		style.XAlign = [...]text.XAlignment{text.XLeft, text.XCenter, text.XRight}[t.align]
		// The library puts the base line one size below the ascent line.
		off := style.FontExtents().Ascent - style.Font.Size
		s.FillText(style, vg.Point{X: t.x, Y: t.y + off}, t.text)
	}
}

// finishSVG names fonts that browsers have, adds title and description for readers who cannot see
// the drawing, and writes the texts.
func (s *sheet) finishSVG(svg []byte, f Frame) []byte {
	open := bytes.Index(svg, []byte("<svg "))
	end := open + bytes.IndexByte(svg[open:], '>')
	closing := bytes.LastIndex(svg, []byte("</svg>"))
	var out bytes.Buffer
	out.Write(svg[:end])
	out.WriteString("\n\trole=\"img\" style=\"font-family:'Liberation Sans',Arial,sans-serif\">\n")
	element(&out, "title", f.Title)
	element(&out, "desc", f.Command)
	out.Write(bytes.TrimPrefix(svg[end+1:closing], []byte("\n")))
	fmt.Fprintf(&out, "<g font-size=\"%g\" fill=\"%s\">\n", labelSize, hex(ink))
	for _, t := range s.texts {
		t.element(&out, s.Max.Y)
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

func element(w io.Writer, name, txt string) {
	if txt = printable(txt); txt != "" {
		fmt.Fprintf(w, "<%s>%s</%s>\n", name, html.EscapeString(txt), name)
	}
}

// element writes t for an image of this height, with what differs from an ordinary label.
func (t placedText) element(w io.Writer, height vg.Length) {
	fmt.Fprintf(w, "<text x=\"%.5g\" y=\"%.5g\"", t.x, height-t.y)
	if t.align != left {
		fmt.Fprintf(w, " text-anchor=\"%s\"", [...]string{middle: "middle", right: "end"}[t.align])
	}
	if t.size != labelSize {
		fmt.Fprintf(w, " font-size=\"%.3g\"", t.size)
	}
	if t.bold {
		fmt.Fprint(w, " font-weight=\"bold\"")
	}
	if t.color != ink {
		fmt.Fprintf(w, " fill=\"%s\"", hex(t.color))
	}
	fmt.Fprintf(w, ">%s</text>\n", html.EscapeString(t.text))
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

func rect(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

func centre(r vg.Rectangle) vg.Point { return r.Min.Add(r.Max).Scale(0.5) }

// joined returns lines as one path, which keeps an SVG small.
func joined(closed bool, lines ...[]vg.Point) (p vg.Path) {
	for _, l := range lines {
		for i, pt := range l {
			if i == 0 {
				p.Move(pt)
			} else {
				p.Line(pt)
			}
		}
		if closed {
			p.Close()
		}
	}
	return p
}

// fill paints all rectangles.
func (s *sheet) fill(col color.Color, rects ...vg.Rectangle) {
	var p vg.Path
	for _, r := range rects {
		p = append(p, r.Path()...)
	}
	s.paint(col, p)
}

func (s *sheet) paint(col color.Color, p vg.Path) {
	if len(p) > 0 {
		s.SetColor(col)
		s.Fill(p)
	}
}

// stroke draws all lines.
func (s *sheet) stroke(ls draw.LineStyle, lines ...[]vg.Point) {
	s.outline(ls, joined(false, lines...))
}

func (s *sheet) outline(ls draw.LineStyle, p vg.Path) {
	if len(p) > 0 {
		s.SetLineStyle(ls)
		s.Stroke(p)
	}
}

// upright and level are lines along the axes.
func upright(x, y0, y1 vg.Length) []vg.Point { return []vg.Point{{X: x, Y: y0}, {X: x, Y: y1}} }
func level(y, x0, x1 vg.Length) []vg.Point   { return []vg.Point{{X: x0, Y: y}, {X: x1, Y: y}} }
