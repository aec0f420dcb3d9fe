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
	Bytes:  variant{}.bytes,
}

// wheels is the module of scheme 7. Invariant: a waiting timer's Key is its deadline,
// later than Now, and it is in the slot that place returns. In a variant it is in the slot
// of its Key's digit on some level that fits; where deadlines are rounded, the Key is the
// rounded one. Stop and Expire are the store's.
type wheels struct {
	store.Store
	levels    []level      // lowest first
	reach     schemes.Tick // the longest interval that these levels take
	longest   schemes.Tick // the range: more than reach if levels are made on demand
	variant   variant
	rules     []rule          // the variant on each level; nil for the paper's own
	radices   []int           // if levels are made on demand: of all in the Config
	placement store.Placement // of the levels
}

// New returns empty wheels. It uses cfg.Now, cfg.Capacity and cfg.Levels.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheels("hierarchical", cfg, variant{})
	if err != nil {
		return nil, err
	}
	return &w, nil
}

func newWheels(name string, cfg schemes.Config, f variant) (wheels, error) {
	if _, err := countSlots(radices(cfg)); err != nil {
		return wheels{}, fmt.Errorf("%s: %w", name, err)
	}
	levels := makeLevels(f.atFirst(radices(cfg)), cfg.Now)
	top := levels[len(levels)-1]
	m, err := store.New(name, cfg, int(top.head+top.radix-store.Due-1))
	if err != nil {
		return wheels{}, err
	}
	w := wheels{Store: m, levels: levels, longest: f.longest(cfg), variant: f, placement: placement(levels)}
	w.reach = w.longest
	if f != (variant{}) {
		w.rules = f.rules(levels)
		w.reach = reachOf(w.rules)
	}
	if f.onDemand {
		w.radices = slices.Clone(radices(cfg))
	}
	return w, nil
}

// Start puts the timer into its slot. O(m).
func (w *wheels) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if w.rules != nil {
		return w.startByRule(interval, id)
	}
	deadline := w.Now + interval
	i, r, err := w.Make(interval, w.longest, id, uint64(deadline))
	if err != nil {
		return 0, err
	}
	return w.Enter(w.place(deadline), i, r), nil
}

// PerTick moves the timers of the lowest wheel's next slot to the due list, and migrates
// the timers of the slots that upper wheels reach. O(1 + timers due), and when the lowest
// wheel wraps O(m), with O(m) for each timer that migrates.
func (w *wheels) PerTick() int {
	if w.Ended() {
		return 0
	}
	w.Now++
	moved := 0
	lowest := &w.levels[0]
	if lowest.step() {
		moved = w.carry()
	}
	slot := lowest.head + lowest.pointer
	if !w.Occupied(slot) {
		w.Tally.EmptySlots++
		return moved
	}
	return moved + w.MoveDue(slot, slot)
}

// carry moves on the wheels above the lowest, which has wrapped: all pointers first, then
// the timers, so that each finds its place by the new time. It returns how many were due
// at once.
func (w *wheels) carry() (moved int) {
	top := turn(w.levels, w.Now)
	for l := top; l > 0; l-- {
		if slot := w.levels[l].head + w.levels[l].pointer; w.Occupied(slot) {
			moved += w.migrate(slot)
		}
	}
	return moved
}

// migrate moves each timer of a slot to its place on a lower level, or to the
// due list. That place is the digit rule's in every variant: on the first tick
// of a slot the lower digits of the clock are 0, so the highest digit that
// differs also gives the size of the remaining interval.
//
// It walks from both ends, so that two records are loaded from memory at a time: with
// 100,000 timers, a tick takes a sixth longer from one end.
func (w *wheels) migrate(slot uint32) (moved int) {
	visits := uint64(0)
	for i, k := w.Detach(slot); ; visits += 2 {
		if i == k {
			moved += w.lower(i, w.At(i))
			visits++
			break
		}
		front, back := w.At(i), w.At(k)
		next, before := front.Next, back.Prev
		moved += w.lower(i, front) + w.lower(k, back)
		if next == k {
			visits += 2
			break
		}
		i, k = next, before
	}
	w.Tally.Visits += visits
	w.Tally.Migrations += visits - uint64(moved)
	return moved
}

// lower moves record i, which is r and has left its ring, to its place on a lower level, or
// to the due list: then it returns 1. O(m).
func (w *wheels) lower(i uint32, r *store.Record) int {
	deadline := schemes.Tick(r.Key)
	if deadline == w.Now {
		w.AddDue(i, r)
		return 1
	}
	w.Insert(w.place(deadline), i, r)
	return 0
}

// Check verifies the wheels. O(n + M).
func (w *wheels) Check() error {
	return w.CheckStore(func() (int, error) {
		if w.rules != nil && w.reach != reachOf(w.variant.rules(w.levels)) {
			return 0, fmt.Errorf("the reach is %d, the levels take %d", w.reach, reachOf(w.variant.rules(w.levels)))
		}
		waiting := 0
		for l := range w.levels {
			n, err := w.checkLevel(l)
			if err != nil {
				return 0, fmt.Errorf("level %d: %w", l, err)
			}
			waiting += n
		}
		return waiting, nil
	})
}

func (w *wheels) checkLevel(l int) (int, error) {
	v := &w.levels[l]
	if err := v.check(w.Now); err != nil {
		return 0, err
	}
	waiting := 0
	for slot := v.head; slot < v.head+v.radix; slot++ {
		n, err := w.CheckRing(slot, func(i uint32, r *store.Record) error {
			if !w.fits(v, slot, schemes.Tick(r.Key)) {
				return fmt.Errorf("timer %d expires at %d, which is not a place in slot %d", r.ID, r.Key, slot-v.head)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		waiting += n
	}
	return waiting, nil
}

// fits reports whether a timer with this Key may wait in this slot of level v.
func (w *wheels) fits(v *level, slot uint32, deadline schemes.Tick) bool {
	if w.rules != nil {
		return v.fits(deadline, w.Now) && v.head+v.digit(deadline) == slot
	}
	return deadline > w.Now && deadline-w.Now <= w.reach && place(w.levels, deadline) == slot
}

// String draws the wheels, the highest first: the pointers' slots and the
// occupied ones.
func (w *wheels) String() string {
	return w.Drawn(drawLevels(w.Draw(w.Len(), w.variant.legend(), store.DrawKey), w.levels, w.Now))
}

// longest is the range: the product of the radices, or the whole clock if the
// product exceeds it.
func longest(cfg schemes.Config) schemes.Tick {
	reach := uint64(1)
	for _, radix := range radices(cfg) {
		if radix < 1 || reach > math.MaxUint64/uint64(radix) {
			return math.MaxUint64
		}
		reach *= uint64(radix)
	}
	return schemes.Tick(reach)
}
