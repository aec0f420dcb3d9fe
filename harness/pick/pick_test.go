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
	clock       *fakeClock          // nil: its own
	tick, start fakeClock           // what a tick takes of the clock, and a start
	slow        func(made int) bool // whether the instance takes ten times as long; nil: never
	visits      int                 // that it counts on a tick and does not make
	grows       int                 // bytes that it holds outside the heap, a tick
	loses       int                 // each loses-th timer; 0: none

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
		if one.scheme = s.(scheme); f.slow != nil && f.slow(*f.made) {
			one.tick, one.start = 10*f.tick, 10*f.start
		}
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
	f.starts++
	*f.clock += f.start
	if f.loses > 0 && f.starts%f.loses == 0 {
		return 1, nil
	}
	return f.scheme.Start(interval, id)
}

func (f *fake) Counts() schemes.Counts {
	counts := f.scheme.Counts()
	counts.Visits += uint64(f.visits * f.ticks)
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
			assert.False(t, c.Raced)
			assert.Greater(t, c.Predicted, abandonRatio*o.Results[0].Predicted)
		case "hashunsorted":
			assert.Positive(t, c.Bytes)
			assert.InDelta(t, 1, c.PerTimer.Visits, 0.05)
			assert.Positive(t, c.Predicted)
		}
	}
	best := o.Results[0]
	assert.Empty(t, best.Dropped)
	assert.Equal(t, 1.0, best.Ratio.Median)
	assert.True(t, best.Life.Bounded() && o.Sure, "six rounds or more")
	assert.NotEmpty(t, o.Winners())
	assert.Equal(t, firstLook, o.Rounds)
}

// The six that cost least on a copy race, and the others are counted with what they would cost.
func TestSixRace(t *testing.T) {
	var infos []*schemes.Info
	for k := range 9 {
		infos = append(infos, variant(fmt.Sprint("visits", k), fake{visits: 9 - k}))
	}
	o, err := Race{Workload: small(t), Budget: time.Minute, Cost: counted}.Run(t.Context(), subjectsOf(infos...), none)
	require.NoError(t, err)
	for i, r := range o.Results {
		assert.Equal(t, fmt.Sprint("visits", 8-i), r.Info.Name)
		assert.Equal(t, i < entrants, r.Raced)
	}
	n, least := o.Unraced()
	assert.Equal(t, 3, n)
	assert.InDelta(t, o.Results[entrants].Predicted/o.Results[0].Predicted, least, 1e-9)
	assert.Greater(t, least, 1.1)
}

// More timers than some race as a copy, whose memory is estimated, and what its ticks cost for more timers.
func TestACopyRaces(t *testing.T) {
	assert.Equal(t, 40*time.Second, BudgetFor(10*mostRaced))
	defer func(most int) { mostRaced = most }(mostRaced)
	mostRaced = 400
	w, clock := small(t), new(fakeClock)
	in := subjectsOf(variant("slow", fake{clock: clock, tick: 1e5, start: 100}))
	o, err := Race{Workload: w, Budget: 100 * time.Hour, clocks: clock.clocks()}.Run(t.Context(), in, none)
	require.NoError(t, err)
	assert.Equal(t, mostRaced, o.Timers)
	assert.InEpsilon(t, 100+1e5/w.Rate, o.Results[0].Life.Median, 0.05)
	assert.Equal(t, memory(o.Results[0].Subject, w.N), o.Results[0].Bytes)
}

// A copy of 63,000 timers predicts what they cost, though it has twice as many ticks to a life.
func TestPredicted(t *testing.T) {
	w, clock := FromPreset(demandOf(t, 63_000, "uniform:1ms,200ms")), new(fakeClock)
	s := raceOf(w, clock, subjectsOf(variant("slow", fake{clock: clock, tick: 1e5, start: 100}))...)
	queue, err := s.predict(t.Context())
	require.NoError(t, err)
	require.Len(t, queue, 1)
	assert.InEpsilon(t, 100+1e5/w.Rate, queue[0].Predicted, 0.05)
}

