package unordered

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

// Info describes scheme 1.
var Info = schemes.Info{
	Number: 1,
	Name:   "unordered",
	Title:  "Unordered list",
	Doc:    godoc.Text(doc),
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
}

// waiting is the head of the list.
const waiting = module.Due + 1

// list is the module of scheme 1. Invariant: a waiting timer's Key is the ticks
// it has left, at least 1.
type list struct{ module.Module }

// New returns an empty list. It uses cfg.Now and cfg.Capacity.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	m, err := module.New("unordered", cfg, 1)
	if err != nil {
		return nil, err
	}
	return &list{m}, nil
}

// Start links the timer at the end. O(1).
func (l *list) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, err := l.Module.Start(interval, math.MaxUint64, id, uint64(interval))
	if err != nil {
		return 0, err
	}
	l.Enter(waiting, i)
	return l.Handle(i), nil
}

// Stop unlinks the timer. O(1).
func (l *list) Stop(h schemes.Handle) bool { return l.Module.Stop(h) }

// PerTick decrements every timer. O(n).
func (l *list) PerTick() int {
	if l.Ended() {
		return 0
	}
	l.Now++
	return l.Countdown(waiting)
}

// Expire hands out the due timers. O(1) each.
func (l *list) Expire(action func(schemes.ID)) { l.Module.Expire(action) }

// Check verifies the list. O(n).
func (l *list) Check() error {
	return l.Audit(func() (int, error) {
		return l.AuditRing(waiting, func(i uint32, r *slab.Record) error {
			if r.Key > math.MaxUint64-uint64(l.Now) {
				return fmt.Errorf("timer %d has %d ticks left, more than the clock", r.ID, r.Key)
			}
			return nil
		})
	})
}

// String draws the list.
func (l *list) String() string {
	d := l.Draw("ticks left", func(r *slab.Record) string { return fmt.Sprint(r.Key) })
	d.Ring("list:", waiting)
	return d.String()
}
