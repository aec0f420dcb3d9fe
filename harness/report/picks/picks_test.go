package picks

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/systems/load"
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
		Workload: pick.Workload{Numbers: workload.Numbers{N: 10, Rate: 1, MeanStay: 10, Longest: 100}, Tick: time.Second,
			Lives: []workload.Life{{Interval: 10, Stay: 10, Share: 1}}, Source: "test"},
		Outcome: pick.Outcome{Rounds: 1, Results: []pick.Result{result(512, 1, 110), result(256, 1, 112), out}},
		Partial: true,
	}
}

func written(t *testing.T, p interface {
	Write(io.Writer, report.Format) error
}, f report.Format) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.Write(&b, f))
	return b.String()
}

// What an interrupted race has is printed, and marked as partial, without the times of ticks.
func TestPartialPick(t *testing.T) {
	p := New(recommendation(), nil, "again", false)
	text := written(t, p, report.Text)
	assert.True(t, strings.HasPrefix(text, "Partial result of an interrupted race. Best so far: scheme 6, hashunsorted with 512 slots: 110 ns\nper timer, 5 KiB; a tie with hashunsorted M=256.\n"), text)
	for line := range strings.SplitSeq(text, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), 100)
	}
	assert.Less(t, strings.Count(text, "\n"), 30)
	assert.NotContains(t, text, "Rejected")
	text = written(t, New(recommendation(), nil, "again", true), report.Text)
	assert.Contains(t, text, "hashunsorted M=2048: 3.6 times the best in its probe")
	for _, not := range []string{"0s", "<no value>", "%!"} {
		assert.NotContains(t, text, not)
	}
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(written(t, p, report.JSON)), &doc))
	assert.Equal(t, true, doc["partial"])
	assert.EqualValues(t, report.JSONVersion, doc["version"])
}

func TestPickWithoutWinner(t *testing.T) {
	r := recommendation()
	r.Results = r.Results[2:]
	p := New(r, costsOf(services(10, 5, 1)), "again", true)
	assert.True(t, strings.HasPrefix(written(t, p, report.Text), "No candidate ran to the end within the limits.\n"))
	assert.Empty(t, p.Code)
}

// shareOf returns a share of parts in per mille.
func shareOf(parts ...float64) load.Share {
	for i := range parts {
		parts[i] /= 1000
	}
	return load.NewShare(parts...)
}

// services are what the timers take of a core, in per mille: services that keep up, without noise.
func services(std, sharded, loop float64) []load.Cost {
	service := func(name string, mebibytes int64, cpu float64) load.Cost {
		u := shareOf(cpu, cpu)
		return load.Cost{Name: name, Bytes: mebibytes << 20, Woken: u, Awake: &u, Kept: 1}
	}
	return []load.Cost{service("time.AfterFunc", 200, std), service("sharded", 100, sharded), service("a loop of your own", 50, loop)}
}

// costsOf returns costs in their order.
func costsOf(all []load.Cost) *load.Costs {
	last := len(all) - 1
	return &load.Costs{Std: all[0], Others: all[1:last], Loop: all[last]}
}

// The text of every kind of scheme and of details has all its parts.
func TestPickText(t *testing.T) {
	for kind := schemes.Other; kind <= schemes.Hierarchy; kind++ {
		for _, sorted := range []bool{false, true} {
			r := recommendation()
			info := schemes.Info{Name: "toy", Kind: kind, Sorted: sorted, New: hierarchical.Info.New, Range: hierarchical.Info.Range}
			r.Results[0].Subject = run.Subject{Label: "toy", Info: &info, Levels: []int{64, 16}}
			for i, p999 := range []time.Duration{28_000, 90_000} {
				r.Results[i].Ticks = pick.TickTimes{Count: 10_000, P50: 1000, P999: p999, Low: p999 - 100, High: p999 + 100}
			}
			r.Workload.Warnings = []string{"whole ticks make it long"}
			r.Disturbed, r.Partial, r.Hurried, r.Results[2].NoTime = 3, false, true, true
			r.Needs, r.Budget = 90*time.Second, time.Minute
			text := strings.ReplaceAll(written(t, New(r, costsOf(services(10, 5, 1)), "again", true), report.Text), "× \n", "× ")
			text = strings.ReplaceAll(text, "\n", " ")
			for _, want := range []string{
				"Not enough time for a sure answer, which needs at least 90 s. Best so far: toy with levels of 64 × 16 slots: ",
				"28 µs", "Why: ", "3 runs were disturbed and do not count", "There was no time to compare 1 more candidates",
				"into their steady state (use a budget above 60 s)",
				"Repeat: again ", "Warning: whole ticks make it long.",
			} {
				assert.Contains(t, text, want, "%v, %v", kind, sorted)
			}
			assert.NotRegexp(t, `<no value>|%!|   \n`, text)
		}
	}
}

