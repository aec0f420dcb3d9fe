package run

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

func TestEveryRoundHasEveryCellOnce(t *testing.T) {
	p := tiny(t, 2, 1)
	rounds := tinyRun(t).rounds()
	require.Len(t, rounds, 2)
	first := slices.Sorted(slices.Values(rounds[0]))
	assert.Equal(t, slices.Compact(slices.Clone(first)), first, "each once")
	assert.Equal(t, first, slices.Sorted(slices.Values(rounds[1])))
	assert.NotEqual(t, of(rounds[0], "tree"), of(rounds[1], "tree"), "cases are shuffled")
	var cases []string // whose subjects run in turn, so that a ratio of two spans little time
	for _, name := range rounds[0] {
		key := results.ParseKey(name)
		cases = append(cases, units.RunOf(key.Op)+key.N)
	}
	assert.Len(t, slices.Compact(cases), len(p.Groups))
	for _, c := range p.Groups {
		for _, e := range c.Subjects {
			want := map[Mode][]string{
				Operations: {"Start/", "Stop/", "Restart/", "PerTick/", "Expire/", "Memory/"},
				Lifetimes:  {"Lifetime/"}, Latency: {"PerTickLatency/"},
			}[c.Mode]
			for _, op := range want {
				none := e.Info == &drive.Null && (op == "Expire/" || op == "Memory/") || c.Spec.Stop == 0 && (op == "Stop/" || op == "Restart/")
				assert.Equal(t, !none, slices.Contains(rounds[0], op+Name(c.Spec, e)), op+Name(c.Spec, e))
			}
		}
	}
}

func TestValuesOfResults(t *testing.T) {
	for _, r := range tinyRun(t).results {
		assert.Positive(t, r.Iters, r.Name)
		assert.NotEmpty(t, r.Values, r.Name)
		seen := map[string]bool{}
		for _, v := range r.Values {
			assert.False(t, seen[v.Unit], "%s: %s twice", r.Name, v.Unit)
			seen[v.Unit] = true
			assert.False(t, v.Value != v.Value || v.Value > 1e15, "%s: %v %s", r.Name, v.Value, v.Unit)
		}
		key := results.ParseKey(r.Name)
		timed := seen["ns/op"]
		assert.Equal(t, key.Op != "Memory" && key.Op != "PerTickLatency", timed, r.Name)
		counted := timed && key.Scheme != "null" && key.Op != units.SpinName
		for _, unit := range units.ExactUnits {
			assert.Equal(t, seen[unit], r.Value(unit) > 0, "%s: a count of 0 is left out: %s", r.Name, unit)
			ofTick := key.Op == units.LatencyOp && (unit == units.MostMigrations || unit == units.MostExpiries)
			assert.True(t, counted || ofTick || !seen[unit], "%s: %s", r.Name, unit)
		}
		if key.Op == "Start" && counted {
			assert.Equal(t, 1.0, r.Value(units.LinksPerOp), r.Name)
		}
	}
}

func TestWrongOutcomeIsAnErrorRow(t *testing.T) {
	p := tiny(t, 2, 1)
	bad := NewSubject(lossy(), 64, 1)
	for i := range p.Groups {
		p.Groups[i].Subjects = append(p.Groups[i].Subjects, bad)
	}
	s := newSink(0)
	err := p.Run(t.Context(), s, quiet)
	require.ErrorIs(t, err, ErrOutcome)
	assert.ErrorContains(t, err, "5 of 65 runs", "5 cases, among 13 subjects")
	assert.Empty(t, of(s.names(), "lossy"), "no time")
	assert.Len(t, s.failed, len(p.Groups))
	for name, err := range s.failed {
		assert.Contains(t, name, "scheme=lossy/")
		assert.ErrorContains(t, err, "outcome")
	}
	assert.NotEmpty(t, of(s.names(), "tree"), "the others are measured")
}