// One slow pass, as by a neighbour, neither ends the race for a candidate nor changes what it costs; two end it.
func TestAbandoned(t *testing.T) {
	for _, c := range []struct {
		slow    func(made int) bool
		dropped string
	}{
		{func(made int) bool { return made%7 == 3 }, ""},
		{func(int) bool { return true }, "twice 4 times as long as the fastest, or longer"},
	} {
		clock := new(fakeClock)
		in := subjectsOf(variant("disturbed", fake{clock: clock, tick: 2e6, slow: c.slow}), variant("quick", fake{clock: clock, tick: 2.06e6}))
		o, err := Race{Workload: small(t), Budget: 100 * time.Hour, clocks: clock.clocks()}.Run(t.Context(), in, none)
		require.NoError(t, err)
		i := slices.IndexFunc(o.Results, func(r Result) bool { return r.Info.Name == "disturbed" })
		assert.Equal(t, c.dropped, o.Results[i].Dropped)
		assert.Equal(t, c.dropped == "", o.Results[i].Rank == 1)
	}
}

// Where a filling serves several rounds, candidates run through all of each: at once in a trial, and in turns.
func TestSegments(t *testing.T) {
	for _, passes := range []int{1, turns} {
		s := raceOf(small(t), new(fakeClock), subjectsOf(&hashunsorted.Info, &hierarchical.Chunked)...)
		on, err := s.newCourse(s.Workload.N, 100, 1<<15, 2)
		require.NoError(t, err)
		require.NoError(t, s.measure(t.Context(), "rounds of", s.all, on, passes, func(round int) bool { return round == 4 }))
		for _, c := range s.all {
			assert.Empty(t, c.Dropped)
			assert.Len(t, c.rounds, 4)
		}
	}
}

// Where there is no time for a race, predictions are the answer, and no limit was broken.
func TestNoTimeToRace(t *testing.T) {
	clock, w := new(fakeClock), FromPreset(demandOf(t, 100_000, "uniform:1ms,200ms"))
	in := subjectsOf(variant("slow", fake{clock: clock, start: 1000}), variant("slower", fake{clock: clock, start: 1500}))
	budget := 300 * time.Millisecond // twice 0.1 s for the first copy
	o, err := Race{Workload: w, Budget: budget, clocks: clock.clocks()}.Run(t.Context(), in, none)
	require.NoError(t, err)
	assert.Empty(t, o.Winners())
	assert.False(t, o.Sure)
	assert.LessOrEqual(t, time.Duration(*clock), budget*3/2)
	assert.Positive(t, o.Results[0].Predicted)
	for _, r := range o.Results {
		assert.Equal(t, []any{"", false}, []any{r.Dropped, r.Raced})
	}
	_, err = Pick(t.Context(), Race{Workload: small(t), Budget: 1}, none)
	assert.ErrorIs(t, err, workload.ErrSpec)
	assert.ErrorContains(t, err, "a budget of 1ns is too short")
}

