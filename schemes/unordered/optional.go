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
	Bytes:  func(n int, cfg schemes.Config) int64 { return store.Bytes(n, cfg, 1) },
}

// Restart moves the timer to the end. O(1).
func (l *list) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !l.Names(h) || !l.Renews(h, interval) {
		return l.RestartSlow(l, h, interval)
	}
	r := l.At(uint32(h))
	h = l.Renew(h, r, uint64(interval))
	l.Insert(waiting, uint32(h), r)
	return h, nil
}

// Next looks at every timer. O(n).
func (l *list) Next() (wait schemes.Tick, ok bool) {
	if l.AnyDue() || !l.Occupied(waiting) {
		return 0, l.AnyDue()
	}
	return schemes.Tick(l.Least(waiting)), true
}

// NextEvent returns a tick if a timer waits: to know more takes a look at all of them. O(1).
func (l *list) NextEvent() (wait schemes.Tick, ok bool) {
	if l.AnyDue() {
		return 0, true
	}
	return 1, l.Occupied(waiting)
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

// View yields the timers in the order of the list. O(n).
func (l *list) View(yield func(schemes.Place) bool) {
	l.Places(store.List(), func(_ int, r *store.Record) schemes.Tick { return l.Now + schemes.Tick(r.Key) })(yield)
}

func (l *list) String() string {
	return store.Draw(l.Now, l.Len(), "id(ticks left)", store.List(), l.View)
}
