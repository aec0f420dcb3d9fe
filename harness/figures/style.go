package figures

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A style is how one scheme looks in every figure.
type style struct {
	name   string
	number int // the paper's, 0 for none
	color  color.RGBA
	dash   []vg.Length
	marker marker
}

// styles is the one table of looks. The colours are those of Paul Tol's "bright" scheme, which
// people with any form of colour blindness can tell apart, and black. No two rows share a
// colour, a dash or a marker. 6 and 7, which the suite compares most, differ most.
var styles = []style{
	{"null", 0, rgb(0xBBBBBB), []vg.Length{2, 2.5}, marker{plus, open}},
	{"unordered", 1, rgb(0x000000), []vg.Length{1, 1.5}, marker{square, solid}},
	{"ordered", 2, rgb(0xCCBB44), []vg.Length{8, 2, 1.5, 2}, marker{triangle, solid}},
	{"tree", 3, rgb(0x228833), []vg.Length{3, 1.5}, marker{cross, open}},
	{"simplewheel", 4, rgb(0x66CCEE), []vg.Length{10, 3}, marker{square, hollow}},
	{"hashsorted", 5, rgb(0xAA3377), []vg.Length{6, 1.5, 1.5, 1.5, 1.5, 1.5}, marker{triangle, hollow}},
	{"hashunsorted", 6, rgb(0x4477AA), nil, marker{circle, solid}},
	{"hierarchical", 7, rgb(0xEE6677), []vg.Length{5, 2.5}, marker{diamond, hollow}},
}

func rgb(v uint32) color.RGBA {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

// tint mixes c with white: share 1 leaves c, 0 gives white.
func tint(c color.RGBA, share float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(255 - share*(255-float64(v)))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

// styleOf returns the look of a scheme. A variant ("ordered-rear") has its base's colour, a
// finer dash and the marker turned inside out; a scheme that the table does not know is dark grey.
func styleOf(name string) style {
	base, _, variant := strings.Cut(name, "-")
	for _, s := range styles {
		if s.name != base {
			continue
		}
		if variant {
			s.name, s.dash, s.marker = name, []vg.Length{2, 1, 1, 1}, s.marker.inverse()
		}
		return s
	}
	return style{name, 0, rgb(0x666666), []vg.Length{4, 4}, marker{diamond, solid}}
}

// label is the scheme's name as figures write it, led by the paper's number.
func (s style) label() string {
	if s.number == 0 {
		return s.name
	}
	return strconv.Itoa(s.number) + " " + s.name
}

const (
	lineWidth    vg.Length = 1.3
	markerRadius vg.Length = 2.7
)

func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: lineWidth, Dashes: s.dash}
}

// bar is the line of an interval bar: never dashed, a dash could hide its end.
func (s style) bar() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: 0.8}
}

// A marker is an outline and the way it is filled.
type marker struct {
	shape shape
	fill  filling
}

type filling int

const (
	solid  filling = iota
	hollow         // white inside, so that lines do not show through
	open           // strokes only
)

func (m marker) inverse() marker {
	switch m.fill {
	case solid:
		m.fill = hollow
	case hollow:
		m.fill = solid
	}
	return m
}

type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	plus
	cross
)

// corners are the shapes' outlines in units of the marker's radius, all of about one area.
// Pairs of strokes for plus and cross.
var corners = map[shape][]vg.Point{
	square:   {{X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}, {X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}},
	triangle: {{X: -1.15, Y: -0.8}, {X: 1.15, Y: -0.8}, {X: 0, Y: 1.2}},
	diamond:  {{X: -1.3, Y: 0}, {X: 0, Y: -1.3}, {X: 1.3, Y: 0}, {X: 0, Y: 1.3}},
	plus:     {{X: -1.2, Y: 0}, {X: 1.2, Y: 0}, {X: 0, Y: -1.2}, {X: 0, Y: 1.2}},
	cross:    {{X: -1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}},
}

// outline adds the shape around at to p.
func (s shape) outline(p *vg.Path, at vg.Point, r vg.Length) {
	if s == circle {
		p.Move(at.Add(vg.Point{X: r}))
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
		return
	}
	strokes := s == plus || s == cross
	for i, k := range corners[s] {
		pt := at.Add(k.Scale(r))
		if i == 0 || strokes && i%2 == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	if !strokes {
		p.Close()
	}
}

// drawMarkers puts the style's marker on every point, all as one path.
func drawMarkers(c draw.Canvas, s style, at []vg.Point) {
	var p vg.Path
	for _, pt := range at {
		s.marker.shape.outline(&p, pt, markerRadius)
	}
	if len(p) == 0 {
		return
	}
	if s.marker.fill != open {
		c.SetColor(s.color)
		if s.marker.fill == hollow {
			c.SetColor(color.White)
		}
		c.Fill(p)
	}
	if s.marker.fill != solid {
		c.SetLineStyle(draw.LineStyle{Color: s.color, Width: 1.1})
		c.Stroke(p)
	}
}

// drawBars draws an upright bar with caps from lo[i] to hi[i], all as one path.
func drawBars(c draw.Canvas, s style, lo, hi []vg.Point) {
	const half = 2 // points
	var lines [][]vg.Point
	for i := range lo {
		lines = append(lines, []vg.Point{lo[i], hi[i]},
			[]vg.Point{{X: lo[i].X - half, Y: lo[i].Y}, {X: lo[i].X + half, Y: lo[i].Y}},
			[]vg.Point{{X: hi[i].X - half, Y: hi[i].Y}, {X: hi[i].X + half, Y: hi[i].Y}})
	}
	stroke(c, s.bar(), lines...)
}
