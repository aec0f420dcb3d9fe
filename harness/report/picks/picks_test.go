package picks

import (
	"fmt"
	"io"
	"regexp"
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

// recommendation has two candidates that tie, one that dropped out and one that has not raced.
func recommendation() pick.Recommendation {
	result := func(slots, rank int, ratio, low, high float64) pick.Result {
		return pick.Result{Subject: run.Subject{Label: "hashunsorted", Info: &hashunsorted.Info, Slots: slots}, Rank: rank, Raced: true, Bytes: int64(10 * slots),
			Predicted: 100 * ratio, Life: results.Estimate{Median: 110 * ratio, N: 10},
			Ratio: results.Estimate{Median: ratio, Lo: low, Hi: high, N: 10}, PerTimer: pick.PerTimer{Visits: 0.25}}
	}
	all := []pick.Result{result(512, 1, 1, 1, 1), result(256, 1, 1.02, 0.98, 1.06), result(1024, 0, 1.31, 1, 2), result(2048, 0, 4, 3, 5)}
	all[2].Raced, all[3].Dropped = false, "3.6 times the best"
	return pick.Recommendation{
		Workload: pick.Workload{Numbers: workload.Numbers{N: 10, Rate: 1, MeanStay: 10, Longest: 100}, Tick: time.Second,
			Lives: []workload.Life{{Interval: 10, Stay: 10, Share: 1}}, Source: "test"},
		Outcome: pick.Outcome{Timers: 10, Rounds: 10, Sure: true, Results: all},
	}
}

// pageOf returns the page of a recommendation and of costs, if there are any, and its text without line ends.
func pageOf(t *testing.T, r pick.Recommendation, costs *load.Costs) (p Page, text string) {
	t.Helper()
	p = New(r, "again", "again --longer", false)
	if costs != nil {
		p.Add(*costs, false)
	}
	text = written(t, p, report.Text)
	for line := range strings.SplitSeq(text, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), 100, line)
	}
	assert.LessOrEqual(t, strings.Count(text, "\n"), 30, text)
	assert.NotRegexp(t, `<no value>|%!| \n|\n\n\n|0s`, text)
	return p, strings.ReplaceAll(text, "\n", " ")
}

func written(t *testing.T, p interface {
	Write(io.Writer, report.Format) error
}, f report.Format) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.Write(&b, f))
	return b.String()
}

// What the sentence says of a race is what was compared: sure or not, what did not race, and nothing faster than what it names.
func TestSentence(t *testing.T) {
	result := func(r *pick.Recommendation, i int) *pick.Result { return &r.Results[i] }
	for _, test := range []struct {
		change func(r *pick.Recommendation)
		want   string
	}{
		{func(r *pick.Recommendation) {}, "Use scheme 6, hashunsorted with 512 slots: 110 ns per timer, 5 KiB; a tie with hashunsorted M=256. It accepts any interval. " +
			"Sure: nothing that raced is more than a tenth faster. Not raced: 1 other, predicted to cost 1.31 times the best or more. " +
			"Why: a timer is visited 0.25 times in its life of 10 ticks, as a revolution takes 512. " +
			`    import "timerlab/schemes/hashunsorted"     hashunsorted.Info.New(schemes.Config{Slots: 512})  `},
		{func(r *pick.Recommendation) { r.Partial = true }, "Partial result of an interrupted race. Best so far: scheme 6, "},
		{func(r *pick.Recommendation) { result(r, 1).Rank = 2 }, "5 KiB; the next, hashunsorted M=256, takes 1.02 times as long. It "},
		{func(r *pick.Recommendation) {
			*result(r, 1), r.Sure = pick.Result{Subject: result(r, 1).Subject, Raced: true, Rank: 2,
				Ratio: results.Estimate{Median: 0.97, Lo: 0.8, Hi: 1.2, N: 10}}, false
		},
			"5 KiB. It accepts any interval. Not sure: hashunsorted M=256 may take 0.80 times as long. Not raced"},
		{func(r *pick.Recommendation) { result(r, 0).Early, result(r, 0).Late = 0.001, 0.05 }, "It accepts any interval. A timer may be due 0.1 % of its " +
			"interval early or 5 % of its interval late: the best exact candidate, hashunsorted M=256, takes 1.02 times as long. Sure"},
		{func(r *pick.Recommendation) { result(r, 0).Late, result(r, 1).Rank = 0.05, 0 },
			"A timer may be due 5 % of its interval late: no exact candidate raced to the end. Sure"},
		{func(r *pick.Recommendation) { r.Limits.Late = 0.05 }, "It is exact: of what raced, nothing that rounds deadlines is clearly faster. Sure"},
		{func(r *pick.Recommendation) { r.Timers = 5 }, "It accepts any interval. Raced with 5 of the timers; their bytes are an estimate. Sure"},
		{func(r *pick.Recommendation) { r.Sure = false }, "Not sure: the rounds differ too much to decide a tenth. Not raced"},
		{func(r *pick.Recommendation) { r.Sure, r.Rounds = false, 4 }, "Not sure: 4 rounds, where an interval needs 6. Not raced"},
		{func(r *pick.Recommendation) { r.Sure, r.Results = false, r.Results[2:3] },
			"Not raced, for lack of time. By smaller copies of the workload, use scheme 6, hashunsorted with 1024 slots: about 131 ns per timer. It accepts any interval.     import "},
		{func(r *pick.Recommendation) { r.Results, r.Sure = r.Results[3:], false }, "No candidate ran to the end within the limits. "},
		{func(r *pick.Recommendation) { r.Workload.Longest = 1 }, "Any scheme will do: every timer is due on the next tick, so that none waits. Fastest: scheme 6, "},
		{func(r *pick.Recommendation) { r.Hurried, r.Workload.Warnings = true, []string{"whole ticks"} },
			"Warning: whole ticks. Warning: there was no time to run all candidates into their steady state. "},
	} {
		r := recommendation()
		test.change(&r)
		p, text := pageOf(t, r, costsOf(services(10, 5, 1)))
		assert.Contains(t, text, test.want)
		assert.Equal(t, !r.Sure && p.Best != nil, strings.HasSuffix(text, "Repeat with twice the time: again --longer "))
		assert.Equal(t, len(r.Results) > 1, p.Code != "" && len(r.Results) > 1)
		assert.Contains(t, written(t, p, report.JSON), `"version"`)
	}
}

