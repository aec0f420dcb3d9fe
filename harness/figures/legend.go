package figures

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A key is one entry of a legend: a sample drawn into a box, and words.
type key struct {
	text   string
	room   vg.Length // of the sample, across
	sample func(c draw.Canvas, box vg.Rectangle)
}

const (
	wideSample   vg.Length = 30
	slimSample   vg.Length = 8
	sampleGap    vg.Length = 4
	legendHeight vg.Length = 15 // of one line
	legendGap    vg.Length = 14 // between entries
)

// flatKey samples a line that runs across.
func flatKey(ls draw.LineStyle, text string) key {
	return key{text, wideSample, func(c draw.Canvas, box vg.Rectangle) {
		mid := (box.Min.Y + box.Max.Y) / 2
		stroke(c, ls, []vg.Point{{X: box.Min.X, Y: mid}, {X: box.Max.X, Y: mid}})
	}}
}

// uprightKey samples a line that runs upwards.
func uprightKey(ls draw.LineStyle, text string) key {
	return key{text, slimSample, func(c draw.Canvas, box vg.Rectangle) {
		x := (box.Min.X + box.Max.X) / 2
		stroke(c, ls, []vg.Point{{X: x, Y: box.Min.Y}, {X: x, Y: box.Max.Y}})
	}}
}

// markerKey samples a scheme's marker, with an interval bar.
func markerKey(s style, text string) key {
	return key{text, slimSample, func(c draw.Canvas, box vg.Rectangle) {
		x := (box.Min.X + box.Max.X) / 2
		drawBars(c, s, []vg.Point{{X: x, Y: box.Min.Y}}, []vg.Point{{X: x, Y: box.Max.Y}})
		drawMarkers(c, s, []vg.Point{{X: x, Y: (box.Min.Y + box.Max.Y) / 2}})
	}}
}

// schemeKey samples a scheme's line and marker.
func schemeKey(s style, text string) key {
	line := flatKey(s.line(), text)
	return key{text, wideSample, func(c draw.Canvas, box vg.Rectangle) {
		line.sample(c, box)
		drawMarkers(c, s, []vg.Point{{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}})
	}}
}

// draw writes the entry with its sample's left end at x, centred on y.
func (k key) draw(c draw.Canvas, x, y vg.Length) {
	k.sample(c, rect(x, y-5, x+k.room, y+5))
	write(c, lettering(labelSize, ink), x+k.room+sampleGap, y, 0, k.text)
}

func (k key) width() vg.Length {
	return k.room + sampleGap + lettering(labelSize, ink).Width(k.text)
}

// A legend is entries set in lines below a figure, left to right.
type legend []key

// lines breaks the legend into lines no wider than width.
func (l legend) lines(width vg.Length) [][]key {
	var lines [][]key
	used := vg.Length(0)
	for _, k := range l {
		if len(lines) == 0 || used+k.width() > width {
			lines, used = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], k)
		used += k.width() + legendGap
	}
	return lines
}

func (l legend) height() vg.Length {
	return legendHeight * vg.Length(len(l.lines(bodyWidth)))
}

// draw sets the legend into the bottom of the body.
func (l legend) draw(body draw.Canvas) {
	top := body.Min.Y + l.height()
	for i, line := range l.lines(bodyWidth) {
		x := body.Min.X
		for _, k := range line {
			k.draw(body, x, top-legendHeight*(vg.Length(i)+0.5))
			x += k.width() + legendGap
		}
	}
}

// A tag is a label outside the plot for something that touches its upper edge.
type tag struct {
	text string
	x    vg.Length // where it touches
}

const tagHeight vg.Length = 21 // of a row of tags with their leaders

// drawTags writes the tags side by side above the height y, moved apart where they would overlap
// and tied to their places by leaders. All stay between x0 and x1.
func drawTags(c draw.Canvas, tags []tag, y, x0, x1 vg.Length, size vg.Length, col color.Color) {
	s := lettering(size, col)
	want, room := make([]vg.Length, len(tags)), make([]vg.Length, len(tags))
	for i, t := range tags {
		want[i], room[i] = t.x, s.Width(t.text)+6
	}
	for i, x := range spread(want, room, x0, x1) {
		stroke(c, draw.LineStyle{Color: col, Width: 0.5},
			[]vg.Point{{X: tags[i].x, Y: y + 1}, {X: x, Y: y + 8}})
		write(c, s, x, y+14, -0.5, tags[i].text)
	}
}
