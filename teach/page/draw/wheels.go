package draw

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/results/units"
	"timerlab/schemes"
)

// wheels draws the wheels of a hierarchy, the highest on top, each as a row of slots with its timers below. Above them are
// the digits of the clock and, when a timer has been started, of its deadline.
func (c *canvas) wheels(places []schemes.Place) float64 {
	radices := c.state.Radices(c.frame.Info)
	held := c.frame.Info.Slots(schemes.Config{Levels: radices})
	weights := make([]uint64, len(held))
	slots, depth := make([][][]schemes.Place, len(held)), make([]int, len(held))
	rows := make([]row, len(held))
	for l := range held {
		rows[l] = row{level: l, size: (width - 2*margin) / float64(held[l])}
		weights[l] = uint64(schemes.Span(radices[:l]))
		slots[l], _ = c.bySlot(places, l, held[l])
		for _, timers := range slots[l] {
			depth[l] = max(depth[l], (len(timers)+rows[l].abreast()-1)/rows[l].abreast())
		}
	}
	share(depth)
	clock := "clock " + digits(c.now, radices)
	if c.start != nil {
		clock += ", deadline " + digits(c.start.Deadline, radices)
	}
	fmt.Fprintf(c, `<text class="label" x="%g" y="14">%s</text>`, margin, clock)
	y := 18.0
	for l := len(held) - 1; l >= 0; l-- {
		hand := int(uint64(c.now) / weights[l] % uint64(held[l]))
		fmt.Fprintf(c, `<text class="label" x="%g" y="%g">wheel %d: hand at %d, a slot lasts %s</text>`,
			margin, y+11, l, hand, units.Plural(weights[l], "tick"))
		rows[l].y = y + 22
		if held[l] > mostInRow {
			y += 22 + c.squares(slots[l], hand, y+22)
			continue
		}
		bottom := c.row(slots[l], hand, rows[l:], depth[l])
		if l > 0 && c.now > c.state.Now && uint64(c.now)%weights[l] == 0 {
			fmt.Fprintf(c, `<path class="turn" d="M%g %gV%g"/><path class="turn tip" d="m%g %gh9l-4.5 -8z"/>`+
				`<text class="label end" x="%g" y="%g">carry</text>`,
				width-16, bottom+18, y+22+rowHeight+8, width-20.5, y+22+rowHeight+9, width-22, bottom-1)
		}
		y = bottom
	}
	return y
}

// digits writes a tick with a digit for each wheel, as a clock does.
func digits(t schemes.Tick, radices []int) (text string) {
	for _, radix := range radices {
		text = fmt.Sprintf(":%0*d", len(fmt.Sprint(radix-1)), uint64(t)%uint64(radix)) + text
		t /= schemes.Tick(radix)
	}
	return text[1:]
}

// share shares the lines of timers among the wheels: as many for each, or more for those that need
// more, where others do not. The height of all stays the same.
func share(depth []int) {
	need, lines := slices.Clone(depth), int((342-43*float64(len(depth)))/rowPitch)
	for l := range depth {
		depth[l] = max(1, (lines+l)/len(depth))
	}
	for l := range depth {
		for from := range depth {
			for depth[l] < need[l] && depth[from] > max(1, need[from]) {
				depth[l]++
				depth[from]--
			}
		}
	}
}

const (
	mostInRow = 100 // slots of a wheel that is drawn as a row
	rowHeight = 18.0
	rowRadius = 10.2 // of a timer below a row
	rowPitch  = 2*rowRadius + 0.8
)

// row is where the slots of a wheel are drawn.
type row struct {
	level int
	y     float64
	size  float64 // of a slot
}

// abreast returns how many timers have room below a slot.
func (r row) abreast() int { return max(1, int(r.size/rowPitch)) }

// room returns from where to where the timers of a slot may lie: below it and half of the empty slots on either side.
func (r row) room(slots [][]schemes.Place, slot int) (left, right float64) {
	before, after := 0, 0
	for before < slot && len(slots[slot-before-1]) == 0 {
		before++
	}
	for after < len(slots)-1-slot && len(slots[slot+after+1]) == 0 {
		after++
	}
	return r.middle(slot) - float64(before+1)/2*r.size, r.middle(slot) + float64(after+1)/2*r.size
}

func (r row) middle(slot int) float64 { return margin + (float64(slot)+0.5)*r.size }

