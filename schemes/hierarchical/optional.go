package hierarchical

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 7.
var Info = schemes.Info{
	Number: 7,
	Name:   "hierarchical",
	Title:  "Hierarchical wheels",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.Hierarchy,
	New:    New,
	Range:  longest,
	Slots:  slotsOf,
	Bytes:  bytesOf(slotsOf, store.Bytes),
}

func slotsOf(cfg schemes.Config) []int { return slices.Clone(reached(cfg)) }

// variant returns scheme 7 in another form, which has these slots and holds bytes for them.
func variant(suffix, title string, build func(name string, cfg schemes.Config) (schemes.Scheme, error),
	slots func(schemes.Config) []int, bytes func(n int, cfg schemes.Config, slots int) int64) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) { return build(v.Name, cfg) }
	v.Slots = slots
	v.Bytes = bytesOf(slots, bytes)
	return v
}

// bytesOf returns Info.Bytes of wheels that have these slots and hold bytes for them.
func bytesOf(slots func(schemes.Config) []int, bytes func(n int, cfg schemes.Config, slots int) int64,
) func(n int, cfg schemes.Config) int64 {
	return func(n int, cfg schemes.Config) int64 {
		slots, err := total(cfg, slots(cfg))
		if err != nil {
			return 0
		}
		return bytes(n, cfg, slots)
	}
}

// newWheels returns wheels of these slots, whose revolutions are cfg.Levels.
func newWheels(name string, cfg schemes.Config, slots []int) (wheels, error) {
	heads, err := total(cfg, slots)
	if err != nil {
		return wheels{}, fmt.Errorf("%s: %w", name, err)
	}
	s, err := store.New(name, cfg, heads)
	if err != nil {
		return wheels{}, err
	}
	s.Range = longest(cfg)
	return wheels{Store: s, levels: makeLevels(reached(cfg), slots, cfg.Now), busy: uint64(cfg.Now)}, nil
}

// Insert is the store's, and ends the quiet ticks if the slot was empty. O(1).
func (w *wheels) Insert(at, i uint32, r *store.Record) {
	if w.Link(at, i, r) == at {
		w.Mark(at)
		w.quiet = 0
	}
}

func radices(cfg schemes.Config) []int {
	if len(cfg.Levels) == 0 {
		return schemes.DefaultLevels()
	}
	return cfg.Levels
}

// reached returns the radices of cfg without the levels whose slots would outlast the clock: no timer gets there.
func reached(cfg schemes.Config) []int {
	levels := radices(cfg)
	for l := range levels {
		if l > 0 && schemes.Span(levels[:l]) == math.MaxUint64 {
			return levels[:l]
		}
	}
	return levels
}

// total returns the number of slots of the wheels that cfg means, or an error if its radices are bad.
func total(cfg schemes.Config, wheels []int) (int, error) {
	if _, err := countSlots(radices(cfg)); err != nil {
		return 0, err
	}
	return countSlots(wheels)
}

func countSlots(radices []int) (int, error) {
	total := 0
	for l, radix := range radices {
		if radix < 1 || radix > schemes.MaxSlots {
			return 0, fmt.Errorf("level %d has %d slots (allowed 1 to %d): %w",
				l, radix, schemes.MaxSlots, schemes.ErrConfig)
		}
		if radix > schemes.MaxSlots-total {
			sum := int64(total) + int64(radix)
			return 0, fmt.Errorf("%d slots up to level %d (allowed 1 to %d): %w",
				sum, l, schemes.MaxSlots, schemes.ErrConfig)
		}
		total += radix
	}
	return total, nil
}

func longest(cfg schemes.Config) schemes.Tick { return schemes.Span(radices(cfg)) }

// Restart moves the timer to its new slot. O(m).
func (w *wheels) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !w.Names(h) || !w.Renews(h, interval) {
		return w.RestartSlow(w, h, interval)
	}
	deadline, r := w.Now+interval, w.At(uint32(h))
	h = w.Renew(h, r, uint64(deadline))
	w.Insert(slotOf(w.levels, deadline), uint32(h), r)
	return h, nil
}

// Counts returns the operations counted so far. EmptySlots is Now less the busy ticks, so that an empty tick
// need not count. O(due timers).
func (w *wheels) Counts() schemes.Counts {
	counts := w.Store.Counts()
	counts.EmptySlots = uint64(w.Now) - w.busy
	return counts
}