func TestCancellingKeepsWhatWasMeasured(t *testing.T) {
	whole := tinyRun(t).names()
	for _, last := range []int{0, 7} {
		ctx, cancel := context.WithCancel(t.Context())
		s := newSink(0)
		runs := 0
		err := tiny(t, 2, 1).Run(ctx, s, func(run, all int, what string) {
			if all == 0 { // preparing
				return
			}
			assert.Equal(t, runs, run)
			assert.Equal(t, 2*60, all, "of both rounds")
			if runs++; run == last {
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, last+1, runs, "the present run is the last")
		require.NotEmpty(t, s.results)
		assert.Equal(t, whole[:len(s.results)], s.names())
		assert.Less(t, len(s.results), len(whole))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newSink(0)
	require.ErrorIs(t, tiny(t, 1, 1).Run(ctx, s, quiet), context.Canceled)
	assert.Empty(t, s.results)
}

// Progress is over all rounds, whatever an earlier run made of them: by it the time left is known.
func TestProgressIsOfAllRounds(t *testing.T) {
	p := tiny(t, 3, 1)
	p.Groups = p.Groups[1:2] // lifetimes, whose sample is a row
	subjects := len(p.Groups[0].Subjects)
	p.Groups[0].Subjects[0] = NewSubject(seven[3], 1, 1) // out of range: skipped
	text := "# skipped " + Lifetimes.cellName(Name(p.Groups[0].Spec, p.Groups[0].Subjects[0])) + " slow: why\n# round 0\n"
	for _, s := range p.Groups[0].Subjects[1:4] {
		text += "Benchmark" + Lifetimes.cellName(Name(p.Groups[0].Spec, s)) + " 1 5 ns/op\n"
	}
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	earlier, err := results.Load(path)
	require.NoError(t, err)
	p.Earlier = earlier
	made := 3
	require.NoError(t, p.Run(t.Context(), newSink(0), func(done, total int, _ string) {
		if total > 0 {
			assert.Equal(t, []int{made, 3 * (subjects - 1)}, []int{done, total})
			made++
		}
	}))
	assert.Equal(t, subjects-1, made, "the first round is done")
}

// A round that was interrupted after a failure, which the sink has, is not taken for one that came to its end.
func TestCancellingAfterAWrongOutcome(t *testing.T) {
	p := tiny(t, 1, 1)
	p.Groups = p.Groups[:1]
	p.Groups[0].Subjects = []Subject{NewSubject(lossy(), 64, 1), NewSubject(lossy(), 32, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := newSink(0)
	err := p.Run(ctx, s, func(run, all int, _ string) {
		if all > 0 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, s.failed, 1)
	assert.NotErrorIs(t, err, ErrOutcome)
}

// The collector is off while runs are timed and on while workloads are made, which leaves much garbage.
func TestTheCollectorIsOffInRoundsAlone(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	seen := map[bool][]int{}
	other := newSink(0)
	require.NoError(t, tiny(t, 1, 2).Run(t.Context(), other, func(_, runs int, _ string) {
		percent := debug.SetGCPercent(-1)
		debug.SetGCPercent(percent)
		seen[runs > 0] = append(seen[runs > 0], percent)
	}))
	assert.Equal(t, []int{77}, slices.Compact(seen[false]))
	assert.Equal(t, []int{-1}, slices.Compact(seen[true]))
	assert.NotEqual(t, tinyRun(t).names()[:len(other.names())], other.names(), "another seed is another order")
}

func TestASinksErrorEndsTheRun(t *testing.T) {
	p := tiny(t, 2, 1)
	s := newSink(2) // after the first round's beginning
	require.ErrorIs(t, p.Run(t.Context(), s, quiet), errSink)
	assert.Len(t, s.results, 1)

	p.Limits.Memory = 1
	s = newSink(1)
	require.ErrorIs(t, p.Run(t.Context(), s, quiet), errSink)
	assert.Empty(t, s.results)
	assert.Len(t, s.skipped, 1)
}

// Two cases may have cells in common, as controls; one cell has one sample a round.
func TestACellOfTwoCasesIsMeasuredOnce(t *testing.T) {
	p := tiny(t, 1, 1)
	c := p.Groups[0]
	p.Groups = []Group{c, c}
	p.Groups[0].Subjects, p.Groups[1].Subjects = c.Subjects[:3], c.Subjects[1:4]
	names := slices.Sorted(slices.Values(runTiny(t, p).names()))
	assert.Equal(t, slices.Compact(slices.Clone(names)), names)
	assert.NotEmpty(t, of(names, c.Subjects[3].Label))

	p.Groups[1].Spec.Ticks *= 2
	s := newSink(0)
	assert.ErrorContains(t, p.Run(t.Context(), s, quiet), "is planned with two lengths or seeds")
	assert.Empty(t, s.results)
}

func TestABadWorkloadIsAnErrorBeforeAnyRun(t *testing.T) {
	p := tiny(t, 1, 1)
	p.Groups = append(p.Groups, Group{Spec: workload.Spec{N: -1}})
	s := newSink(0)
	require.ErrorIs(t, p.Run(t.Context(), s, quiet), workload.ErrSpec)
	assert.Empty(t, s.results)
}

// Passes of a lifetime make one sample; what is timed singly has one pass. Groups with more rounds have them at the end.
func TestPassesAndMoreRounds(t *testing.T) {
	p := tiny(t, 1, 1)
	p.Passes, p.Groups[1].More = 9, 2
	cold := p.Groups[1].Subjects[1] // whose ticks are timed singly
	cold.Cold.Touched = 1
	p.Groups[1].Subjects = append(p.Groups[1].Subjects, cold)
	assert.Equal(t, 3, p.AllRounds())
	for _, r := range runTiny(t, p).results {
		passes := 0.0
		if results.ParseKey(r.Name).Op == units.LifetimeOp {
			passes = 9
			if strings.Contains(r.Name, "touched") {
				passes = 0
			}
			assert.Equal(t, passes > 0, r.Value(units.WallOverCPU) > 0, r.Name)
			assert.GreaterOrEqual(t, r.Value(units.Within), 0.0, r.Name)
		}
		assert.Equal(t, passes, r.Value(units.Passes), r.Name)
	}
	for lives, want := range map[uint64]int{1: 6, 10_000: 6, 20_000: 3, 40_000: 2, 1_000_000: 2} {
		assert.Equal(t, want, Plan{Passes: 2}.passes(&workload.Trace{Want: workload.Outcome{Expired: lives}}), lives)
	}
	p.Round = 2
	last := newSink(0)
	require.NoError(t, p.Run(t.Context(), last, quiet))
	var ops []string
	for _, name := range last.names() {
		ops = append(ops, results.ParseKey(name).Op)
	}
	assert.Equal(t, []string{units.LifetimeOp, units.SpinName}, slices.Compact(slices.Sorted(slices.Values(ops))))
}

// Of each piece of a run the least time counts: bursts in two passes do not show.
func TestMerge(t *testing.T) {
	made := func(wall float64, pieces ...time.Duration) pass {
		r := results.Result{Name: "Lifetime/scheme=x", Iters: 10}
		r.Add(float64(sum(pieces))/10, units.NsPerOp)
		r.Add(2, units.LinksPerOp)
		r.Add(wall, units.WallOverCPU)
		return pass{[]results.Result{r}, pieces}
	}
	passes := []pass{made(1, 100, 200, 100), made(2, 100, 100, 300), made(1, 110, 120, 120)}
	row := merge(passes)[0]
	for unit, want := range map[string]float64{units.NsPerOp: 30, units.LinksPerOp: 2, units.Passes: 3,
		units.Within: 100 * (40./30 - 1), units.WallOverCPU: 1} {
		assert.InEpsilon(t, want, row.Value(unit), 1e-5, unit)
	}
}
