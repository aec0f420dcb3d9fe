package claims

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/choice"
	"timerlab/harness/plan"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// tableOf writes cells, round by round, and loads them.
func tableOf(t *testing.T, cells map[string][]float64) *results.Table {
	t.Helper()
	var b strings.Builder
	for round := range 32 {
		fmt.Fprintf(&b, "# round %d\n", round)
		for name, values := range cells {
			if round < len(values) {
				name, unit, _ := strings.Cut(name, " ")
				fmt.Fprintf(&b, "Benchmark%s 1 %g %s\n", name, values[round], unit)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

// steady are rounds of a quiet machine.
var steady = []float64{1, 1.001, 0.999, 1.002, 1.003, 0.998, 1.004, 1.005, 0.997, 0.996, 1.006, 0.995}

func scaled(values []float64, factor float64) (all []float64) {
	for _, v := range values {
		all = append(all, v*factor)
	}
	return all
}

func TestTestOf(t *testing.T) {
	outlier := slices.Clone(steady)
	outlier[3] = 3.93
	for _, test := range []struct {
		name        string
		ratios      []float64
		relation    Relation
		bound, pair float64
		want        Verdict
	}{
		{"clear", steady, AtLeast, 0.8, 1, Holds},
		{"clear, at most", steady, AtMost, 1.2, 1, Holds},
		{"the other way", steady, AtLeast, 1.2, 1, Fails},
		{"the other way, at most", steady, AtMost, 0.8, 1, Fails},
		{"an outlier decides nothing", outlier, AtLeast, 0.8, 1, Holds},
		{"nor on the other side", scaled(outlier, 1/1.5), AtMost, 0.9, 1, Holds},
		{"within the pair's difference", steady, AtLeast, 0.97, 1.05, Undecided},
		{"within the pair's difference, below", steady, AtLeast, 1.03, 1 / 1.05, Undecided},
		{"beyond the pair's difference", steady, AtLeast, 0.9, 1.05, Holds},
		{"rounds that disagree", []float64{0.9, 1.1, 0.8, 1.2, 0.7, 1.4, 0.95, 1.05}, AtLeast, 1, 1, Undecided},
		{"six rounds", steady[:6], AtLeast, 0.8, 1, Holds},
		{"five rounds", steady[:5], AtLeast, 0.8, 1, Undecided},
	} {
		assert.Equal(t, test.want, testOf(test.ratios, test.relation, test.bound, test.pair).verdict(), test.name)
	}
}

// What supports needs no correction, what refutes does: among very many comparisons six rounds refute nothing.
func TestOnlyWhatRefutesIsCorrected(t *testing.T) {
	made := map[string]*timings{"": {}}
	for range 50 {
		made[""].points = append(made[""].points, &Point{test: testOf(steady[:6], AtLeast, 0.8, 1)})
	}
	wrong := &Point{test: testOf(steady[:6], AtLeast, 1.2, 1)}
	assert.Equal(t, Fails, wrong.Verdict())
	made[""].points = append(made[""].points, wrong)
	correct(made)
	assert.Equal(t, Holds, made[""].points[0].Verdict())
	assert.Equal(t, Undecided, wrong.Verdict())
	assert.Contains(t, wrong.Why, "of 51 comparisons")
}

// A difference between two schemes decides only if it stands out against an A/A pair, and if its laps are long
// enough. What is only reported decides nothing: whether it was measured, in few rounds, or not at all.
func TestWhatDecides(t *testing.T) {
	judged := All
	defer func() { All = judged }()
	const line = "ID: %s\nChecks: Start,Stop of hashunsorted-absolute where set=claims T=2048 over hashunsorted ≤ 2;%s\n\n"
	text := fmt.Sprintf(line, "X-1", "")
	for i, reported := range []string{"hashunsorted-absolute where T=2048 over hashunsorted", "hashunsorted-again where T=2048 over hashunsorted",
		"tree over ordered"} {
		text += fmt.Sprintf(line, fmt.Sprint("X-", i+2), "Start of "+reported+" reported 1")
	}
	All, _ = parseClaims(text)
	const workload = "/n=2048/M=16384/T=2048/dist=uniform/stop=0.9/after=0.5/set=claims"
	for _, test := range []struct {
		name        string
		slow, again []float64
		lap         string
		want        Verdict
		open        string
	}{
		{"a clear difference", scaled(steady, 1.2), steady, "", Holds, ""},
		{"the other way", scaled(steady, 3), steady, "", Fails, ""},
		{"a small difference, and the pair differs by more", scaled(steady, 1.95), scaled(steady, 1.05), "", Undecided, ""},
		{"no pair", steady, nil, "", Undecided, "no A/A pair"},
		{"short laps", steady, steady, " 500 short-lap-ns", Undecided, "laps below the clock's limit"},
		{"few rounds", steady[:5], steady, "", NotMeasured, ""},
		{"no cells", nil, steady, "", NotMeasured, ""},
	} {
		cells := map[string][]float64{}
		for _, op := range []string{"Start", "Stop"} {
			cells[op+"/scheme=hashunsorted"+workload+" ns/op"+test.lap] = scaled(steady, 1)
			cells[op+"/scheme=hashunsorted-again"+workload+" ns/op"] = test.again
			cells[op+"/scheme=hashunsorted-absolute"+workload+" ns/op"] = test.slow
		}
		times := timed(tableOf(t, cells))
		for _, c := range All {
			r, err := c.judge(times)
			require.NoError(t, err)
			assert.Equal(t, test.want, r.Verdict, "%s, %s: %s %s", test.name, c.ID, r.Missing, describe(r))
			if test.open != "" {
				require.GreaterOrEqual(t, len(r.Points), 2)
				assert.Contains(t, r.Points[0].Open, test.open, test.name)
			}
			for _, p := range r.Points {
				assert.False(t, p.test != nil && !p.decides(), "what is reported is none of the comparisons that Holm corrects")
			}
			if test.want == NotMeasured || c.ID == "X-4" {
				assert.Contains(t, r.Missing, "not measured", test.name)
			}
		}
	}
}

// machineFor returns cells for the timed lines of a claim: those on the left stand to those on the right as the bound
// times a factor, where the claim says at least, and as the bound over it where it says at most.
func machineFor(t *testing.T, checks string, factor float64) map[string][]float64 {
	t.Helper()
	lines, err := parseLines(checks)
	require.NoError(t, err)
	cells := map[string][]float64{}
	set := func(op, unit, subject string, value float64, words ...map[string]string) float64 {
		k := results.Key{Op: op, N: "10k", T: "1k"}
		for _, values := range words {
			first := func(key, otherwise string) string { // of a list
				value := strings.FieldsFunc(values[key], func(r rune) bool { return r == ',' })
				return append(value, otherwise)[0]
			}
			k.N, k.T, k.Slots = first("n", k.N), first("T", k.T), first("M", k.Slots)
			if values["m"] != "" && subject == "hierarchical" {
				k.Levels = "64x64x64x64"
			}
			for _, key := range []string{"set", "g"} {
				if value := values[key]; value != "" && value != "main" {
					k.Rest = "/" + key + "=" + value
				}
			}
		}
		if k.Scheme = subject; strings.HasPrefix(subject, "locked-") {
			k.Scheme, k.Service = "", subject
		}
		cell := k.String() + " " + unit
		if cells[cell] == nil {
			cells[cell] = scaled(steady, value)
			cells[strings.Replace(cell, subject, subject+units.Again, 1)] = cells[cell]
		}
		return results.Median(cells[cell])
	}
	for _, l := range lines {
		if l.ops == "" {
			continue
		}
		to := l.predicted.of(nil) * factor
		if l.relation == AtMost {
			to = l.predicted.of(nil) / factor
		}
		for _, op := range strings.Split(l.ops, ",") {
			for _, subject := range l.subjects {
				others := l.others
				if others == nil {
					others = []string{subject}
				}
				for _, other := range others {
					under := set(op, l.unit, other, 100, l.where, l.cell)
					set(op, l.unit, subject, under*to, l.where)
				}
			}
		}
	}
	return cells
}

// Every claim about times holds on a machine where it is right and fails on one where it is wrong.
func TestTimedVerdictsTurn(t *testing.T) {
	checks := map[string]string{}
	for _, s := range stanzas(claimsText) {
		checks[s.Get("ID")] = s.Get("Checks")
	}
	for _, c := range All {
		if c.timed == nil || c.ID == "V-6" {
			continue
		}
		c.counted = nil // judged elsewhere
		for factor, want := range map[float64]Verdict{1.2: Holds, 1 / 1.2: Fails} {
			switch {
			case c.ID == "H-11", c.ID == "B-4":
				want = Reported
			case c.ID == "V-7" && factor > 1: // of which the grid of schemes 6 and 7 is a part
				want = Undecided
			}
			r, err := c.judge(timed(tableOf(t, machineFor(t, checks[c.ID], factor))))
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict, "%s, factor %.2g: %s %s", c.ID, factor, r.Missing, describe(r))
		}
	}
}

// The words set=main and restart=0 stand for keys that names lack.
func TestWordsOfCells(t *testing.T) {
	k := results.ParseKey("Lifetime/scheme=a/n=1k/T=9/dist=exp/stop=0")
	none := map[string]string{"set": "main", "restart": "0"}
	assert.True(t, (&timings{}).has(k, none))
	k.Restart = "0.99@0.1"
	assert.False(t, (&timings{}).has(k, none))
}

// The cells that claims about the schemes' times read are measured.
func TestCasesAreRead(t *testing.T) {
	ops := map[run.Mode][]string{run.Operations: {"Start", "Stop", "PerTick"}, run.Lifetimes: {"Lifetime"}}
	cells := map[string][]float64{}
	for _, g := range plan.Quick.Plan(1).Groups {
		for _, s := range g.Subjects {
			for _, op := range ops[g.Mode] {
				cells[op+"/"+run.Name(g.Spec, s)+" ns/op"] = steady[:6]
			}
		}
	}
	table := tableOf(t, cells)
	for _, s := range stanzas(claimsText) {
		lines, err := parseLines(s.Get("Checks"))
		require.NoError(t, err)
		for _, l := range lines {
			if l.where["set"] != "claims" {
				continue
			}
			read := &timings{Table: table}
			read.line(l)
			assert.NoError(t, read.missing, s.Get("ID"))
			for _, p := range read.points {
				assert.Empty(t, p.Open, "%s: %s", s.Get("ID"), p.What)
				assert.False(t, math.IsNaN(p.Measured.Mean), p.What)
			}
		}
	}
}

// One cell beyond the bound in which scheme 6 is faster refutes it. Slots that hold arrays are not the paper's: they do
// not decide on its bound. Nor do cells on this side of it.
func TestBeyondTheBound(t *testing.T) {
	for _, test := range []struct {
		form   choice.Form
		T      schemes.Tick
		winner choice.Winner
		want   Verdict
	}{
		{choice.Linked, 1 << 20, 6, Fails}, {choice.Linked, 1 << 20, 7, Holds}, {choice.Linked, 1 << 20, choice.Tie, Undecided},
		{choice.Linked, 512, 6, Undecided}, {choice.Linked, 513, 6, Fails}, {choice.Chunked, 1 << 20, 6, Undecided},
	} {
		cell := choice.Cell{Regime: &choice.Regime{Form: test.form, Ratio: results.Estimate{Median: 1, N: 12}}, Winner: test.winner}
		cell.Slots, cell.Levels, cell.Spec.T = 256, []int{128, 128}, test.T
		read := &timings{choice: &choice.Choice{Cells: []choice.Cell{cell}}}
		boundDecides(read)
		assert.Equal(t, test.want, verdictOf(read.points), "%+v", test)
	}
}
