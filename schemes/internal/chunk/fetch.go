package chunk

import "timerlab/schemes"

// burst is how many records are fetched at once: enough that many share the wait for the
// first, and few enough, 32 KiB, that all are still in the cache when they are used.
const burst = 512

// fetchAhead fetches the records of a slot and of those after it that come up next,
// together a burst, and returns how many of the first.
func (m *Module) fetchAhead(slot, last uint32) (first int) {
	first = m.fetchSlot(m.end(slot))
	n := first
	for at := slot; n < burst; {
		m.fetched = m.Now + schemes.Tick(at-slot)
		next := m.NextOccupied(at+1, last+1)
		if next > last {
			m.fetched = m.Now + schemes.Tick(last-slot)
			break
		}
		n += m.fetchSlot(m.end(next))
		at = next
	}
	return first
}

// fetchSlot fetches the records of a slot up to a position, from the last on, and
// returns how many: a burst, unless there are fewer.
func (m *Module) fetchSlot(end uint32) (n int) {
	for end != 0 && n < burst {
		entries, _, before := m.chunk(end)
		m.fetch(entries)
		n += len(entries)
		end = before
	}
	return n
}

// fetch reads the records of some entries, which brings them all into the cache at
// once: none of the reads waits for another.
func (m *Module) fetch(entries []Entry) {
	sum := uint32(0)
	for _, e := range entries {
		r := m.records.named(e)
		sum += r.id[0] + r.deadlineExtra // a record may lie in two lines of the cache
	}
	m.records.sum = sum
}
