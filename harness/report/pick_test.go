package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/pick"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// recommendation has two candidates that tie and one that dropped out, of a race that was
// interrupted before ticks were timed.
func recommendation() pick.Recommendation {
	result := func(slots, rank int, ns float64) pick.Result {
		r := pick.Result{Subject: run.Subject{Label: "hashunsorted", Info: &hashunsorted.Info, Slots: slots}, Rank: rank, Bytes: int64(10 * slots), CPU: 0.022}
		r.Life, r.Ratio = results.Summarize([]float64{ns}), results.Summarize([]float64{ns / 110})
		return r
	}
	out := result(2048, 0, 400)
	out.Dropped = "3.6 times the best in its probe"
	return pick.Recommendation{
		Workload: pick.Workload{Numbers: workload.Numbers{N: 10, Rate: 1, Residence: 10, Longest: 100}, Tick: time.Second, Source: "test"},
		Outcome:  pick.Outcome{Rounds: 1, Results: []pick.Result{result(512, 1, 110), result(256, 1, 112), out}},
		Partial:  true,
	}
}

func writePick(t *testing.T, p Pick, f Format) string {
	var b strings.Builder
	require.NoError(t, p.Write(&b, f))
	return b.String()
}

// What an interrupted race has is printed, and marked as partial, without the times of ticks.
func TestPartialPick(t *testing.T) {
	p := NewPick(recommendation(), nil, "again", false)
	text := writePick(t, p, Text)
	assert.True(t, strings.HasPrefix(text, "Partial result of an interrupted race. Best so far: scheme 6, hashunsorted with 512 slots: 110 ns per timer, 2.2 % of a core, 5 KiB; a tie with hashunsorted M=256.\n"), text)
	assert.Contains(t, text, "hashunsorted M=256 takes the least memory (2.5 KiB).")
	assert.Contains(t, text, "hashunsorted M=2048: 3.6 times the best in its probe")
	for _, not := range []string{"the ticks of", "0s", "<no value>", "%!"} {
		assert.NotContains(t, text, not)
	}
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(writePick(t, p, JSON)), &doc))
	assert.Equal(t, true, doc["partial"])
	assert.EqualValues(t, JSONVersion, doc["version"])
}

func TestPickWithoutWinner(t *testing.T) {
	r := recommendation()
	r.Results = r.Results[2:]
	p := NewPick(r, services(10), "again", true)
	assert.True(t, strings.HasPrefix(writePick(t, p, Text), "No candidate ran to the end within the limits.\n"))
	assert.Empty(t, p.Code)
}

// services are those that a timer costs this many ns with.
func services(ns float64) []Service {
	return []Service{{Name: "time.AfterFunc", Ns: ns}, {Name: "sharded", Ns: ns / 2}}
}

// The text of every kind of scheme and of details has all its parts.
func TestPickText(t *testing.T) {
	for kind := schemes.Other; kind <= schemes.Hierarchy; kind++ {
		for _, sorted := range []bool{false, true} {
			r := recommendation()
			info := schemes.Info{Name: "toy", Kind: kind, Sorted: sorted, New: hierarchical.Info.New}
			r.Results[0].Subject = run.Subject{Label: "toy", Info: &info, Levels: []int{64, 16}}
			for i, p999 := range []time.Duration{28_000, 90_000} {
				r.Results[i].Ticks = pick.TickTimes{Count: 10_000, P50: 1000, P999: p999, Low: p999 - 100, High: p999 + 100}
			}
			r.Disturbed, r.Partial, r.Hurried, r.Results[2].NoTime = 3, false, true, true
			r.Needs, r.Budget = 90*time.Second, time.Minute
			text := writePick(t, NewPick(r, services(10), "again", true), Text)
			for _, want := range []string{
				"Not enough time for a sure answer, which needs at least 90 s. Best so far: toy with levels of 64 × 16 slots: ",
				"28 µs", "Why: ", "3 runs do not count", "There was no time to compare 1 more candidates",
				"into their steady state (use a budget above 60 s)",
				"the ticks of toy 64x16 are the shortest (p99.9: 28 µs)", "Repeat: again\n",
			} {
				assert.Contains(t, text, want, "%v, %v", kind, sorted)
			}
			assert.NotRegexp(t, `<no value>|%!|\n\n\n`, text)
		}
	}
}

