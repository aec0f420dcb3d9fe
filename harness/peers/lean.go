package peers

import (
	"fmt"
	"math/bits"

	"timerlab/schemes"
)

// Lean is a yardstick for linked wheels: scheme 7 on four wheels of 256 slots with nothing that
// the contract of a scheme does not demand. It counts nothing, keeps no bits of occupied slots,
// gives no memory back, restarts by a stop and a start, and cannot say when the next timer is due.
var Lean = &Peer{Info: schemes.Info{
	Number: 7, Name: "lean", Title: "Bare linked wheels", Kind: schemes.Hierarchy,
	New:   newLean,
	Range: func(schemes.Config) schemes.Tick { return leanRange },
}}

const leanRange = 1 << 32

// leanRecord is a timer, or the head of a ring.
type leanRecord struct {
	next, prev uint32 // next also links free records
	gen        uint32 // odd while a timer lives here
	_          uint32
	deadline   uint64
	id         schemes.ID
}

// The heads are records: the due list's, then the heads of the four wheels.
const (
	leanDue   = 0
	leanHeads = 1 + 4*256
)

type lean struct {
	records []leanRecord
	free    uint32
	now     uint64
}

func newLean(cfg schemes.Config) (schemes.Scheme, error) {
	if cfg.Capacity < 0 {
		return nil, fmt.Errorf("lean: capacity %d is out of range (use 0 or more): %w", cfg.Capacity, schemes.ErrConfig)
	}
	l := &lean{records: make([]leanRecord, leanHeads, leanHeads+cfg.Capacity), now: uint64(cfg.Now)}
	for i := range l.records {
		l.records[i].next, l.records[i].prev = uint32(i), uint32(i)
	}
	return l, nil
}

// slot returns the head for a deadline: on the level of the highest byte in which deadline and
// clock differ, the slot of the deadline's byte. Beyond the fourth wheel's revolution it is on that.
func (l *lean) slot(deadline uint64) uint32 {
	level := min(uint32(bits.Len64((l.now^deadline)|1)-1)>>3, 3)
	return 1 + level<<8 + uint32(deadline>>(level<<3))&255
}

// link puts record i, which is r, at the end of the ring at head.
func (l *lean) link(head, i uint32, r *leanRecord) {
	h := &l.records[head]
	last := h.prev
	r.next, r.prev = head, last
	l.records[last].next = i
	h.prev = i
}

// Start links the timer into its slot. O(1).
func (l *lean) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval-1 >= leanRange || uint64(interval) > ^l.now {
		return 0, fmt.Errorf("lean: interval %d is out of range (use 1 to %d): %w", interval, min(leanRange, ^l.now),
			schemes.ErrInterval)
	}
	i := l.free
	if i == 0 {
		i = uint32(len(l.records))
		l.records = append(l.records, leanRecord{})
	}
	r := &l.records[i]
	if l.free != 0 {
		l.free = r.next
	}
	r.gen++
	r.id = id
	r.deadline = l.now + uint64(interval)
	l.link(l.slot(r.deadline), i, r)
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i), nil
}

// Stop unlinks the timer. O(1).
func (l *lean) Stop(h schemes.Handle) bool {
	i, gen := uint32(h), uint32(h>>32)
	if uint64(i) >= uint64(len(l.records)) || gen&1 == 0 || l.records[i].gen != gen {
		return false
	}
	l.release(i, &l.records[i])
	return true
}

// release unlinks record i, which is r, and makes it free.
func (l *lean) release(i uint32, r *leanRecord) {
	l.records[r.prev].next = r.next
	l.records[r.next].prev = r.prev
	r.gen++
	r.next = l.free
	l.free = i
}

// PerTick migrates the timers of the slots that the upper wheels reach, if they turn, and moves the timers of the lowest
// wheel's next slot to the due list.
func (l *lean) PerTick() (due int) {
	if l.now == ^uint64(0) {
		return 0
	}
	l.now++
	for level := uint32(1); level < 4 && l.now&(1<<(level<<3)-1) == 0; level++ {
		head := 1 + level<<8 + uint32(l.now>>(level<<3))&255
		i := l.records[head].next
		l.records[head].next, l.records[head].prev = head, head
		for i != head {
			r := &l.records[i]
			next := r.next
			if r.deadline == l.now {
				l.link(leanDue, i, r)
				due++
			} else {
				l.link(l.slot(r.deadline), i, r)
			}
			i = next
		}
	}
	head := 1 + uint32(l.now)&255
	h := &l.records[head]
	if h.next == head {
		return due
	}
	for i := h.next; i != head; i = l.records[i].next {
		due++
	}
	d := &l.records[leanDue]
	l.records[d.prev].next, l.records[h.next].prev = h.next, d.prev
	l.records[h.prev].next, d.prev = leanDue, h.prev
	h.next, h.prev = head, head
	return due
}

// Expire hands out the due list.
func (l *lean) Expire(action func(schemes.ID)) {
	for i := l.records[leanDue].next; i != leanDue; i = l.records[leanDue].next {
		r := &l.records[i]
		id := r.id
		l.release(i, r)
		action(id)
	}
}
