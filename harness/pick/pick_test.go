package pick

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/tree"
)

func preset(t *testing.T, name string) Workload {
	p, err := demand.FindPreset(name)
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
		n.MeanStay = max(1, float64(longest)*rapid.Float64Range(1e-6, 1).Draw(t, "stay"))
		n.Rate = float64(n.N) / n.MeanStay
		l := Limits{Memory: rapid.SampledFrom([]int64{0, 1 << 20, 1 << 28, 1 << 34}).Draw(t, "memory")}
		inUse := rapid.SampledFrom([]int{0, 512, 1000}).Draw(t, "M")
		most := schemes.Tick(rapid.Uint64Range(1, uint64(longest)).Draw(t, "most"))
		in, out := candidates(Workload{Numbers: n, Slots: inUse, Lives: []workload.Life{{Interval: most, Stay: 1, Share: 1}}}, l, 0)
		seen := map[string]bool{}
		for _, c := range in {
			require.False(t, seen[c.String()], "%v twice", c)
			seen[c.String()] = true
			require.GreaterOrEqual(t, c.Info.Range(c.Config(0)), n.Longest, "%v", c)
			if l.Memory > 0 {
				require.LessOrEqual(t, float64(memory(c, n.N)), estimateMargin*float64(l.Memory))
			}
			require.True(t, len(c.Levels) == 0 || len(c.Levels) >= 2 && len(c.Levels) <= 12, "%v", c)
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

// small is a workload whose rounds take some milliseconds.
func small(t *testing.T) Workload { return FromPreset(demandOf(t, 500, "uniform:1ms,200ms")) }

// demandOf is the demand of n timers with such an interval, none of which is stopped.
func demandOf(t *testing.T, n int, interval string) demand.Preset {
	d, err := workload.Parse[demand.Dist](interval)
	require.NoError(t, err)
	return demand.Preset{N: n, Tick: time.Millisecond, Classes: []demand.Class{{Share: 1, Interval: d}}}
}

func none(int, int, string) {}

type scheme interface {
	schemes.Scheme
	schemes.Counter
	schemes.Sized
}

// fake is hashunsorted, and what a test asks for besides.
type fake struct {
	scheme
	clock        *fakeClock // nil: its own
	tick, start  fakeClock  // what a tick takes of the clock, and a start
	slowStarts   int        // the first ones; the others take none
	from, visits int        // visits that it counts on a tick and does not make, after the first ticks
	grows        int        // bytes that it holds outside the heap, a tick
	loses        int        // one in so many timers; 0: none

	ticks, starts int
	made          *int // how many there are
}

// variant returns a scheme with another name whose instances are such fakes.
func variant(name string, f fake) *schemes.Info {
	info := hashunsorted.Info
	info.Name = name
	f.clock, f.made = cmp.Or(f.clock, new(fakeClock)), cmp.Or(f.made, new(int))
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		*f.made++
		one := f
		one.scheme = s.(scheme)
		return &one, err
	}
	return &info
}

func (f *fake) PerTick() int {
	f.ticks++
	*f.clock += f.tick
	return f.scheme.PerTick()
}

func (f *fake) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if f.starts++; f.starts <= f.slowStarts {
		*f.clock += f.start
	}
	if f.loses > 0 && f.starts%f.loses == 0 {
		return 1, nil
	}
	return f.scheme.Start(interval, id)
}

func (f *fake) Counts() schemes.Counts {
	counts := f.scheme.Counts()
	counts.Visits += uint64(f.visits * max(0, f.ticks-f.from))
	return counts
}

func (f *fake) OffHeap() int { return f.grows * f.ticks }

// fakeClock is moved on by the schemes under test alone.
type fakeClock time.Duration

func (c *fakeClock) clocks() run.Clocks {
	now := func() time.Duration { return time.Duration(*c) }
	return run.Clocks{Wall: now, CPU: now}
}