// A tie is printed in the order of its ratios, and ns/timer has the same order, whichever candidate is named.
func TestPickTables(t *testing.T) {
	r := recommendation()
	r.Results[0], r.Results[1] = r.Results[1], r.Results[0]
	r.Results[0].Life.Median = 90 // of other rounds than the ratio
	p, text := pageOf(t, r, nil)
	assert.Regexp(t, `tie +hashunsorted M=512 +88.2 +1.00 .*use +hashunsorted M=256 +90 +1.02 `, text)
	assert.True(t, strings.HasPrefix(written(t, p, report.CSV), "verdict,scheme and sizes,ns/timer,"))
	assert.Contains(t, written(t, p, report.Markdown), "| hashunsorted M=512 |")
	for range 5 {
		r.Results = append(r.Results, r.Results[1])
	}
	r.Results[0].Ratio.Median = 1.09
	p, text = pageOf(t, r, nil)
	assert.Equal(t, shortRanking, strings.Count(text, " tie  "))
	assert.Contains(t, text, " and 5 more.")
	assert.Equal(t, "use", p.Ranking().Rows[shortRanking][0].Text, "however slow in the tie")
	assert.Equal(t, 8, strings.Count(written(t, p, report.CSV), "\n"))
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
		return load.Cost{Name: name, BytesLow: mebibytes << 20, BytesHigh: mebibytes << 20, Woken: u, Awake: &u, Kept: 1}
	}
	return []load.Cost{service("time.AfterFunc", 200, std), service("sharded", 100, sharded), service("a loop of your own", 50, loop)}
}

// costsOf returns costs in their order.
func costsOf(all []load.Cost) *load.Costs {
	last := len(all) - 1
	return &load.Costs{Turns: 5, Std: all[0], Others: all[1:last], Loop: all[last]}
}

