package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

// raw makes raw files of some cells.
type raw struct {
	machine string // further lines at the head
	rounds  int
	noise   func() float64 // of a sample; nil: by some percent, and no two are equal
	cells   []rawCell
}

// rawCell is a cell that takes about ns, and what follows its time on each line.
type rawCell struct {
	name string
	ns   float64
	rest string
}

// text returns the file.
func (r raw) text() string {
	var b strings.Builder
	b.WriteString("Unit visits/op assume=exact better=lower\ngoos: linux\ncpu: Test CPU\n" + r.machine)
	for round := range r.rounds {
		fmt.Fprintf(&b, "# round %d\n", round)
		for i, c := range r.cells {
			noise := 1 + 0.01*float64((round*7+i*3)%10)/10 + 0.0001*float64(i)
			if r.noise != nil {
				noise = r.noise()
			}
			fmt.Fprintf(&b, "Benchmark%s\t1000\t%v ns/op%s\n", c.name, c.ns*noise, c.rest)
		}
	}
	return b.String() + "PASS\n"
}

func (r raw) table(t *testing.T) *results.Table { return tableOf(t, r.text()) }

func tableOf(t *testing.T, text string) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

// with returns a copy with one cell altered.
func (r raw) with(i int, alter func(*rawCell)) raw {
	r.cells = slices.Clone(r.cells)
	alter(&r.cells[i])
	return r
}

// without returns a copy that lacks a cell.
func (r raw) without(i int) raw {
	r.cells = slices.Delete(slices.Clone(r.cells), i, i+1)
	return r
}

const (
	wheel, control, heap, null = 0, 1, 2, 3
)

// good has an A/A pair, another scheme and the null scheme.
func good() raw {
	return raw{rounds: 8, cells: []rawCell{
		{"Start/scheme=wheel/n=1k", 10, "\t2 visits/op"},
		{"Start/scheme=wheel-again/n=1k", 10, "\t2 visits/op"},
		{"Start/scheme=heap/n=1k", 20, ""},
		{"Start/scheme=null/n=1k", 1, ""},
	}}
}

// checked compares the texts of two files.
func checked(t *testing.T, base, now string, share float64) *Result {
	t.Helper()
	r, err := Check(tableOf(t, base), tableOf(t, now), share)
	require.NoError(t, err)
	return r
}

// faults returns the kinds and cells of what a gate finds, as "kind cell unit".
func faults(t *testing.T, base, now raw, share float64) []string {
	t.Helper()
	return found(checked(t, base.text(), now.text(), share))
}

func found(r *Result) (all []string) {
	for _, f := range r.Faults {
		all = append(all, strings.TrimSpace(string(f.Kind)+" "+f.Cell+" "+f.Unit))
	}
	return all
}

func TestCheck(t *testing.T) {
	rest := func(text string) func(*rawCell) { return func(c *rawCell) { c.rest = text } }
	slower := func(factor float64) func(*rawCell) { return func(c *rawCell) { c.ns *= factor } }
	const timed = 0.1
	other, few := good(), good()
	other.machine, few.rounds = "cores: 64\n", 5
	const wheelName, heapName = " Start/scheme=wheel/n=1k", " Start/scheme=heap/n=1k"
	for _, test := range []struct {
		name string
		now  raw
		time float64
		want []string
	}{
		{"same", good(), timed, nil},
		{"other machine", other, 0, nil}, // counts are the same everywhere
		{"other machine, timed", other, timed, []string{"not judged  ns/op"}},
		{"few rounds", few, 0, nil},
		{"few rounds, timed", few, timed, []string{"not judged" + wheelName + " ns/op", "not judged" + heapName + " ns/op"}},
		{"count grew", good().with(wheel, rest("\t3 visits/op")), 0, []string{"changed" + wheelName + " visits/op"}},
		{"count fell", good().with(wheel, rest("\t1.999999 visits/op")), 0, []string{"changed" + wheelName + " visits/op"}},
		{"count fell to 0", good().with(wheel, rest("")), 0, []string{"changed" + wheelName + " visits/op"}},
		{"count from 0", good().with(heap, rest("\t1 visits/op")), 0, []string{"changed" + heapName + " visits/op"}},
		{"missing", good().without(heap), 0, []string{"missing" + heapName}},
		{"slower, times not asked for", good().with(heap, slower(1.5)), 0, nil},
		{"slower", good().with(heap, slower(1.2)), timed, []string{"slower" + heapName + " ns/op"}},
		{"slower, of an A/A pair", good().with(wheel, slower(1.2)), timed, []string{"slower" + wheelName + " ns/op"}},
		{"slower than is allowed by little", good().with(heap, slower(1.08)), timed, nil},
		{"faster", good().with(heap, slower(0.5)), timed, nil},
		{"null is slower", good().with(null, slower(1.5)), timed, nil},
		{"an A/A pair that differs", good().with(control, slower(1.5)), timed, nil},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, faults(t, good(), test.now, test.time)) })
	}
	still := good()
	still.noise = func() float64 { return 1 }
	assert.Empty(t, faults(t, still, still.with(heap, slower(1.1)), timed), "as much as is allowed, without any spread")
	v := checked(t, still.text(), still.with(heap, slower(1.11)).text(), timed)
	require.Len(t, v.Faults, 1)
	assert.Equal(t, "the geometric mean grew by 11 %; 10 % are allowed, p = 0 of 2 times", v.Faults[0].Why)
}

