package draw

import (
	"fmt"
	"math"
	"slices"

	"timerlab/schemes"
)

// mostChips is the number of timers that are drawn with their IDs in a list or tree.
const mostChips = 96

// list draws timers in a row from its head, in as many lines as it takes.
func (c *canvas) list(places []schemes.Place, y float64, head string) float64 {
	const pitchX, pitchY, first, perLine = 36.0, 46.0, 40.0, 8
	lines := max(1, (max(len(places), c.state.N, 6)+perLine-1)/perLine)
	fmt.Fprintf(c, `<text class="label" x="%g" y="%g">%s</text>`, margin, y+28, head)
	at := y + 24
	for line := range slices.Chunk(places, perLine) {
		fmt.Fprintf(c, `<path class="chain" d="M%g %gH%g"/>`, first+4, at, first+16+float64(len(line)-1)*pitchX)
		for i, p := range line {
			c.chip(p, first+18+float64(i)*pitchX, at, 13, c.keyText(p))
		}
		at += pitchY
	}
	return y + 12 + float64(lines)*pitchY
}

// keyText is what the scheme keeps for a timer: a deadline counts from the run's start.
func (c *canvas) keyText(p schemes.Place) string {
	if p.Key == uint64(p.Deadline) {
		return fmt.Sprintf("@%d", p.Deadline-c.state.Now)
	}
	return fmt.Sprint(p.Key)
}

// crowd draws each timer as a square without a name, where there is no room for circles.
func (c *canvas) crowd(places []schemes.Place) float64 {
	const most, perLine, pitch = 1700, 50, 6.8
	for i, p := range places[:min(most, len(places))] {
		fmt.Fprintf(c, `<rect class="dot %s" x="%.1f" y="%.1f" width="5.2" height="5.2"/>`, c.looks[p.ID],
			margin+float64(i%perLine)*pitch, 26+float64(i/perLine)*pitch)
	}
	fmt.Fprintf(c, `<text class="label" x="%g" y="16">%d timers</text>`, margin, len(places))
	lines := (min(most, max(len(places), c.state.N)) + perLine - 1) / perLine
	return 34 + float64(lines)*pitch
}

// tree draws timers below the one that they wait under.
func (c *canvas) tree(places []schemes.Place) float64 {
	const height = 260.0
	t := &layout{below: map[int][]schemes.Place{}, x: map[int]float64{}, depth: map[int]int{}}
	for _, p := range places {
		t.below[p.Parent] = append(t.below[p.Parent], p)
	}
	for _, top := range t.below[-1] {
		t.place(top, 0)
	}
	leaves, deepest := max(1, t.next-1), max(1, t.deepest)
	r := max(3, min(13, 150/(leaves+1), (height-40)/float64(2*deepest+2)))
	at := func(position int) (x, y float64) {
		x = margin + 14 + (width-2*margin-28)*t.x[position]/leaves
		if leaves == 1 && t.next <= 1 {
			x = width / 2
		}
		return x, 24 + (height-60)*float64(t.depth[position])/math.Max(4, float64(deepest))
	}
	for _, p := range places {
		if p.Parent >= 0 {
			x1, y1 := at(p.Parent)
			x2, y2 := at(p.Position)
			fmt.Fprintf(c, `<path class="chain" d="M%.1f %.1fL%.1f %.1f"/>`, x1, y1, x2, y2)
		}
	}
	for _, p := range places {
		x, y := at(p.Position)
		key := ""
		if r >= 8 {
			key = c.keyText(p)
		}
		c.chip(p, x, y, r, key)
	}
	return height
}

// layout gives every node of some trees a column and a depth.
type layout struct {
	below   map[int][]schemes.Place // by the position of the node above, -1 for those on top
	x       map[int]float64
	depth   map[int]int
	next    float64 // the next free column
	deepest int
}

// place puts a node over the middle of the nodes below it. A single child is left or right of its
// parent, as its Slot says.
func (t *layout) place(p schemes.Place, depth int) {
	t.depth[p.Position], t.deepest = depth, max(t.deepest, depth)
	children := t.below[p.Position]
	right := len(children) == 1 && children[0].Slot > 0
	column := func() {
		t.x[p.Position] = t.next
		t.next++
	}
	if right {
		column()
	}
	for _, child := range children {
		t.place(child, depth+1)
	}
	if len(children) > 1 {
		t.x[p.Position] = (t.x[children[0].Position] + t.x[children[len(children)-1].Position]) / 2
	} else if !right {
		column()
	}
}
