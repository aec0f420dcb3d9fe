package figures

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	ErrEmpty  = errors.New("figures: nothing to draw") // no value has a place on the axes
	ErrFormat = errors.New("figures: unknown format")  // neither svg nor png
	ErrShape  = errors.New("figures: bad shape")       // lengths that disagree, or an axis that does not ascend
)

// pngDPI draws a PNG at twice the size that browsers show an SVG at, for sharp text on dense screens.
const pngDPI = 192

// A Figure is an XY or a WinnerMap.
type Figure interface {
	plan() (plan, error)
}

// Frame holds the words around a figure.
type Frame struct {
	Title   string   // the finding, with its number
	Caption []string // below the figure, one paragraph each; lines wrap
	Command string   // the command that made the figure; an SVG keeps it as its description
}

// A plan is a figure that has been checked and measured and needs only a canvas.
type plan struct {
	frame   Frame
	height  vg.Length // of the body, which is bodyWidth wide
	omitted omitted
	linear  bool // no axis is logarithmic
	draw    func(s *sheet, body vg.Rectangle)
}

// Save draws f and writes it to path, as the extension says: .svg or .png. The file appears, or is
// replaced, in one step (on Windows, in place); after an error path is as it was.
func Save(path string, f Figure) error {
	data, err := Render(f, strings.TrimPrefix(filepath.Ext(path), "."))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := maybe.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("figures: cannot write %s: %w", path, err)
	}
	return nil
}

// Render draws f as an SVG or PNG file in memory; format is "svg" or "png".
// The error wraps ErrEmpty, ErrShape or ErrFormat.
func Render(f Figure, format string) (data []byte, err error) {
	format = strings.ToLower(format)
	if format != "svg" && format != "png" {
		return nil, fmt.Errorf("%w %q (have svg, png)", ErrFormat, format)
	}
	if f == nil {
		return nil, fmt.Errorf("%w: no figure", ErrEmpty)
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
		return nil, err
	}
	return p.render(format)
}

// render puts the words and the body on a canvas as tall as they need.
func (p plan) render(format string) ([]byte, error) {
	words, caption := title.balanced(p.frame.Title, bodyWidth), []string(nil)
	for _, paragraph := range slices.Concat(p.frame.Caption, p.omitted.note(p.linear)) {
		caption = append(caption, remark.wrap(paragraph, bodyWidth)...)
	}
	height := 2*pageMargin + p.height + blockHeight(words, titleSize) + blockHeight(caption, captionSize)
	var canvas interface {
		vg.CanvasSizer
		vg.CanvasWriterTo
	} = vgsvg.New(pageWidth, height)
	if format == "png" {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, height), vgimg.UseDPI(pngDPI))}
	}
	s := &sheet{Canvas: draw.NewCanvas(canvas, pageWidth, height)}
	s.fill(white, rect(0, 0, pageWidth, height))
	top := height - pageMargin
	s.block(title, top, words)
	top -= blockHeight(words, titleSize)
	body := rect(pageMargin, top-p.height, pageWidth-pageMargin, top)
	s.block(remark, body.Min.Y-blockGap, caption)
	p.draw(s, body)
	if format == "png" {
		s.drawTexts()
	}
	var buf bytes.Buffer
	if _, err := canvas.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	if format == "png" {
		return buf.Bytes(), nil
	}
	return s.finishSVG(buf.Bytes(), p.frame), nil
}

// Sizes in points. Browsers show a page of 600 points 800 pixels wide.
const (
	pageWidth  vg.Length = 600
	pageMargin vg.Length = 10
	bodyWidth            = pageWidth - 2*pageMargin
	blockGap   vg.Length = 8 // between title, body and caption
)

// blockHeight is the height of the lines and of the gap that parts them from the body.
func blockHeight(lines []string, size vg.Length) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*size*lineSpacing + blockGap
}

// block writes lines from the height top downwards.
func (s *sheet) block(l lettering, top vg.Length, lines []string) {
	for i, line := range lines {
		s.write(l, pageMargin, top-l.size*lineSpacing*(vg.Length(i)+0.5), left, line)
	}
}
