package figures

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A lineEnd is where a line stops, and its label.
type lineEnd struct {
	at  vg.Point
	led bool // a leader ties the label to the line
	key key
}

// drawEnds names the lines right of their plot, as near to the heights of their ends as others allow,
// above lo.
func (s *sheet) drawEnds(area vg.Rectangle, ends []lineEnd, lo vg.Length) {
	var want, size []vg.Length
	for _, e := range ends {
		want, size = append(want, e.at.Y), append(size, entryHeight)
	}
	for i, y := range spread(want, size, lo, area.Max.Y) {
		e := ends[i]
		if e.key.sample == nil {
			e.key.draw(s, area.Max.X+4, y)
			continue
		}
		x := area.Max.X + leaderWidth
		if e.led {
			s.stroke(draw.LineStyle{Color: rgb(0xAAAAAA), Width: 0.5},
				[]vg.Point{e.at, {X: area.Max.X + 1, Y: e.at.Y}, {X: x - 3, Y: y}})
		}
		e.key.draw(s, x, y)
	}
}

// A tag is a label above a plot for something that touches its upper edge.
type tag struct {
	text string
	x    vg.Length // where it touches
}

const tagHeight vg.Length = 21 // of a row of tags with their leaders

// drawTags writes the tags above the height y, moved apart where they would overlap, smaller where they
// would not fit, and tied to their places by leaders. All stay between x0 and x1.
func (s *sheet) drawTags(tags []tag, y, x0, x1 vg.Length) {
	const gap = 6
	letters := label
	letters.size -= 0.5
	total := vg.Length(0)
	for _, t := range tags {
		total += letters.width(t.text) + gap
	}
	letters.size *= min(1, (x1-x0)/max(1, total))
	want, room := make([]vg.Length, len(tags)), make([]vg.Length, len(tags))
	for i, t := range tags {
		want[i], room[i] = t.x, letters.width(t.text)+gap
	}
	for i, x := range spread(want, room, x0, x1) {
		s.stroke(draw.LineStyle{Color: ink, Width: 0.5}, []vg.Point{{X: tags[i].x, Y: y + 1}, {X: x, Y: y + 8}})
		s.write(letters, x, y+14, middle, tags[i].text)
	}
}

// The key of slopes: three short lines right of the plot. Lines through the plot would look like data.
const (
	slopeLength  vg.Length = 40 // across
	slopeGap     vg.Length = 10 // between labels
	slopesWidth            = slopeLength + 50
	slopesHeight           = slopeLength + 2*slopeGap // at most
	slopesBelow  vg.Length = 28                       // how far it reaches below the plot
)

var orders = []struct {
	name   string
	factor func(n, n0 float64) float64 // by which a cost grows from n0 to n
}{
	{"O(1)", func(n, n0 float64) float64 { return 1 }},
	{"O(log n)", func(n, n0 float64) float64 { return math.Log1p(n) / math.Log1p(n0) }},
	{"O(n)", func(n, n0 float64) float64 { return n / n0 }},
}

// slopesAbove is how far the key of slopes reaches above the plot's lower edge.
func (l layout) slopesAbove(p plane) vg.Length {
	if !l.Slopes {
		return 0
	}
	lines := l.slopes(p)
	rise := lines[2][len(lines[2])-1].Y - lines[0][0].Y
	return max(0, max(rise, 2*slopeGap)+2*slopeGap-slopesBelow)
}

// slopes returns the orders' lines, from one point; a steep one ends when it is as high as the key is wide.
func (l layout) slopes(p plane) [][]vg.Point {
	from := vg.Point{X: p.Max.X + leaderWidth, Y: p.Min.Y - slopesBelow}
	var lines [][]vg.Point
	n0 := l.x.lo
	for _, order := range orders {
		line := []vg.Point{from}
		for step := range 20 {
			// The n that stands this far to the right of n0.
			part := float64(slopeLength*vg.Length(step+1)/20) / float64(across(p.Rectangle))
			n := n0 * math.Pow(l.x.hi/l.x.lo, part)
			rise := p.y(l.y.lo*order.factor(n, n0)) - p.Min.Y
			if rise > slopeLength {
				break
			}
			line = append(line, from.Add(vg.Point{X: slopeLength * vg.Length(step+1) / 20, Y: rise}))
		}
		lines = append(lines, line)
	}
	return lines
}

// drawSlopes draws the key of slopes.
func (l layout) drawSlopes(s *sheet, p plane) {
	lines := l.slopes(p)
	s.stroke(draw.LineStyle{Color: rgb(0x888888), Width: 0.8}, lines...)
	var want, size []vg.Length
	for _, line := range lines {
		want, size = append(want, line[len(line)-1].Y), append(size, slopeGap)
	}
	top := vg.Length(0)
	for i, y := range spread(want, size, p.Min.Y-slopesBelow-slopeGap/2, p.Max.Y) {
		end := lines[i][len(lines[i])-1]
		s.write(remark, end.X+4, y, left, orders[i].name)
		top = max(top, y)
	}
	s.write(remark, p.Max.X+leaderWidth, top+slopeGap+1, left, "slopes of")
}
