package unordered

import (
	_ "embed"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 1.
var Info = schemes.Info{
	Number: 1,
	Name:   "unordered",
	Title:  "Unordered list",
	Doc:    store.DocText(doc),
	Kind:   schemes.List,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.ListBytes,
}

// waiting is the head of the list.
const waiting = store.Due + 1

// list is the module of scheme 1. Invariant: a waiting timer's Key is the number of
// ticks it has left, at least 1. Stop and Expire are the store's.
type list struct{ store.Store }

// New returns an empty list. It uses cfg.Now and cfg.Capacity.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	m, err := store.New("unordered", cfg, 1)
	if err != nil {
		return nil, err
	}
	return &list{m}, nil
}

// Start links the timer at the end. O(1).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, r, err := l.Make(interval, math.MaxUint64, id, uint64(interval))
	if err != nil {
		return 0, err
	}
	return l.Enter(waiting, i, r), nil
}

// PerTick decrements every timer. O(n).
func (l *list) PerTick() int {
	if l.Ended() {
		return 0
	}
	l.Now++
	return l.Countdown(waiting)
}

// Restart moves the timer to the end. O(1).
func (l *list) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, r, err := l.Renew(h, interval, math.MaxUint64, uint64(interval))
	if err != nil {
		return 0, err
	}
	return l.Enter(waiting, i, r), nil
}

// Next looks at every timer. O(n).
func (l *list) Next() (wait schemes.Tick, ok bool) {
	switch {
	case l.AnyDue():
		return 0, true
	case !l.Occupied(waiting):
		return 0, false
	}
	return schemes.Tick(l.Least(waiting)), true
}

// Advance takes all ticks but the last off every timer at once. O(n).
func (l *list) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = l.Limit(max, l.AnyDue()); passed == 0 {
		return 0, 0
	}
	if passed > 1 && l.Occupied(waiting) {
		passed = min(passed, schemes.Tick(l.Least(waiting)))
		l.Lower(waiting, uint64(passed-1))
	}
	l.Now += passed - 1
	return passed, l.PerTick()
}

// Check verifies the list. O(n).
func (l *list) Check() error {
	return l.CheckStore(func() (int, error) {
		return l.CheckRing(waiting, func(i uint32, r *store.Record) error {
			if r.Key > math.MaxUint64-uint64(l.Now) {
				return fmt.Errorf("timer %d has %d ticks left, more than the clock", r.ID, r.Key)
			}
			return nil
		})
	})
}

// String draws the list.
func (l *list) String() string {
	d := l.Draw(l.Len(), "ticks left", store.DrawKey)
	d.Ring("list:", waiting)
	return l.Drawn(d)
}
