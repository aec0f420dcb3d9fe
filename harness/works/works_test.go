package works

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
)

// small is a cell that takes no time.
func small(work string) Cell { return Cell{Work: work, N: 200, T: 300, Ops: 2000} }

// Every scheme that is exact comes to the outcome of every work.
func TestEveryScheme(t *testing.T) {
	for _, info := range harness.Schemes {
		s, err := info.New(schemes.Config{})
		require.NoError(t, err)
		if _, ok := s.(schemes.Bounder); ok || info.Range(schemes.Config{}) < 1<<20 {
			continue
		}
		for _, w := range All {
			if w.Name == "Sparse" && info.Number != 6 && info.Number != 7 || w.Name == "Memory" || w.Name == "Worst" {
				continue
			}
			t.Run(info.Name+"/"+w.Name, func(t *testing.T) {
				r, err := small(w.Name).Run(Entrant{Info: info}, 1)
				require.NoError(t, err)
				assert.Positive(t, r.Ops)
			})
		}
	}
}

// A scheme that is wrong in some timers is an error, in every work.
func TestWrongSchemesAreFound(t *testing.T) {
	for _, fault := range []string{"late", "early", "lost", "twice", "unstopped"} {
		for _, w := range All {
			stops := w.Name != "Hold" && w.Name != "Idle"
			if fault == "unstopped" && !stops || w.Name == "Sparse" { // which has ten timers
				continue
			}
			t.Run(fault+"/"+w.Name, func(t *testing.T) {
				info := *harness.Schemes[6]
				info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
					s, err := harness.Schemes[6].New(cfg)
					return &faulty{Scheme: s, fault: fault}, err
				}
				_, err := small(w.Name).Run(Entrant{Info: &info}, 1)
				assert.Error(t, err)
			})
		}
	}
}

// faulty does something wrong now and then.
type faulty struct {
	schemes.Scheme
	fault         string
	starts, stops int
	doubled       bool
}

func (f *faulty) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if f.starts++; f.starts%17 == 0 {
		switch {
		case f.fault == "late":
			interval++
		case f.fault == "early" && interval > 1:
			interval--
		case f.fault == "lost":
			return 0, nil
		}
	}
	return f.Scheme.Start(interval, id)
}

func (f *faulty) Expire(action func(schemes.ID)) {
	f.Scheme.Expire(func(id schemes.ID) {
		action(id)
		if f.fault == "twice" && !f.doubled {
			f.doubled = true
			action(id)
		}
	})
}

func (f *faulty) Stop(h schemes.Handle) bool {
	f.stops++
	if f.fault == "unstopped" && f.stops == 50 {
		return false
	}
	return f.Scheme.Stop(h)
}

// An entrant that is late by a constant is verified as such, and the row says so.
func TestLateEntrant(t *testing.T) {
	info := *harness.Schemes[6]
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := harness.Schemes[6].New(cfg)
		return slow{s}, err
	}
	for _, work := range []string{"PairCold", "Restart", "Hold", "Churn"} {
		r, err := small(work).Run(Entrant{Info: &info, Late: 1}, 1)
		require.NoError(t, err, work)
		assert.Contains(t, r.Line("x"), " 1 ticks-late")
		_, err = small(work).Run(Entrant{Info: &info}, 1)
		assert.Error(t, err, work)
	}
}

type slow struct{ schemes.Scheme }

func (s slow) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return s.Scheme.Start(interval+1, id)
}

func TestFloors(t *testing.T) {
	for work, info := range map[string]*schemes.Info{"Hold": &Floor, "PairHot": &BareRing, "Idle": &Nothing} {
		_, err := small(work).Run(Entrant{Info: info}, 1)
		assert.NoError(t, err, work)
	}
}

func TestBadCells(t *testing.T) {
	for _, c := range []Cell{{Work: "Sleep", N: 1, T: 1}, {Work: "Hold", N: 0, T: 10}, {Work: "Hold", N: 10, T: 0}} {
		_, err := c.Run(Entrant{Info: harness.Schemes[6]}, 0)
		assert.ErrorContains(t, err, "allowed")
	}
}

func TestNames(t *testing.T) {
	c := Cell{Work: "Hold", N: 1_000_000, T: 10_000}
	assert.Equal(t, "BenchmarkHold/scheme=hashunsorted/n=1M/M=65536/T=10k", c.Name(Entrant{Info: harness.Schemes[5], Config: schemes.Config{Slots: 65_536}}))
	assert.Equal(t, "x 3 1.5 ns/op 2 B/timer", Result{3, 1.5, []Metric{{2, "B/timer"}}}.Line("x"))
}
