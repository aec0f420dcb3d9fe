package report

import (
	"encoding/json"
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
	out.Dropped = "3.6 times the time of the best after one round"
	return pick.Recommendation{
		Workload: pick.Workload{Numbers: workload.Numbers{N: 10, Rate: 1, Residence: 10, Longest: 100}, Tick: time.Second, Source: "test"},
		Outcome:  pick.Outcome{Rounds: 1, Results: []pick.Result{result(512, 1, 110), result(256, 1, 112), out}},
		NoModel:  "it was not asked for", Partial: true,
	}
}

func writePick(t *testing.T, p Pick, f Format) string {
	var b strings.Builder
	require.NoError(t, p.Write(&b, f))
	return b.String()
}

// What an interrupted race has is printed, and marked as partial, without the times of ticks.
func TestPartialPick(t *testing.T) {
	p := NewPick(recommendation(), "again", false)
	text := writePick(t, p, Text)
	assert.True(t, strings.HasPrefix(text, "Partial result of an interrupted race: Use scheme 6, hashunsorted with 512 slots: 110 ns per timer, 2.2 % of a CPU, 5 KiB; one other ties.\n"), text)
	assert.Contains(t, text, "hashunsorted M=256 takes the least memory (2.5 KiB).")
	assert.Contains(t, text, "hashunsorted M=2048: 3.6 times the time of the best after one round")
	for _, not := range []string{"worst tick", "0s", "<no value>", "%!"} {
		assert.NotContains(t, text, not)
	}
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(writePick(t, p, JSON)), &doc))
	assert.Equal(t, true, doc["partial"])
	assert.EqualValues(t, 1, doc["version"])
	assert.Equal(t, "it was not asked for", doc["no_model_reason"])
}

func TestPickWithoutWinner(t *testing.T) {
	r := recommendation()
	r.Results = r.Results[2:]
	p := NewPick(r, "again", true)
	assert.True(t, strings.HasPrefix(writePick(t, p, Text), "No candidate ran to the end within the limits.\n"))
	assert.Empty(t, p.Code)
}

// The text of every kind of scheme, of break-even points and of details has all its parts.
func TestPickText(t *testing.T) {
	for kind := schemes.Other; kind <= schemes.Hierarchy; kind++ {
		for _, sorted := range []bool{false, true} {
			r := recommendation()
			info := schemes.Info{Name: "toy", Kind: kind, Sorted: sorted, New: hierarchical.Info.New}
			c := &r.Results[0]
			c.Subject = run.Subject{Label: "toy", Info: &info, Levels: []int{64, 16}}
			c.P50, c.P999, c.Worst = 1000, 28_000, 90_000
			c.Static, c.Missing = true, 1.5
			r.NoModel, r.Known, r.Margin, r.Reruns, r.Partial = "", true, 0.1, 3, false
			r.BreakEven = []pick.BreakEven{
				{Axis: "T", Factor: 2, Value: 20, Better: r.Results[1].Subject, Ratio: 0.8}, {Axis: "n", Factor: 0.5, Value: 5, Unfit: "too small"},
			}
			r.SlotRanges = []pick.SlotRange{{Scheme: "hashunsorted", From: 64, To: 512}, {Scheme: "hashunsorted", From: 2048}}
			text := writePick(t, NewPick(r, "again", true), Text)
			for _, want := range []string{
				"Use toy with levels of 64 × 16 slots: ", "28 µs", "Why: ", "(predicted 1.5 ns per timer)", "disturbed them: 3",
				"above T = 20 s (20 ticks): hashunsorted M=256, in 80 % of the time", "below n = 5: toy 64x16 cannot be used, too small",
				"M from 64 to 512\n", "M from 2048\n", "Repeat: again\n",
			} {
				assert.Contains(t, text, want, "%v, %v", kind, sorted)
			}
			assert.NotRegexp(t, `<no value>|%!|\n\n\n`, text)
		}
	}
}

func TestPickTables(t *testing.T) {
	p := NewPick(recommendation(), "again", false)
	assert.True(t, strings.HasPrefix(writePick(t, p, CSV), "rank,scheme and sizes,ns/timer,"))
	assert.Contains(t, writePick(t, p, Markdown), "| hashunsorted M=512 |")
}

func TestEmptySweep(t *testing.T) {
	var b strings.Builder
	require.NoError(t, NewPickSweep(pick.Sweep{}).Write(&b, Markdown))
	assert.Contains(t, b.String(), "Nothing is judged yet.")
}