// The advice compares timer services at the workload's own rate, memory included.
func TestAdvice(t *testing.T) {
	awake := func(all []load.Cost, parts ...float64) []load.Cost { // what sharded takes then
		u := shareOf(parts...)
		all[1].Awake = &u
		return all
	}
	kept := func(all []load.Cost, std, sharded, loop float64) []load.Cost {
		all[0].Kept, all[1].Kept, all[2].Kept = std, sharded, loop
		return all
	}
	woken := func(all []load.Cost, service int, parts ...float64) []load.Cost {
		all[service].Woken = shareOf(parts...)
		return all
	}
	another := awake(services(200, 150, 140), 20, 20)
	another = slices.Insert(another, 1, services(0, 20, 0)[1])
	another[1].Name, another[1].Awake = "fixedtimeout", &load.Share{Parts: []float64{0.3, 0.1}}
	unless := "No service clearly saves 1 % of a core: keep time.AfterFunc"
	for want, all := range map[string][]load.Cost{
		"sharded saves 10 (10 to 10) % of a core (if the program wakes up each millisecond anyway, less than 1 %, or too little to tell), and 100 MiB.": awake(services(200, 100, 50), 210, 150),
		"fixedtimeout saves 18 (18 to 18) % of a core (if the program wakes up each millisecond anyway, sharded saves 18 (18 to 18) %), and 100 MiB.":   another,
		"At your rates time.AfterFunc takes less than 0.1 % of a core: keep it, unless memory matters (sharded saves 100 MiB).":                         services(0.9, 0.1, 0.1),
		unless + ", unless memory matters (sharded saves 100 MiB).":                                                                                     woken(services(0.9, 0.1, 0.1), 0, 0.5, 4),
		unless + ", unless memory matters (sharded saves 100 MiB)":                                                                                      woken(services(50, 50, 50), 1, 51, 1),
		unless + ", unless the program wakes up each millisecond anyway (sharded saves 2 (2 to 2) %) or memory matters (sharded ":                       awake(services(50, 45, 44), 30, 30),
		unless + ", unless memory matters (sharded saves 100 MiB); a loop of your own saves 2 (2 to 2) %.":                                              services(50, 60, 30),
		"sharded saves 10 (10 to 10) % of a core, and 100 MiB.":                                                                                         services(200, 100, 95),
		"sharded saves 10 (10 to 10) % of a core, and 100 MiB; a loop of your own saves another 5 (5 to 5) %.":                                          services(200, 100, 50),
		"sharded saves 10 (8 to 12) % of a core, and 100 MiB. Rest":                                                                                     woken(woken(services(200, 100, 0), 1, 120, 80), 2, 60, 100),
		"and 100 MiB. With sharded, one goroutine for stops and restarts ended only 70 % of the timers in time: use several. A loop of":                 kept(services(3000, 2000, 1500), 0.5, 0.7, 0.9),
		"in time: use several, or a loop of your own.":                                                                                                  kept(services(3000, 1200, 100), 0.5, 0.7, 1),
		"a loop of your own saves 100 (100 to 100) %. With time.AfterFunc, one goroutine for stops and restarts ended only 60 % ":                       kept(services(1300, 1295, 300), 0.6, 1, 1),
		unless + ", unless memory matters (sharded saves 100 MiB). A loop of one goroutine cannot keep up: divide the timers among several.":            kept(services(1300, 1295, 900), 1, 1, 0.9),
	} {
		advice := New(recommendation(), costsOf(all), "again", false).Advice
		assert.Contains(t, strings.Replace(advice+"End", "End", " Rest", 1), want)
	}
	assert.Equal(t, 2, strings.Count(New(recommendation(), costsOf(kept(services(100, 99, 99), 0.5, 0.5, 0.5)), "again", false).Advice, "."),
		"behind for another reason")
	assert.NotContains(t, written(t, New(recommendation(), nil, "again", false), report.Text), "time.AfterFunc")
	text := written(t, New(recommendation(), costsOf(woken(services(0.9, 0.1, 0.1), 0, 0.5, 4.5)), "again", false), report.Text)
	assert.Regexp(t, `time.AfterFunc +0.25 \(0.05 to 0.45\) `, text)
}

