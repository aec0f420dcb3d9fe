package peers

import "timerlab/schemes"

// key orders timers in a third party's tree: by deadline, and for equal deadlines by slot,
// which no two live timers share.
type key struct {
	deadline uint64
	slot     uint32
}

func less(a, b key) bool {
	return a.deadline < b.deadline || a.deadline == b.deadline && a.slot < b.slot
}

// ordered is a sorted set of keys.
type ordered interface {
	insert(key)
	remove(key)
	least() (key, bool)
	popLeast()
}

// sorted is a scheme over a sorted set. O(log n) per start, stop and expiry; a
// tick without an expiry does not access the set.
type sorted struct {
	table[key]
	set   ordered
	first uint64 // no key is before it
}

func newSorted(name string, cfg schemes.Config, set ordered) (schemes.Scheme, error) {
	t, err := newTable[key](name, cfg)
	if err != nil {
		return nil, err
	}
	return &sorted{t, set, endOfClock}, nil
}

// Start inserts a key.
func (s *sorted) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, slot, err := s.add(interval, endOfClock, id)
	if err != nil {
		return 0, err
	}
	slot.peer = key{s.now + uint64(interval), uint32(h)}
	s.first = min(s.first, slot.peer.deadline)
	s.set.insert(slot.peer)
	return h, nil
}

// Stop removes the key.
func (s *sorted) Stop(h schemes.Handle) bool {
	k, waits, ok := s.stop(h)
	if waits {
		s.set.remove(k)
	}
	return ok
}

// PerTick removes the first key while it is due.
func (s *sorted) PerTick() int {
	if s.now == endOfClock {
		return 0
	}
	if s.now++; s.first > s.now {
		return 0
	}
	before := len(s.due)
	k, ok := s.set.least()
	for ; ok && k.deadline <= s.now; k, ok = s.set.least() {
		s.set.popLeast()
		s.expired(s.handle(k.slot), &s.slots[k.slot])
	}
	s.first = endOfClock
	if ok {
		s.first = k.deadline
	}
	return len(s.due) - before
}
