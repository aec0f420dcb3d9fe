package store

import (
	"iter"

	"timerlab/schemes"
)

// Ring says where a ring is in a scheme.
type Ring struct {
	Head        uint32
	Level, Slot int
}

// Rings returns the rings of a wheel of n slots on a level, whose first head this is.
func Rings(first uint32, n, level int) iter.Seq[Ring] {
	return func(yield func(Ring) bool) {
		for slot := range n {
			if !yield(Ring{first + uint32(slot), level, slot}) {
				return
			}
		}
	}
}

// Places returns the places of the due timers, and of those in some rings. deadline returns
// that of a timer in a ring; nil: its Key.
func (s *Store) Places(rings iter.Seq[Ring], deadline func(Ring, *Record) schemes.Tick) iter.Seq[schemes.Place] {
	return func(yield func(schemes.Place) bool) {
		position := 0
		for i := s.At(Due).Next; i != Due; i = s.At(i).Next {
			if !yield(schemes.Place{ID: s.At(i).ID, Due: true, Position: position, Parent: -1}) {
				return
			}
			position++
		}
		for ring := range rings {
			position := 0
			for i := s.At(ring.Head).Next; i != ring.Head; i = s.At(i).Next {
				r := s.At(i)
				p := schemes.Place{ID: r.ID, Deadline: schemes.Tick(r.Key), Key: r.Key,
					Level: ring.Level, Slot: ring.Slot, Position: position, Parent: -1}
				if deadline != nil {
					p.Deadline = deadline(ring, r)
				}
				if position++; !yield(p) {
					return
				}
			}
		}
	}
}
