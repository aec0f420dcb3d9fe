// Package figures draws what the suite measured, on gonum/plot. An XY shows costs, counts and predictions against a
// setting, in one plot or in panels.
//
// A figure is a struct of plain numbers. Render draws it in memory:
//
//	data, err := figures.Render(figures.XY{
//		Title:  "Scheme 6 starts a timer in 5.5 ns at any n",
//		XLabel: "timers outstanding, n", X: figures.Axis{Log: true, Unit: figures.Count},
//		YLabel: "time per Start", Y: figures.Axis{Log: true},
//		Series: []figures.Series{{Style: "hashunsorted", Kind: figures.Both, Points: points}},
//	}, "svg")
//
// The same figure gives the same bytes. A value that has no place on its axis (zero, negative or not finite on
// a logarithmic one) is left out, counted and mentioned in the caption.
//
// Every scheme, number of levels and service has one colour, one dash pattern and one marker in all figures of all
// machines: see looks in style.go. Dashes and markers alone distinguish the series on a grey print. Times are given
// in nanoseconds, T in ticks, M in slots. SI suffixes are decimal: 1k is 1000, 1 kB is 1000 bytes.
//
// What gonum/plot does not do is done here: ticks with SI suffixes, a legend that covers no data, titles and
// captions that wrap, and an SVG that has a title and a description and embeds no font. The fonts have no
// raised digits other than ¹ ² ³: write 10k, not a power of ten.
package figures

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A page is a figure that has been checked and is ready to be drawn: plots in rows and columns, which share
// their labels and one legend.
type page struct {
	XY
	plots     [][]*plot.Plot // nil where a row is shorter than the others
	rowHeight vg.Length
	legend    legend
}

// Sizes in points. Browsers show a page of 600 points 800 pixels wide, and a text of 9 points 12 pixels high.
const (
	pageWidth    vg.Length = 600
	margin       vg.Length = 10
	bodyWidth              = pageWidth - 2*margin
	gap          vg.Length = 8  // between title, plots, legend and caption
	xLabelHeight vg.Length = 15 // below the plots
)

// Render draws f as an SVG or PNG file in memory; format is "svg" or "png". It returns an error if f has
// nothing to draw, or lengths and values that contradict each other.
func Render(f XY, format string) (data []byte, err error) {
	format = strings.ToLower(format)
	if format != "svg" && format != "png" {
		return nil, fmt.Errorf("figures: unknown format %q (have svg, png)", format)
	}
	// gonum/plot panics on bad values. The checks of page find them first. If a bad value passes, the caller loses
	// a figure and not the run that measured its numbers.
	defer func() {
		if r := recover(); r != nil {
			data, err = nil, fmt.Errorf("figures: cannot draw %q: %v", f.Title, r)
		}
	}()
	p, err := f.page()
	if err != nil {
		return nil, err
	}
	return p.render(format)
}

// render draws the page from top to bottom, as high as its parts need.
func (p *page) render(format string) ([]byte, error) {
	title := balanced(titleStyle, p.Title, bodyWidth)
	yLabel := []string{shortened(labelStyle, p.YLabel, bodyWidth)}
	var caption []string
	for _, paragraph := range p.Caption {
		caption = append(caption, wrap(captionStyle, paragraph, bodyWidth)...)
	}
	plots := vg.Length(len(p.plots))*p.rowHeight + xLabelHeight
	columns, _ := p.legend.layout()
	keys := legendRow * vg.Length((len(p.legend)+columns-1)/columns)
	height := 2*margin + blockHeight(titleStyle, title) + blockHeight(labelStyle, yLabel) + plots + gap + keys +
		blockHeight(captionStyle, caption)

	var canvas vg.CanvasWriterTo = &svgCanvas{Canvas: vgsvg.New(pageWidth, height), figure: p.XY, height: height}
	if format == "png" { // at twice the size at which browsers show an SVG, for sharp text on dense screens
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, height), vgimg.UseDPI(192))}
	}
	c := draw.NewCanvas(canvas, pageWidth, height)
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	c = writeLines(c, titleStyle, title)
	c = writeLines(c, labelStyle, yLabel)
	p.drawPlots(draw.Crop(c, 0, 0, c.Size().Y-plots, 0))
	c = draw.Crop(c, 0, 0, 0, -plots-gap)
	p.legend.draw(c)
	writeLines(draw.Crop(c, 0, 0, 0, -keys-gap/2), captionStyle, caption)

	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	if format == "png" {
		return slices.Insert(b.Bytes(), pngHead, []byte(pngMark)...), err
	}
	return b.Bytes(), err
}

