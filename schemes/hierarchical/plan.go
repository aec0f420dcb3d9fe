package hierarchical

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// plan says where timers wait that migrate ahead of time, and how many migrate on a tick.
//
// Every wheel but the highest has slots for two revolutions. A timer may wait on it if its deadline is in
// the present revolution or the next one: for the wheel above these are the present slot and the next. So
// while a slot lasts, no timer enters the one after it, and the timers that wait there can leave, a few a tick.
type plan struct {
	levels      []level       // radix is the number of slots: twice the revolution, but for the highest
	wheels      []chunk.Wheel // of each level; Reach is kept by begin
	near        *chunk.Near   // of the wheels; nil unless all radices are powers of two
	revolutions []revolution
	idle        schemes.Tick // up to this tick no timer migrates; 0 while some do on every tick
	next        int          // the revolution of lowest level for which timers migrate, while some do
	budget      uint64       // timers that may migrate on a tick
}

// revolution is the present revolution of a wheel. On the highest wheel it does not end.
type revolution struct {
	last schemes.Tick // its last tick
	slot uint32       // of the wheel above, for the next revolution: it is empty when that begins
	pace uint64       // timers a tick at which the slot is empty in time
}

// newPlan returns the plan of levels with aheadSlots.
func newPlan(levels []level, now schemes.Tick) plan {
	p := plan{levels: levels, wheels: make([]chunk.Wheel, len(levels)),
		revolutions: slices.Repeat([]revolution{{last: math.MaxUint64}}, len(levels))}
	for l := range p.levels {
		p.wheels[l] = chunk.Wheel{Digit: p.levels[l].digits(), Reach: math.MaxUint64}
		if l > 0 {
			p.wheels[l-1].Above = &p.wheels[l]
		}
		p.begin(l, now)
	}
	p.idle = p.revolutions[0].last
	if powersOfTwo(p.levels) {
		p.near = new(chunk.Near)
		for length := range p.near {
			p.near[length] = &p.wheels[levelOf(p.levels, length-1)]
		}
	}
	return p
}

// aheadSlots returns the slots of wheels whose revolutions are cfg.Levels: two revolutions, but one on the highest.
func aheadSlots(cfg schemes.Config) []int {
	slots := slices.Clone(reached(cfg))
	for l := range slots[:len(slots)-1] {
		slots[l] *= 2
	}
	return slots
}

// begin begins the slot of a level at this tick, or sets the level to a tick in it.
func (p *plan) begin(l int, now schemes.Tick) {
	v := &p.levels[l]
	v.set(now)
	if l > 0 {
		p.revolutions[l-1], p.wheels[l-1].Reach = v.revolution(now)
	}
}

// revolution returns the revolution of the wheel below that a slot of this level lasts, and the last tick of the next one.
func (v *level) revolution(now schemes.Tick) (r revolution, reach schemes.Tick) {
	from := v.floor(now)
	return revolution{blockEnd(from, v.weight, 1), v.slotAhead(now, 1), 0}, blockEnd(from, v.weight, 2)
}

// turn sets the wheels to a tick. Where a revolution has begun, the timers for the next one get a pace
// at which they will have migrated in time. entered returns how many have entered a slot, or more. O(m).
//
// Each tick migrates the sum of the paces, lowest wheel first. So the lower wheels together are never behind
// where each would be at its own pace, and most ticks go on with one slot.
func (p *plan) turn(now schemes.Tick, entered func(slot uint32) uint64) {
	p.begin(0, now)
	for l := 0; now > p.revolutions[l].last; l++ {
		p.begin(l+1, now)
		r, weight := &p.revolutions[l], uint64(p.levels[l+1].weight)
		r.pace = (entered(r.slot) + weight - 1) / weight
	}
	p.idle, p.next, p.budget = p.revolutions[0].last, 0, 0
	sum := uint64(0)
	for _, r := range p.revolutions[:len(p.revolutions)-1] {
		if sum += r.pace; entered(r.slot) > 0 {
			p.budget = sum
		}
	}
}

// slot returns the slot for a deadline after now: on the lowest wheel whose next revolution does not end
// before it. An interval of at most a revolution fits, and one of more than two does not, whatever the clock
// is. So if the radices are powers of two, its bits leave two wheels: see chunk.Near. O(1), else O(m).
func (p *plan) slot(deadline, now schemes.Tick) uint32 {
	if p.near != nil {
		return p.near.Slot(deadline, now)
	}
	l := 0
	for deadline > p.wheels[l].Reach {
		l++
	}
	return p.levels[l].first + p.levels[l].digit(deadline)
}

