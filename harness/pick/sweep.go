package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// Case is a workload of a sweep.
type Case struct {
	workload.Preset
	Limits Limits
}

// Workload returns the workload of the case.
func (c Case) Workload() Workload { return FromPreset(c.Preset) }

// Cases returns the workloads on which picks are judged: all presets, and random ones, of
// which every third has a limit of memory.
func Cases(random int, seed uint64) (all []Case) {
	for _, p := range workload.Presets() {
		all = append(all, Case{Preset: p})
	}
	for i := range random {
		c := Case{Preset: randomPreset(rand.New(rand.NewPCG(seed, uint64(i))))}
		c.Name = fmt.Sprintf("random-%02d", i+1)
		if i%3 == 0 { // so little that not all candidates fit
			in, _ := Candidates(c.Workload(), Limits{})
			slices.SortFunc(in, func(a, b run.Subject) int { return cmp.Compare(memory(a, c.N), memory(b, c.N)) })
			c.Limits.Memory = memory(in[len(in)/2], c.N)
		}
		all = append(all, c)
	}
	return all
}

// randomPreset draws a workload of one or two classes: n from 300 to 500,000 and mean
// intervals from 16 to 262,144 ticks, both evenly in their logarithms.
func randomPreset(r *rand.Rand) (p workload.Preset) {
	p.N, p.Tick = int(300*math.Exp2(r.Float64()*math.Log2(500_000./300))), time.Millisecond
	for range 1 + r.IntN(2) {
		mean := 16 * math.Exp2(14*r.Float64())
		ms := func(x float64) string { return fmt.Sprintf("%.0fms", math.Max(1, x)) }
		share := 0.2 + r.Float64()
		interval := []string{
			"const:" + ms(mean), "exp:" + ms(mean), "uniform:" + ms(mean/4) + "," + ms(2*mean),
			"lognormal:" + ms(mean/2) + "," + ms(mean), "pareto:" + ms(mean/4) + ",1.5",
		}[r.IntN(5)]
		stop, restart := "", ""
		switch r.IntN(3) {
		case 0:
			stop = fmt.Sprintf("%v@exp:%s", 0.5+r.Float64()/2, ms(mean/8))
		case 1:
			restart = "exp:" + ms(mean/3)
		}
		c, err := workload.ParseClass(interval, stop, restart)
		if err != nil {
			panic(err) // what is drawn above is valid
		}
		c.Name, c.Share = "timer", share
		p.Classes = append(p.Classes, c)
		p.About += c.String() + "; "
	}
	p.About = p.About[:len(p.About)-2]
	// A run needs a thousand lives in two million ticks.
	p.N = max(p.N, int(math.Ceil(p.Numbers().Residence/2000)))
	return p
}

// Terms are what all verdicts of a sweep have in common.
type Terms struct {
	Version int             `json:"version"`
	Machine results.Machine `json:"machine"`
	Seed    uint64          `json:"seed"`
	Budget  time.Duration   `json:"budget_ns"` // of a pick
	Truth   time.Duration   `json:"truth_ns"`  // of a thorough race, if all candidates have their rounds
}

func (t Terms) equal(u Terms) bool {
	return identity(t.Machine) == identity(u.Machine) && t.Seed == u.Seed && t.Budget == u.Budget && t.Truth == u.Truth
}

const sweepVersion = 1

// Sweep is a file of verdicts.
type Sweep struct {
	Terms
	Verdicts []Verdict `json:"verdicts"`
}

// ErrTerms is wrapped by the error about a file that cannot be continued.
var ErrTerms = errors.New("its machine, Go version, commit, seed, budget or truth is another")

// ReadSweep reads a file.
func ReadSweep(path string) (s Sweep, err error) {
	err = loadJSON(path, &s, func() error {
		if s.Version != sweepVersion {
			return fmt.Errorf("version %d (must be %d)", s.Version, sweepVersion)
		}
		return nil
	})
	return s, err
}

// ContinueSweep returns the sweep of a file on this machine, or an empty one if there is none.
func ContinueSweep(path string, seed uint64, budget, truth time.Duration) (s Sweep, err error) {
	fresh := Sweep{Terms: Terms{sweepVersion, results.ThisMachine(), seed, budget, truth}}
	s, err = ReadSweep(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fresh, nil
	case err == nil && !s.Terms.equal(fresh.Terms):
		err = fmt.Errorf("%s: %w", path, ErrTerms)
	}
	return s, err
}

// Judge adds the verdicts that are missing, and saves the sweep after each.
func (s *Sweep) Judge(ctx context.Context, path string, cases []Case, m *CostModel, progress run.Progress) error {
	for i, c := range cases {
		if slices.ContainsFunc(s.Verdicts, func(v Verdict) bool { return v.Name == c.Name }) {
			continue
		}
		v, err := c.Judge(ctx, m, s.Terms, func(_, _ int, label string) { progress(i, len(cases), c.Name+", "+label) })
		if err != nil {
			return err
		}
		s.Verdicts = append(s.Verdicts, v)
		if err := saveJSON(path, s); err != nil {
			return err
		}
	}
	return nil
}