// An SVG of this package has attributes that no other has, and a PNG has a chunk of text after its head.
const (
	svgMark = ` role="img" style="font-family:'Liberation Sans',Arial,sans-serif"`
	pngMark = "\x00\x00\x00\x11tEXtSoftware\x00timerlab\xa4\x95\xae\x73"
	pngHead = 8 + 25
)

// Made reports whether data is a file that Render made.
func Made(data []byte) bool {
	return bytes.Contains(data, []byte(svgMark)) || bytes.Contains(data, []byte(pngMark))
}

// drawPlots draws the plots, and the x axis's label below the last plot of each column. The library would
// place the label of a logarithmic axis as if it were linear.
func (p *page) drawPlots(c draw.Canvas) {
	tiles := draw.Tiles{Rows: len(p.plots), Cols: len(p.plots[0]), PadX: 10, PadY: 8, PadBottom: xLabelHeight}
	canvases := plot.Align(p.plots, tiles, c)
	for i, row := range p.plots {
		for j, plotted := range row {
			if plotted == nil {
				continue
			}
			plotted.Draw(canvases[i][j])
			if i+1 == len(p.plots) || p.plots[i+1][j] == nil {
				style := labelStyle
				style.XAlign = draw.XCenter
				area := plotted.DataCanvas(canvases[i][j])
				at := vg.Point{X: area.Center().X, Y: canvases[i][j].Min.Y - xLabelHeight + 3}
				c.FillText(style, at, shortened(style, p.XLabel, area.Size().X))
			}
		}
	}
}

// newPlot returns an empty plot in this package's look.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text, p.Title.TextStyle, p.Title.Padding = printable(title), headingStyle, 4
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding, axis.Tick.Length = 3, 4
		axis.Color, axis.Tick.Color = faint, faint
		axis.Tick.Label.Font, axis.Tick.Label.Color = labelStyle.Font, ink
	}
	return p
}

// A legend names series below the plots, where it covers no data.
type legend []legendEntry

type legendEntry struct {
	name   string
	thumbs []plot.Thumbnailer
}

const (
	legendRow   vg.Length = 14
	legendThumb vg.Length = 30
)

// layout returns the number and the width of the legend's columns.
func (l legend) layout() (columns int, width vg.Length) {
	for _, e := range l {
		width = max(width, min(bodyWidth, legendThumb+labelStyle.Width(e.name)+3*gap))
	}
	return max(1, int(bodyWidth/max(1, width))), width
}

// draw draws the legend from the top of c, row by row.
func (l legend) draw(c draw.Canvas) {
	columns, width := l.layout()
	for i, e := range l {
		one := plot.NewLegend()
		one.TextStyle, one.Left, one.Top, one.ThumbnailWidth = labelStyle, true, true, legendThumb
		one.Add(shortened(labelStyle, e.name, bodyWidth-legendThumb-gap), e.thumbs...)
		one.Draw(draw.Crop(c, width*vg.Length(i%columns), 0, 0, -legendRow*vg.Length(i/columns)))
	}
}

// The texts of a figure. None is smaller than 11 pixels in a browser.
var (
	titleStyle   = textStyle(13, xfont.WeightBold, ink)
	headingStyle = textStyle(9, xfont.WeightBold, ink)
	labelStyle   = textStyle(9, xfont.WeightNormal, ink)
	captionStyle = textStyle(8.5, xfont.WeightNormal, faint)
)

func textStyle(size vg.Length, weight xfont.Weight, col color.Color) text.Style {
	s := text.Style{Color: col, Handler: plot.DefaultTextHandler}
	s.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}, size)
	return s
}

// blockHeight is the height of the lines and of the gap below them.
func blockHeight(s text.Style, lines []string) vg.Length {
	return 1.3*s.Font.Size*vg.Length(len(lines)) + gap
}