// A cell of which no value is a result, as its percentiles are below the clock's limit, may not go missing.
func TestCheckOfACellWithoutValues(t *testing.T) {
	base := good()
	base.machine = "# round 9\nBenchmarkPerTickLatency/scheme=wheel/n=1k 10 2000 limit-ns\n"
	assert.Empty(t, faults(t, base, base, 0))
	assert.Equal(t, []string{"missing PerTickLatency/scheme=wheel/n=1k"}, faults(t, base, good(), 0))
}

// Counts of other operations are other counts, and no change to accept: one fault for each workload, whatever differs
// in it.
func TestCheckOfOtherOperations(t *testing.T) {
	streamed := func(hash string) raw {
		r := good().with(heap, func(c *rawCell) { c.name = "Stop/scheme=heap/n=2k" })
		r.machine = "# stream Operations/n=1k " + hash + "\n"
		return r
	}
	changed := streamed("22").with(wheel, func(c *rawCell) { c.rest = "\t3 visits/op" })
	assert.Empty(t, faults(t, streamed("11"), streamed("11"), 0))
	assert.Equal(t, []string{"not judged Operations/n=1k"}, faults(t, streamed("11"), changed, 0))
	v := checked(t, streamed("11").text(), changed.text(), 0)
	assert.Equal(t, 1, v.Cells)
	assert.Contains(t, v.Faults[0].Why, "cells not compared: 3")
}

// A gate that compared nothing is not passed: files of go test -bench have times.
func TestCheckOfNothing(t *testing.T) {
	plain := raw{rounds: 6, cells: []rawCell{{"Foo", 5, "\t48 B/op"}, {"Bar", 7, "\t48 B/op"}}}
	_, err := Check(plain.table(t), plain.table(t), 0)
	assert.ErrorIs(t, err, ErrNothing)
	v := checked(t, plain.text(), plain.text(), 0.1) // times need no A/A pair
	assert.True(t, v.OK())
	assert.Equal(t, 2, v.Times)

	v = checked(t, good().without(heap).text(), good().text(), 0)
	assert.True(t, v.OK())
	assert.Equal(t, []string{"Start/scheme=heap/n=1k"}, v.Added)
}

// Under load the fixed loop is slower too: the gate says so, and blames no cell.
func TestCheckOfAMachineUnderLoad(t *testing.T) {
	spinning := func(factor float64) raw {
		r := good()
		r.cells = append(r.cells, rawCell{"Spin", 2, ""})
		for i := range r.cells {
			r = r.with(i, func(c *rawCell) { c.ns *= factor })
		}
		return r
	}
	assert.Empty(t, faults(t, spinning(1), spinning(1.05), 0.1))
	for _, factor := range []float64{1.3, 0.7} {
		v := checked(t, spinning(1).text(), spinning(factor).text(), 0.1)
		require.Len(t, v.Faults, 1)
		assert.Equal(t, NotJudged, v.Faults[0].Kind)
		assert.Contains(t, v.Faults[0].Why, "not as fast")
		assert.Empty(t, faults(t, spinning(1), spinning(factor), 0))
	}
}

