package hierarchical

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// AheadChunked describes scheme 7 that migrates ahead of time, with arrays for slots.
var AheadChunked = variant("ahead-chunked", "Hierarchical wheels, migration ahead of time, chunked slots",
	newAheadChunked, aheadSlots, chunkedBytes)

// aheadChunked is ahead with chunked slots. Invariant: an entry is in the slot that plan.slot returns for
// the tick at which it comes up, or in the next slot of a level above, and no slot comes up before Upcoming.
type aheadChunked struct {
	chunked
	plan plan
}

func newAheadChunked(name string, cfg schemes.Config) (schemes.Scheme, error) {
	p, err := newPlan(name, cfg)
	if err != nil {
		return nil, err
	}
	w := &aheadChunked{plan: p}
	search := func(t schemes.Tick) uint32 { return w.plan.slot(t, w.Now) }
	w.Module, err = chunk.New(name, cfg, 1, p.slots, nil, search, longest(cfg))
	if err != nil {
		return nil, err
	}
	w.levels, w.Near = p.levels, p.near
	w.Drawn = func() []store.Slots { return drawn(w.levels, w.Now) }
	w.Holds = func(slot uint32, t schemes.Tick) bool { return w.plan.holds(slot, t, w.Now) }
	w.findNext(w.here())
	return w, nil
}

// entered returns how many entries are in a slot.
func (w *aheadChunked) entered(slot uint32) uint64 { return uint64(w.Entries(slot)) }

// PerTick moves the timers of the lowest wheel's next slot to the due list, and migrates some entries from the
// next slot of each wheel above: as many at most as ahead.PerTick. An entry that a stopped timer left is one.
func (w *aheadChunked) PerTick() int {
	if w.Now+1 < w.Upcoming {
		w.Now++
		w.Tally.EmptySlots++
		return 0
	}
	return w.tick()
}

// tick is PerTick where there is work.
func (w *aheadChunked) tick() (due int) {
	if w.Ended() {
		return 0
	}
	w.Now++
	if w.Now > w.levels[0].last {
		w.plan.begin(0, w.Now)
	}
	if w.Now > w.plan.idle {
		w.migrateSome()
	}
	slot := w.here()
	if w.Occupied(slot) {
		due = w.Arrive(slot)
	} else {
		w.Tally.EmptySlots++
	}
	w.findNext(slot)
	return due
}

// findNext sets Upcoming after a tick: the next one while entries migrate.
func (w *aheadChunked) findNext(slot uint32) {
	w.chunked.findNext(slot)
	if idle := max(w.plan.idle, w.Now); idle < w.Upcoming {
		w.Upcoming = idle + 1
	}
}

// migrateSome migrates this tick's share of the entries.
func (w *aheadChunked) migrateSome() {
	p := &w.plan
	if w.Now > p.revolutions[0].last {
		p.turn(w.Now, w.entered)
	}
	p.idle = 0
	left := p.budget
	for ; p.next < len(p.revolutions)-1; p.next++ {
		slot, far := p.revolutions[p.next].slot, w.levels[p.next+1].weight > 1<<31
		for w.Occupied(slot) {
			if left == 0 {
				return
			}
			left -= w.MoveSome(slot, far, left) // none is due: the slot has not begun
		}
	}
	p.idle = p.revolutions[0].last
}

// Advance is the plan's.
func (w *aheadChunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	return w.plan.advance(&w.Clock, w.Limit(most, w.AnyDue()), &w.Bitmap, w.entered, w.tick)
}

// Check verifies the wheels. O(n + M).
func (w *aheadChunked) Check() error {
	if err := w.chunked.Check(); err != nil {
		return err
	}
	return w.plan.check(w.Name, w.Now, w.View, w.entered)
}
