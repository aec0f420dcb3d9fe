package peers

import (
	"fmt"

	"timerlab/schemes"
)

// table is what an adapter adds to a peer: handles checked by generation, the client's
// ID, and the list of due timers. T is the peer's type of a timer. It is the same for all
// peers except the baseline, which has its own.
type table[T any] struct {
	name  string
	slots []slot[T]
	free  uint32 // the first free slot, or noRecord
	live  int
	now   uint64

	due  []schemes.Handle // in the order of their ticks; stale after a stop
	head int              // the first of due not yet handed out
	dead int              // stale ones in due[head:]
}

// slot is one timer of the client.
type slot[T any] struct {
	peer T
	id   schemes.ID
	gen  uint32 // odd while the slot is live; 0 again: used up, the slot is retired
	next uint32 // of a free slot: the next one; of a live one: pending or isDue
}

const pending = 0

func newTable[T any](name string, cfg schemes.Config) (table[T], error) {
	if err := checkCapacity(name, cfg, maxRecords); err != nil {
		return table[T]{}, err
	}
	return table[T]{name: name, slots: make([]slot[T], 0, cfg.Capacity), free: noRecord, now: uint64(cfg.Now)}, nil
}

// add returns a slot for a timer with an interval up to longest.
func (t *table[T]) add(interval schemes.Tick, longest uint64, id schemes.ID) (schemes.Handle, *slot[T], error) {
	if uint64(interval)-1 >= min(longest, endOfClock-t.now) {
		return 0, nil, badInterval(t.name, interval, t.now, longest)
	}
	i := t.free
	if i != noRecord {
		t.free = t.slots[i].next
	} else if i = uint32(len(t.slots)); i < maxRecords {
		t.slots = append(t.slots, slot[T]{})
	} else {
		return 0, nil, fmt.Errorf("%s: %d timers outstanding, no room for more: %w", t.name, t.live, schemes.ErrFull)
	}
	s := &t.slots[i]
	s.gen++
	s.id, s.next = id, pending
	t.live++
	return schemes.Handle(s.gen)<<32 | schemes.Handle(i), s, nil
}

// find returns the live slot that h names, or nil.
func (t *table[T]) find(h schemes.Handle) *slot[T] {
	i, gen := uint32(h), uint32(h>>32)
	if gen&1 == 0 || int(i) >= len(t.slots) || t.slots[i].gen != gen {
		return nil
	}
	return &t.slots[i]
}

// drop ends the timer of a live slot. It clears the peer's timer, so that the garbage
// collector can free it.
func (t *table[T]) drop(i uint32) {
	s, none := &t.slots[i], *new(T)
	s.peer = none
	t.live--
	if s.gen++; s.gen != 0 {
		s.next = t.free
		t.free = i
	}
}

// stop ends the timer that h names and returns the peer's timer; waits reports whether it
// is pending.
func (t *table[T]) stop(h schemes.Handle) (peer T, waits, ok bool) {
	s := t.find(h)
	if s == nil {
		return peer, false, false
	}
	peer, waits = s.peer, s.next == pending
	t.drop(uint32(h))
	if !waits {
		t.stale()
	}
	return peer, waits, true
}

// stale records that a due timer was stopped.
func (t *table[T]) stale() {
	if t.dead++; t.dead <= minDead || t.dead <= len(t.due)/2 {
		return
	}
	keep := t.due[:0]
	for _, h := range t.due[t.head:] {
		if t.find(h) != nil {
			keep = append(keep, h)
		}
	}
	t.due, t.head, t.dead = keep, 0, 0
}

// expired moves the timer of a live slot to the due list.
func (t *table[T]) expired(h schemes.Handle, s *slot[T]) {
	s.next = isDue
	t.due = append(t.due, h)
}

// handle names the live slot i.
func (t *table[T]) handle(i uint32) schemes.Handle {
	return schemes.Handle(t.slots[i].gen)<<32 | schemes.Handle(i)
}

// Expire hands out the due list. O(1) per timer.
func (t *table[T]) Expire(action func(schemes.ID)) {
	for t.head < len(t.due) {
		h := t.due[t.head]
		t.head++
		s := t.find(h)
		if s == nil {
			t.dead--
			continue
		}
		id := s.id
		t.drop(uint32(h))
		action(id)
	}
	t.due, t.head = t.due[:0], 0
}

// Len returns the number of outstanding timers. O(1).
func (t *table[T]) Len() int { return t.live }
