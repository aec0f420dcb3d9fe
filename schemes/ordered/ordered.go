package ordered

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 2, searched from the head.
var Info = describe("ordered", "Ordered list, searched from the head", false)

// Rear describes scheme 2, searched from the rear.
var Rear = describe("ordered-rear", "Ordered list, searched from the rear", true)

func describe(name, title string, fromRear bool) schemes.Info {
	return schemes.Info{
		Number: 2,
		Name:   name,
		Title:  title,
		Doc:    store.DocText(doc),
		Kind:   schemes.List,
		Sorted: true,
		New:    func(cfg schemes.Config) (schemes.Scheme, error) { return newList(name, cfg, fromRear) },
		Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
		Bytes:  store.ListBytes,
	}
}

// waiting is the head of the list.
const waiting = store.Due + 1

// list is the module of scheme 2. Invariant: a waiting timer's Key is its deadline, later
// than Now, and keys never fall along the list.
type list struct {
	store.Store
	fromRear bool // the end that Start searches from
}

// newList returns an empty list. It uses cfg.Now and cfg.Capacity.
func newList(name string, cfg schemes.Config, fromRear bool) (schemes.Scheme, error) {
	s, err := store.New(name, cfg, 1)
	if err != nil {
		return nil, err
	}
	return &list{s, fromRear}, nil
}

// Start searches for the timer's place and links it there. O(n).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if err := l.Accepts(interval); err != nil {
		return 0, err
	}
	deadline := uint64(l.Now + interval)
	i, r := l.Make(id, deadline)
	return l.Enter(waiting, l.search(deadline), i, r), nil
}

// search returns the record, or the head, before which a timer with this deadline belongs:
// after those with the same deadline. O(timers passed).
func (l *list) search(deadline uint64) (at uint32) {
	if l.fromRear {
		return l.searchFromRear(deadline)
	}
	compares := uint64(0)
	for at = l.At(waiting).Next; at != waiting; {
		r := l.At(at)
		compares++
		if r.Key > deadline {
			break
		}
		at = r.Next
	}
	l.Tally.Compares += compares
	return at
}

// searchFromRear is search from the other end.
func (l *list) searchFromRear(deadline uint64) uint32 {
	compares := uint64(0)
	at := waiting
	for before := l.At(at).Prev; before != waiting; before = l.At(at).Prev {
		compares++
		if l.At(before).Key <= deadline {
			break
		}
		at = before
	}
	l.Tally.Compares += compares
	return at
}

// Stop is the store's: it unlinks the timer. O(1).

// PerTick compares the clock with the first deadline, and with the next while timers are
// due. O(1 + timers due).
func (l *list) PerTick() (due int) {
	if l.Ended() {
		return 0
	}
	l.Now++
	for i := l.At(waiting).Next; i != waiting; i = l.At(waiting).Next {
		r := l.At(i)
		l.Tally.Visits++
		if r.Key > uint64(l.Now) {
			break
		}
		l.MakeDue(i, r)
		due++
	}
	return due
}

// Expire is the store's: it hands out the due list. O(1) a timer.
