package figures

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An entry names a series, or a prediction and what was measured for it at once.
type entry struct {
	key
	series int // index, of the first of the two
}

func entriesOf(series []Series, styles []style) []entry {
	var entries []entry
	for i, s := range series {
		e := entry{key{text: label.shortened(s.label(), bodyWidth-wideSample-sampleGap), room: slimSample}, i}
		if s.Kind.lined() {
			e.line, e.room = styles[i].line(), wideSample
		}
		if s.Kind.marked() {
			e.marker = &styles[i]
		}
		mate := slices.IndexFunc(entries, func(o entry) bool {
			named := series[o.series].styleName() == s.styleName() && o.text == e.text
			return named && (o.marker == nil) != (e.marker == nil) && (o.room == wideSample) != (e.room == wideSample)
		})
		switch {
		case mate < 0:
			entries = append(entries, e)
		case e.marker == nil:
			entries[mate].line, entries[mate].room = e.line, e.room
		default:
			entries[mate].marker = e.marker
		}
	}
	return entries
}

// A key is one entry of a legend as it is drawn: words after a sample, if room is not 0, that shows a
// line, a marker or both, or the look of a map's cells.
type key struct {
	text   string
	bold   bool
	room   vg.Length // of the sample, across
	line   draw.LineStyle
	marker *style
	cell   *look
}

const (
	wideSample   vg.Length = 30
	slimSample   vg.Length = 8
	sampleGap    vg.Length = 4
	entryHeight  vg.Length = 13 // at a line's end
	legendHeight vg.Length = 15 // of one line below a figure
	legendGap    vg.Length = 14 // between entries
)

// draw writes the entry with its left end at x, centred on y.
func (k key) draw(s *sheet, x, y vg.Length) {
	box := rect(x, y-5, x+k.room, y+5)
	mid := centre(box)
	switch {
	case k.cell != nil:
		k.cell.draw(s, []vg.Rectangle{box})
		s.write(k.cell.letters(), mid.X, mid.Y, middle, k.cell.letter)
	case k.line.Width > 0:
		s.stroke(k.line, level(y, box.Min.X, box.Max.X))
	case k.marker != nil:
		s.drawBars(*k.marker, []vg.Point{{X: mid.X, Y: box.Min.Y}}, []vg.Point{{X: mid.X, Y: box.Max.Y}})
	}
	if k.marker != nil {
		s.drawMarkers(*k.marker, []vg.Point{mid})
	}
	letters := label
	letters.bold = k.bold
	s.write(letters, box.Max.X+sampleGap, y, left, k.text)
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