// writeLines writes lines from the top of c and returns what is left below them.
func writeLines(c draw.Canvas, s text.Style, lines []string) draw.Canvas {
	for i, line := range lines {
		c.FillText(s, vg.Point{X: c.Min.X, Y: c.Max.Y - 1.3*s.Font.Size*(vg.Length(i)+0.8)}, line)
	}
	return draw.Crop(c, 0, 0, 0, -blockHeight(s, lines))
}

// glue keeps numbers and their units, and formulas, on one line.
var glue = strings.NewReplacer(" %", "\u00a0%", " M", "\u00a0M", " ns", "\u00a0ns", " µs", "\u00a0µs",
	" = ", "\u00a0=\u00a0")

// wrap breaks txt at spaces into lines no wider than width.
func wrap(s text.Style, txt string, width vg.Length) (lines []string) {
	for _, word := range strings.FieldsFunc(glue.Replace(printable(txt)), func(r rune) bool { return r == ' ' }) {
		last := len(lines) - 1
		if last >= 0 && s.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, shortened(s, word, width))
		}
	}
	return lines
}

// balanced wraps txt into as few lines as wrap does, of about equal length: a title's last word does not stand alone.
func balanced(s text.Style, txt string, width vg.Length) (best []string) {
	for w := width; w > width/2 && (w == width || len(wrap(s, txt, w)) == len(best)); w -= 5 {
		best = wrap(s, txt, w)
	}
	return best
}

// shortened cuts txt to width, with an ellipsis in place of what is lost.
func shortened(s text.Style, txt string, width vg.Length) string {
	runes := []rune(printable(txt))
	for len(runes) > 1 && s.Width(string(runes)) > width {
		runes = append(runes[:len(runes)-2], '…')
	}
	return string(runes)
}

// printable replaces what XML forbids by spaces, and joins lines.
func printable(txt string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0xFFFD && r <= 0xFFFF {
			return ' '
		}
		return r
	}, txt)
}

// An svgCanvas writes an SVG with a title and a description for readers who cannot see the drawing, and with texts in
// a font that viewers have. The library would name only Liberation Sans, or embed it in half a megabyte.
type svgCanvas struct {
	*vgsvg.Canvas
	figure XY
	height vg.Length
	color  color.Color
	texts  strings.Builder
}

func (c *svgCanvas) SetColor(col color.Color) {
	c.color = col
	c.Canvas.SetColor(col)
}

// FillString writes one line of text, for above the paths. The library has placed it by its width in Liberation
// Sans: textLength makes a viewer with another font squeeze or stretch a longer text to that width.
func (c *svgCanvas) FillString(f font.Face, at vg.Point, txt string) {
	if txt = printable(txt); strings.TrimSpace(txt) == "" {
		return
	}
	fmt.Fprintf(&c.texts, `<text x="%.5g" y="%.5g" font-size="%.3g"`, at.X, c.height-at.Y, f.Font.Size)
	r, g, b, _ := c.color.RGBA()
	fmt.Fprintf(&c.texts, ` fill="#%02X%02X%02X"`, r>>8, g>>8, b>>8)
	if f.Font.Weight == xfont.WeightBold {
		fmt.Fprint(&c.texts, ` font-weight="bold"`)
	}
	if utf8.RuneCountInString(txt) > 5 {
		fmt.Fprintf(&c.texts, ` textLength="%.4g" lengthAdjust="spacingAndGlyphs"`, f.Width(txt))
	}
	fmt.Fprintf(&c.texts, ">%s</text>\n", html.EscapeString(txt))
}

// WriteTo writes the file, with the texts above the paths.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	if _, err := c.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	words := "<title>" + html.EscapeString(printable(c.figure.Title)) + "</title>\n"
	if c.figure.Command != "" {
		words += "<desc>" + html.EscapeString(printable(c.figure.Command)) + "</desc>\n"
	}
	svg := strings.Replace(b.String(), ">\n<g ", svgMark+">\n"+words+"<g ", 1)
	n, err := io.WriteString(w, strings.TrimSuffix(svg, "</svg>\n")+c.texts.String()+"</svg>\n")
	return int64(n), err
}
