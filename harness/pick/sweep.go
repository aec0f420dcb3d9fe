package pick

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"timerlab/harness/workload"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Case is a workload of a sweep.
type Case struct {
	Name   string
	Demand workload.Preset
	Limits Limits
}

// Cases returns the workloads on which picks are compared with the truth: all presets,
// and so many that chance makes, of which every third has a limit of memory.
func Cases(random int, seed uint64) (all []Case) {
	for _, p := range workload.Presets() {
		all = append(all, Case{Name: p.Name, Demand: p, Limits: Limits{Slots: p.Slots}})
	}
	for i := range random {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		p := randomDemand(r)
		c := Case{Name: fmt.Sprintf("random-%02d", i+1), Demand: p}
		if i%3 == 0 { // so little that not all candidates fit
			in, _ := Candidates(c.Workload(), Limits{})
			slices.SortFunc(in, func(a, b Candidate) int { return int(a.Memory(p.N) - b.Memory(p.N)) })
			c.Limits.Memory = in[len(in)/2].Memory(p.N)
		}
		all = append(all, c)
	}
	return all
}

// Workload returns what the case asks for.
func (c Case) Workload() Workload {
	w := NewWorkload(c.Demand.N, c.Demand.Lives())
	w.Script = c.Demand.Script
	return w
}

// randomDemand draws a workload: n from 300 to 500,000 and mean intervals from 16 to
// 262,144 ticks, both evenly in their logarithms, of one or two kinds of timers.
func randomDemand(r *rand.Rand) workload.Preset {
	d := workload.Demand{N: int(300 * math.Exp2(r.Float64()*math.Log2(500_000./300))), Tick: time.Millisecond}
	about := ""
	for range 1 + r.IntN(2) {
		mean := 16 * math.Exp2(14*r.Float64())
		ms := func(x float64) string { return fmt.Sprintf("%.0fms", math.Max(1, x)) }
		c := workload.Class{Name: "timer", Share: 0.2 + r.Float64()}
		c.Interval = drawn([]string{
			"const:" + ms(mean), "exp:" + ms(mean), "uniform:" + ms(mean/4) + "," + ms(2*mean), "lognormal:" + ms(mean/2) + "," + ms(mean), "pareto:" + ms(mean/4) + ",1.5",
		}[r.IntN(5)])
		switch r.IntN(3) {
		case 0:
			c.Stop = workload.End{Share: 0.5 + r.Float64()/2, After: drawn("exp:" + ms(mean/8))}
		case 1:
			c.Restart = workload.End{Share: 1, After: drawn("exp:" + ms(mean/3))}
		}
		d.Classes = append(d.Classes, c)
		about += c.String() + "; "
	}
	// A run needs a thousand lives in two million ticks.
	if least := d.Numbers().Residence / 2000; float64(d.N) < least {
		d.N = int(least) + 1
	}
	return workload.Preset{About: about[:len(about)-2], Demand: d}
}

func drawn(text string) workload.Dist {
	d, err := workload.ParseDist(text)
	if err != nil {
		panic(err) // what is drawn above is a distribution
	}
	return d
}

// Verdict is how a pick compares with the truth.
type Verdict struct {
	Name, About  string
	N            int
	Rate         float64 // λ, a tick
	Residence    float64 // R, ticks
	Memory       int64   // that was allowed; 0: no limit
	Picked, Best string
	Tied         int     // that the pick named
	Bytes        int64   // of the picked
	Took         float64 // s, for the pick
	Measured     float64 // ns of a life of the picked, in the thorough race
	Least        float64 // of the best
	Ratio        float64 // of the two, round by round: what the pick costs too much
	Lo, Hi       float64 // its interval; 0, 0: too few rounds for one
	WorstTied    float64 // the same of the slowest of those that the pick named as tied
	Candidates   int     // that were measured
	Rounds       int
	Noise        float64 // of the thorough race
	Model        float64 // error
	Foreseen     float64 // the best one's prediction over the least of all
}

// Grade says what the rounds tell of a pick that may cost most times the best: "within",
// "beyond", or "undecided" where the interval reaches both sides, or there is none.
func (v Verdict) Grade(most float64) string {
	switch {
	case v.Hi == 0:
	case v.Hi <= most:
		return "within"
	case v.Lo > most:
		return "beyond"
	}
	return "undecided"
}

// Judge picks as a user would, with the budget of the terms, then measures all candidates
// thoroughly and compares.
func (c Case) Judge(ctx context.Context, m *Model, terms Terms, progress run.Progress) (v Verdict, err error) {
	w := c.Workload()
	all, _ := Candidates(w, c.Limits)
	order, predicted := m.sorted(all, w)
	in, _ := m.Prune(all, w, c.Limits)
	began := time.Now()
	o, err := c.race(ctx, Race{Workload: w, Model: m, Budget: terms.Budget, Seed: terms.Seed}, in, progress)
	if err != nil {
		return v, err
	}
	won := o.Winners()
	if len(won) == 0 {
		return v, fmt.Errorf("%s: no winner", c.Name)
	}
	v = Verdict{
		Name: c.Name, About: c.Demand.About, N: w.N, Rate: w.Rate, Residence: w.Residence, Memory: c.Limits.Memory,
		Picked: won[0].Candidate.String(), Tied: len(won), Bytes: won[0].Bytes, Took: time.Since(began).Seconds(), Model: o.Model,
	}
	var keep []string // however bad they are, they must be measured
	for _, r := range won {
		keep = append(keep, r.Candidate.String())
	}
	// The truth is of another trace of the same workload.
	truth, err := c.race(ctx, Race{Workload: w, Model: m, Budget: time.Hour, Seed: terms.Seed + 1, Keep: keep, Thorough: terms.Truth}, order, progress)
	if err != nil {
		return v, err
	}
	if err := v.compare(truth, won); err != nil {
		return v, err
	}
	for i, c := range order {
		if c.String() == v.Best && !math.IsInf(predicted[i], 1) {
			v.Foreseen = predicted[i] / predicted[0]
		}
	}
	return v, nil
}

