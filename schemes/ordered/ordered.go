package ordered

import (
	_ "embed"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/godoc"
	"timerlab/schemes/internal/module"
	"timerlab/schemes/internal/slab"
)

//go:embed doc.go
var doc string

// Info describes scheme 2, searched from the head.
var Info = schemes.Info{
	Number: 2,
	Name:   "ordered",
	Title:  "Ordered list, searched from the head",
	Doc:    godoc.Text(doc),
	New:    func(cfg schemes.Config) (schemes.Scheme, error) { return newList("ordered", cfg, false) },
	Range:  unlimited,
}

// Rear describes scheme 2, searched from the rear.
var Rear = schemes.Info{
	Number: 2,
	Name:   "ordered-rear",
	Title:  "Ordered list, searched from the rear",
	Doc:    godoc.Text(doc),
	New:    func(cfg schemes.Config) (schemes.Scheme, error) { return newList("ordered-rear", cfg, true) },
	Range:  unlimited,
}

func unlimited(schemes.Config) schemes.Tick { return math.MaxUint64 }

// waiting is the head of the list.
const waiting = module.Due + 1

// list is the module of scheme 2. Invariant: a waiting timer's Key is its
// absolute expiry, later than Now, and keys never fall along the list.
type list struct {
	module.Module
	fromRear bool // the end that Start searches from
}

// newList returns an empty list. It uses cfg.Now and cfg.Capacity.
func newList(name string, cfg schemes.Config, fromRear bool) (schemes.Scheme, error) {
	m, err := module.New(name, cfg, 1)
	if err != nil {
		return nil, err
	}
	return &list{m, fromRear}, nil
}

// Start searches for the timer's place. O(n).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	expiry := uint64(l.Now + interval)
	i, err := l.Module.Start(interval, math.MaxUint64, id, expiry)
	if err != nil {
		return 0, err
	}
	if l.fromRear {
		l.Enter(l.PlaceFromRear(waiting, expiry), i)
	} else {
		l.Enter(l.PlaceFromHead(waiting, expiry), i)
	}
	return l.Handle(i), nil
}

// Stop unlinks the timer. O(1).
func (l *list) Stop(h schemes.Handle) bool { return l.Module.Stop(h) }

// PerTick compares the clock with the first timer. O(1 + timers due).
func (l *list) PerTick() int {
	if l.Ended() {
		return 0
	}
	l.Now++
	return l.MoveExpired(waiting)
}

// Expire hands out the due timers. O(1) each.
func (l *list) Expire(action func(schemes.ID)) { l.Module.Expire(action) }

// Check verifies the list. O(n).
func (l *list) Check() error {
	return l.Audit(func() (int, error) {
		last := uint64(l.Now) + 1
		return l.AuditRing(waiting, func(i uint32, r *slab.Record) error {
			if r.Key < last {
				return fmt.Errorf("order: timer %d expires at %d, its place is for %d or later", r.ID, r.Key, last)
			}
			last = r.Key
			return nil
		})
	})
}

// String draws the list.
func (l *list) String() string {
	d := l.Draw("expiry", func(r *slab.Record) string { return fmt.Sprint(r.Key) })
	d.Ring("list:", waiting)
	return d.String()
}
