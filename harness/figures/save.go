package figures

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	ErrEmpty  = errors.New("figures: nothing to draw") // no value is left after those without a place are dropped
	ErrFormat = errors.New("figures: unknown format")  // neither svg nor png
	ErrShape  = errors.New("figures: bad shape")       // lengths that disagree, or an axis that does not ascend
)

// pngDPI draws a PNG at twice the size that browsers show an SVG at, for sharp text on dense screens.
const pngDPI = 192

// A Figure is a Curves, a Crossover, a WinnerMap or a Lines.
type Figure interface {
	plan() (plan, error)
}

// Frame holds the words around a figure.
type Frame struct {
	Title   string   // the finding, with its number
	Caption []string // below the figure, one paragraph each; lines wrap
	Command string   // the command that made the figure; an SVG keeps it as its description
}

// Dropped counts what a figure was given but could not draw.
type Dropped struct {
	Points int // points with a coordinate outside 1e-30 … 1e30, on a linear axis outside ±1e30
	Bars   int // interval bars with such an end, or upside down; their points are drawn
}

func (d Dropped) plus(e Dropped) Dropped {
	return Dropped{d.Points + e.Points, d.Bars + e.Bars}
}

// A plan is a figure that has been checked and measured and needs only a canvas.
type plan struct {
	frame   Frame
	height  vg.Length // of the body, which is bodyWidth wide
	dropped Dropped
	linear  bool // no axis is logarithmic
	draw    func(body draw.Canvas)
}

// Save draws f and writes it to path, as the extension says: .svg or .png. The file appears, or is
// replaced, in one step and only when all of it is on disk; after an error path is as it was.
func Save(path string, f Figure) (Dropped, error) {
	data, dropped, err := Render(f, strings.TrimPrefix(filepath.Ext(path), "."))
	if err != nil {
		return dropped, fmt.Errorf("%s: %w", path, err)
	}
	return dropped, replace(path, data)
}

// Render draws f as an SVG or PNG file in memory; format is "svg" or "png".
// The error wraps ErrEmpty, ErrShape or ErrFormat.
func Render(f Figure, format string) (data []byte, dropped Dropped, err error) {
	format = strings.ToLower(format)
	if format != "svg" && format != "png" {
		return nil, dropped, fmt.Errorf("%w %q: want svg or png", ErrFormat, format)
	}
	if f == nil {
		return nil, dropped, fmt.Errorf("%w: no figure", ErrEmpty)
	}
	// gonum/plot reports bad values by panicking. The checks of plan leave it none; should one
	// pass them, the caller loses a figure and not the run that measured its numbers.
	defer func() {
		if r := recover(); r != nil {
			data, err = nil, fmt.Errorf("figures: cannot draw %T: %v", f, r)
		}
	}()
	p, err := f.plan()
	if err != nil {
		return nil, p.dropped, err
	}
	data, err = p.render(format)
	return data, p.dropped, err
}

// render puts the words and the body on a canvas as tall as they need.
func (p plan) render(format string) ([]byte, error) {
	page := layPage(p)
	var c vg.CanvasWriterTo
	if format == "png" {
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, page.height), vgimg.UseDPI(pngDPI))}
	} else {
		c = vgsvg.New(pageWidth, page.height)
	}
	page.draw(draw.NewCanvas(c, pageWidth, page.height))
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	if format == "png" {
		return buf.Bytes(), nil
	}
	return finishSVG(buf.Bytes(), p.frame), nil
}

// finishSVG names fonts that browsers have, once for the whole file, and adds title and
// description for readers who cannot see the drawing.
func finishSVG(svg []byte, f Frame) []byte {
	const family = "font-family:Liberation Sans;font-variant:normal;"
	for _, weight := range []string{"bold", "normal"} {
		long := family + "font-weight:" + weight + ";font-style:normal;"
		short := ""
		if weight == "bold" {
			short = "font-weight:bold;"
		}
		svg = bytes.ReplaceAll(svg, []byte(long), []byte(short))
	}
	svg = mergePaths(svg)
	open := bytes.Index(svg, []byte("<svg "))
	end := open + bytes.IndexByte(svg[open:], '>')
	var out bytes.Buffer
	out.Write(svg[:end])
	out.WriteString("\n\trole=\"img\" style=\"font-family:'Liberation Sans',Arial,sans-serif\">\n")
	element(&out, "title", f.Title)
	element(&out, "desc", f.Command)
	out.Write(bytes.TrimPrefix(svg[end+1:], []byte("\n")))
	return out.Bytes()
}

// mergePaths makes one path of neighbours that are stroked alike, such as an axis's ticks, which
// the library writes one by one with the style repeated: it halves the file.
func mergePaths(svg []byte) []byte {
	const begin, middle = "<path d=\"", "\" style=\"fill:none;"
	var out []string
	style := "" // of the path that ends out, "" if it ends with anything else
	for line := range strings.Lines(string(svg)) {
		d, s, ok := strings.Cut(line, middle)
		if !ok || !strings.HasPrefix(d, begin) {
			out, style = append(out, line), ""
			continue
		}
		if s == style {
			last := len(out) - 1
			before, _, _ := strings.Cut(out[last], middle)
			out[last] = before + d[len(begin):] + middle + s
			continue
		}
		out, style = append(out, line), s
	}
	return []byte(strings.Join(out, ""))
}

func element(w io.Writer, name, text string) {
	if text = printable(text); text != "" {
		fmt.Fprintf(w, "<%s>%s</%s>\n", name, html.EscapeString(text), name)
	}
}

// replace writes data beside path and renames it to path, so that no reader and no crash ever
// meets half a file.
func replace(path string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("figures: cannot write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
			err = fmt.Errorf("figures: cannot write %s: %w", path, err)
		}
	}()
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
