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

// valueHeap is a heap of entries and three tables by record, without pointers. Only a
// peak higher than all before allocates; memory is kept.
//
// Invariants: an entry's deadline is later than now and not before that of the entry
// above it; the entries from the heap's end on are noEntry. The entry of a live record i
// is entries[places[i]] or due[places[i]-isDue].
type valueHeap struct {
	entries []entry // a multiple of 4; those below root are not used
	n       int     // the end of the heap: entries[root:n] wait
	places  []uint32
	records []record
	free    uint32 // the first free record, or noRecord; places links to the next
	now     uint64

	due   []uint32 // records; noRecord: stopped while due
	head  int      // the first of due not yet handed out
	dead  int      // gaps in due[head:]
	touch uint64   // keeps the compiler from removing loads that only warm the cache
}

// entry is a waiting timer, 16 bytes: comparing two needs nothing else.
type entry struct {
	deadline uint64
	record   uint32
}

// record is the part of a record that the heap does not need. The place is separate,
// because every entry that moves writes it: 4 bytes per record stay in the cache longer
// than 20.
type record struct {
	id  schemes.ID
	gen uint32 // odd while the record is live; 0 again: used up, the record is retired
}

const (
	isDue      = 1 << 31    // in places: the rest is an index of due, not of entries
	noRecord   = 1<<32 - 1  // no record
	maxRecords = 1<<31 - 16 // so that places have room for isDue
	lastGen    = 1<<32 - 1

	minDead = 32 // gaps that due may have whatever its length
)

// noEntry fills the last group of siblings, so that all four can be read. No deadline is
// later.
var noEntry = entry{deadline: endOfClock}

func newValueHeap(cfg schemes.Config) (schemes.Scheme, error) {
	if err := checkCapacity("valueheap", cfg, maxRecords); err != nil {
		return nil, err
	}
	v := &valueHeap{
		entries: make([]entry, 0, 8+cfg.Capacity),
		places:  make([]uint32, 0, cfg.Capacity),
		records: make([]record, 0, cfg.Capacity),
		free:    noRecord,
		n:       root,
		now:     uint64(cfg.Now),
	}
	v.grow() // root
	return v, nil
}

// Start appends the timer and moves it up. O(log n) in the worst case, O(1) on average
// for most distributions.
func (v *valueHeap) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if uint64(interval)-1 >= endOfClock-v.now {
		return 0, badInterval("valueheap", interval, v.now, endOfClock)
	}
	i, ok := v.take()
	if !ok {
		return 0, fmt.Errorf("valueheap: %d timers outstanding, no room for more: %w", v.Len(), schemes.ErrFull)
	}
	t := &v.records[i]
	t.gen++
	t.id = id
	h := schemes.Handle(t.gen)<<32 | schemes.Handle(i)
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
		v.leaveDue(place - isDue)
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
		v.places[i] = isDue | uint32(len(v.due))
		v.due = append(v.due, i)
	}
	return len(v.due) - before
}

// Expire hands out the due list. O(1) per timer.
func (v *valueHeap) Expire(action func(schemes.ID)) {
	for v.head < len(v.due) {
		if v.head%batch == 0 {
			v.warm()
		}
		i := v.due[v.head]
		v.head++
		if i == noRecord {
			v.dead--
			continue
		}
		id := v.records[i].id
		v.release(i)
		action(id)
	}
	v.due, v.head = v.due[:0], 0
}

// Restart moves the timer's entry from its place. O(log n).
func (v *valueHeap) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, ok := v.find(h)
	if !ok {
		return 0, fmt.Errorf("valueheap: restart of %#x: %w", uint64(h), schemes.ErrHandle)
	}
	if uint64(interval)-1 >= endOfClock-v.now {
		return 0, badInterval("valueheap", interval, v.now, endOfClock)
	}
	t := &v.records[i]
	if t.gen == lastGen {
		v.Stop(h)
		return v.Start(interval, t.id)
	}
	t.gen += 2
	h = schemes.Handle(t.gen)<<32 | schemes.Handle(i)
	e := entry{v.now + uint64(interval), i}
	if place := v.places[i]; place < isDue {
		v.settle(int(place), e)
	} else {
		v.leaveDue(place - isDue)
		v.push(e)
	}
	return h, nil
}

// Len returns the number of outstanding timers. O(1).
func (v *valueHeap) Len() int { return v.n - root + v.waiting() }

// waiting returns the number of timers due and not handed out.
func (v *valueHeap) waiting() int { return len(v.due) - v.head - v.dead }

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
