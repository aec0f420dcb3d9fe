package peers

import (
	"fmt"

	"timerlab/schemes"
)

// ValueHeap is the baseline of all ratios: the fastest heap that we could write. It is
// ours, not a third party's, so that schemes are not compared with a needlessly slow heap.
var ValueHeap = virtualPeer(Peer{
	Info:     schemes.Info{Name: "valueheap", Title: "4-ary heap of values"},
	Source:   "ours",
	Settings: "16-byte entries in one slice, four siblings to a cache line, handles checked by generation",
}, newValueHeap)

// valueHeap is a heap of entries and the tables of its store, without pointers.
//
// Invariants: an entry's deadline is later than now and not before that of the entry
// above it; the entries from the heap's end on are noEntry. The entry of a record i that
// waits is entries[places[i]].
type valueHeap struct {
	entries []entry // a multiple of 4; those below root are not used
	n       int     // the end of the heap: entries[root:n] wait
	store
}

// entry is a waiting timer, 16 bytes: comparing two needs nothing else.
type entry struct {
	deadline uint64
	record   uint32
}

// before orders entries by deadline, and those of one deadline by record, which no two
// share.
func (e entry) before(o entry) bool {
	return e.deadline < o.deadline || e.deadline == o.deadline && e.record < o.record
}

// noEntry fills the last group of siblings, so that all four can be read. No deadline is
// later.
var noEntry = entry{deadline: endOfClock}

func newValueHeap(name string, cfg schemes.Config) (schemes.Scheme, error) {
	s, err := newStore(name, cfg)
	if err != nil {
		return nil, err
	}
	v := &valueHeap{store: s, entries: make([]entry, 0, 8+cfg.Capacity), n: root}
	v.grow() // root
	return v, nil
}

// Start appends the timer and moves it up. O(log n) in the worst case, O(1) on average
// for most distributions.
func (v *valueHeap) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if v.refuses(interval, endOfClock) {
		return 0, v.refusal(interval, endOfClock)
	}
	i, ok := v.take()
	if !ok {
		return 0, v.refusal(interval, endOfClock)
	}
	h := v.begin(i, id)
	v.push(entry{v.now + uint64(interval), i})
	return h, nil
}

// Stop fills the timer's place with the last entry. O(log n).
func (v *valueHeap) Stop(h schemes.Handle) bool {
	i, ok := v.find(h)
	if !ok {
		return false
	}
	if place := v.places[i]; place < isDue {
		v.remove(int(place))
	} else {
		v.leaveDue(i)
	}
	v.release(i)
	return true
}

// PerTick examines the top, O(1), and removes due timers, O(log n) each.
func (v *valueHeap) PerTick() int {
	if v.now == endOfClock {
		return 0
	}
	v.now++
	before := len(v.due)
	for v.entries[root].deadline <= v.now && v.n > root {
		i := v.entries[root].record
		v.pop()
		v.enterDue(i)
	}
	return len(v.due) - before
}

// Restart moves the timer's entry from its place. O(log n).
func (v *valueHeap) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, ok := v.find(h)
	if !ok {
		return 0, fmt.Errorf("valueheap: restart of %#x: %w", uint64(h), schemes.ErrHandle)
	}
	if v.refuses(interval, endOfClock) {
		return 0, v.refusal(interval, endOfClock)
	}
	t := &v.records[i]
	if t.gen == lastGen {
		v.Stop(h)
		return v.Start(interval, t.id)
	}
	t.gen += 2
	e := entry{v.now + uint64(interval), i}
	if place := v.places[i]; place < isDue {
		v.settle(int(place), e)
	} else {
		v.leaveDue(i)
		v.push(e)
	}
	return schemes.Handle(t.gen)<<32 | schemes.Handle(i), nil
}

// Len returns the number of outstanding timers. O(1).
func (v *valueHeap) Len() int { return v.n - root + v.waiting() }

// Next returns the ticks until the earliest timer is due. O(1).
func (v *valueHeap) Next() (wait schemes.Tick, ok bool) {
	switch {
	case v.waiting() > 0:
		return 0, true
	case v.n > root:
		return schemes.Tick(v.entries[root].deadline - v.now), true
	}
	return 0, false
}

// Advance jumps to the tick of the earliest timer. It costs as much as one PerTick.
func (v *valueHeap) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	passed = min(most, schemes.Tick(endOfClock-v.now))
	if wait, ok := v.Next(); ok {
		passed = min(passed, max(wait, 1))
	}
	if passed == 0 {
		return 0, 0
	}
	v.now += uint64(passed) - 1
	return passed, v.PerTick()
}

// Check verifies the invariants. O(n).
func (v *valueHeap) Check() error {
	live := 0
	for i := range v.records {
		live += int(v.records[i].gen & 1)
	}
	if live != v.Len() {
		return fmt.Errorf("valueheap: %d live records, but Len is %d", live, v.Len())
	}
	for at, e := range v.entries {
		switch {
		case at >= v.n && e.deadline != endOfClock:
			return fmt.Errorf("valueheap: the unused entry %d has deadline %d", at, e.deadline)
		case at < root || at >= v.n:
		case e.deadline <= v.now:
			return fmt.Errorf("valueheap: record %d has deadline %d, but waits at %d", e.record, e.deadline, v.now)
		case v.places[e.record] != uint32(at):
			return fmt.Errorf("valueheap: record %d has place %d, but its entry is at %d", e.record,
				v.places[e.record], at)
		case at > root && v.entries[above(at)].deadline > e.deadline:
			return fmt.Errorf("valueheap: the entry at %d is before the one above it", at)
		}
	}
	for k, i := range v.due[v.head:] {
		if i != noRecord && v.places[i] != isDue|uint32(v.head+k) {
			return fmt.Errorf("valueheap: due record %d has place %#x", i, v.places[i])
		}
	}
	return nil
}
