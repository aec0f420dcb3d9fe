package draw

import (
	"fmt"
	"math"

	"timerlab/schemes"
)

// wheels draws the wheels of a hierarchy, the highest on top, each as a row of slots with its timers below.
func (c *canvas) wheels(places []schemes.Place) float64 {
	radices := c.state.Radices(c.frame.Info)
	held := c.frame.Info.Wheels(radices)
	weights := make([]uint64, len(radices))
	weight := uint64(1)
	for l, radix := range radices {
		weights[l] = weight
		if weight > math.MaxUint64/uint64(radix) {
			weight = math.MaxUint64 // which the clock does not reach
		} else {
			weight *= uint64(radix)
		}
	}
	deep := map[int]int{1: 8, 2: 5, 3: 3}[len(radices)]
	y := 8.0
	for l := len(radices) - 1; l >= 0; l-- {
		hand := int(uint64(c.now) / weights[l] % uint64(held[l]))
		ticks := "ticks"
		if weights[l] == 1 {
			ticks = "tick"
		}
		fmt.Fprintf(c, `<text class="label" x="%g" y="%g">wheel %d: hand at %d, a slot lasts %d %s</text>`,
			margin, y+12, l, hand, weights[l], ticks)
		timers, _ := c.bySlot(places, l, held[l])
		if held[l] > mostInRow {
			y += 18 + c.squares(places, l, held[l], hand, y+18)
		} else {
			y = c.row(timers, hand, y+18, max(2, deep))
		}
	}
	return y
}

// mostInRow is the slots of a wheel that is drawn as a row.
const mostInRow = 100

// row draws a wheel whose slots are in a row.
func (c *canvas) row(slots [][]schemes.Place, hand int, y float64, deep int) float64 {
	const height = 18.0
	size := (width - 2*margin) / float64(len(slots))
	r := max(7, min(10.5, size/2-1))
	every := 1
	if len(slots) > 60 {
		every = 10
	} else if len(slots) > 16 {
		every = 5
	}
	for slot := range slots {
		class := "slot"
		if slot == hand {
			class = "slot hand"
		}
		fmt.Fprintf(c, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%g"/>`,
			class, margin+float64(slot)*size, y, size, height)
	}
	for slot, timers := range slots {
		x := margin + (float64(slot)+0.5)*size
		if slot%every == 0 {
			fmt.Fprintf(c, `<text class="number halo" x="%.1f" y="%.1f">%d</text>`, x, y+13, slot)
		}
		c.stack(timers, x, y+height, r, size, deep, slot)
	}
	return y + height + float64(deep)*(2*r+2) + 8
}

// stack draws the timers of a slot below it, as many side by side as there is room for.
func (c *canvas) stack(timers []schemes.Place, x, y, r, size float64, deep, slot int) {
	pitch, from := 2*r+2, 0
	wide := max(1, int(size/pitch))
	if pitch > size+3 && slot%2 == 1 && deep > 2 {
		from = 1 // neighbours would overlap
	}
	for row := from; len(timers) > 0; row++ {
		at := y + 2 + r + float64(row)*pitch
		if row == deep-1 && len(timers) > wide {
			fmt.Fprintf(c, `<text class="more" x="%.1f" y="%.1f">+%d</text>`, x, at+4, len(timers))
			return
		}
		fits := min(wide, len(timers))
		for i, p := range timers[:fits] {
			c.chip(p, x+(float64(i)-float64(fits-1)/2)*pitch, at, r, "")
		}
		timers = timers[fits:]
	}
}
