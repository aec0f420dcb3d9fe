package unordered

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 1.
var Info = schemes.Info{
	Number: 1,
	Name:   "unordered",
	Title:  "Unordered list",
	Doc:    store.DocText(doc),
	Kind:   schemes.List,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.ListBytes,
}

// waiting is the head of the list.
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

// Start links the timer at the end, with its interval as the ticks left. O(1).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return l.Begin(waiting, interval, id, uint64(interval))
}

// Stop is the store's: it unlinks the timer. O(1).

// PerTick decrements every timer. Those with no tick left are due. O(n).
func (l *list) PerTick() (due int) {
	if l.Ended() {
		return 0
	}
	l.Now++
	visits := 0
	for i := l.At(waiting).Next; i != waiting; visits++ {
		r := l.At(i)
		next := r.Next
		if r.Key--; r.Key == 0 {
			l.MakeDue(i, r)
			due++
		}
		i = next
	}
	l.Tally.Visits += uint64(visits)
	return due
}

// Expire is the store's: it hands out the due list. O(1) a timer.
