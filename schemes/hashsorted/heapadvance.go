package hashsorted

import (
	"math"

	"timerlab/schemes"
)

// Restart moves the timer from one heap to another, or within one. O(log b).
func (w *heaps) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, err := w.Restartable(h, interval, math.MaxUint64)
	if err != nil {
		return 0, err
	}
	if old := w.At(i).Key; old == 0 {
		w.Remove(i)
	} else {
		w.remove(w.Slot(w.Wait(old)), w.node(i))
		w.Tally.Links++
	}
	deadline := uint64(w.Now + interval)
	i, _ = w.Renew(i, w.At(i), deadline)
	w.push(w.Slot(interval), w.node(i), deadline)
	return w.Handle(i), nil
}

// Next looks at the tops of the heaps up to the earliest deadline. O(M/64 + slots
// looked at).
func (w *heaps) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Earliest(math.MaxUint64, w.first)
}

// first returns the ticks until the timer on top of the heap at head is due.
func (w *heaps) first(head uint32, _ schemes.Tick) (schemes.Tick, bool) {
	return w.Wait(w.nodes.At(w.At(head).Place).Deadline), true
}

// Advance looks as Next does, but no further than max, and goes there. O(M/64 +
// slots looked at), and O(log b) for each timer due.
func (w *heaps) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.MaxAdvance(max); passed == 0 {
		return 0, 0
	}
	passed, _ = w.Earliest(passed, w.first)
	return passed, w.moveExpired(w.TurnBy(passed))
}
