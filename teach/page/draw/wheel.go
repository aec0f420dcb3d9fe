package draw

import (
	"fmt"
	"math"
	"slices"

	"timerlab/schemes"
)

const (
	mostSlots  = 64 // of a wheel that is drawn as a ring or row
	bandInner  = 62.0
	bandOuter  = 88.0
	turnRadius = 55.0  // of the arrow that says which way the hand turns
	firstRow   = 105.0 // the radius of the first row of timers
	lastRow    = 176.0 // of what lies outside the rows
)

// wheel draws one wheel: its slots as a ring, the timers of each outside it. Many slots are squares,
// the darker the more timers wait in them. A list for longer intervals is below.
func (c *canvas) wheel(places []schemes.Place) float64 {
	slots, overflow := c.bySlot(places, 0, c.state.Slots)
	hand := int(uint64(c.now) % uint64(len(slots)))
	height := 352.0
	if c.state.Slots > mostSlots {
		height = 28 + c.squares(slots, hand, 28)
		fmt.Fprintf(c, `<text class="label" x="%g" y="18">%d slots, the darker the more timers</text>`, margin, c.state.Slots)
	} else {
		c.ring(slots, hand)
	}
	if overflow != nil || c.frame.Info.Kind == schemes.Wheel && !c.frame.Info.IsBase() {
		height = c.list(overflow, height, "later")
	}
	return height
}

// bySlot returns the timers of each slot of a level, and the timers of the overflow list.
func (c *canvas) bySlot(places []schemes.Place, level, slots int) (all [][]schemes.Place, overflow []schemes.Place) {
	all = make([][]schemes.Place, slots)
	for _, p := range places {
		switch {
		case p.Level == schemes.Overflow:
			overflow = append(overflow, p)
		case p.Level == level && p.Slot < slots:
			all[p.Slot] = append(all[p.Slot], p)
		}
	}
	return all, overflow
}

// slotClass adds to the class of a slot that the hand points to it.
func slotClass(class string, hand bool) string {
	if hand {
		class += " hand"
	}
	return class
}

// polar returns a point at an angle, in slots clockwise from the top.
func polar(slot, slots, r float64) (x, y float64) {
	a := 2 * math.Pi * slot / slots
	return width/2 + r*math.Sin(a), 176 - r*math.Cos(a)
}

// ring draws the slots, the hand and the timers.
func (c *canvas) ring(slots [][]schemes.Place, hand int) {
	m, numbers := float64(len(slots)), "" // which lie over all slots
	for slot := range slots {
		class, at := slotClass("slot", slot == hand), float64(slot)
		if m == 1 {
			fmt.Fprintf(c, `<circle class="%s" data-slot="0" cx="%g" cy="176" r="%g"/>`, class, width/2, bandOuter)
		} else {
			x1, y1 := polar(at-0.5, m, bandInner)
			x2, y2 := polar(at-0.5, m, bandOuter)
			x3, y3 := polar(at+0.5, m, bandOuter)
			x4, y4 := polar(at+0.5, m, bandInner)
			fmt.Fprintf(c, `<path class="%s" data-slot="%d" d="M%.1f %.1fL%.1f %.1fA%g %g 0 0 1 %.1f %.1fL%.1f %.1fA%g %g 0 0 0 %.1f %.1fZ"/>`,
				class, slot, x1, y1, x2, y2, bandOuter, bandOuter, x3, y3, x4, y4, bandInner, bandInner, x1, y1)
		}
		if every := max(1, (len(slots)+15)/16); slot%every == 0 && (len(slots) <= 16 || slot%5 == 0 || every < 5) {
			x, y := polar(at, m, (bandInner+bandOuter)/2)
			numbers += fmt.Sprintf(`<text class="number" x="%.1f" y="%.1f">%d</text>`, x, y+4, slot)
		}
	}
	fmt.Fprintf(c, `%s<text class="clock" x="%g" y="164">%d</text>`, numbers, width/2, c.now)
	c.turn(float64(hand), m)
	c.spokes(slots)
}

