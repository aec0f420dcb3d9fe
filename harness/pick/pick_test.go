package pick

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

func preset(t *testing.T, name string) Workload {
	p, err := workload.FindPreset(name)
	require.NoError(t, err)
	return FromPreset(p)
}

// Whatever the workload, each candidate that races can hold its intervals and keeps
// within the limits, no two are alike, and those left out have a reason.
func TestCandidates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		longest := schemes.Tick(1) << rapid.IntRange(0, 47).Draw(t, "longest")
		longest += schemes.Tick(rapid.Uint64Range(0, uint64(longest)).Draw(t, "more"))
		n := workload.Numbers{N: rapid.IntRange(1, 100_000_000).Draw(t, "n"), Longest: longest}
		n.Residence = float64(longest) * rapid.Float64Range(1e-6, 1).Draw(t, "stay")
		n.Residence = max(n.Residence, 1)
		n.Rate = float64(n.N) / n.Residence
		l := Limits{Memory: rapid.SampledFrom([]int64{0, 1 << 20, 1 << 28, 1 << 34}).Draw(t, "memory")}
		inUse := rapid.SampledFrom([]int{0, 512, 1000}).Draw(t, "M")
		in, out := Candidates(Workload{Numbers: n, Slots: inUse}, l)
		seen := map[string]bool{}
		for _, c := range in {
			require.False(t, seen[c.String()], "%v twice", c)
			seen[c.String()] = true
			require.GreaterOrEqual(t, c.Info.Range(c.Config(0)), n.Longest, "%v", c)
			if l.Memory > 0 {
				require.LessOrEqual(t, float64(memory(c, n.N)), estimateMargin*float64(l.Memory))
			}
			const linux = 9 // levels of 64 slots: the longest of the shapes
			require.True(t, len(c.Levels) == 0 || len(c.Levels) >= 2 && len(c.Levels) <= linux, "%v", c)
		}
		for _, c := range out {
			require.False(t, seen[c.String()], "%v both in and out", c)
			require.NotEmpty(t, c.Why)
		}
		if l.Memory == 0 {
			require.NotEmpty(t, in, "hierarchies hold anything")
		}
		if inUse > 0 {
			require.True(t, seen[run.Subject{Info: &hashunsorted.Info, Slots: inUse}.String()] || l.Memory > 0 || len(out) > 0)
		}
	})
}

func TestOnlySomeSchemes(t *testing.T) {
	in, out := Candidates(preset(t, "hold"), Limits{Only: []string{"hierarchical"}})
	for _, c := range append(in, outOf(out)...) {
		assert.Equal(t, "hierarchical", c.Info.Name)
	}
	assert.NotEmpty(t, in)
}

func outOf(out []Rejected) (all []run.Subject) {
	for _, c := range out {
		all = append(all, c.Subject)
	}
	return all
}

// A race ends with those that are fast, names those that are slow or wrong, and
// counts what they did.
func TestRace(t *testing.T) {
	slow, wrong := hashunsorted.Info, hashunsorted.Info
	slow.Name, wrong.Name = "slow", "wrong"
	slow.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return &dawdler{s.(scheme), 20 * time.Microsecond}, err
	}
	wrong.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return &loser{s.(scheme), 0}, err
	}
	_, trace := small(t)
	in := []run.Subject{{Info: &hashunsorted.Info, Slots: 256}, {Info: &slow, Slots: 256}, {Info: &wrong, Slots: 256}, {Info: &hierarchical.Info, Levels: []int{16, 16}}}
	race := Race{Trace: trace, Budget: time.Hour}.begin(in, func(int, int, string) {})
	require.NoError(t, race.round(context.Background()))
	race.drop()
	require.NoError(t, race.timeTicks(context.Background(), finalists))
	o := race.outcome()
	require.Len(t, o.Results, 4)
	require.Len(t, o.Failed, 1)
	assert.Equal(t, "wrong", o.Failed[0].Info.Name)
	assert.Contains(t, o.Failed[0].Why, "outcome")
	for _, c := range o.Results {
		switch c.Info.Name {
		case "slow":
			assert.Regexp(t, "times the time of the best", c.Dropped)
		case "hashunsorted", "hierarchical":
			assert.Positive(t, c.Bytes)
			assert.GreaterOrEqual(t, c.Worst, c.P999)
			assert.GreaterOrEqual(t, c.P999, c.P50)
		}
	}
	assert.Empty(t, o.Results[0].Dropped)
	assert.Equal(t, 1.0, o.Results[0].Ratio.Median)
	assert.NotEmpty(t, o.Winners())
	assert.Equal(t, 1, o.Rounds)
}

type scheme interface {
	schemes.Scheme
	schemes.Counter
	schemes.Sized
}

// dawdler is slow.
type dawdler struct {
	scheme
	by time.Duration // a tick
}

func (d *dawdler) PerTick() int {
	for began := time.Now(); time.Since(began) < d.by; {
	}
	return d.scheme.PerTick()
}

// loser loses every hundredth timer.
type loser struct {
	scheme
	n int
}

func (l *loser) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if l.n++; l.n%100 == 0 {
		return 1, nil
	}
	return l.scheme.Start(interval, id)
}

func dist(t *testing.T, text string) workload.Dist {
	d, err := workload.ParseDist(text)
	require.NoError(t, err)
	return d
}

