package peers

import (
	"fmt"

	"timerlab/schemes"
)

// store keeps what every peer adds to its timers: handles checked by generation, the
// client's IDs, and the list of due timers. The peer keeps the timers that wait, except for
// their places. Only a peak higher than all before allocates; memory is kept.
//
// Invariant: a live record i waits at places[i], or is due[places[i]-isDue].
type store struct {
	places  []uint32
	records []record
	free    uint32 // the first free record, or noRecord; places links to the next
	now     uint64
	name    string

	due   []uint32 // records; noRecord: stopped while due
	head  int      // the first of due not yet handed out
	dead  int      // gaps in due[head:]
	touch uint64   // keeps the compiler from removing loads that only warm the cache
}

// record is the part of a record that a heap does not need. The place is separate, because every entry that
// moves writes it: 4 bytes per record stay in the cache longer than 20.
type record struct {
	id  schemes.ID
	gen uint32 // odd while the record is live; 0 again: used up, the record is retired
}

const (
	isDue      = 1 << 31    // in places: the rest is an index of due
	noRecord   = 1<<32 - 1  // no record
	maxRecords = 1<<31 - 16 // so that places have room for isDue
	lastGen    = 1<<32 - 1
	endOfClock = 1<<64 - 1

	minDead = 32 // gaps that due may have whatever its length
)

func newStore(name string, cfg schemes.Config) (store, error) {
	if cfg.Capacity < 0 || cfg.Capacity > maxRecords {
		return store{}, fmt.Errorf("%s: capacity %d is out of range (use 0 to %d): %w", name, cfg.Capacity, maxRecords,
			schemes.ErrConfig)
	}
	return store{
		name: name, now: uint64(cfg.Now), free: noRecord,
		places: make([]uint32, 0, cfg.Capacity), records: make([]record, 0, cfg.Capacity),
	}, nil
}

// refuses reports whether an interval is above longest, the peer's range, or past the end of the clock.
func (s *store) refuses(interval schemes.Tick, longest uint64) bool {
	return uint64(interval)-1 >= min(longest, endOfClock-s.now)
}

// refusal returns the error of an interval that is refused or, if none is, of a full store.
func (s *store) refusal(interval schemes.Tick, longest uint64) error {
	if !s.refuses(interval, longest) {
		return fmt.Errorf("%s: no room for more than %d timers: %w", s.name, maxRecords, schemes.ErrFull)
	}
	use := fmt.Sprintf("use 1 to %d", min(longest, endOfClock-s.now))
	if s.now == endOfClock {
		use = "the clock is at its last tick"
	}
	return fmt.Errorf("%s: interval %d is out of range (%s): %w", s.name, interval, use, schemes.ErrInterval)
}

// take returns a record that is not live, the last released or a new one, and whether there is one.
func (s *store) take() (uint32, bool) {
	if i := s.free; i != noRecord {
		s.free = s.places[i]
		return i, true
	}
	i := len(s.records)
	if i == maxRecords {
		return 0, false
	}
	s.records, s.places = append(s.records, record{}), append(s.places, 0)
	return uint32(i), true
}

// begin makes a record live, whose place must be set next.
func (s *store) begin(i uint32, id schemes.ID) schemes.Handle {
	r := &s.records[i]
	r.gen++
	r.id = id
	return schemes.Handle(r.gen)<<32 | schemes.Handle(i)
}

// find returns the live record that h names.
func (s *store) find(h schemes.Handle) (i uint32, ok bool) {
	i, gen := uint32(h), uint32(h>>32)
	return i, gen&1 == 1 && int(i) < len(s.records) && s.records[i].gen == gen
}

// release ends the timer of a record that neither waits nor is due.
func (s *store) release(i uint32) {
	r := &s.records[i]
	if r.gen++; r.gen != 0 {
		s.places[i] = s.free
		s.free = i
	}
}

// enterDue adds a record that no longer waits to the due list.
func (s *store) enterDue(i uint32) {
	s.places[i] = isDue | uint32(len(s.due))
	s.due = append(s.due, i)
}

// leaveDue removes a record from the due list. The list so never exceeds twice the timers
// due, plus minDead, even if Expire is never called. Amortized O(1).
func (s *store) leaveDue(i uint32) {
	s.due[s.places[i]-isDue] = noRecord
	if s.dead++; s.dead <= minDead || s.dead <= len(s.due)/2 {
		return
	}
	keep := s.due[:0]
	for _, i := range s.due[s.head:] {
		if i != noRecord {
			s.places[i] = isDue | uint32(len(keep))
			keep = append(keep, i)
		}
	}
	s.due, s.head, s.dead = keep, 0, 0
}

// waiting returns the number of timers due and not handed out.
func (s *store) waiting() int { return len(s.due) - s.head - s.dead }

// Expire hands out the due list. O(1) per timer.
func (s *store) Expire(action func(schemes.ID)) {
	for s.head < len(s.due) {
		if s.head%batch == 0 {
			s.warm()
		}
		i := s.due[s.head]
		s.head++
		if i == noRecord {
			s.dead--
			continue
		}
		id := s.records[i].id
		s.release(i)
		action(id)
	}
	s.due, s.head = s.due[:0], 0
}

// batch is the number of due timers that warm reads at once. Their cache misses overlap, whereas each action
// would wait for its own: with a million timers, a lifetime takes a fifth less time.
const batch = 16

// warm reads the records of the next due timers.
func (s *store) warm() {
	sum := uint64(0)
	for _, i := range s.due[s.head:min(s.head+batch, len(s.due))] {
		if i != noRecord {
			sum += uint64(s.records[i].gen)
		}
	}
	s.touch = sum
}

// table is a store of a third party's timers. T is their type.
type table[T any] struct {
	store
	timers  []T // by record; the zero value if it does not wait, so that the collector can free it
	pending int // timers that wait
}

func newTable[T any](name string, cfg schemes.Config) (table[T], error) {
	s, err := newStore(name, cfg)
	return table[T]{store: s, timers: make([]T, 0, cap(s.records))}, err
}

// add begins a record for a timer with an interval up to longest. It must be kept next.
func (t *table[T]) add(interval schemes.Tick, longest uint64, id schemes.ID) (uint32, schemes.Handle, error) {
	if !t.refuses(interval, longest) {
		if i, ok := t.take(); ok {
			return i, t.begin(i, id), nil
		}
	}
	return 0, 0, t.refusal(interval, longest)
}

// keep records the third party's timer of a record that has begun.
func (t *table[T]) keep(i uint32, timer T) {
	if int(i) == len(t.timers) {
		t.timers = append(t.timers, timer)
	}
	t.timers[i], t.places[i] = timer, 0
	t.pending++
}

// ended returns the third party's timer of a record that no longer waits.
func (t *table[T]) ended(i uint32) (timer T) {
	timer, t.timers[i] = t.timers[i], timer
	t.pending--
	return timer
}

// expired moves a timer to the due list.
func (t *table[T]) expired(i uint32) {
	t.ended(i)
	t.enterDue(i)
}

// stop ends the timer that h names. If it waits, stop returns the third party's timer.
func (t *table[T]) stop(h schemes.Handle) (timer T, waits, ok bool) {
	i, ok := t.find(h)
	if !ok {
		return timer, false, false
	}
	if waits = t.places[i] < isDue; waits {
		timer = t.ended(i)
	} else {
		t.leaveDue(i)
	}
	t.release(i)
	return timer, waits, true
}

// Len returns the number of outstanding timers. O(1).
func (t *table[T]) Len() int { return t.pending + t.waiting() }
