package figures

import (
	"cmp"
	"math"
	"slices"

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
		e, x := ends[i], area.Max.X+leaderWidth
		if e.key.room == 0 {
			x = area.Max.X
		}
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

// drawTags writes the tags above the height y, moved apart where they would overlap and tied to their
// places by leaders. All stay between x0 and x1.
func (s *sheet) drawTags(tags []tag, y, x0, x1 vg.Length) {
	const gap = 6
	letters := label
	letters.size -= 0.5
	var want, room []vg.Length
	for _, t := range tags {
		want, room = append(want, t.x), append(room, letters.width(t.text)+gap)
	}
	for i, x := range spread(want, room, x0, x1) {
		s.stroke(draw.LineStyle{Color: ink, Width: 0.5}, []vg.Point{{X: tags[i].x, Y: y + 1}, {X: x, Y: y + 8}})
		s.write(letters, x, y+14, middle, tags[i].text)
	}
}

// The key of slopes: three short lines right of the plot. Lines through the plot would look like data.
const (
	slopeLength vg.Length = 40 // across, and up at most
	slopeGap    vg.Length = 10 // between labels
	slopesWidth           = slopeLength + 50
	slopesBelow vg.Length = 28                                     // how far it reaches below the plot
	slopesAbove           = slopeLength + 2*slopeGap - slopesBelow // and above its lower edge, at most
)

var orders = []struct {
	name   string
	factor func(n, n0 float64) float64 // by which a cost grows from n0 to n
}{
	{"O(1)", func(n, n0 float64) float64 { return 1 }},
	{"O(log n)", func(n, n0 float64) float64 { return math.Log1p(n) / math.Log1p(n0) }},
	{"O(n)", func(n, n0 float64) float64 { return n / n0 }},
}

// drawSlopes draws how steep each order is on the axes, from the left end of the x axis.
func (l layout) drawSlopes(s *sheet, p plane) {
	from := vg.Point{X: p.Max.X + leaderWidth, Y: p.Min.Y - slopesBelow}
	n := l.x.lo * math.Pow(l.x.hi/l.x.lo, float64(slopeLength/p.Size().X))
	var lines [][]vg.Point
	var want, size []vg.Length
	for _, order := range orders {
		to := vg.Point{X: slopeLength, Y: p.y(l.y.lo*order.factor(n, l.x.lo)) - p.Min.Y}
		to = from.Add(to.Scale(min(1, slopeLength/max(to.Y, 1))))
		lines = append(lines, []vg.Point{from, to})
		want, size = append(want, to.Y), append(size, slopeGap)
	}
	s.stroke(draw.LineStyle{Color: rgb(0x888888), Width: 0.8}, lines...)
	top := vg.Length(0)
	for i, y := range spread(want, size, from.Y-slopeGap/2, p.Max.Y) {
		s.write(remark, lines[i][1].X+4, y, left, orders[i].name)
		top = max(top, y)
	}
	s.write(remark, from.X, top+slopeGap+1, left, "slopes of")
}

// spread places intervals of the given sizes, centred near to want, so that none overlap, their order
// is kept and all lie within lo and hi. Sizes that do not fit are shrunk together, and then touch.
//
// It packs twice: pushing up what overlaps, and pushing down. Halfway between, neighbours overlap as
// little as in each, and a crowd is centred on where it is wanted.
func spread(want, size []vg.Length, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(want))
	total := vg.Length(0)
	for i := range order {
		order[i] = i
		total += size[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
	shrink := min(1, (hi-lo)/max(total, 1e-9))
	out := make([]vg.Length, len(want))
	end, above := lo, total*shrink
	for _, i := range order {
		half := size[i] * shrink / 2
		out[i] = min(max(want[i], end+half), hi-above+half)
		end, above = out[i]+half, above-2*half
	}
	end, below := hi, total*shrink
	for _, i := range slices.Backward(order) {
		half := size[i] * shrink / 2
		down := max(min(want[i], end-half), lo+below-half)
		end, below = down-half, below-2*half
		out[i] = (out[i] + down) / 2
	}
	return out
}