// row draws the lowest of some wheels, whose slots are in a row.
func (c *canvas) row(slots [][]schemes.Place, hand int, rows []row, deep int) float64 {
	this := rows[0]
	y, size, every := this.y, this.size, 1
	if len(slots) > 60 {
		every = 10
	} else if len(slots) > 16 {
		every = 5
	}
	for slot := range slots {
		fmt.Fprintf(c, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%g"/>`,
			slotClass("slot", slot == hand), margin+float64(slot)*size, y, size, rowHeight)
	}
	ends, last := make([]float64, deep), math.Inf(-1) // last is where the last number is
	for slot, timers := range slots {
		x := this.middle(slot)
		room := min(x-last, math.Abs(x-this.middle(hand))) >= 14
		if slot == hand || room && (slot%every == 0 || len(timers) > 0) {
			fmt.Fprintf(c, `<text class="number" x="%.1f" y="%.1f">%d</text>`, x, y+13.5, slot)
			last = x
		}
		c.stack(slots, slot, rows, ends)
	}
	c.pointer(this, hand)
	return y + rowHeight + float64(deep)*rowPitch + 3
}

// pointer draws the hand of a row and the way it moves, or the way of a START to its slot.
func (c *canvas) pointer(r row, hand int) {
	x, y, class := r.middle(hand), r.y-5, "turn"
	fmt.Fprintf(c, `<path class="turn tip" d="M%.1f %gh8l-4 5z"/>`, x-4, y)
	to := x + 16
	if c.start != nil && c.start.Level == r.level {
		class, to = "way", r.middle(c.start.Slot)
		fmt.Fprintf(c, `<path class="way tip" d="M%.1f %gh8l-4 6z"/>`, to-4, y+1)
	} else {
		fmt.Fprintf(c, `<path class="turn tip" d="M%.1f %gv6l6 -3z"/>`, to-2, y-1)
	}
	if to >= x {
		fmt.Fprintf(c, `<path class="%s" d="M%.1f %gH%.1f"/>`, class, x, y+2, to)
	} else { // beyond the last slot it goes on with the first
		fmt.Fprintf(c, `<path class="%s" d="M%.1f %gH%gM%g %gH%.1f"/>`, class, x, y+2, width-margin, margin, y+2, to)
	}
}

// stack draws the timers of a slot below it, as many side by side as there is room for, in the lines that
// the slots before leave free. If these do not suffice, they spread below empty slots, with lines to their own. ends
// has the place of the last timer in each line.
func (c *canvas) stack(slots [][]schemes.Place, slot int, rows []row, ends []float64) {
	this, timers := rows[0], slots[slot]
	from, to := this.room(slots, slot)
	for line := range ends {
		lines := len(ends) - line
		fits := min(len(timers), max(this.abreast(), min(int((to-from)/rowPitch), (len(timers)+lines-1)/lines)))
		long := float64(fits-1) * rowPitch
		left := this.middle(slot) - long/2
		if fits > this.abreast() {
			left = min(max(left, from+rowPitch/2), to-rowPitch/2-long)
		}
		if fits == 0 || left < ends[line]+rowPitch && ends[line] > 0 {
			continue
		}
		ends[line] = left + long
		y := this.y + rowHeight + 2 + rowRadius + float64(line)*rowPitch
		if line == len(ends)-1 && len(timers) > fits {
			fmt.Fprintf(c, `<text class="more" x="%.1f" y="%.1f">+%d</text>`, this.middle(slot), y+4, len(timers))
			return
		}
		if line == 0 && fits > this.abreast() { // whose these are
			fmt.Fprintf(c, `<path class="chain aside" d="M%.1f %.1fL%.1f %.1fL%.1f %.1f"/>`, left, y, this.middle(slot), this.y+rowHeight, ends[line], y)
		}
		for i, p := range timers[:fits] {
			x := left + float64(i)*rowPitch
			for _, r := range rows { // the way of a migration from the slot of an upper wheel
				if old := c.before[p.ID]; c.looks[p.ID] == "moved" && r.level == old.Level {
					fmt.Fprintf(c, `<path class="migration" d="M%.1f %.1fL%.1f %.1f"/>`, r.middle(old.Slot), r.y+rowHeight, x, y)
				}
			}
			c.chip(p, x, y, rowRadius, "")
		}
		timers = timers[fits:]
	}
}
