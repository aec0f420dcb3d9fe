package ordered

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

const waiting = store.Due + 1

// list is the module of scheme 2. Invariant: a waiting timer's Key is its deadline, later
// than Now, and keys never fall along the list.
//
// The order is kept so that a tick need look at the first timer only. Start pays for it.
type list struct {
	store.Store
	fromRear bool // the end that Start searches from
}

// Start (START_TIMER) searches for the timer's place and links it there. The search makes it
// O(n); how far it goes on average depends on the distribution of the intervals, and on the end
// where it begins (section 3.2 and figure 4 of the paper).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !l.Accepts(interval) {
		return l.StartSlow(l, interval, id)
	}
	deadline := uint64(l.Now + interval)
	i, r := l.Make(id, deadline)
	l.Insert(l.search(deadline), i, r)
	return r.Handle(), nil
}

// search returns the record, or the head, before which a timer with this deadline belongs.
func (l *list) search(deadline uint64) (at uint32) {
	if l.fromRear {
		return l.searchFromRear(deadline)
	}
	return Search(&l.Store, waiting, deadline)
}

// Search is the search from the head, of this list and of others that are sorted: after all timers with the
// same deadline, so that timers expire in the order of their starts. It reads one record after the other,
// each a cache miss once the list outgrows the cache. O(timers passed).
func Search(s *store.Store, head uint32, deadline uint64) (at uint32) {
	compares := uint64(0) // timers passed, and the one that ends the search
	for at = s.At(head).Next; at != head; {
		r := s.At(at)
		compares++
		if r.Key > deadline {
			break // the new timer goes before this one
		}
		at = r.Next
	}
	s.Tally.Compares += compares
	return at
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) compares the clock with the first deadline, and with the next
// one while timers are due. Since the list is sorted, no timer after the first that is not due
// can be due. O(1 + timers due), and that is the point of the scheme: keys are absolute deadlines, so
// nothing need be decremented.
func (l *list) PerTick() (due int) {
	if l.Ended() {
		return 0
	}
	l.Now++
	for i := l.At(waiting).Next; i != waiting; i = l.At(waiting).Next {
		r := l.At(i)
		l.Tally.Visits++
		if r.Key > uint64(l.Now) {
			break // and so are all after it
		}
		l.MakeDue(i, r)
		due++
	}
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