// race runs on the trace of a seed. A wrong outcome is an error.
func (c Case) race(ctx context.Context, r Race, in []Candidate, progress run.Progress) (o Outcome, err error) {
	r.Limits = c.Limits
	if r.Trace, err = Trace(r.Workload, r.Seed); err != nil {
		return o, fmt.Errorf("%s: %w", c.Name, err)
	}
	if o, err = r.Run(ctx, in, progress); err == nil && len(o.Failed) > 0 {
		err = fmt.Errorf("%s: %v: %s", c.Name, o.Failed[0].Candidate, o.Failed[0].Why)
	}
	return o, err
}

// compare fills in what the thorough race says. Its best is chosen on every other round, and
// compared with on the rest: of thirty that are measured, the best of all rounds is in part
// the luckiest.
func (v *Verdict) compare(truth Outcome, won []Result) error {
	chosen, compared := map[string]float64{}, map[string][]float64{}
	v.Rounds, v.Noise, v.Candidates = truth.Rounds, truth.Noise, len(truth.Results)
	for _, r := range truth.Results {
		name, first, rest := r.Candidate.String(), alternate(r.lives, 0), alternate(r.lives, 1)
		if len(ran(rest)) == 0 { // it ran once
			rest = r.lives
		}
		compared[name] = rest
		if chosen[name] = lowerQuartile(ran(first)); chosen[name] > 0 && (v.Best == "" || chosen[name] < chosen[v.Best]) {
			v.Best = name
		}
	}
	over := func(name string) float64 { return middle(ratios(compared[name], compared[v.Best])) }
	v.Measured, v.Least, v.Ratio = middle(ran(compared[v.Picked])), middle(ran(compared[v.Best])), over(v.Picked)
	if v.Ratio == 0 {
		return fmt.Errorf("%s: %s was not measured to the end", v.Name, v.Picked)
	}
	if e := results.Summarize(ratios(compared[v.Picked], compared[v.Best])); !math.IsInf(e.Lo, 0) && !math.IsInf(e.Hi, 0) {
		v.Lo, v.Hi = e.Lo, e.Hi
	}
	for _, r := range won {
		v.WorstTied = max(v.WorstTied, over(r.Candidate.String()))
	}
	return nil
}

// alternate returns the times of every other round from first on, 0 for the rest.
func alternate(lives []float64, first int) []float64 {
	some := make([]float64, len(lives))
	for i := first; i < len(lives); i += 2 {
		some[i] = lives[i]
	}
	return some
}

// Terms are what all verdicts of a file have in common.
type Terms struct {
	Machine results.Machine
	Seed    uint64
	Budget  time.Duration // of a pick
	Truth   time.Duration // of the thorough race, if all have their rounds
}

// Sweep is a file of verdicts, a line each, behind one with their terms.
type Sweep struct {
	Terms
	Verdicts []Verdict
}

// ErrOther says that a file cannot be gone on with.
var ErrOther = errors.New("it is of another machine, Go version, commit, --seed, --budget or --truth")

// ReadSweep reads what a file holds. Its last line is left out if it was cut off.
func ReadSweep(data []byte) (s Sweep, err error) {
	lines := slices.Collect(bytes.Lines(data))
	for n, line := range lines {
		if n > 0 && n == len(lines)-1 && !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if n == 0 {
			if err = json.Unmarshal(line, &s.Terms); err == nil && s.Truth <= 0 {
				err = errors.New("it does not say how long all candidates were measured, as files of today do")
			}
		} else {
			s.Verdicts = append(s.Verdicts, Verdict{})
			err = json.Unmarshal(line, &s.Verdicts[n-1])
		}
		if err != nil {
			return s, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return s, nil
}

// OpenSweep opens a file to go on with, or makes it.
func OpenSweep(path string, terms Terms) (s Sweep, f *os.File, err error) {
	if f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return s, nil, err
	}
	if s, err = goOn(f, terms); err != nil {
		return s, nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return s, f, nil
}

// goOn reads a file, removes a line that was cut off, and begins one that is empty.
func goOn(f *os.File, terms Terms) (s Sweep, err error) {
	data, err := io.ReadAll(f)
	if err != nil {
		return s, err
	}
	if len(data) == 0 {
		return Sweep{Terms: terms}, json.NewEncoder(f).Encode(terms)
	}
	if s, err = ReadSweep(data); err != nil {
		return s, err
	}
	if identity(s.Machine) != identity(terms.Machine) || s.Seed != terms.Seed || s.Budget != terms.Budget || s.Truth != terms.Truth {
		return s, ErrOther
	}
	return s, f.Truncate(int64(bytes.LastIndexByte(data, '\n') + 1))
}

// Has reports whether a case has been judged.
func (s Sweep) Has(name string) bool {
	return slices.ContainsFunc(s.Verdicts, func(v Verdict) bool { return v.Name == name })
}
