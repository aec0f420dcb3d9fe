package figures

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const markerRadius vg.Length = 2.7

// A marker is an outline and the way it is filled. The library's glyphs have no white inside, through
// which lines would show, and are a path each.
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

// inverse exchanges solid and hollow.
func (m marker) inverse() marker {
	if m.fill != open {
		m.fill = hollow - m.fill
	}
	return m
}

type shape int

const (
	circle shape = iota
	square
	triangle
	fall // a triangle upside down
	diamond
	house // a square with a roof
	plus
	cross
)

// corners are the shapes' outlines in units of the marker's radius, all of about one area.
// Pairs of strokes for plus and cross.
var corners = map[shape][]vg.Point{
	square:   {{X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}, {X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}},
	triangle: {{X: -1.15, Y: -0.8}, {X: 1.15, Y: -0.8}, {X: 0, Y: 1.2}},
	fall:     {{X: -1.15, Y: 0.8}, {X: 1.15, Y: 0.8}, {X: 0, Y: -1.2}},
	diamond:  {{X: -1.3, Y: 0}, {X: 0, Y: -1.3}, {X: 1.3, Y: 0}, {X: 0, Y: 1.3}},
	house:    {{X: -0.95, Y: -1}, {X: 0.95, Y: -1}, {X: 0.95, Y: 0.4}, {X: 0, Y: 1.3}, {X: -0.95, Y: 0.4}},
	plus:     {{X: -1.2, Y: 0}, {X: 1.2, Y: 0}, {X: 0, Y: -1.2}, {X: 0, Y: 1.2}},
	cross:    {{X: -1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}},
}

// outlines returns the outlines of a marker on every point.
func (m marker) outlines(points []vg.Point) (all vg.Path) {
	for _, at := range points {
		if m.shape == circle {
			all.Move(at.Add(vg.Point{X: markerRadius}))
			all.Arc(at, markerRadius, 0, 2*math.Pi)
			all.Close()
			continue
		}
		var line []vg.Point
		for _, k := range corners[m.shape] {
			line = append(line, at.Add(k.Scale(markerRadius)))
		}
		if m.shape == plus || m.shape == cross {
			all = append(all, joined(false, line[:2], line[2:])...)
		} else {
			all = append(all, joined(true, line)...)
		}
	}
	return all
}

// drawMarkers puts the style's marker on every point, all as one path.
func (s *sheet) drawMarkers(st style, at []vg.Point) {
	p := st.marker.outlines(at)
	switch st.marker.fill {
	case solid:
		s.paint(st.color, p)
		return
	case hollow:
		s.paint(white, p)
	}
	s.outline(draw.LineStyle{Color: st.color, Width: 1.1}, p)
}

// drawBars draws an upright bar with caps from lo[i] to hi[i], all as one path.
func (s *sheet) drawBars(st style, lo, hi []vg.Point) {
	const half = 2 // points
	var lines [][]vg.Point
	for i := range lo {
		lines = append(lines, []vg.Point{lo[i], hi[i]},
			level(lo[i].Y, lo[i].X-half, lo[i].X+half), level(hi[i].Y, hi[i].X-half, hi[i].X+half))
	}
	s.stroke(st.bar(), lines...)
}