// An interrupted race tells what it has.
func TestInterruptedRace(t *testing.T) {
	w := preset(t, "rpc-relay")
	trace, err := w.Trace(1)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	in, _ := Candidates(w, Limits{})
	runs := 0
	o, err := Race{Trace: trace, Budget: time.Minute}.Run(ctx, in, func(int, int, string) {
		if runs++; runs == 4 { // in the first round
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.NotEmpty(t, o.Winners())
	for _, c := range o.Results {
		assert.True(t, c.Dropped == "it has not run" || c.Life.Median > 0, "%v: %+v", c.Subject, c.Life)
	}
}

func TestNoCandidate(t *testing.T) {
	_, err := Race{}.Run(context.Background(), nil, nil)
	assert.ErrorContains(t, err, "no candidate")
}

// Where the budget is too short for any run, that is what is wrong, not the candidates.
func TestBudgetTooShort(t *testing.T) {
	w := preset(t, "rpc-relay")
	trace, err := w.Trace(1)
	require.NoError(t, err)
	_, err = Race{Trace: trace, Budget: time.Microsecond}.Run(context.Background(), []run.Subject{{Info: &hashunsorted.Info, Slots: 256}}, func(int, int, string) {})
	assert.ErrorContains(t, err, "a budget of 1µs is too short for one run of any candidate")
}

// Limits that show only when it is run end the race for a candidate.
func TestLimitsThatShowInTheRace(t *testing.T) {
	w := preset(t, "rpc-relay")
	trace, err := w.Trace(1)
	require.NoError(t, err)
	in := []run.Subject{{Info: &hierarchical.Info, Levels: []int{256, 256}}}
	for limits, want := range map[Limits2]string{{Memory: 1000}: "it holds", {Tail: 1}: "p99.9 of its ticks"} {
		o, err := Race{Trace: trace, Budget: time.Minute, Limits: Limits{Memory: limits.Memory, Tail: limits.Tail}}.Run(context.Background(), in, func(int, int, string) {})
		require.NoError(t, err)
		require.Contains(t, o.Results[0].Dropped, want)
		require.Empty(t, o.Winners())
	}
}

// Limits2 is what of Limits can be a key.
type Limits2 struct {
	Memory int64
	Tail   time.Duration
}

// A candidate ties with the best if it may be as fast by the interval, or is within the noise.
// Those that tie come first, so that no rank is between them.
func TestRanks(t *testing.T) {
	result := func(median, lo float64, dropped string) Result {
		r := Result{Dropped: dropped}
		r.Ratio.Median, r.Ratio.Lo, r.Ratio.Hi = median, lo, median+0.1
		return r
	}
	o := Outcome{Noise: 0.02, Results: []Result{
		result(1, 1, ""), result(1.04, 1.03, ""), result(1.05, 0.99, ""), result(1.01, 1.005, ""), result(0.5, 0.5, "out"),
	}}
	o.rank()
	var ranks []int
	for _, r := range o.Results {
		ranks = append(ranks, r.Rank)
	}
	assert.Equal(t, []int{1, 1, 1, 4, 0}, ranks)
	assert.Len(t, o.Winners(), 3)
	assert.Equal(t, 1.04, o.Results[3].Ratio.Median)

	// Too few rounds for an interval.
	few := Outcome{Noise: 0.02, Rounds: 3, Results: []Result{result(1, 1, ""), result(1.2, math.Inf(-1), ""), result(1.3, math.Inf(-1), "")}}
	few.rank()
	assert.Len(t, few.Winners(), 2)
	few.Noise = 0.2
	few.rank()
	assert.Len(t, few.Winners(), 3)
}

// Who is disturbed in every other round is ranked by the rest; luck in one is not enough.
func TestRank(t *testing.T) {
	x := on(time.Minute, 0, []float64{10, 10, 10, 10, 8}, []float64{9, 30, 9, 30, 30}, []float64{11, 11, 11, 11, 7})
	o := x.outcome()
	var order []int
	for _, r := range o.Results {
		order = append(order, r.Slots)
	}
	assert.Equal(t, []int{2, 1, 4}, order)
	assert.Equal(t, 9.0, o.Results[0].Quartile)
	assert.Equal(t, 30.0, o.Results[0].Life.Median)
}

func TestLowerQuartile(t *testing.T) {
	for want, seen := range map[float64][]float64{0: nil, 1: {1}, 2: {5, 4, 3, 2}, 3: {5, 4, 3, 2, 6}, 4: {9, 8, 7, 6, 5, 4, 3, 2, 10}} {
		kept := slices.Clone(seen)
		assert.Equal(t, want, lowerQuartile(seen), "%v", seen)
		assert.Equal(t, kept, seen, "it is left as it was")
	}
}

func TestLength(t *testing.T) {
	for _, p := range workload.Presets() {
		w := FromPreset(p)
		ticks, err := w.Length()
		require.NoError(t, err, p.Name)
		assert.LessOrEqual(t, float64(ticks)*w.Rate, float64(mostLives)*1.01, p.Name)
		assert.GreaterOrEqual(t, float64(ticks)*w.Rate, float64(minLives), p.Name)
		if p.Script != nil {
			assert.GreaterOrEqual(t, ticks, w.Longest-w.Longest%wheelTicks, "%s: a period", p.Name)
		}
	}
	_, err := Workload{Numbers: workload.Numbers{N: 1, Rate: 1e-9}}.Length()
	assert.True(t, errors.Is(err, workload.ErrSpec))
}

func TestUpperLevelsStatic(t *testing.T) {
	c := run.Subject{Info: &hierarchical.Info, Levels: []int{256, 256, 2}}
	assert.False(t, upperLevelsStatic(c, 70_000, 100_000))
	assert.True(t, upperLevelsStatic(c, 30_000, 100_000), "slots of the third wheel last 65,536 ticks")
	assert.False(t, upperLevelsStatic(c, 30_000, 60_000), "where nothing waits")
	assert.True(t, upperLevelsStatic(c, 200, 300))
	assert.False(t, upperLevelsStatic(run.Subject{Info: &hashunsorted.Info, Slots: 256}, 1, 300))
}