// The text of every kind of scheme and of details has all its parts.
func TestPickText(t *testing.T) {
	for kind := schemes.Other; kind <= schemes.Hierarchy; kind++ {
		for _, sorted := range []bool{false, true} {
			r := recommendation()
			info := schemes.Info{Name: "toy", Kind: kind, Sorted: sorted, New: hierarchical.Info.New, Range: hierarchical.Info.Range}
			r.Results[0].Subject = run.Subject{Label: "toy", Info: &info, Levels: []int{64, 16}}
			r.Results[0].PerTimer.Migrations = float64(kind) / 5
			r.Results[0].Ticks = pick.TickTimes{Count: 10_000, P50: 1000, P999: 28_000, Low: 27_000, High: 29_000}
			_, text := pageOf(t, r, nil)
			assert.Contains(t, text, "Use toy with levels of 64 × 16 slots: ")
			text = written(t, New(r, "again", "", true), report.Text)
			for _, want := range []string{"28 µs", "Why: ", "Rounds: 10, ", "\nworkload  test\n", "accepts intervals of up to 1024 ticks (17.1 min).",
				"\n  hashunsorted M=1024: not raced, predicted 131 ns\n  hashunsorted M=2048: 3.6 times the best\n", "Repeat: again\n"} {
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
	another[1].Name, another[1].Awake = "another", &load.Share{Parts: []float64{0.3, 0.1}}
	with := func(all []load.Cost, name string, parts ...float64) []load.Cost { // at the same cost if awake
		more := services(0, 0, 0)[1]
		more.Name, more.Woken, more.Awake = name, shareOf(parts...), &load.Share{}
		*more.Awake = more.Woken
		return slices.Insert(all, 1, more)
	}
	unless := "No service clearly saves 1 % of a core: keep time.AfterFunc"
	for want, all := range map[string][]load.Cost{
		"sharded saves 10 (10 to 10) % of a core (if the program wakes up each millisecond anyway, less than 1 %, or too little to tell), and 100 MiB.": awake(services(200, 100, 50), 210, 150),
		"another saves 18 (18 to 18) % of a core (if the program wakes up each millisecond anyway, sharded saves 18 (18 to 18) %), and 100 MiB.":        another,
		"At your rates time.AfterFunc takes less than 0.1 % of a core: keep it, unless memory matters (sharded saves 100 MiB).":                         services(0.9, 0.1, 0.1),
		unless + ", unless memory matters (sharded saves 100 MiB).":                                                                                     woken(services(0.9, 0.1, 0.1), 0, 0.5, 4),
		unless + ", unless memory matters (sharded saves 100 MiB)":                                                                                      woken(services(50, 50, 50), 1, 51, 1),
		unless + ", unless the program wakes up each millisecond anyway (sharded saves 2 (2 to 2) %) or memory matters (sharded ":                       awake(services(50, 45, 44), 30, 30),
		unless + ", unless memory matters (sharded saves 100 MiB); a loop of your own saves 2 (2 to 2) %.":                                              services(50, 60, 30),
		"sharded saves 10 (10 to 10) % of a core, and 100 MiB.":                                                                                         services(200, 100, 95),
		"sharded saves 10 (10 to 10) % of a core, and 100 MiB; a loop of your own saves another 5 (5 to 5) %.":                                          services(200, 100, 50),
		"sharded saves 10 (4 to 16) % of a core, and 100 MiB; it may be less in another run. Rest":                                                      woken(woken(services(200, 100, 0), 1, 160, 40), 2, 60, 160),
		"sharded saves 10 (8 to 12) % of a core, and 100 MiB. Rest":                                                                                     woken(woken(services(200, 100, 0), 1, 120, 80), 2, 60, 100),
		"and 100 MiB. With sharded, one goroutine for stops and restarts ended only 70 % of the timers in time: use several. A loop of":                 kept(services(3000, 2000, 1500), 0.5, 0.7, 0.9),
		"Reuse your timers: that saves 10 (10 to 10) % of a core, and 100 MiB; sharded saves another 4 (4 to 4) %.":                                     with(services(200, 60, 95), "reused", 100, 100),
		"sharded saves 14 (14 to 14) % of a core, and 100 MiB.":                                                                                         with(services(200, 60, 60), "reused", 120, 120),
		"Reuse your timers: that saves 8 (8 to 8) % of a core, and 100 MiB.":                                                                            with(woken(services(200, 60, 115), 1, 40, 120), "reused", 120, 120),
		"Use stored time: that saves 15 (15 to 15) % of a core, and 100 MiB. (stored time is in systems/example_test.go.)":                              with(with(services(200, 60, 60), "reused", 120, 120), "stored time", 50, 50),
		"in time: use several, or a loop of your own.":                                                                                                  kept(services(3000, 1200, 100), 0.5, 0.7, 1),
		"a loop of your own saves 100 (100 to 100) %. With time.AfterFunc, one goroutine for stops and restarts ended only 60 % ":                       kept(services(1300, 1295, 300), 0.6, 1, 1),
		unless + ", unless memory matters (sharded saves 100 MiB). A loop of one goroutine cannot keep up: divide the timers among several.":            kept(services(1300, 1295, 900), 1, 1, 0.9),
	} {
		p, _ := pageOf(t, recommendation(), costsOf(all))
		assert.Contains(t, strings.Replace(p.Advice, " (sharded is", " Rest", 1), want)
	}
	many := with(with(with(awake(services(200, 60, 20), 150, 150), "another", 90, 90), "stored time", 80, 80), "reused", 120, 120)
	many[2].Awake, many[0].Kept, many[1].Kept, many[5].Kept = many[0].Awake, 0.5, 0.5, 0.9
	_, text := pageOf(t, recommendation(), costsOf(many))
	assert.Contains(t, text, "Use stored time: that saves 12 (12 to 12) % of a core (if the program wakes up each millisecond anyway, a reused timer saves 8 (8 to 8) %)"+
		", and 100 MiB; sharded saves another 2 (2 to 2) %.")
	assert.Contains(t, text, "Reused: a *time.Timer is kept, and Reset. Stored time: a restart stores when the timer is due. ")
	few := costsOf(services(200, 100, 95))
	few.Turns = 4
	p, _ := pageOf(t, recommendation(), few)
	assert.Contains(t, p.Advice, "sharded saves 10 (10 to 10) % of a core, and 100 MiB; it may be less in another run.")
	p, _ = pageOf(t, recommendation(), costsOf(kept(services(100, 99, 99), 0.5, 0.5, 0.5)))
	assert.NotContains(t, p.Advice, "one goroutine", "behind for another reason")
	_, text = pageOf(t, recommendation(), nil)
	assert.NotContains(t, text, "time.AfterFunc")
}

// What another run may change is printed as such, with the command that has more time.
func TestServices(t *testing.T) {
	all := services(900, 0.01, 0.1)
	all[0].BytesHigh, all[0].Kept, all[0].Woken = 300<<20, 0.4, shareOf(300, 1500)
	p, text := pageOf(t, recommendation(), costsOf(all))
	assert.Regexp(t, `time.AfterFunc, too slow: 40 % in time +90 \(30 to 150\) .* 200 to 300 sharded +< 0.01 +< 0.01 +100 `, text)
	assert.Contains(t, text, "it may be less in another run.")
	assert.Contains(t, text, "(sharded is sharded.New(sharded.Options{}) of timerlab/systems/sharded.) ")
	assert.True(t, strings.HasSuffix(text, " Repeat with twice the time: again --longer "))
	all[0].Hopeless, all[0].Kept = true, 0
	_, text = pageOf(t, recommendation(), costsOf(all))
	assert.Contains(t, text, "time.AfterFunc cannot keep up with this workload on this machine. sharded saves ")
	assert.Contains(t, text, "time.AfterFunc, cannot keep up  ")
	all[1].Woken, all[1].Awake = all[0].Woken, all[0].Awake
	_, text = pageOf(t, recommendation(), costsOf(all))
	assert.Contains(t, text, "on this machine. No service saves enough; a loop of your own saves 90 (30 to 150) %. ")
	costs := costsOf(services(900, 0.01, 0.1))
	p = New(recommendation(), "again", "again --longer", false)
	p.Add(*costs, true)
	assert.Contains(t, p.Advice, "Partial result of interrupted measurements. sharded saves ")
	assert.Contains(t, written(t, p, report.Text), "\nRepeat: again\n")
}

// A pick without enough time, or over its limit, is counted.
func TestJudgementCounts(t *testing.T) {
	assert.Contains(t, written(t, NewJudgement(pick.Judgement{}, nil), report.Markdown), "Nothing is judged yet.")
	s := pick.Judgement{Verdicts: []pick.Verdict{{Scheme: "hashunsorted", Ratio: 1.05, Short: true, Memory: 5, Bytes: 6, Tied: 2, WorstTied: 1.05},
		{Scheme: "hashunsorted", Ratio: 1.07, Short: true, Tied: 3, WorstTied: 1.2}, {Short: true, Tied: 1}}}
	text := written(t, NewJudgement(s, nil), report.Markdown)
	assert.Contains(t, text, "**0 of 3 workloads", "too little time is a miss")
	assert.Contains(t, text, "| hashunsorted | 2 | 1.06 | 1.07 |\n")
	assert.Contains(t, text, "Picks over their memory limit: 1. Picks that are not sure: 3.")
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
		targets := regexp.MustCompile(`\(target: [^)]*\): ([a-z ]+)\.`).FindAllStringSubmatch(written(t, p, report.Markdown), -1)
		return fmt.Sprintf("%v %s, %s", p.Unjudged, targets[0][1], targets[1][1])
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