// The sentence says by how much the best candidate is ahead.
func TestMargin(t *testing.T) {
	r := recommendation()
	r.Results[1].Rank, r.Results[1].Ratio.Median = 2, 1.04
	assert.Contains(t, New(r, nil, "again", false).Sentence, "; the next, hashunsorted M=256, takes 1.04 times as long.")
	r.Results[1].Ratio = results.Estimate{}
	assert.Contains(t, New(r, nil, "again", false).Sentence, "; the next, hashunsorted M=256, was not measured on the same operations.")
	r.Results = append(r.Results[:1], r.Results[2:]...)
	assert.Contains(t, New(r, nil, "again", false).Sentence, "; all others were far slower.")
	r.Results = r.Results[:1]
	assert.Contains(t, New(r, nil, "again", false).Sentence, "5 KiB.")
}

func TestPickTables(t *testing.T) {
	p := New(recommendation(), nil, "again", false)
	assert.True(t, strings.HasPrefix(written(t, p, report.CSV), "rank,scheme and sizes,ns/timer,"))
	assert.Contains(t, written(t, p, report.Markdown), "| hashunsorted M=512 |")
	p.Results = slices.Repeat(p.Results[:1], 6)
	assert.Len(t, p.Ranking().Rows, shortRanking)
	assert.Equal(t, 7, strings.Count(written(t, p, report.CSV), "\n"))
}

// A pick without enough time, or over its limit, is counted.
func TestJudgementCounts(t *testing.T) {
	assert.Contains(t, written(t, NewJudgement(pick.Judgement{}, nil), report.Markdown), "Nothing is judged yet.")
	s := pick.Judgement{Verdicts: []pick.Verdict{{Scheme: "hashunsorted", Ratio: 1.05, Short: true, Memory: 5, Bytes: 6, Tied: 2, WorstTied: 1.05},
		{Scheme: "hashunsorted", Ratio: 1.07, Short: true, Tied: 3, WorstTied: 1.2}, {Short: true, Tied: 1}}}
	text := written(t, NewJudgement(s, nil), report.Markdown)
	assert.Contains(t, text, "**0 of 3 workloads", "too little time is a miss")
	assert.Contains(t, text, "| hashunsorted | 2 | 1.06 | 1.07 |\n")
	assert.Contains(t, text, "Picks over their memory limit: 1. Picks that needed more time: 3.")
	assert.Contains(t, text, "\n2 picks name a tie; in 1, all that is named costs at most 10 % more than the best (")
}

// Workloads that are not judged leave a target open unless the others decide it.
func TestJudgementWithoutSomeWorkloads(t *testing.T) {
	var s pick.Judgement
	names := []string{"failed"}
	for i := range 39 {
		s.Verdicts = append(s.Verdicts, pick.Verdict{Name: fmt.Sprint(i), Ratio: 1})
		names = append(names, fmt.Sprint(i))
	}
	verdicts := func(names ...string) string {
		p := NewJudgement(s, names)
		return fmt.Sprintf("%v %s, %s", p.Unjudged, p.GoodTarget(), p.WorstTarget())
	}
	assert.Equal(t, "[] met, met", verdicts(names[1:]...))
	assert.Equal(t, "[failed] met, met by all that were judged", verdicts(names...), "39 of 40 are 97.5 %")
	assert.Equal(t, "[failed late] open until all are judged, met by all that were judged", verdicts(append(names, "late")...))
	s.Verdicts[0].Ratio, s.Verdicts[1].Ratio = 1.2, 1.6
	slices.Reverse(s.Verdicts)
	assert.Equal(t, "0", NewJudgement(s, names).Verdicts[0].Name, "in the order of the workloads")
	assert.Equal(t, "[failed] missed, missed", verdicts(names...))
	text := written(t, NewJudgement(s, names), report.Markdown)
	assert.Contains(t, text, "(target: 97 %): missed.**")
	assert.Contains(t, text, "\n2 picks cost more or ran out of time; 1 workload has no pick: failed.\n")
}
