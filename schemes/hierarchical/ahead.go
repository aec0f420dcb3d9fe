package hierarchical

import (
	"timerlab/schemes"
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
var Ahead = variant("ahead", "Hierarchical wheels, migration ahead of time", newAhead, aheadSlots, linkedBytes)

func newAhead(name string, cfg schemes.Config) (schemes.Scheme, error) {
	p, err := newPlan(name, cfg)
	if err != nil {
		return nil, err
	}
	s, err := store.New(name, cfg, p.slots)
	if err != nil {
		return nil, err
	}
	s.Range = longest(cfg)
	return &ahead{wheels: wheels{Store: s, levels: p.levels}, plan: p}, nil
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