func subjectsOf(infos ...*schemes.Info) (all []run.Subject) {
	for _, info := range infos {
		c := run.Subject{Label: info.Name, Info: info, Slots: 256}
		if info.Kind.HasLevels() {
			c.Levels = []int{16, 16}
		}
		all = append(all, c)
	}
	return all
}

// A race ends with those that cost least, with an interval, names those that cost more or are wrong, and counts what
// they did.
func TestRace(t *testing.T) {
	slow, wrong := variant("slow", fake{visits: 100}), variant("wrong", fake{loses: 100})
	in := subjectsOf(&hashunsorted.Info, slow, wrong, &hierarchical.Info)
	o, err := Race{Workload: small(t), Budget: time.Minute, Seed: 1, Cost: counted}.Run(t.Context(), in, none)
	require.NoError(t, err)
	require.Len(t, o.Results, 4)
	require.Len(t, o.Failed, 1)
	assert.Equal(t, "wrong", o.Failed[0].Info.Name)
	assert.Contains(t, o.Failed[0].Why, "outcome")
	for _, c := range o.Results {
		switch c.Info.Name {
		case "slow":
			assert.Contains(t, c.Dropped, "per timer in its probe")
		case "hashunsorted":
			assert.Positive(t, c.Bytes)
			assert.InDelta(t, 1, c.PerTimer.Visits, 0.05)
		}
	}
	best := o.Results[0]
	assert.Empty(t, best.Dropped)
	assert.Equal(t, 1.0, best.Ratio.Median)
	assert.True(t, best.Life.Bounded(), "six rounds or more")
	assert.NotEmpty(t, o.Winners())
	assert.GreaterOrEqual(t, o.Rounds, leastRounds)
}

// Wheels that migrate ahead of time race at all sizes of scheme 7, with a limit of a tick's time and, last, without.
func TestAheadIsACandidate(t *testing.T) {
	for _, tail := range []time.Duration{0, time.Millisecond} {
		in, _ := candidates(small(t), Limits{Tail: tail}, 0)
		sizes := map[string]int{}
		for _, c := range in {
			sizes[c.Info.Name]++
		}
		assert.Positive(t, sizes["hierarchical-ahead"])
		assert.Equal(t, sizes["hierarchical"], sizes["hierarchical-ahead"])
		assert.Equal(t, sizes["hierarchical-chunked"], sizes["hierarchical-ahead-chunked"])
		assert.Equal(t, tail == 0, strings.Contains(in[len(in)-1].Info.Name, "ahead"), "which race last if the tick's time is free")
	}
}

// An abandoned candidate is named with what it did and the limit: a scheme that hangs as it starts or ticks.
func TestAbandoned(t *testing.T) {
	clock := new(fakeClock)
	s := raceOf(t, small(t), subjectsOf(variant("slow", fake{clock: clock, tick: 1e6}))...)
	s.clocks = clock.clocks()
	require.NoError(t, s.fill(s.all[0], s.stream.Steady(), time.Minute))
	_, err := s.drive(t.Context(), s.all[0], s.stream.Next(1024), probing, time.Millisecond)
	require.ErrorIs(t, err, run.ErrTime)
	assert.EqualError(t, err, "abandoned: 1024 ticks took more than 1ms")
	err = s.fill(s.all[0], s.stream.Steady(), -1)
	assert.EqualError(t, err, "abandoned: to start 500 timers took more than -1ns")
}

