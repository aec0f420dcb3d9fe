package tree

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// tree is the module of scheme 3. Invariant: a waiting timer's Key is its
// deadline, later than Now, and its entry is in queue; first is a copy of
// the entry on top, so that a tick on which nothing is due compares it with the clock and calls nothing.
//
// A heap keeps less order than a sorted list: no timer is due before the one above it, and that is
// all. So an insertion moves along one path from the bottom to the top, log2 n timers at most, where
// the list passes half of all. The heap's entries, of 16 bytes, are kept apart from the records, so
// that sifting reads only what it compares: four in a cache line.
type tree struct {
	store.Store
	first entry // its deadline is noTimer if the tree is empty
	queue queue // the tree
}

// Start (START_TIMER) adds the timer to the tree: at the bottom, from where it sifts up. O(log n)
// (section 4.1.1 of the paper).
func (t *tree) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !t.Accepts(interval) {
		return t.StartSlow(t, interval, id)
	}
	deadline := uint64(t.Now + interval)
	i, r := t.Make(id, deadline)
	t.push(entry{deadline, i})
	return r.Handle(), nil
}

// push adds a timer to the tree. The variants of scheme 3 are other trees in its place: a 4-ary heap, and
// a binary search tree that nothing balances.
func (t *tree) push(e entry) {
	t.queue.push(e)
	if t.first.deadline == noTimer || e.deadline < t.first.deadline {
		t.first = e
	}
}

// Stop (STOP_TIMER) takes the timer out of the tree, or off the due list. The record holds its place
// in the tree, so nothing is searched, but the gap must be filled: O(log n).
func (t *tree) Stop(h schemes.Handle) bool {
	i, r := uint32(h), t.Find(h)
	if r == nil || r.Key == 0 {
		return t.Store.Stop(h)
	}
	t.queue.remove(i)
	if i == t.first.record { // the top was taken out
		t.first = t.queue.first()
	}
	t.Free(i, r)
	return true
}

// PerTick (PER_TICK_BOOKKEEPING) compares the clock with the earliest deadline, which is on top of the
// tree, and with the next one while timers are due. O(1), and O(log n) for each timer due: the last
// entry of the tree takes the place of the top and sifts down.
func (t *tree) PerTick() int {
	if t.Ended() {
		return 0
	}
	t.Now++
	moved, visits := 0, uint64(0)
	for t.first.deadline != noTimer {
		visits++
		if t.first.deadline > uint64(t.Now) {
			break
		}
		i := t.first.record
		t.first = t.queue.pop()
		t.AddDue(i, t.At(i))
		moved++
	}
	t.Tally.Visits += visits
	return moved
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
