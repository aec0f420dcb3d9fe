package unordered

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

const waiting = store.Due + 1

// list is the module of scheme 1. Invariant: a waiting timer's Key is the number of
// ticks it has left, at least 1.
type list struct{ store.Store }

// New returns an empty list. It uses cfg.Now and cfg.Capacity.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	s, err := store.New("unordered", cfg, 1)
	if err != nil {
		return nil, err
	}
	return &list{s}, nil
}

// Start (START_TIMER) links the timer at the end of the list, with its interval as the number of
// ticks left. It looks at no other timer, and no scheme does less: O(1).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !l.Accepts(interval) {
		return l.StartSlow(l, interval, id)
	}
	i, r := l.Make(id, uint64(interval))
	l.Insert(waiting, i, r)
	return r.Handle(), nil
}

// Stop (STOP_TIMER) is the store's, which all schemes with lists share: the handle names the
// timer's record, and the record's neighbours are joined. O(1).

// PerTick (PER_TICK_BOOKKEEPING) decrements every outstanding timer. A timer that reaches 0 is due.
//
// This is what the other schemes avoid: a timer that stays for T ticks is visited T times, so a
// tick costs O(n) whether or not a timer is due.
func (l *list) PerTick() (due int) {
	if l.Ended() {
		return 0
	}
	l.Now++
	visits := 0 // counted here and added once: counting must not cost more than the loop
	for i := l.At(waiting).Next; i != waiting; visits++ {
		r := l.At(i)
		next := r.Next // before the timer leaves for the due list
		if r.Key--; r.Key == 0 {
			l.MakeDue(i, r)
			due++
		}
		i = next
	}
	l.Tally.Visits += uint64(visits)
	return due
}

// Expire (EXPIRY_PROCESSING) is the store's: it hands out the due list. O(1) a timer.
