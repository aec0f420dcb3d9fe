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

// unit are rounds of what others are divided by.
var unit = slices.Repeat([]float64{1}, 12)

func scaled(values []float64, factor float64) (all []float64) {
	for _, v := range values {
		all = append(all, v*factor)
	}
	return all
}

// A time is decided by its interval. What refutes is also tested, among all comparisons.
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
	outlier := slices.Clone(steady)
	outlier[3] = 3.93
	for _, test := range []struct {
		name string
		slow []float64
		lap  string
		want Verdict
		why  string
	}{
		{"a clear difference", scaled(steady, 1.2), "", Holds, ""},
		{"the other way", scaled(steady, 3), "", Fails, ""},
		{"a small difference", scaled(steady, 1.95), "", Holds, ""},
		{"six rounds", scaled(steady[:6], 1.95), "", Holds, ""},
		{"an outlier decides nothing", scaled(outlier, 1.95), "", Holds, ""},
		{"rounds on both sides", []float64{2.2, 1.9, 1.8, 2.1, 1.7, 2.4, 1.9, 2.1}, "", Undecided, "both sides"},
		{"beyond the bound, by chance", []float64{2.01, 2.2, 2.1, 2.9, 2.02, 2.01, 2.8}, "", Undecided, "but p is 0.34"},
		{"short laps", steady, " 500 short-lap-ns", Undecided, "laps below the clock's limit"},
		{"few rounds", steady[:5], "", NotMeasured, ""},
		{"no cells", nil, "", NotMeasured, ""},
	} {
		cells := map[string][]float64{}
		for _, op := range []string{"Start", "Stop"} {
			cells[op+"/scheme=hashunsorted"+workload+" ns/op"+test.lap] = scaled(unit, 1)
			cells[op+"/scheme=hashunsorted-again"+workload+" ns/op"] = steady
			cells[op+"/scheme=hashunsorted-absolute"+workload+" ns/op"] = test.slow
		}
		times := timed(tableOf(t, cells))
		for _, c := range All {
			r, err := c.judge(times)
			require.NoError(t, err)
			assert.Equal(t, test.want, r.Verdict, "%s, %s: %s %s", test.name, c.ID, r.Missing, describe(r))
			if test.want == Undecided {
				require.GreaterOrEqual(t, len(r.Points), 2)
				assert.Contains(t, r.Points[0].WhyUndecided(), test.why, test.name)
			}
			for _, p := range r.Points {
				assert.False(t, p.Level > 0 && !p.decides(), "what is reported is none of the comparisons that Holm corrects")
			}
			if test.want == NotMeasured || c.ID == "X-4" {
				assert.Contains(t, r.Missing, "not measured", test.name)
			}
			if test.want == Fails {
				assert.Contains(t, r.Points[0].Why, "for 8 comparisons")
				assert.Contains(t, r.Points[0].Why, "interval: 96.1 %", "12 rounds: the third and the tenth, which hold 96.1 %")
			}
		}
	}
}

// That something can be holds if it is so in one cell, and fails if it is so in none.
func TestMost(t *testing.T) {
	lines, err := parseLines("most Start of hierarchical where T=1k,2048 over hashunsorted ≥ 1")
	require.NoError(t, err)
	for _, test := range []struct {
		first, second float64
		want          Verdict
	}{{0.7, 1.1, Holds}, {1.1, 0.7, Holds}, {0.7, 0.8, Fails}, {0.7, 1, Undecided}} {
		read := &timings{Table: tableOf(t, map[string][]float64{
			"Start/scheme=hierarchical/n=1k/T=1k ns/op": scaled(steady, test.first), "Start/scheme=hashunsorted/n=1k/T=1k ns/op": unit,
			"Start/scheme=hierarchical/n=2k/T=2048 ns/op": scaled(steady, test.second), "Start/scheme=hashunsorted/n=2k/T=2048 ns/op": unit,
		})}
		read.line(lines[0])
		correct(map[string]*timings{"": read})
		require.Len(t, read.points, 3)
		assert.Equal(t, "Start, hierarchical over hashunsorted, the largest of 2 ratios", read.points[2].What)
		assert.Equal(t, test.want, verdictOf(read.points), "%+v", test)
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
				if value := first(key, ""); value != "" && value != "main" {
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

// One cell beyond the bound in which scheme 6 is faster, and not by chance, refutes it. Slots that hold arrays are not the paper's: they do
// not decide on its bound. Nor do cells on this side of it.
func TestBeyondTheBound(t *testing.T) {
	name := func(scheme, levels, T string) string {
		return "Lifetime/scheme=" + scheme + "/n=1k/M=256" + levels + "/T=" + T
	}
	table := tableOf(t, map[string][]float64{
		name("hashunsorted", "", "4k") + " ns/op": unit, name("hierarchical", "/m=128x128", "4k") + " ns/op": scaled(steady, 1.1),
		name("hashunsorted", "", "8k") + " ns/op": unit, name("hierarchical", "/m=128x128", "8k") + " ns/op": {1.01, 1.9, 1.02},
	})
	for _, test := range []struct {
		form   choice.Form
		times  string
		T      schemes.Tick
		winner choice.Winner
		want   Verdict
	}{
		{choice.Linked, "4k", 1 << 20, 6, Fails}, {choice.Linked, "4k", 1 << 20, 7, Holds},
		{choice.Linked, "4k", 1 << 20, choice.Tie, Undecided}, {choice.Linked, "8k", 1 << 20, 6, Undecided},
		{choice.Linked, "4k", 512, 6, Undecided}, {choice.Linked, "4k", 513, 6, Fails}, {choice.Chunked, "4k", 1 << 20, 6, Undecided},
	} {
		cell := choice.Cell{Regime: &choice.Regime{Form: test.form, Ratio: results.Estimate{Median: 1, Hi: 1, N: 12}}, Winner: test.winner}
		cell.Slots, cell.Levels, cell.Spec.T = 256, []int{128, 128}, test.T
		cell.Key = results.ParseKey(name("hierarchical", "/m=128x128", test.times))
		read := &timings{Table: table, choice: &choice.Choice{Cells: []choice.Cell{cell}}}
		boundDecides(read)
		assert.Equal(t, test.want, verdictOf(read.points), "%+v", test)
	}
}

// Instructions need no rounds. A file without them says nothing of them.
func TestClaimsOfInstructions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	const cell = "Benchmark%s/scheme=%s/n=1k/M=64/T=1k/dist=exp/stop=0/set=instructions\t1\t%v instr/op\n"
	text := "# round 0\n" + fmt.Sprintf(cell, "Start", "hierarchical", 210) + fmt.Sprintf(cell, "Start", "hashunsorted", 100)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	points := timed(table)["V-4"].points
	require.Len(t, points, 1)
	assert.Equal(t, exact(2.1), points[0].Measured)
	assert.Equal(t, Fails, points[0].Verdict())

	without, l := &timings{Table: &results.Table{}}, &line{}
	require.NoError(t, l.parse("Start/instr/op of tree where set=instructions over null ≤ 5"))
	without.line(l)
	assert.NoError(t, without.missing)
}
