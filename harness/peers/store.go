package peers

import (
	"fmt"

	"timerlab/schemes"
)

// store keeps what every peer adds to its timers: handles checked by generation, the client's IDs, and the list
// of due timers. Only a peak higher than all before allocates; memory is kept.
type store struct {
	name    string
	longest uint64 // interval
	now     uint64
	places  []uint32 // of the records: the peer's if the timer waits, or isDue; of a free record the next one
	records []record
	free    uint32 // the first free record, or noRecord
	live    int    // timers

	due   []schemes.Handle
	head  int    // the first of due not yet handed out; those that were stopped since are not live
	touch uint64 // keeps the compiler from removing loads that only warm the cache
}

// record is the part of a record that a heap does not need. The place is separate, because every entry that
// moves writes it: 4 bytes per record stay in the cache longer than 20.
type record struct {
	id  schemes.ID
	gen uint32 // odd while the record is live
}

const (
	isDue      = 1 << 31    // no place of a timer that waits
	noRecord   = 1<<32 - 1  // no record
	maxRecords = 1<<31 - 16 // so that isDue is no place
	endOfClock = 1<<64 - 1
)

func newStore(name string, cfg schemes.Config, longest uint64) (store, error) {
	if cfg.Capacity < 0 || cfg.Capacity > maxRecords {
		return store{}, fmt.Errorf("%s: capacity %d is out of range (use 0 to %d): %w", name, cfg.Capacity, maxRecords,
			schemes.ErrConfig)
	}
	return store{
		name: name, longest: longest, now: uint64(cfg.Now), free: noRecord,
		places: make([]uint32, 0, cfg.Capacity), records: make([]record, 0, cfg.Capacity),
	}, nil
}

// refuses reports whether an interval is above the peer's range, or past the end of the clock.
func (s *store) refuses(interval schemes.Tick) bool {
	return uint64(interval)-1 >= min(s.longest, endOfClock-s.now)
}

func (s *store) refusal(interval schemes.Tick) error {
	return fmt.Errorf("%s: interval %d is out of range (use 1 to %d): %w", s.name, interval,
		min(s.longest, endOfClock-s.now), schemes.ErrInterval)
}

// take returns a record that is not live, the last released or a new one.
func (s *store) take() uint32 {
	if i := s.free; i != noRecord {
		s.free = s.places[i]
		return i
	}
	s.records, s.places = append(s.records, record{}), append(s.places, 0)
	return uint32(len(s.records) - 1)
}

// begin makes a record live, whose place must be set next.
func (s *store) begin(i uint32, id schemes.ID) schemes.Handle {
	r := &s.records[i]
	r.gen++
	r.id = id
	s.live++
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i)
}

func (s *store) renew(i uint32) schemes.Handle {
	r := &s.records[i]
	r.gen += 2
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i)
}

func (s *store) find(h schemes.Handle) (i uint32, ok bool) {
	i, gen := uint32(h), uint32(h>>32)
	return i, gen&1 == 1 && uint64(i) < uint64(len(s.records)) && s.records[i].gen == gen
}

// restarts returns the record that h names, or why its timer cannot be restarted.
func (s *store) restarts(h schemes.Handle, interval schemes.Tick) (i uint32, err error) {
	i, ok := s.find(h)
	switch {
	case !ok:
		return 0, fmt.Errorf("%s: restart of %#x: %w", s.name, uint64(h), schemes.ErrHandle)
	case s.refuses(interval):
		return 0, s.refusal(interval)
	}
	return i, nil
}

func (s *store) release(i uint32) {
	s.records[i].gen++
	s.places[i], s.free = s.free, i
	s.live--
}

// enterDue adds a record that no longer waits to the due list.
func (s *store) enterDue(i uint32) {
	s.places[i] = isDue
	s.due = append(s.due, schemes.Handle(s.records[i].gen)<<32|schemes.Handle(i))
}

// batch is the number of due timers whose records Expire reads at once. Their cache misses overlap, whereas each
// action would wait for its own: with a million timers, a lifetime of valueheap takes a fifth less time.
const batch = 16

// Expire hands out the due list. O(1) per timer.
func (s *store) Expire(action func(schemes.ID)) {
	for s.head < len(s.due) {
		if s.head%batch == 0 {
			sum := uint64(0)
			for _, h := range s.due[s.head:min(s.head+batch, len(s.due))] {
				sum += uint64(s.records[uint32(h)].gen)
			}
			s.touch = sum
		}
		i, ok := s.find(s.due[s.head])
		s.head++
		if ok {
			id := s.records[i].id
			s.release(i)
			action(id)
		}
	}
	s.due, s.head = s.due[:0], 0
}

// Len returns the number of outstanding timers. O(1).
func (s *store) Len() int { return s.live }
