package hierarchical

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// wheels is the module of scheme 7. Invariant: a waiting timer's Key is its deadline,
// later than Now, and it is in the slot that slotOf returns.
//
// A few slots reach far because a slot of a higher wheel lasts as long as the whole wheel below it.
// A timer starts on the wheel that is coarse enough for it and moves to finer ones as it comes near.
type wheels struct {
	store.Store
	quiet  schemes.Tick // no timer is in the lowest wheel's slots up to this tick: see PerTick
	busy   uint64       // ticks before New, ticks on which timers were due, and ticks that Advance passed: see Counts
	levels []level      // lowest first
}

// New returns empty wheels. It uses cfg.Now, cfg.Capacity and cfg.Levels. Where all radices are powers
// of two, they are a binary, whose Start and Restart find the same slot from a table.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheels("hierarchical", cfg, reached(cfg))
	switch {
	case err != nil:
		return nil, err
	case powersOfTwo(w.levels):
		return newBinary(w), nil
	}
	return &w, nil
}

// Start (START_TIMER) puts the timer into the slot of its deadline, on one of the m wheels. O(m).
func (w *wheels) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	deadline := w.Now + interval
	i, r := w.Make(id, uint64(deadline))
	w.Insert(slotOf(w.levels, deadline), i, r)
	return r.Handle(), nil
}

// slotOf returns the slot for a deadline. Written in the wheels' radices, as days, hours, minutes and
// seconds are, deadline and clock have a highest digit in which they differ. It names the level, and
// the deadline's digit there the slot. In other words, the level is the lowest whose present block of
// ticks holds the deadline; on the highest, a deadline beyond the block is in the next revolution. O(m).
func slotOf(levels []level, deadline schemes.Tick) (head uint32) {
	v := &levels[0]
	for deadline > v.last && v.above != nil {
		v = v.above
	}
	return v.first + v.digit(deadline)
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) moves the lowest wheel by one slot. All timers there are due, as
// in scheme 4. O(1 + timers due) on most ticks. When the wheel wraps, the wheels above it move:
// O(m), and O(m) for each timer that migrates, which it does m-1 times at most.
//
// A tick looks for the next slot with a timer, and the ticks before that one are quiet: they do nothing.
func (w *wheels) PerTick() (due int) {
	if w.Now < w.quiet {
		w.Now++
		return 0
	}
	if w.Ended() {
		return 0
	}
	w.Now++
	lowest := &w.levels[0]
	if w.Now > lowest.last {
		due = w.carry(1)
	}
	slot, end := lowest.first+lowest.digit(w.Now), lowest.first+lowest.radix
	if w.Occupied(slot) {
		due += w.MoveDue(slot)
		w.busy++
	}
	w.quiet = w.Now + schemes.Tick(w.Bitmap.NextOccupied(slot+1, end)-slot-1)
	return due
}

// carry moves the pointers above the lowest, which has wrapped: each wheel that wraps moves
// the next. Then the timers of the slots that they have reached migrate, on the levels from this one up,
// each to its slot by the new time. It returns how many were due at once.
func (w *wheels) carry(from int) (due int) {
	for l := turn(w.levels, w.Now); l >= from; l-- {
		if slot := w.levels[l].first + w.levels[l].digit(w.Now); w.Occupied(slot) {
			due += w.migrate(slot)
		}
	}
	return due
}

// turn sets the block of each level that has wrapped by the time now, and returns the highest level
// whose pointer has moved: the lowest that has not wrapped. O(m).
func turn(levels []level, now schemes.Tick) (highest int) {
	for l := range levels {
		v := &levels[l]
		if highest = l; now <= v.last {
			break
		}
		v.set(now)
	}
	return highest
}

// migrate moves each timer of a slot to its slot on a lower level, or to the due list if no
// digit is left in which its deadline and the clock differ. A digit of 0 skips a level. At worst all
// n timers share the slot, and one tick takes O(n).
func (w *wheels) migrate(from uint32) (due int) {
	visits := 0
	for i := w.Detach(from); i != from; visits++ {
		r := w.At(i)
		next := r.Next // before the timer leaves for another list
		if r.Key == uint64(w.Now) {
			w.AddDue(i, r)
			due++
		} else {
			w.Insert(slotOf(w.levels, schemes.Tick(r.Key)), i, r)
		}
		i = next
	}
	w.Tally.Migrations += uint64(visits - due)
	w.Tally.Visits += uint64(visits)
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