// Next looks on each level for the first occupied slot, and at the timers of the slots
// that may hold the earliest: by digits that is one slot. O(m + M/64 + timers looked
// at).
func (w *wheels) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	first, ok := w.earliest(math.MaxUint64)
	return first - w.Now, ok
}

// earliest returns the earliest deadline, if it is not after the tick end; else end and
// false. It looks at no slot that begins after the earliest found. Of a level only the
// first occupied slot matters: the others begin when the timers in it have expired.
func (w *wheels) earliest(end schemes.Tick) (first schemes.Tick, ok bool) {
	first = end
	for l := range w.levels {
		v := &w.levels[l]
		ahead, found := v.next(&w.Store, w.Now, 1)
		if !found || v.begin(w.Now, ahead) > first {
			continue
		}
		if deadline := schemes.Tick(w.Least(v.slotAhead(w.Now, ahead))); deadline <= first {
			first, ok = deadline, true
		}
	}
	return first, ok
}

// Advance goes to the lowest wheel's next occupied slot in its present revolution, or else
// as far as leap does. O(M/64 + timers due) in the first case; in the second O(m + M/64),
// and O(m) for each timer that migrates.
func (w *wheels) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	v := &w.levels[0]
	here, end := v.first+v.digit(w.Now), v.first+v.radix
	left := schemes.Tick(end - here - 1) // ticks of the revolution
	if passed <= left {
		end = here + uint32(passed) + 1
	}
	switch slot := w.NextOccupied(here+1, end); {
	case slot < end:
		passed, due = schemes.Tick(slot-here), w.MoveDue(slot)
	case passed > left:
		return w.leap(passed)
	}
	w.Now += passed
	w.busy += uint64(passed)
	return passed, due
}

// leap passes `most` ticks, or the ticks to the earliest deadline. A slot that begins on the way
// is the first occupied one of its level, and the leap ends in it. Its timers migrate from
// there to their slots by the new time, once however many levels they skip.
func (w *wheels) leap(most schemes.Tick) (passed schemes.Tick, due int) {
	before := w.Now
	w.Now, _ = w.earliest(before + most)
	due = w.carry(0)
	w.busy += uint64(w.Now - before)
	return w.Now - before, due
}

// NextEvent looks for the next slot, of any level, that a pointer reaches and that is
// occupied. O(m + M/64).
func (w *wheels) NextEvent() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return nextEvent(w.levels, &w.Store, w.Now)
}

// Check verifies the wheels. O(n + M).
func (w *wheels) Check() error {
	return w.check(func(l int, slot uint32, deadline schemes.Tick) bool {
		return deadline > w.Now && deadline-w.Now <= w.Range && slotOf(w.levels, deadline) == slot
	})
}

// check verifies the wheels; fits reports whether a timer with this Key may wait in this slot
// of level l.
func (w *wheels) check(fits func(l int, slot uint32, deadline schemes.Tick) bool) error {
	return w.CheckStore(func() (waiting int, err error) {
		if err := checkLevels(w.levels, w.Now); err != nil {
			return 0, err
		}
		if wait, ok := nextEvent(w.levels, &w.Bitmap, w.Now); ok && w.Now < w.quiet && w.Now+wait <= w.quiet {
			return 0, fmt.Errorf("quiet to %d, but a slot comes up at %d", w.quiet, w.Now+wait)
		}
		for l, v := range w.levels {
			for slot := range v.radix {
				n, err := w.CheckRing(v.first+slot, func(i uint32, r *store.Record) error {
					if !fits(l, v.first+slot, schemes.Tick(r.Key)) {
						return fmt.Errorf("timer %d expires at %d, which is not in slot %d", r.ID, r.Key, slot)
					}
					return nil
				})
				if err != nil {
					return 0, fmt.Errorf("level %d: %w", l, err)
				}
				waiting += n
			}
		}
		return waiting, nil
	})
}

// View yields the timers level by level and slot by slot. O(n + M).
func (w *wheels) View(yield func(schemes.Place) bool) {
	w.Places(drawn(w.levels, w.Now), nil)(yield)
}

// String draws the wheels, the highest first.
func (w *wheels) String() string { return w.draw("id(deadline)") }

func (w *wheels) draw(legend string) string {
	return store.Draw(w.Now, w.Len(), legend, drawn(w.levels, w.Now), w.View)
}