// holds reports whether a timer with this deadline, which is in range, may wait in a slot: the one that a
// new timer would get, or one above from which it has not migrated yet. O(m).
func (p *plan) holds(slot uint32, deadline, now schemes.Tick) bool {
	for l := range p.revolutions {
		if r := &p.revolutions[l]; slot == r.slot && r.last < deadline && deadline <= p.wheels[l].Reach {
			return true
		}
	}
	return slot == p.slot(deadline, now)
}

// event returns the first tick after now, which is idle, on which a timer is due or can migrate; the
// clock's end if there is none. O(m + M/64).
func (p *plan) event(slots searcher, now schemes.Tick) schemes.Tick {
	first := schemes.Tick(math.MaxUint64)
	for l := range p.levels {
		v := &p.levels[l]
		if ahead, ok := v.next(slots, now, 1); ok {
			if l > 0 { // while the slot before it lasts
				ahead--
			}
			first = min(first, v.begin(now, ahead))
		}
		if first <= p.revolutions[l].last {
			break
		}
	}
	return first
}

// advance goes from one tick that has something to do to the next, until a timer is due or `most` ticks passed.
// O(m + M/64) and a PerTick, which tick is, for each.
func (p *plan) advance(c *store.Clock, most schemes.Tick, slots searcher, entered func(slot uint32) uint64,
	tick func() int) (passed schemes.Tick, due int) {
	begin, end := c.Now, c.Now+most
	for c.Now < end && due == 0 {
		if p.idle > 0 {
			c.Now = min(p.event(slots, c.Now), end) - 1
			p.turn(c.Now, entered)
		}
		due = tick()
	}
	return c.Now - begin, due
}

// Counts is the store's: PerTick counts empty slots.
func (w *ahead) Counts() schemes.Counts { return w.Store.Counts() }

// entered returns how many timers a slot may hold: all that entered, whatever was stopped or restarted since, but
// no more than there are.
func (w *ahead) entered(slot uint32) uint64 { return min(w.At(slot).Key, uint64(w.Len())) }

// Check verifies the wheels. O(n + M).
func (w *ahead) Check() error {
	fits := func(_ int, slot uint32, deadline schemes.Tick) bool {
		return deadline > w.Now && deadline-w.Now <= w.Range && w.plan.holds(slot, deadline, w.Now)
	}
	if err := w.check(fits); err != nil {
		return err
	}
	return w.plan.check(w.Name, w.Now, w.View, func(slot uint32) uint64 { return w.At(slot).Key })
}

// check verifies the plan; view yields the timers, and entered returns how many have entered a slot. O(n + M).
func (p *plan) check(
	name string, now schemes.Tick, view iter.Seq[schemes.Place], entered func(slot uint32) uint64,
) error {
	highest := &p.levels[len(p.levels)-1]
	held := make([]uint64, highest.first+highest.radix) // by slot
	for timer := range view {
		if !timer.Due {
			held[p.levels[timer.Level].first+uint32(timer.Slot)]++
		}
	}
	for slot, n := range held {
		if n > entered(uint32(slot)) {
			return fmt.Errorf("%s: slot %d holds %d timers, but %d entered", name, slot, n, entered(uint32(slot)))
		}
	}
	left, can, budget := uint64(0), uint64(0), uint64(0) // on this level and all below it
	for l, r := range p.revolutions[:len(p.levels)-1] {
		right, reach := p.levels[l+1].revolution(now)
		right.pace = r.pace
		n := held[r.slot]
		left, can, budget = left+n, can+r.pace*uint64(r.last-now), budget+r.pace
		switch {
		case r != right, p.wheels[l].Reach != reach:
			return fmt.Errorf("%s: level %d: revolution %+v; the clock (%d) says %+v", name, l, r, now, right)
		case left > can, n > 0 && (p.idle > 0 || p.next > l || p.budget < budget):
			return fmt.Errorf("%s: level %d: %d timers are to migrate by %d, %d a tick", name, l+1, n, r.last, r.pace)
		}
	}
	return nil
}
