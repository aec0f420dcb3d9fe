package hierarchical

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// ahead is scheme 7 that migrates ahead of time. Invariants: a waiting timer is in the slot that
// plan.slot returns, or else in the next slot of a level above. That slot holds no more timers than
// migrate in the ticks before it begins.
//
// The head of a slot counts, in Key, the timers that entered since it was found empty. Stopped
// timers are not taken off, so Stop is the store's, and timers may migrate a little earlier than they must.
type ahead struct {
	wheels
	plan plan
}

// Ahead describes scheme 7 that migrates ahead of time.
var Ahead = variant("ahead", "Hierarchical wheels, migration ahead of time", newAhead, aheadSlots, store.Bytes)

func newAhead(name string, cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheels(name, cfg, aheadSlots(cfg))
	if err != nil {
		return nil, err
	}
	return &ahead{w, newPlan(w.levels, cfg.Now)}, nil
}

// Start puts the timer into its slot. O(m), or O(1) from the table.
func (w *ahead) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	i, r := w.Make(id, uint64(w.Now+interval))
	slot := w.plan.slot(w.Now+interval, w.Now) // enter, written out
	w.Insert(slot, i, r)
	w.At(slot).Key++
	return r.Handle(), nil
}

// Restart moves the timer to its new slot. O(m).
func (w *ahead) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !w.Names(h) || !w.Renews(h, interval) {
		return w.RestartSlow(w, h, interval)
	}
	r := w.At(uint32(h))
	h = w.Renew(h, r, uint64(w.Now+interval))
	w.enter(uint32(h), r)
	return h, nil
}

// enter puts record i, which is r, into the slot of its deadline and counts it there.
func (w *ahead) enter(i uint32, r *store.Record) {
	slot := w.plan.slot(schemes.Tick(r.Key), w.Now)
	w.Insert(slot, i, r)
	w.At(slot).Key++
}

// PerTick moves the lowest pointer, and some timers from the next slot of each wheel above. O(1 + timers
// due) while these are empty, else O(m) more, and O(m) for each timer that migrates: on one tick at most
// the sum of ceil(e/w) over these slots, where w is the ticks that a slot of its level lasts, and e the
// timers that had entered it when the slot before it began, at most n.
func (w *ahead) PerTick() (due int) {
	if w.Now < w.quiet { // a tick before looked ahead
		w.Now++
		w.Tally.EmptySlots++
		return 0
	}
	if w.Ended() {
		return 0
	}
	w.Now++
	lowest := &w.levels[0]
	if w.Now > lowest.last {
		w.plan.begin(0, w.Now)
	}
	if w.Now > w.plan.idle {
		w.migrateSome()
	}
	slot, end := lowest.first+lowest.digit(w.Now), lowest.first+lowest.radix
	if w.Occupied(slot) {
		due = w.MoveDue(slot)
	} else {
		w.Tally.EmptySlots++
	}
	if w.Now < w.plan.idle {
		w.quiet = min(w.plan.idle, w.Now+schemes.Tick(w.Bitmap.NextOccupied(slot+1, end)-slot-1))
	}
	return due
}

// migrateSome migrates this tick's share of the timers: see plan.turn.
func (w *ahead) migrateSome() {
	p := &w.plan
	if w.Now > p.revolutions[0].last {
		p.turn(w.Now, w.entered)
	}
	p.idle = 0
	for left := p.budget; p.next < len(p.revolutions)-1; p.next++ {
		slot := p.revolutions[p.next].slot
		i := w.At(slot).Next
		for ; left > 0 && i != slot; left-- { // none is due before the slot begins
			r := w.At(i)
			next := r.Next
			w.enter(i, r)
			w.Tally.Visits++
			w.Tally.Migrations++
			i = next
		}
		w.At(slot).Next, w.At(i).Prev = i, slot
		if w.Occupied(slot) {
			return
		}
	}
	p.idle = p.revolutions[0].last
}

// Advance is the plan's.
func (w *ahead) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	return w.plan.advance(&w.Clock, w.Limit(most, w.AnyDue()), &w.Store, w.entered, w.PerTick)
}

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
	slots, err := total(cfg, aheadSlots(cfg))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w := &aheadChunked{plan: newPlan(makeLevels(reached(cfg), aheadSlots(cfg), cfg.Now), cfg.Now)}
	search := func(t schemes.Tick) uint32 { return w.plan.slot(t, w.Now) }
	w.Module, err = chunk.New(name, cfg, 1, slots, nil, search, longest(cfg))
	if err != nil {
		return nil, err
	}
	w.levels, w.Near = w.plan.levels, w.plan.near
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