// An interrupted race returns what it has.
func TestInterruptedRace(t *testing.T) {
	in := subjectsOf(&hashunsorted.Chunked, &hashunsorted.Info, &hierarchical.Info, &hierarchical.Chunked)
	for _, after := range []int{3, 20} { // in the probes, and later
		ctx, cancel := context.WithCancel(context.Background())
		runs := 0
		o, err := Race{Workload: small(t), Budget: time.Minute}.Run(ctx, in, func(int, int, string) {
			if runs++; runs == after {
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.NotEmpty(t, o.Winners())
		for _, c := range o.Results {
			assert.True(t, c.Dropped != "" || c.Life.Median > 0, "%v: %+v", c.Subject, c.Life)
		}
	}
}

// Where the budget is too short for an interval, the rounds that chose the finalists stand, and the outcome says how
// much is needed.
func TestBudgetTooShort(t *testing.T) {
	s := raceOf(t, small(t), subjectsOf(&hashunsorted.Info, &hierarchical.Info)...)
	s.Budget, s.ticks, s.rounds = 2*time.Second, 1000, len(trialRatios)
	for _, c := range s.all {
		c.drive, c.pace = &drive.Drive{}, 1e6 // a second a round
	}
	require.NoError(t, s.final(t.Context(), 1000, 1000))
	assert.Equal(t, len(trialRatios), s.rounds)
	assert.Greater(t, s.needs, 2*leastRounds*time.Second)
	_, err := Pick(t.Context(), Race{Workload: small(t), Budget: time.Microsecond}, none)
	assert.ErrorContains(t, err, "a budget of 1µs is too short for any candidate")
}

// Rounds go on while the outcome may change: in a pick while another may be 5 % faster or a tie 10 % slower, in a duel while
// a candidate may be on either side of GoodPick.
func TestConverged(t *testing.T) {
	many := Workload{Numbers: workload.Numbers{N: manyTimers + 1}} // of which half as many rounds tell
	for _, c := range []struct {
		Race
		ratios []float64 // of the second candidate, in turn
		want   int       // rounds
	}{
		{Race{}, []float64{1.2, 1.3}, 12}, {Race{}, []float64{0.99, 1.02}, 12}, {Race{Workload: many}, []float64{0.9, 1.2}, 48},
		{Race{Depth: Thorough}, []float64{0.9, 1.2}, 24}, {Race{Depth: Thorough, Workload: many}, []float64{0.9, 1.2}, 12},
		{Race{Depth: Duel}, []float64{1.02, 1.08}, 24}, {Race{Depth: Duel}, []float64{0.85, 0.95}, 24},
		{Race{Depth: Duel}, []float64{1.02, 1.18}, 96}, {Race{Depth: Duel, Workload: many}, []float64{1.02, 1.18}, 48},
	} {
		s := &race{Race: c.Race, all: []*candidate{{drive: &drive.Drive{}}, {drive: &drive.Drive{}}}}
		for ; !s.converged(); s.rounds++ {
			s.all[0].roundNanos = append(s.all[0].roundNanos, 1)
			s.all[1].roundNanos = append(s.all[1].roundNanos, c.ratios[s.rounds%len(c.ratios)])
		}
		assert.Equal(t, c.want, s.rounds, "%v, %v", c.Depth, c.ratios)
	}
}

// The finalists are filled again where that takes no longer than their rounds. A tick on which nothing is due costs 1 ns.
func TestRefill(t *testing.T) {
	made := 0
	in := subjectsOf(variant("made", fake{made: &made}))
	o, err := Race{Workload: small(t), Budget: time.Minute, Cost: func(schemes.Counts) float64 { return 0 }}.Run(t.Context(), in, none)
	require.NoError(t, err)
	assert.Greater(t, made, 2*o.Rounds, "with a specimen for each")
	assert.InEpsilon(t, callNanos/small(t).Rate, o.Results[0].Life.Median, 1e-9)
	s := raceOf(t, small(t))
	s.ticks = 1000
	assert.Equal(t, []int{1, 0}, []int{s.refillRounds(nil, 10), s.refillRounds(nil, 10_000)})
}

// Limits that show only in the race end it for a candidate, and where nothing is known none is kept. The limit of memory
// is one of the largest bytes while a candidate runs, not after it is filled.
func TestLimitsThatShowInTheRace(t *testing.T) {
	growing := Race{Limits: Limits{Memory: 500_000}, Budget: time.Hour, Cost: counted}
	for _, c := range []struct {
		info *schemes.Info
		Race
		dropped string // "": it wins
	}{
		{&hierarchical.Info, Race{Limits: Limits{Memory: 1000}, Budget: time.Minute}, "it holds"},
		{&hierarchical.Info, Race{Limits: Limits{Tail: 1}, Budget: time.Minute}, "p99.9 of its ticks is"},
		{&hierarchical.Info, Race{Limits: Limits{Tail: time.Hour}, Budget: 1}, "abandoned|its ticks were not timed|no time"},
		{&hierarchical.Info, Race{Limits: Limits{Tail: time.Hour}, Budget: time.Hour, Cost: counted}, ""},
		{variant("grower", fake{grows: 200}), growing, "it holds"}, {&hashunsorted.Info, growing, ""},
	} {
		c.Workload = small(t)
		o, err := c.Run(t.Context(), subjectsOf(c.info), none)
		require.NoError(t, err)
		assert.Regexp(t, c.dropped, o.Results[0].Dropped)
		assert.Equal(t, c.dropped == "", len(o.Winners()) == 1, "%s: %s", c.info.Name, o.Results[0].Dropped)
		assert.Equal(t, c.dropped == "" && c.Limits.Tail > 0, o.Results[0].Ticks.High > 0 && len(o.Winners()) > 0)
	}
}

// Without time for the ticks that a limit needs, that is the answer, and not that no candidate keeps it.
func TestNoTimeForTicks(t *testing.T) {
	clock, w := new(fakeClock), small(t)
	w.N, w.Rate = 100_000, w.Rate*200
	in := subjectsOf(variant("slow", fake{clock: clock, tick: 100_000})) // a second for enough ticks
	limits := Limits{Tail: time.Hour}
	o, err := Race{Workload: w, Limits: limits, Budget: time.Second, clocks: clock.clocks()}.Run(t.Context(), in, none)
	require.NoError(t, err)
	require.Empty(t, o.Winners())
	assert.EqualError(t, Recommendation{Outcome: o, Limits: limits, Budget: time.Second}.noWinner(),
		"pick: no time: a budget of 1s is too short for any candidate (use at least 5s)")

	timed, other := &candidate{drive: &drive.Drive{}, times: run.NewLatencies()}, &candidate{drive: &drive.Drive{}, pace: 1}
	for range enoughTicks {
		timed.times.Begin()
		timed.times.End(drive.Ticks, 1)
	}
	s := &race{Race: Race{Limits: limits, clocks: run.RealTime}, all: []*candidate{other, timed}}
	require.NoError(t, s.timeTicks(t.Context()))
	assert.Equal(t, []*candidate{timed}, s.alive(), "it has been timed with an earlier batch")
	assert.Equal(t, enoughTicks, timed.Ticks.Count)
	assert.IsNonDecreasing(t, []time.Duration{timed.Ticks.P50, timed.Ticks.Low, timed.Ticks.P999, timed.Ticks.High})
	assert.True(t, other.NoTime)
	assert.Zero(t, s.needs)
}

// What shows only in the steady state decides, not the probe; and those whose probes were slower get their chance.
func TestSteadyStateDecides(t *testing.T) {
	w := FromPreset(demandOf(t, 100, "uniform:1s,900s"))
	in := subjectsOf(&hashunsorted.Info)
	for k := range batchSize + 2 {
		// After a probe, which is shorter where nothing is timed.
		in = append(in, subjectsOf(variant(fmt.Sprint("late", k), fake{from: pieceTicks / 16, visits: 100}))...)
	}
	o, err := Race{Workload: w, Budget: time.Minute, Cost: counted}.Run(t.Context(), in, none)
	require.NoError(t, err)
	assert.Equal(t, "hashunsorted", o.Results[0].Info.Name)
	for _, c := range o.Results[1:] {
		assert.NotContains(t, c.Dropped, "probe", "%v", c.Subject)
	}
}

// resultOf returns the result of a candidate with these rounds.
func resultOf(slots int, dropped string, lives ...float64) Result {
	r := Result{Subject: run.Subject{Info: &hashunsorted.Info, Slots: slots}, Dropped: dropped, roundNanos: lives}
	r.Quartile = lowerQuartile(lives)
	return r
}

// A candidate ties with the best if the interval of their ratio includes 1. Those that tie come first.
func TestRanks(t *testing.T) {
	rounds := resultOf
	six := func(ns float64) []float64 { return slices.Repeat([]float64{ns}, 6) }
	held := func(bytes int64, r Result) Result { r.Bytes = bytes; return r }
	sorted := func(r Result) Result { r.Info = &ordered.Info; return r }
	for _, c := range []struct {
		why          string
		in           []Result
		ranks, slots []int
	}{
		{"dropped candidates are last",
			[]Result{rounds(4, "out", six(5)...), rounds(1, "", six(10)...), rounds(2, "", six(10.1)...),
				rounds(3, "", 10.2, 9.9, 10.4, 9.9, 10.4, 10.2, 10.1)},
			[]int{1, 1, 1, 0}, nil},
		{"those that tie are first",
			[]Result{rounds(1, "", six(10)...), rounds(2, "", six(10.1)...), rounds(3, "", 10.2, 9.9, 10.4, 10.2, 10.4, 10.2)},
			[]int{1, 1, 3}, nil},
		{"no round has both", []Result{rounds(1, "", 0, 10), rounds(2, "", 10.5, 0)}, []int{1, 2}, []int{1, 2}},
		{"too few rounds for an interval", []Result{rounds(1, "", 10, 10), rounds(2, "", 10, 10)}, []int{1, 2}, nil},
		{"slower", []Result{rounds(1, "", six(10)...), rounds(2, "", 10.1, 10.1, 10.2, 10.1, 10.1, 10.1)},
			[]int{1, 2}, []int{1, 2}},
		{"faster in all rounds that both have, whatever the quartiles",
			[]Result{rounds(1, "", append([]float64{10, 10, 10, 0, 0, 0}, six(50)...)...),
				rounds(2, "", append([]float64{0, 0, 0, 20, 20, 20}, six(49)...)...)},
			[]int{1, 2}, []int{2, 1}},
		{"the least memory, unless the median is more than a twentieth higher",
			[]Result{held(1<<20, rounds(1, "", six(10)...)), held(1<<10, rounds(2, "", 10, 10.1, 10, 10, 10, 10.1)),
				held(1, rounds(3, "", 9, 11, 11, 11, 11, 11))},
			[]int{1, 1, 3}, []int{2, 1, 3}},
		{"a sorted list after what no workload makes slow",
			[]Result{sorted(rounds(1, "", six(10)...)), rounds(2, "", 10.1, 10.1, 10, 10, 10, 10)},
			[]int{1, 1}, []int{2, 1}},
	} {
		o, ranks, slots := Outcome{Results: c.in}, []int{}, []int{}
		o.rank()
		for _, r := range o.Results {
			ranks, slots = append(ranks, r.Rank), append(slots, r.Slots)
		}
		assert.Equal(t, c.ranks, ranks, c.why)
		assert.True(t, c.slots == nil || slices.Equal(c.slots, slots), "%s: %v", c.why, slots)
	}
}

// Schemes are filled in the order in which timers were started, so a constant interval is appended to an ordered list
// that searches from the rear. One that restarts lazily has the entries of earlier starts, too.
func TestFilling(t *testing.T) {
	w := small(t)
	w.N, w.Lives = 10_000, []workload.Life{{Interval: 1 << 20, Stay: 1 << 20, Share: 1}}
	r := raceOf(t, w)
	assert.True(t, lazy(&hierarchical.Chunked))
	assert.False(t, lazy(&tree.Info))
	for info, most := range map[*schemes.Info]int{&ordered.Rear: 2, &ordered.Info: w.N} {
		c := &candidate{Result: Result{Subject: run.Subject{Info: info}}}
		require.NoError(t, r.fill(c, r.fills()[lazy(info)], time.Minute))
		assert.LessOrEqual(t, c.drive.Counts().Compares, uint64(most*w.N), info.Name)
		assert.Greater(t, c.drive.Counts().Compares, uint64(most*w.N/3), info.Name)
	}
}

// raceOf returns a race at its beginning.
func raceOf(t *testing.T, w Workload, in ...run.Subject) *race {
	stream, err := w.Stream(1)
	require.NoError(t, err)
	s := &race{Race: Race{Workload: w, Budget: time.Minute, Seed: 1, clocks: new(fakeClock).clocks()}, stream: stream, progress: none,
		quiet: run.Quiet{Busy: func() bool { return false }}}
	for _, c := range in {
		s.all = append(s.all, &candidate{Result: Result{Subject: c}})
	}
	return s
}

// A candidate that is filled slowly is not out for that: its lives are compared.
func TestSlowFilling(t *testing.T) {
	const n = 50_000
	w := small(t)
	w.N, w.Rate = n, w.Rate*n/float64(w.N)
	clock := new(fakeClock)
	slow := fake{clock: clock, tick: 100_000, start: 1500} // a life takes 0.2 µs, and a slow start 1.5
	quick := variant("quick", slow)
	slow.slowStarts = n
	s := raceOf(t, w, subjectsOf(quick, variant("novice", slow))...)
	s.clocks, s.quiet.Clocks = clock.clocks(), clock.clocks()
	require.NoError(t, s.probe(t.Context()))
	for _, c := range s.all {
		assert.Empty(t, c.Dropped, c.Info.Name)
	}
}

// Every tick of the finalists is timed, unless the phases of timers are unknown: then no limit of its time can be kept.
func TestTailNeedsPhases(t *testing.T) {
	w := small(t)
	for _, w.NoPhase = range []bool{false, true} {
		o, err := Race{Workload: w, Budget: time.Minute}.Run(t.Context(), subjectsOf(&hierarchical.Info), none)
		require.NoError(t, err)
		assert.Equal(t, w.NoPhase, o.Results[0].Ticks.Count == 0)
	}
	_, err := Pick(t.Context(), Race{Workload: w, Limits: Limits{Tail: time.Second}}, none)
	assert.ErrorIs(t, err, workload.ErrSpec)
}

// Intervals that are equal in ticks only are not of one timeout, and the page says that they are longer.
func TestIntervalsBeforeRounding(t *testing.T) {
	warned := func(factor string) []string {
		return []string{"whole ticks of 1s make the mean interval " + factor + " times as long (use a shorter --tick)"}
	}
	for interval, want := range map[string]Workload{
		"uniform:1s,2s": {Warnings: warned("1.33")}, "exp:1h": {}, "30s": {OneInterval: true}, "mix:0.5*30s+0.5*30s": {OneInterval: true},
		"1001ms": {OneInterval: true, Warnings: warned("2")},
	} {
		w, err := Request{N: 60_000, Interval: interval, Tick: time.Second}.Workload()
		require.NoError(t, err)
		assert.Equal(t, want.OneInterval, w.OneInterval, interval)
		assert.Equal(t, want.Warnings, w.Warnings, interval)
	}
}

// A candidate all of whose runs were disturbed has no ratio, rather than one of 0.
func TestNotAmong(t *testing.T) {
	assert.EqualError(t, notAmong(6, 1.239), "1.24 times the best, not among the first 6")
	assert.EqualError(t, notAmong(6, results.Summarize(nil).Median), "no round in common with the best that was not disturbed")
}
