package store

import (
	"fmt"
)

// Audit verifies a store: the records, the due list, and that every live timer
// is either due or found by waiting, which walks the scheme's own structure and
// returns how many timers wait in it.
func (m *Store) Audit(waiting func() (int, error)) error {
	if err := m.audit(waiting); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	return nil
}

func (m *Store) audit(waiting func() (int, error)) error {
	if err := m.checkRecords(); err != nil {
		return err
	}
	due := 0
	err := m.Walk(Due, func(i uint32, r *Record) error {
		due++
		if r.Key != 0 {
			return fmt.Errorf("record %d in the due list is marked as waiting", i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	n, err := waiting()
	if err != nil {
		return err
	}
	if n+due != m.Len() {
		return fmt.Errorf("%d timers wait and %d are due, Len says %d", n, due, m.Len())
	}
	return nil
}

// AuditRing verifies the ring at head, whose timers all wait, and its bit, and
// calls accept for each timer; it returns their number.
func (m *Store) AuditRing(head uint32, accept func(i uint32, r *Record) error) (int, error) {
	n := 0
	err := m.Walk(head, func(i uint32, r *Record) error {
		n++
		if r.Key == 0 {
			return fmt.Errorf("record %d waits in ring %d but is marked as due", i, head)
		}
		return accept(i, r)
	})
	if err == nil {
		err = m.AuditBit(head, n > 0)
	}
	return n, err
}

// AuditBit verifies what ticks and searches believe of the ring at head.
func (m *Store) AuditBit(head uint32, occupied bool) error {
	if m.Occupied(head) != occupied {
		return fmt.Errorf("the bit of ring %d says occupied: %t, but it is %t", head, !occupied, occupied)
	}
	return nil
}
