package figures

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// sources are the looks of marks and frontiers.
var sources = [...]struct {
	rule, legend string
	line         draw.LineStyle
}{
	ByMeasurement: {"measured", "T* measured", draw.LineStyle{Color: rgb(0xBBBBBB), Width: 3}},
	ByRefinedRule: {"refined rule", "T* by the refined rule", draw.LineStyle{Color: ink, Width: 1.1, Dashes: []vg.Length{4, 2.5}}},
	ByPaper:       {"paper's rule", "T* by the paper's rule", draw.LineStyle{Color: ink, Width: 1.1}},
}

// An entry names a series, or a prediction and what was measured for it at once.
type entry struct {
	series        int // index, of the first of the two
	name          string
	style         style
	lined, marked bool // what the sample shows
}

func entriesOf(series []Series, styles []style) []entry {
	var entries []entry
	for i, s := range series {
		e := entry{i, s.label(), styles[i], s.Kind.lined(), s.Kind.marked()}
		mate := slices.IndexFunc(entries, func(o entry) bool {
			return series[o.series].styleName() == s.styleName() && o.name == e.name && o.lined != e.lined && o.marked != e.marked
		})
		if mate < 0 {
			entries = append(entries, e)
			continue
		}
		if m := &entries[mate]; e.lined {
			m.lined, m.style.dash = true, e.style.dash
		} else {
			m.marked, m.style.marker = true, e.style.marker
		}
	}
	return entries
}

// key returns the entry with a name cut to this width.
func (e entry) key(most vg.Length) key {
	name := label.shortened(e.name, most)
	switch {
	case !e.marked:
		return flatKey(e.style.line(), name)
	case !e.lined:
		return markerKey(e.style, name)
	}
	return schemeKey(e.style, name)
}

// A key is one entry of a legend as it is drawn: a sample in a box, if any, and words.
type key struct {
	text   string
	room   vg.Length // of the sample, across
	sample func(s *sheet, box vg.Rectangle)
	bold   bool
}

const (
	wideSample   vg.Length = 30
	slimSample   vg.Length = 8
	sampleGap    vg.Length = 4
	entryHeight  vg.Length = 13 // at a line's end
	legendHeight vg.Length = 15 // of one line below a figure
	legendGap    vg.Length = 14 // between entries
)

// flatKey samples a line that runs across.
func flatKey(ls draw.LineStyle, text string) key {
	return key{text: text, room: wideSample, sample: func(s *sheet, box vg.Rectangle) {
		s.stroke(ls, level(centre(box).Y, box.Min.X, box.Max.X))
	}}
}

// uprightKey samples a line that runs upwards.
func uprightKey(ls draw.LineStyle, text string) key {
	return key{text: text, room: slimSample, sample: func(s *sheet, box vg.Rectangle) {
		s.stroke(ls, upright(centre(box).X, box.Min.Y, box.Max.Y))
	}}
}

// markerKey samples a marker, with an interval bar.
func markerKey(st style, text string) key {
	return key{text: text, room: slimSample, sample: func(s *sheet, box vg.Rectangle) {
		mid := centre(box)
		s.drawBars(st, []vg.Point{{X: mid.X, Y: box.Min.Y}}, []vg.Point{{X: mid.X, Y: box.Max.Y}})
		s.drawMarkers(st, []vg.Point{mid})
	}}
}

// schemeKey samples a line and its marker.
func schemeKey(st style, text string) key {
	line := flatKey(st.line(), text)
	return key{text: text, room: wideSample, sample: func(s *sheet, box vg.Rectangle) {
		line.sample(s, box)
		s.drawMarkers(st, []vg.Point{centre(box)})
	}}
}

// draw writes the entry with its left end at x, centred on y.
func (k key) draw(s *sheet, x, y vg.Length) {
	if k.sample != nil {
		k.sample(s, rect(x, y-5, x+k.room, y+5))
		x += k.room + sampleGap
	}
	letters := label
	letters.bold = k.bold
	s.write(letters, x, y, left, k.text)
}

func (k key) width() vg.Length { return k.room + sampleGap + label.width(k.text) }

// A legend is entries set in lines below a figure, left to right. The library's would cover data.
type legend []key

// lines breaks the legend into lines as wide as the body.
func (l legend) lines() [][]key {
	var lines [][]key
	used := vg.Length(0)
	for _, k := range l {
		if len(lines) == 0 || used+k.width() > bodyWidth {
			lines, used = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], k)
		used += k.width() + legendGap
	}
	return lines
}

func (l legend) height() vg.Length { return legendHeight * vg.Length(len(l.lines())) }

// draw sets the legend into the bottom of the body.
func (l legend) draw(s *sheet, body vg.Rectangle) {
	top := body.Min.Y + l.height()
	for i, line := range l.lines() {
		x := body.Min.X
		for _, k := range line {
			k.draw(s, x, top-legendHeight*(vg.Length(i)+0.5))
			x += k.width() + legendGap
		}
	}
}