// turn draws the way that the hand turns, or that a START has just gone, with its arithmetic.
func (c *canvas) turn(hand, m float64) {
	class, sweep, lines := "turn", m/7, []string{fmt.Sprintf("slot %g", hand)}
	if s := c.start; s != nil && s.Level == 0 && float64(s.Slot) < m {
		class, sweep = "way", math.Mod(float64(s.Slot)-hand+m, m)
		lines = []string{fmt.Sprintf("+ %d = %d", s.Deadline-c.now, s.Deadline), fmt.Sprintf("mod %g:", m), fmt.Sprintf("slot %d", s.Slot)}
		if s.Deadline-c.now >= schemes.Tick(m) {
			fmt.Fprintf(c, `<circle class="way round" cx="%g" cy="176" r="%g"/>`, width/2, turnRadius)
		}
	}
	for i, line := range lines {
		fmt.Fprintf(c, `<text class="number" x="%g" y="%d">%s</text>`, width/2, 186+13*i, line)
	}
	head, long := m*9/(2*math.Pi*turnRadius), 0
	shaft := max(0, sweep-head)
	if shaft > m/2 {
		long = 1
	}
	x1, y1 := polar(hand, m, turnRadius)
	x2, y2 := polar(hand+shaft, m, turnRadius)
	x3, y3 := polar(hand+shaft, m, turnRadius-4.5)
	x4, y4 := polar(hand+shaft+head, m, turnRadius)
	x5, y5 := polar(hand+shaft, m, turnRadius+4.5)
	fmt.Fprintf(c, `<path class="%s" d="M%.1f %.1fA%g %g 0 %d 1 %.1f %.1f"/><path class="%s tip" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ"/>`,
		class, x1, y1, turnRadius, turnRadius, long, x2, y2, class, x3, y3, x4, y4, x5, y5)
}

// spokes draws the timers of each slot outside it, row by row: first those that have room above their slot, where even and
// odd slots take turns at the rows on which they would overlap. The others go aside where there is room, with a line from
// their slot. If it is not enough, the last place of the slot says how many are missing.
func (c *canvas) spokes(slots [][]schemes.Place) {
	m, r := float64(len(slots)), 13.0
	if m > 32 {
		r = 7.5
	} else if m > 24 {
		r = 11
	}
	if len(slots)%2 == 1 { // whose first and last slots are both even
		r = min(r, math.Pi*firstRow/m-1)
	}
	pitch := 2*r + 2
	rows := int((lastRow-r-firstRow)/pitch) + 1
	type point struct{ x, y float64 }
	at := func(slot, row int, aside float64) point { // aside in timers
		radius := firstRow + float64(row)*pitch
		x, y := polar(float64(slot)+aside*pitch*m/(2*math.Pi*radius), m, radius)
		return point{x, y}
	}
	var taken []point
	places := make([][]point, len(slots)) // the same, by slot
	take := func(slot int, p point) { taken, places[slot] = append(taken, p), append(places[slot], p) }
	for slot, timers := range slots {
		for row := range rows {
			width := 2 * math.Pi * (firstRow + float64(row)*pitch) / m
			fits := min(len(timers)-len(places[slot]), max(1, int(width/pitch)))
			if width < pitch && (slot+row)%2 == 1 {
				fits = 0
			}
			for i := range fits {
				take(slot, at(slot, row, float64(i)-float64(fits-1)/2))
			}
		}
	}
	for slot, timers := range slots {
		for i := range 9 * rows { // above the slot, then half a timer to one side and the other, and so on
			step := i / rows
			p := at(slot, i%rows, float64((step+1)/2)*(0.5-float64(step%2)))
			near := func(other point) bool { return math.Hypot(p.x-other.x, p.y-other.y) < 2*r+0.5 }
			if len(places[slot]) < len(timers) && !slices.ContainsFunc(taken, near) {
				take(slot, p)
				x, y := polar(float64(slot), m, bandOuter-7)
				fmt.Fprintf(c, `<path class="chain aside" d="M%.1f %.1fL%.1f %.1f"/>`, x, y, p.x, p.y)
			}
		}
		for i, p := range places[slot] {
			if more := len(timers) - i; i == len(places[slot])-1 && more > 1 {
				fmt.Fprintf(c, `<text class="more" x="%.1f" y="%.1f">+%d</text>`, p.x, p.y+4, more)
				break
			}
			c.chip(timers[i], p.x, p.y, r, "")
		}
	}
}

// squares draws slots, the darker the more timers wait in them, and returns their height.
func (c *canvas) squares(slots [][]schemes.Place, hand int, y float64) float64 {
	const perLine, most = 64, 2048
	const size = (width - 2*margin) / perLine
	share := (len(slots) + most - 1) / most
	counts := make([]int, (len(slots)+share-1)/share)
	for slot, timers := range slots {
		counts[slot/share] += len(timers)
	}
	largest := max(1, slices.Max(counts))
	for i, n := range counts {
		shade := 0.06
		if n > 0 {
			shade = 0.25 + 0.75*float64(n)/float64(largest)
		}
		fmt.Fprintf(c, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill-opacity="%.2f"/>`,
			slotClass("cell", i == hand/share), margin+float64(i%perLine)*size, y+float64(i/perLine)*size, size-0.6, size-0.6, shade)
	}
	return math.Ceil(float64(len(counts))/perLine)*size + 10
}
