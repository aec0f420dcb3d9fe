package hashunsorted

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Lazy describes scheme 6 whose Stop only marks the timer.
var Lazy = describe("lazy", "Hashed wheel, unsorted lists, lazy stops",
	func(w store.Wheel) schemes.Scheme { return &lazy{wheel: wheel{w}} })

// lazy is the module of scheme 6 with lazy stops. Invariant: as many waiting
// records have no timer any more as stopped says, and no due one.
type lazy struct {
	wheel
	stopped int // timers stopped and not yet discarded
}

// Stop marks the timer if it waits; its record stays in its slot for the rest of
// the interval. A due timer is unlinked: no tick would discard it. O(1).
func (l *lazy) Stop(h schemes.Handle) bool {
	r := l.Find(h)
	if r == nil || r.Key == 0 {
		return l.wheel.Stop(h)
	}
	r.Link = store.NoTimer
	l.stopped++
	return true
}

// PerTick takes a round off every timer of the pointer's next slot, stopped ones
// included, and discards a stopped one that has none left. O(records held / M)
// on average where intervals are long against M.
func (l *lazy) PerTick() int {
	moved := l.wheel.PerTick()
	if l.stopped > 0 {
		moved -= l.discard(moved)
	}
	return moved
}

// discard forgets the marked ones among the last n records of the due list and
// returns their number. O(n).
func (l *lazy) discard(n int) (gone int) {
	for i := l.At(store.Due).Prev; n > 0; n-- {
		r := l.At(i)
		before := r.Prev
		if r.Link == store.NoTimer {
			l.Unlink(r)
			l.Free(i, r)
			gone++
		}
		i = before
	}
	l.stopped -= gone
	return gone
}

// Next looks at all records. O(M + records held).
func (l *lazy) Next() (wait schemes.Tick, ok bool) { return l.Clock.Earliest(l.View) }

// NextEvent looks for the next slot with a record. Its timers may all be stopped. O(M/64).
func (l *lazy) NextEvent() (wait schemes.Tick, ok bool) {
	if l.Len() == 0 {
		return 0, false
	}
	return l.wheel.NextEvent()
}

// Advance repeats scheme 6's Advance, which also ends on a tick that only discards
// records. O(M/64 + records held), and O(M/64) for each such tick.
func (l *lazy) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	most := l.Limit(max, l.AnyDue())
	for passed < most && due == 0 {
		ticks, moved := l.wheel.Advance(most - passed)
		passed, due = passed+ticks, moved-l.discard(moved)
	}
	return passed, due
}

// Len returns the number of outstanding timers, without the stopped ones. O(1).
func (l *lazy) Len() int { return l.Held() - l.stopped }

// Held returns the number of records in use, also of stopped timers. O(1).
func (l *lazy) Held() int { return l.wheel.Len() }

// Check verifies the wheel and the marks. O(n + M).
func (l *lazy) Check() error {
	return l.CheckStore(func() (int, error) {
		found := 0
		held, err := l.CheckTimers(func(slot schemes.Tick, r *store.Record) error {
			if r.Link == store.NoTimer {
				found++
			}
			return l.accept(slot, r)
		})
		if err == nil && found != l.stopped {
			err = fmt.Errorf("%d timers are marked as stopped, the count says %d", found, l.stopped)
		}
		return held, err
	})
}

// View yields the timers slot by slot, without the stopped ones. O(n + M).
func (l *lazy) View(yield func(schemes.Place) bool) {
	for p := range l.Places(l.Slots(), l.deadline) {
		if (p.Due || p.Deadline != 0) && !yield(p) {
			return
		}
	}
}

// String draws the wheel, with the stopped timers in it.
func (l *lazy) String() string {
	places := l.Places(l.Slots(), l.deadline)
	return store.Draw(l.Now, l.Len(), "id(rounds left, x: stopped)", l.Slots(), places)
}