// The advice compares timer services at the rates of the workload.
func TestAdvice(t *testing.T) {
	for want, rate := range map[string]float64{
		"At your rates everything costs less than 0.1 % of a core: keep time.AfterFunc.": 1000,
		"sharded would save less than 1 % of a core: keep time.AfterFunc.":               50_000,
		"sharded saves 10 % of a core; ":                                                 1_000_000,
	} {
		r := recommendation()
		r.Workload.Rate = rate
		text := writePick(t, NewPick(r, services(200), "again", false), Text)
		assert.Contains(t, text, want)
		assert.Contains(t, text, "time.AfterFunc 200 ns and ")
	}
	slow := services(200)
	slow[1].Ns = 300
	r := recommendation()
	r.Workload.Rate = 1_000_000
	assert.Contains(t, NewPick(r, slow, "again", false).Advice, "sharded would save nothing: keep time.AfterFunc.")
}

// The sentence says by how much the best candidate is ahead.
func TestMargin(t *testing.T) {
	r := recommendation()
	r.Results[1].Rank, r.Results[1].Ratio.Median = 2, 1.04
	assert.Contains(t, NewPick(r, nil, "again", false).Sentence, "; the next, hashunsorted M=256, takes 1.04 times as long.")
	r.Results = append(r.Results[:1], r.Results[2:]...)
	assert.Contains(t, NewPick(r, nil, "again", false).Sentence, "; all others were far slower.")
	r.Results = r.Results[:1]
	assert.Contains(t, NewPick(r, nil, "again", false).Sentence, "5 KiB.")
}

func TestPickTables(t *testing.T) {
	p := NewPick(recommendation(), nil, "again", false)
	assert.True(t, strings.HasPrefix(writePick(t, p, CSV), "rank,scheme and sizes,ns/timer,"))
	assert.Contains(t, writePick(t, p, Markdown), "| hashunsorted M=512 |")
}

func TestEmptySweep(t *testing.T) {
	var b strings.Builder
	require.NoError(t, NewPickSweep(pick.Sweep{}, nil).Write(&b, Markdown))
	assert.Contains(t, b.String(), "Nothing is judged yet.")
}

// A pick without enough time, or over its limit, is counted.
func TestSweepCounts(t *testing.T) {
	s := pick.Sweep{Verdicts: []pick.Verdict{{Name: "random-001", Ratio: 1.05, Short: true, Memory: 5, Bytes: 6}}}
	var b strings.Builder
	require.NoError(t, NewPickSweep(s, nil).Write(&b, Markdown))
	assert.Contains(t, b.String(), "**0 of 1 workloads", "too little time is a miss")
	assert.Contains(t, b.String(), "Picks over their memory limit: 1. Picks that needed more time: 1.")
}

// Workloads that are not judged leave a target open unless the others decide it.
func TestSweepWithoutSomeWorkloads(t *testing.T) {
	var s pick.Sweep
	names := []string{"failed"}
	for i := range 19 {
		s.Verdicts = append(s.Verdicts, pick.Verdict{Name: fmt.Sprint(i), Ratio: 1})
		names = append(names, fmt.Sprint(i))
	}
	verdicts := func(names ...string) string {
		p := NewPickSweep(s, names)
		return fmt.Sprintf("%v %s %s", p.Missing, p.GoodVerdict(), p.WorstVerdict())
	}
	assert.Equal(t, "[] met met", verdicts(names[1:]...))
	assert.Equal(t, "[failed] met open", verdicts(names...), "19 of 20 are 95 %")
	assert.Equal(t, "[failed late] open open", verdicts(append(names, "late")...))
	s.Verdicts[0].Ratio, s.Verdicts[1].Ratio = 1.2, 1.6
	slices.Reverse(s.Verdicts)
	assert.Equal(t, "0", NewPickSweep(s, names).Verdicts[0].Name, "in the order of the workloads")
	assert.Equal(t, "[failed] missed missed", verdicts(names...))
	var b strings.Builder
	require.NoError(t, NewPickSweep(s, names).Write(&b, Markdown))
	assert.Contains(t, b.String(), "(target: 95 %): missed.**")
	assert.Contains(t, b.String(), "and 1 none: failed.")
}