// A run with a wrong outcome has no samples, and its cell is missing with the reason. It is no base, and neither is a
// run that was killed, which does not pass.
func TestCheckOfRunsThatFailed(t *testing.T) {
	wrong, killed := good(), good()
	wrong.machine, killed.machine = "# error Operations/scheme=heap/n=1k: lost a timer\n", "# argv [\"run\"]\n# rounds 9\n"
	v := checked(t, good().text(), wrong.text(), 0)
	require.Len(t, v.Faults, 2)
	assert.Equal(t, "wrong outcome here: lost a timer", v.Faults[0].Why)
	assert.Equal(t, "lost a timer", v.Faults[1].Why, "of the cell")
	v = checked(t, wrong.text(), good().text(), 0)
	require.Len(t, v.Faults, 1, "not a base")
	assert.Equal(t, "wrong outcome in the base: lost a timer", v.Faults[0].Why)
	assert.Equal(t, []string{"incomplete"}, faults(t, killed, good(), 0))
	assert.Equal(t, "here: raw.txt: 8 of 9 rounds, interrupted", checked(t, good().text(), killed.text(), 0).Faults[0].Why)
}

// goTest is what go test prints of a package under one GOMAXPROCS: ten samples of a cell and of its control.
func goTest(pkg, procs string, ns float64, visits string) string {
	text := "Unit visits/op assume=exact\npkg: " + pkg + "\n"
	for _, name := range []string{"Start/scheme=wheel", "Start/scheme=wheel-again", "Spin"} {
		for i := range 10 {
			time := ns * (1 + 0.001*float64(i*7%10+len(name)))
			if name == "Spin" {
				time = 5
			}
			text += fmt.Sprintf("Benchmark%s%s\t%d\t%.2f ns/op\t%s visits/op\n", name, procs, 1_000_000_000, time, visits)
		}
	}
	return text + "PASS\nok  \t" + pkg + "\t1s\n"
}

// Results of one name from two packages, or under two GOMAXPROCS, are different cells, however many of them the two
// files have.
func TestCheckKeepsPackagesAndProcessorsApart(t *testing.T) {
	a, b, worse := goTest("x/a", "-4", 18.5, "3"), goTest("x/b", "-4", 118.5, "3"), goTest("x/a", "-4", 37, "3")
	other := goTest("x/b", "-4", 118.5, "7")
	one, two, eight := goTest("x/a", "", 118.5, "3"), goTest("x/a", "-2", 37, "3"), goTest("x/a", "-8", 18.5, "3")
	gone := func(key string) []string {
		return []string{"missing Start/scheme=wheel" + key, "missing Start/scheme=wheel-again" + key, "missing Spin" + key}
	}
	for name, test := range map[string]struct {
		base, now string
		time      float64
		want      []string
	}{
		"same":                           {a + b + eight, a + b + eight, 0.1, nil},
		"other order":                    {a + b, b + a, 0.1, nil},
		"package is gone":                {a + b, a, 0, gone("/pkg=x/b")},
		"another package":                {a, b, 0, gone("/pkg=x/a")},
		"package is added":               {a, a + b, 0.1, nil},
		"package is slower":              {a + b, worse + b, 0.1, []string{"slower Start/scheme=wheel/pkg=x/a ns/op"}},
		"packages are swapped":           {a + b, goTest("x/a", "-4", 118.5, "3") + goTest("x/b", "-4", 18.5, "3"), 0.1, []string{"slower Start/scheme=wheel/pkg=x/a ns/op"}},
		"counts differ by package":       {a + other, a + other, 0.1, nil},
		"count of a package":             {a + b, a + other, 0, []string{"changed Start/scheme=wheel/pkg=x/b visits/op", "changed Start/scheme=wheel-again/pkg=x/b visits/op", "changed Spin/pkg=x/b visits/op"}},
		"processors are gone":            {one + eight, eight, 0, gone("/gomaxprocs=1")},
		"processors are added":           {eight, one + eight, 0.1, nil},
		"slower on 8":                    {one + eight, one + goTest("x/a", "-8", 37, "3"), 0.1, []string{"slower Start/scheme=wheel/gomaxprocs=8 ns/op"}},
		"other processors":               {one + eight, two + goTest("x/a", "-16", 9, "3"), 0.1, append(gone("/gomaxprocs=1"), gone("/gomaxprocs=8")...)},
		"another machine":                {eight, two, 0, nil},
		"another machine, timed":         {eight, two, 0.1, []string{"not judged  ns/op"}},
		"packages that are not recorded": {a, strings.Replace(a, "pkg: x/a\n", "", 1), 0.1, nil},
	} {
		assert.Equal(t, test.want, found(checked(t, test.base, test.now, test.time)), name)
	}
}

