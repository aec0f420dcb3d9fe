package ordered

import (
	_ "embed"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 2, searched from the head.
var Info = describe("ordered", "Ordered list, searched from the head", false)

// Rear describes scheme 2, searched from the rear.
var Rear = describe("ordered-rear", "Ordered list, searched from the rear", true)

func describe(name, title string, fromRear bool) schemes.Info {
	return schemes.Info{
		Number: 2,
		Name:   name,
		Title:  title,
		Doc:    store.DocText(doc) + "\n" + variants,
		Kind:   schemes.List,
		Sorted: true,
		New: func(cfg schemes.Config) (schemes.Scheme, error) { // it uses cfg.Now and cfg.Capacity
			s, err := store.New(name, cfg, 1)
			if err != nil {
				return nil, err
			}
			return &list{s, fromRear}, nil
		},
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
		Bytes: func(n int, cfg schemes.Config) int64 { return store.Bytes(n, cfg, 1) },
	}
}

// Restart moves the timer to its new place, for which it searches as Start does. O(n).
func (l *list) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !l.Names(h) || !l.Renews(h, interval) {
		return l.RestartSlow(l, h, interval)
	}
	deadline := uint64(l.Now + interval)
	r := l.At(uint32(h))
	h = l.Renew(h, r, deadline)
	l.Insert(l.search(deadline), uint32(h), r)
	return h, nil
}

// Next reads the first timer's deadline. O(1).
func (l *list) Next() (wait schemes.Tick, ok bool) {
	if l.AnyDue() || !l.Occupied(waiting) {
		return 0, l.AnyDue()
	}
	return schemes.Tick(l.First(waiting)) - l.Now, true
}

// NextEvent is Next. O(1).
func (l *list) NextEvent() (wait schemes.Tick, ok bool) { return l.Next() }

// Advance goes to the first timer's deadline. O(1 + timers due).
func (l *list) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = l.Limit(max, l.AnyDue()); passed == 0 {
		return 0, 0
	}
	if wait, ok := l.Next(); ok && wait > 0 {
		passed = min(passed, wait)
	}
	l.Now += passed - 1
	return passed, l.PerTick()
}

// Check verifies the list. O(n).
func (l *list) Check() error {
	return l.CheckStore(func() (int, error) {
		last := uint64(l.Now) + 1
		return l.CheckRing(waiting, func(i uint32, r *store.Record) error {
			if r.Key < last {
				return fmt.Errorf("order: timer %d expires at %d, its place is for %d or later", r.ID, r.Key, last)
			}
			last = r.Key
			return nil
		})
	})
}

// View yields the timers in the order of the list. O(n).
func (l *list) View(yield func(schemes.Place) bool) { l.Places(store.List(), nil)(yield) }

func (l *list) String() string {
	return store.Draw(l.Now, l.Len(), "id(deadline)", store.List(), l.View)
}

// searchFromRear is search from the other end: O(1) if every deadline is later than all that are
// there, as it is when all intervals are equal.
func (l *list) searchFromRear(deadline uint64) uint32 {
	compares := uint64(0)
	at := waiting
	for before := l.At(at).Prev; before != waiting; before = l.At(at).Prev {
		compares++
		if l.At(before).Key <= deadline {
			break
		}
		at = before
	}
	l.Tally.Compares += compares
	return at
}
