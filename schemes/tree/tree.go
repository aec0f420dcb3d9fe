package tree

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

// Info describes scheme 3 as a binary heap.
var Info = schemes.Info{
	Number: 3,
	Name:   "tree",
	Title:  "Tree: binary heap",
	Doc:    godoc.Text(doc),
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
}

// tree is the module of scheme 3. Invariant: a waiting timer's Key is its
// absolute expiry, later than Now, and its Place that of its entry in the heap.
type tree struct {
	module.Module
	heap slab.Vector[entry]
}

// New returns an empty heap. It uses cfg.Now and cfg.Capacity.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	m, err := module.New("tree", cfg, 0)
	if err != nil {
		return nil, err
	}
	t := &tree{Module: m}
	t.heap.Reserve(cfg.Capacity)
	return t, nil
}

// Start adds the timer at the bottom and moves it up. O(log n).
func (t *tree) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	expiry := uint64(t.Now + interval)
	i, err := t.Module.Start(interval, math.MaxUint64, id, expiry)
	if err != nil {
		return 0, err
	}
	t.push(entry{expiry, i})
	t.Tally.Links++
	return t.Handle(i), nil
}

// Stop takes the timer out of the heap, or off the due list. O(log n).
func (t *tree) Stop(h schemes.Handle) bool {
	i, ok := t.Find(h)
	if !ok {
		return false
	}
	r := t.At(i)
	if r.Key == 0 {
		return t.Module.Stop(h)
	}
	t.remove(int(r.Place))
	t.Tally.Links++
	t.Free(i)
	return true
}

// PerTick compares the clock with the top. O(1), O(log n) for each timer due.
func (t *tree) PerTick() int {
	if t.Ended() {
		return 0
	}
	t.Now++
	moved, visits := 0, uint64(0)
	for t.heap.Len() > 0 {
		visits++
		top := *t.heap.At(0)
		if top.expiry > uint64(t.Now) {
			break
		}
		t.remove(0)
		t.AddDue(top.record)
		moved++
	}
	t.Tally.Visits += visits
	return moved
}

// Expire hands out the due timers. O(1) each.
func (t *tree) Expire(action func(schemes.ID)) { t.Module.Expire(action) }

// Check verifies the heap. O(n).
func (t *tree) Check() error {
	return t.Audit(func() (int, error) {
		for at := range t.heap.Len() {
			if err := t.checkEntry(at); err != nil {
				return 0, err
			}
		}
		return t.heap.Len(), nil
	})
}

func (t *tree) checkEntry(at int) error {
	e := *t.heap.At(at)
	r, ok := t.Live(e.record)
	switch {
	case !ok:
		return fmt.Errorf("heap: the entry at %d names record %d, which holds no timer", at, e.record)
	case r.Key != e.expiry || r.Place != uint32(at):
		return fmt.Errorf("heap: timer %d expires at %d and says it is at %d, its entry at %d says %d", r.ID, r.Key, r.Place, at, e.expiry)
	case e.expiry <= uint64(t.Now):
		return fmt.Errorf("heap: timer %d, due at %d, still waits at %d", r.ID, e.expiry, t.Now)
	case at > 0 && t.heap.At(parent(at)).expiry > e.expiry:
		return fmt.Errorf("heap: timer %d at %d expires before the one above it", r.ID, at)
	}
	return nil
}

// drawnLevels is how many levels of the heap String shows.
const drawnLevels = 5

// String draws the heap, a level a line.
func (t *tree) String() string {
	d := t.Draw("expiry", func(r *slab.Record) string { return fmt.Sprint(r.Key) })
	for level := range drawnLevels {
		first := 1<<level - 1
		if first >= t.heap.Len() {
			break
		}
		line := fmt.Sprintf("level %d:", level)
		for at := first; at < min(2*first+1, t.heap.Len()); at++ {
			line += " " + d.Timer(t.heap.At(at).record)
		}
		d.Line(line)
	}
	if more := t.heap.Len() - (1<<drawnLevels - 1); more > 0 {
		d.Line(fmt.Sprintf("… and %d below", more))
	}
	return d.String()
}