// An interrupted race returns what it has.
func TestInterruptedRace(t *testing.T) {
	in := subjectsOf(&hashunsorted.Chunked, &hashunsorted.Info, &hierarchical.Info, &hierarchical.Chunked)
	for _, after := range []int{1, 3, 20} { // in the first copy, at its end, and in the race
		ctx, cancel := context.WithCancel(context.Background())
		runs := 0
		o, err := Race{Workload: small(t), Budget: time.Minute}.Run(ctx, in, func(int, int, string) {
			if runs++; runs == after {
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.Len(t, o.Results, len(in))
		assert.Equal(t, after == 20, len(o.Winners()) > 0)
		assert.False(t, o.Sure && o.Rounds < results.LeastRounds)
	}
}

// Rounds go on while the outcome may change: in a pick while another may be a tenth faster, and at first while it may tie, in
// a duel while a candidate may be on either side of GoodPick. One that is much slower in three rounds leaves.
func TestEnough(t *testing.T) {
	for _, c := range []struct {
		Race
		ratios []float64 // of the second candidate, in turn
		want   int       // rounds
	}{
		{Race{}, []float64{1.2, 1.24}, 7}, {Race{}, []float64{0.99, 1.02}, 7}, {Race{}, []float64{0.97, 1.2}, 14},
		{Race{}, []float64{0.8, 1.2}, 56}, {Race{}, []float64{1.3, 1.4}, 7},
		{Race{Depth: Thorough}, []float64{0.9, 1.2}, 14}, {Race{Depth: Thorough}, []float64{1.3, 1.4}, 14}, {Race{Depth: Duel}, []float64{1.02, 1.08}, 7},
		{Race{Depth: Duel}, []float64{0.85, 0.95}, 7}, {Race{Depth: Duel}, []float64{1.02, 1.18}, 56},
	} {
		s := raceOf(small(t), new(fakeClock), subjectsOf(&hashunsorted.Info, &hierarchical.Info)...)
		s.Depth = c.Depth
		round := 0
		for ; !s.enough(round, s.all) || round == 0; round++ {
			s.all[0].rounds[round], s.all[1].rounds[round] = 1, c.ratios[round%len(c.ratios)]
		}
		assert.Equal(t, c.want, round, "%v, %v", c.Depth, c.ratios)
		assert.Equal(t, slices.Min(c.ratios) > hopeless && c.Depth == Quick, s.all[1].Dropped != "", "of two, one stays to compare with: %v", c.ratios)
	}
}

// Where there is little time, the steady state is awaited less long. A filling serves up to five rounds, if it takes as long.
func TestAffordable(t *testing.T) {
	s := raceOf(small(t), new(fakeClock), subjectsOf(&hashunsorted.Info)...)
	s.all[0].Predicted = 100
	assert.Equal(t, schemes.Tick(200), s.affordableWarmUp(s.Workload, s.all, 200))
	s.all[0].Predicted = 1e9
	assert.Equal(t, schemes.Tick(s.Workload.MeanStay), s.affordableWarmUp(s.Workload, s.all, 200))
	assert.True(t, s.hurried)
	assert.Equal(t, []int{1, 2, 5}, []int{s.Workload.segments(100, 1000), s.Workload.segments(200, 200), s.Workload.segments(1000, 100)})
}

// Limits that show only in a run end the race for a candidate. The limit of memory is one of the largest bytes while it
// runs, not after it is filled.
func TestLimitsThatShowInTheRace(t *testing.T) {
	growing := Race{Limits: Limits{Memory: 500_000}, Budget: time.Hour, Cost: counted}
	for _, c := range []struct {
		info *schemes.Info
		Race
		dropped string // "": it wins
	}{
		{&hierarchical.Info, Race{Limits: Limits{Memory: 1000}, Budget: time.Minute}, "it holds"},
		{&hierarchical.Info, Race{Limits: Limits{Tail: 1}, Budget: time.Minute}, "p99.9 of its ticks is"},
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
	_, err := Pick(t.Context(), Race{Workload: small(t), Limits: Limits{Tail: 1, Only: []string{"ordered"}}, Budget: time.Minute, Cost: counted}, none)
	assert.ErrorIs(t, err, ErrLimits)
	crowd := small(t)
	crowd.N, crowd.Rate = 1_000_000, 1e4
	_, err = Race{Workload: crowd, Limits: Limits{Tail: time.Hour}, Budget: time.Minute, Cost: counted}.Run(t.Context(), subjectsOf(&hierarchical.Info), none)
	assert.ErrorIs(t, err, workload.ErrSpec, "the operations of 10,000 ticks do not fit")
}

// resultOf returns the result of a candidate with these rounds; 0 is none.
func resultOf(slots int, dropped string, lives ...float64) Result {
	r := Result{Subject: run.Subject{Info: &hashunsorted.Info, Slots: slots}, Dropped: dropped, rounds: map[int]float64{}}
	for round, ns := range lives {
		if ns > 0 {
			r.rounds[round] = ns
		}
	}
	r.Life = results.Summarize(lives)
	return r
}

// A candidate ties with the best if by the whole interval of their ratio it takes at most a tenth longer, but may be as fast.
// Those that tie come first. An answer is sure if nothing may be a tenth faster than the first.
func TestRanks(t *testing.T) {
	rounds := resultOf
	six := func(ns float64) []float64 { return slices.Repeat([]float64{ns}, 6) }
	held := func(bytes int64, r Result) Result { r.Bytes = bytes; return r }
	sorted := func(r Result) Result { r.Info = &ordered.Info; return r }
	for _, c := range []struct {
		why          string
		in           []Result
		ranks, slots []int
		sure         bool
	}{
		{"dropped candidates are last",
			[]Result{rounds(4, "out", six(5)...), rounds(1, "", six(10)...), rounds(2, "", six(10)...),
				rounds(3, "", 10.2, 9.9, 10.4, 9.9, 10.4, 10.2, 10.1)},
			[]int{1, 1, 1, 0}, nil, true},
		{"what did not race is before it", []Result{rounds(4, "out"), rounds(3, ""), rounds(1, "", six(10)...)},
			[]int{1, 0, 0}, []int{1, 3, 4}, true},
		{"those that tie are first",
			[]Result{rounds(1, "", six(10)...), rounds(2, "", six(10.1)...), rounds(3, "", 10.2, 9.9, 10.4, 10.2, 10.4, 10.2)},
			[]int{1, 1, 3}, nil, true},
		{"one that may be a tenth slower does not tie", []Result{rounds(1, "", six(10)...), rounds(2, "", 10, 10, 10, 10, 12, 10)},
			[]int{1, 2}, []int{1, 2}, true},
		{"one that may be a tenth faster makes it unsure", []Result{rounds(1, "", six(10)...), rounds(2, "", 8, 12, 12, 12, 12, 12)},
			[]int{1, 2}, []int{1, 2}, false},
		{"no round has both", []Result{rounds(1, "", 0, 10), rounds(2, "", 10.5, 0)}, []int{1, 2}, nil, false},
		{"too few rounds for an interval", []Result{rounds(1, "", 10, 10), rounds(2, "", 10, 10)}, []int{1, 2}, nil, false},
		{"slower", []Result{rounds(1, "", six(10)...), rounds(2, "", 10.1, 10.1, 10.2, 10.1, 10.1, 10.1)},
			[]int{1, 2}, []int{1, 2}, true},
		{"the least memory",
			[]Result{held(1<<20, rounds(1, "", six(10)...)), held(1<<10, rounds(2, "", 10, 10.1, 10, 10, 10, 10.1))},
			[]int{1, 1}, []int{2, 1}, true},
		{"a sorted list after what no workload makes slow",
			[]Result{sorted(rounds(1, "", six(10)...)), rounds(2, "", 10.1, 10.1, 10, 10, 10, 10)},
			[]int{1, 1}, []int{2, 1}, true},
	} {
		o, ranks, slots := Outcome{Results: c.in}, []int{}, []int{}
		o.rank()
		for _, r := range o.Results {
			ranks, slots = append(ranks, r.Rank), append(slots, r.Slots)
		}
		assert.Equal(t, c.ranks, ranks, c.why)
		assert.Equal(t, c.sure, o.Sure, c.why)
		assert.True(t, c.slots == nil || slices.Equal(c.slots, slots), "%s: %v", c.why, slots)
	}
}

// raceOf returns a race at its beginning.
func raceOf(w Workload, clock *fakeClock, in ...run.Subject) *race {
	s := &race{Race: Race{Workload: w, Budget: time.Minute, Seed: 1, clocks: clock.clocks()}, progress: none}
	for _, c := range in {
		s.all = append(s.all, &candidate{Result: Result{Subject: c, rounds: map[int]float64{}}})
	}
	return s
}

// Schemes are filled in the order in which timers were started, so a constant interval is appended to an ordered list
// that searches from the rear. One that restarts lazily has the entries of earlier starts, too.
func TestFilling(t *testing.T) {
	w := small(t)
	w.N, w.Lives = 10_000, []workload.Life{{Interval: 1 << 20, Stay: 1 << 20, Share: 1}}
	assert.True(t, lazy(&hierarchical.Chunked))
	assert.False(t, lazy(&tree.Info))
	on, err := raceOf(w, new(fakeClock)).newCourse(w.N, 1, 1, 1)
	require.NoError(t, err)
	for info, most := range map[*schemes.Info]int{&ordered.Rear: 2, &ordered.Info: w.N} {
		scheme, err := info.New(schemes.Config{})
		require.NoError(t, err)
		d := drive.New(scheme, on.fills[lazy(info)])
		require.NoError(t, d.RunTo(0, nil, nil))
		assert.LessOrEqual(t, d.Counts().Compares, uint64(most*w.N), info.Name)
		assert.Greater(t, d.Counts().Compares, uint64(most*w.N/3), info.Name)
	}
}

// stepper has a clock that passes many ticks at once, and not one.
type stepper struct {
	scheme
	schemes.Advancer
}

func (stepper) PerTick() int { panic("a tick") }

// A workload whose clock passes many ticks at once is timed by Advance, and has no ticks that could have a limit.
func TestSteps(t *testing.T) {
	p := demandOf(t, 500, "uniform:1ms,200ms")
	p.Step, p.Classes[0].Restart = 50*time.Millisecond, demand.End{Share: 1, After: p.Classes[0].Interval}
	info := hierarchical.Info
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hierarchical.Info.New(cfg)
		return stepper{s.(scheme), s.(schemes.Advancer)}, err
	}
	o, err := Race{Workload: FromPreset(p), Budget: time.Minute}.Run(t.Context(), subjectsOf(&info), none)
	require.NoError(t, err)
	assert.Len(t, o.Winners(), 1)
	_, err = Pick(t.Context(), Race{Workload: FromPreset(p), Limits: Limits{Tail: time.Second}}, none)
	assert.ErrorIs(t, err, workload.ErrSpec)
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

// liar says that it is exact.
type liar struct{ schemes.Scheme }

func (liar) Bound(schemes.Tick) (early, late schemes.Tick) { return 0, 0 }

// Where timers may be off, schemes that round deadlines race if their bound allows it, and the best exact one beside them,
// however slow it is. They are verified by their bound.
func TestLate(t *testing.T) {
	w, l := FromPreset(demandOf(t, 1000, "uniform:1s,30s")), Limits{Late: 0.05}
	rounding := func(l Limits) (in, out int) {
		kept, left := candidates(w, l, 0)
		for _, c := range kept {
			early, late := w.bound(c)
			require.LessOrEqual(t, max(early, late), l.Late)
			in += min(1, int(1e6*(early+late)))
		}
		for _, c := range left {
			out += strings.Count(c.Why, "a timer may be off by ")
		}
		return in, out
	}
	in, out := rounding(l)
	assert.Positive(t, in)
	assert.Positive(t, out)
	in, out = rounding(Limits{})
	assert.Zero(t, in+out)

	infos := []*schemes.Info{&hierarchical.Info}
	for k := range 7 {
		once := hierarchical.Once
		once.Name = fmt.Sprint("once", k)
		infos = append(infos, &once)
	}
	lies := hierarchical.Once
	lies.Name, lies.New = "lies", func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hierarchical.Once.New(cfg)
		return liar{s}, err
	}
	subjects := subjectsOf(append(infos, &lies)...)
	for i := range subjects {
		subjects[i].Levels = []int{64, 64, 16}
	}
	migrations := func(done schemes.Counts) float64 { return float64(done.Links + 100*done.Migrations) }
	o, err := Race{Workload: w, Limits: l, Budget: time.Minute, Cost: migrations}.Run(t.Context(), subjects, none)
	require.NoError(t, err)
	assert.InDelta(t, 0.5/64, o.Results[0].Late, 0.001)
	exact := slices.IndexFunc(o.Results, func(r Result) bool { return r.Exact() && r.Info.Name != "lies" })
	assert.Empty(t, o.Results[exact].Dropped)
	assert.Greater(t, o.Results[exact].Ratio.Median, hopeless*hopeless)
	require.Len(t, o.Failed, 1)
	assert.Equal(t, "lies", o.Failed[0].Info.Name)
	assert.Contains(t, o.Failed[0].Why, "its bound is ")
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
