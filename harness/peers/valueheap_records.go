package peers

import (
	"fmt"

	"timerlab/schemes"
)

// find returns the live record that h names.
func (v *valueHeap) find(h schemes.Handle) (i uint32, ok bool) {
	i, gen := uint32(h), uint32(h>>32)
	return i, gen&1 == 1 && int(i) < len(v.records) && v.records[i].gen == gen
}

// take returns a record that is not live, the last released or a new one, and whether
// there is one.
func (v *valueHeap) take() (uint32, bool) {
	if i := v.free; i != noRecord {
		v.free = v.places[i]
		return i, true
	}
	i := len(v.records)
	if i == maxRecords {
		return 0, false
	}
	v.records = append(v.records, record{})
	v.places = append(v.places, 0)
	return uint32(i), true
}

// release ends the timer of a record that is in no list.
func (v *valueHeap) release(i uint32) {
	t := &v.records[i]
	if t.gen++; t.gen != 0 {
		v.places[i] = v.free
		v.free = i
	}
}

// leaveDue removes the record at a place from the due list.
func (v *valueHeap) leaveDue(place uint32) {
	v.due[place] = noRecord
	v.dead++
	if v.dead > minDead && v.dead > len(v.due)/2 {
		v.closeGaps()
	}
}

// closeGaps removes the gaps from the due list, which so never exceeds twice the timers
// due, plus minDead, even if Expire is never called. Amortized O(1) per stop.
func (v *valueHeap) closeGaps() {
	keep := v.due[:0]
	for _, i := range v.due[v.head:] {
		if i != noRecord {
			v.places[i] = isDue | uint32(len(keep))
			keep = append(keep, i)
		}
	}
	v.due, v.head, v.dead = keep, 0, 0
}

// batch is the number of due timers that warm reads at once. Their cache misses overlap,
// whereas each action would wait for its own: with a million timers, a lifetime takes a
// fifth less time.
const batch = 16

// warm reads the records of the next due timers.
func (v *valueHeap) warm() {
	sum := uint64(0)
	for _, i := range v.due[v.head:min(v.head+batch, len(v.due))] {
		if i != noRecord {
			sum += uint64(v.records[i].gen)
		}
	}
	v.touch = sum
}

// Check verifies the invariants. O(n).
func (v *valueHeap) Check() error {
	live := 0
	for i := range v.records {
		if v.records[i].gen&1 == 1 {
			live++
		}
	}
	if live != v.Len() {
		return fmt.Errorf("valueheap: %d live records, but Len is %d", live, v.Len())
	}
	if err := v.checkHeap(); err != nil {
		return fmt.Errorf("valueheap: %w", err)
	}
	for k, i := range v.due[v.head:] {
		if i != noRecord && v.places[i] != isDue|uint32(v.head+k) {
			return fmt.Errorf("valueheap: due record %d has place %#x", i, v.places[i])
		}
	}
	return nil
}

func (v *valueHeap) checkHeap() error {
	for at, e := range v.entries {
		switch {
		case at >= root && at < v.n:
			if err := v.checkEntry(at, e); err != nil {
				return err
			}
		case at >= v.n && e.deadline != endOfClock:
			return fmt.Errorf("the unused entry %d has deadline %d", at, e.deadline)
		}
	}
	return nil
}

func (v *valueHeap) checkEntry(at int, e entry) error {
	switch {
	case e.deadline <= v.now:
		return fmt.Errorf("record %d has deadline %d, but waits at %d", e.record, e.deadline, v.now)
	case v.places[e.record] != uint32(at):
		return fmt.Errorf("record %d has place %d, but its entry is at %d", e.record, v.places[e.record], at)
	case at > root && v.entries[above(at)].deadline > e.deadline:
		return fmt.Errorf("the entry at %d is before the one above it", at)
	}
	return nil
}
