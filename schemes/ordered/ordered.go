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

// Info describes scheme 2, searched from the head.
var Info = describe("ordered", "Ordered list, searched from the head", false)

// Rear describes scheme 2, searched from the rear.
var Rear = describe("ordered-rear", "Ordered list, searched from the rear", true)

func describe(name, title string, fromRear bool) schemes.Info {
	return schemes.Info{
		Number: 2,
		Name:   name,
		Title:  title,
		Doc:    store.DocText(doc),
		Kind:   schemes.List,
		Sorted: true,
		New:    func(cfg schemes.Config) (schemes.Scheme, error) { return newList(name, cfg, fromRear) },
		Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
		Bytes:  store.ListBytes,
	}
}

// waiting is the head of the list.
const waiting = store.Due + 1

// list is the module of scheme 2. Invariant: a waiting timer's Key is its
// deadline, later than Now, and keys never fall along the list. Stop and Expire are the
// store's.
type list struct {
	store.Store
	fromRear bool // the end that Start searches from
}

// newList returns an empty list. It uses cfg.Now and cfg.Capacity.
func newList(name string, cfg schemes.Config, fromRear bool) (schemes.Scheme, error) {
	m, err := store.New(name, cfg, 1)
	if err != nil {
		return nil, err
	}
	return &list{m, fromRear}, nil
}

// Start searches for the timer's place. O(n).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := uint64(l.Now + interval)
	i, r, err := l.Make(interval, math.MaxUint64, id, deadline)
	if err != nil {
		return 0, err
	}
	return l.Enter(l.place(deadline), i, r), nil
}

// place returns the record, or the head, before which a timer with this deadline belongs:
// after those with the same deadline. O(timers passed).
func (l *list) place(deadline uint64) uint32 {
	if !l.fromRear {
		return l.PlaceFromHead(waiting, deadline)
	}
	compares := uint64(0)
	at := waiting
	for {
		before := l.At(at).Prev
		if before == waiting {
			break
		}
		compares++
		if l.At(before).Key <= deadline {
			break
		}
		at = before
	}
	l.Tally.Compares += compares
	return at
}

// PerTick compares the clock with the first timer. O(1 + timers due).
func (l *list) PerTick() int {
	if l.Ended() {
		return 0
	}
	l.Now++
	return l.MoveExpired(waiting)
}

// Restart moves the timer to its new place, for which it searches as Start does.
// O(n).
func (l *list) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	deadline := uint64(l.Now + interval)
	i, r, err := l.Renew(h, interval, math.MaxUint64, deadline)
	if err != nil {
		return 0, err
	}
	return l.Enter(l.place(deadline), i, r), nil
}

// Next reads the first timer's deadline. O(1).
func (l *list) Next() (wait schemes.Tick, ok bool) {
	switch {
	case l.AnyDue():
		return 0, true
	case !l.Occupied(waiting):
		return 0, false
	}
	return l.Wait(l.First(waiting)), true
}

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

// String draws the list.
func (l *list) String() string {
	d := l.Draw(l.Len(), "deadline", store.DrawKey)
	d.Ring("list:", waiting)
	return l.Drawn(d)
}