// made is a file of cells whose processes differ by a share, and their rounds by another one; of burst of 100 rounds one
// takes up to five times as long. The first cell is slower by a factor.
func made(random *rand.Rand, cells, rounds int, process, round float64, burst int, factor float64) string {
	p := raw{rounds: rounds, noise: func() float64 {
		v := math.Exp(round * random.NormFloat64())
		if random.IntN(100) < burst {
			v *= 1 + 4*random.Float64()
		}
		return v
	}}
	for i := range cells {
		p.cells = append(p.cells, rawCell{fmt.Sprintf("Start/scheme=s%d/n=1k", i), 100 * math.Exp(process*random.NormFloat64()), ""})
	}
	p.cells[0].ns *= factor
	return p.text()
}

// Equal files raise no alarm, whatever varies between processes and however heavy the tails of their times, and a cell
// that is slower is found among many.
func TestFalseAlarmsAndPower(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		cells, rounds  int
		process, round float64
		burst          int
		factor         float64
		runs           int
		alarms, found  int // runs with an alarm, at most, and in which the slow cell is found, at least
		says           string
	}{
		{20, 10, 0.02, 0.03, 0, 1.2, 40, 2, 32, "Of 40 pairs of files with 20 equal times each, whose processes differ by 2 %%, " +
			"`check --time 10%%`\ncalls a time slower in %d; of 40 that are 20 %% slower it finds %d"},
		{50, 7, 0, 0.03, 10, 1, 100, 5, 0, "of 100 pairs in which one time in ten takes up to five times as long, in %d"},
		{1000, 6, 0, 0.05, 0, 2, 2, 0, 2, ""},
	} {
		alarms, found := 0, 0
		for range test.runs {
			alarmed := false
			base := made(random, test.cells, test.rounds, test.process, test.round, test.burst, 1)
			for _, f := range checked(t, base, made(random, test.cells, test.rounds, test.process, test.round, test.burst, test.factor), 0.1).Faults {
				if test.factor > 1 && f.Cell == "Start/scheme=s0/n=1k" {
					found++
				} else {
					alarmed = true
				}
			}
			if alarmed {
				alarms++
			}
		}
		assert.LessOrEqual(t, alarms, test.alarms, "%+v", test)
		assert.GreaterOrEqual(t, found, test.found, "%+v", test)
		numbers := []any{alarms, found}
		says := fmt.Sprintf(test.says, numbers[:strings.Count(test.says, "%d")]...)
		assert.Contains(t, string(readme), says, ([]int{alarms, found}))
	}
}

// Instructions are compared in both directions, to half a percent, where processor, Go and architecture agree.
func TestInstructions(t *testing.T) {
	text := func(rest string) string {
		r := raw{rounds: 1, machine: "go: go1\ngoarch: amd64\n", cells: []rawCell{{"Start/scheme=tree/n=1k", 10, rest}}}
		return r.text()
	}
	const cell = " Start/scheme=tree/n=1k instr/op"
	for _, test := range []struct {
		rest, head string
		compared   int
		want       []string
		other      string
	}{
		{"\t100.4 instr/op", "", 1, nil, ""},
		{"\t100.6 instr/op", "", 1, []string{"changed" + cell}, ""},
		{"\t99.4 instr/op", "", 1, []string{"changed" + cell}, ""},
		{"", "", 0, []string{"missing" + cell}, ""},
		{"\t200 instr/op", "cpu", 0, nil, "cpu is Test CPU in the base and B here"},
		{"\t200 instr/op", "go", 0, nil, "go is go1 in the base and B here"},
	} {
		now := regexp.MustCompile("(?m)^("+test.head+"): .*").ReplaceAllString(text(test.rest), "$1: B")
		r := checked(t, text("\t100 instr/op"), now, 0)
		assert.Equal(t, test.want, found(r), test.rest)
		assert.Equal(t, test.compared, r.Instructions, test.rest)
		assert.Equal(t, test.other, r.OtherProcessor)
	}
}
