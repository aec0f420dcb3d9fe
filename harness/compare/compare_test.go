package compare

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
)

func compared(t *testing.T, q Query, args ...string) *Comparison {
	t.Helper()
	files, err := Load(args...)
	require.NoError(t, err)
	c, err := Compare(files, q)
	require.NoError(t, err)
	return c
}

func rowsOf(c *Comparison, unit string) []Row {
	for _, p := range c.Pairs {
		if p.Unit == unit {
			return p.Rows
		}
	}
	return nil
}

func TestCompareFindsWhatChanged(t *testing.T) {
	old, slow := good(), good().with(heap, func(c *rawCell) { c.ns *= 1.2 })
	slow = slow.with(wheel, func(c *rawCell) { c.rest = "\t3 visits/op\t48 B/op\t1 allocs/op" })
	c := compared(t, Query{}, "old="+old.path(t), "new="+slow.path(t))
	assert.Equal(t, "old", c.Base)
	assert.Empty(t, c.Missing)
	for _, r := range rowsOf(c, "ns/op") {
		slower := r.Name == "Start/scheme=heap/n=1k"
		assert.Equal(t, slower, r.Changed(), r.Name)
		assert.Equal(t, slower, r.Ratio.Lo > 1, "the interval agrees with the test: %s", r.Name)
	}
	for _, r := range rowsOf(c, "visits/op") {
		assert.Equal(t, r.Name == "Start/scheme=wheel/n=1k", r.Changed(), r.Name)
	}
	assert.Contains(t, c.findings(), "1 of 12 measured values and 1 of 2 exact counts changed; 0 missing.")
	var out strings.Builder
	require.NoError(t, c.Page(0, "").Write(&out, report.Text))
	assert.NotContains(t, out.String(), "needs 6 rounds", "a ratio to 0 bytes has no interval, however many rounds")
}

// A cell, a unit, or a file's reason for a missing cell: none is dropped.
func TestCompareListsWhatIsMissing(t *testing.T) {
	old := good()
	less := good().with(null, func(c *rawCell) { c.rest = "" }).without(heap)
	less.machine = "# skipped Operations/scheme=heap/n=1k: it is too slow\n"
	c := compared(t, Query{}, "old="+old.path(t), "new="+less.path(t))
	assert.Equal(t, []Absent{
		{Row: "Start/scheme=heap/n=1k", Col: "new", Why: "it is too slow"},
		{Row: "Start/scheme=null/n=1k", Unit: "B/op", Col: "new"},
		{Row: "Start/scheme=null/n=1k", Unit: "allocs/op", Col: "new"},
	}, c.Missing)
	assert.Len(t, compared(t, Query{}, "old="+less.path(t), "new="+old.path(t)).Missing, 3, "the other way round")
}

// A count that a line omits is 0: it is a difference, not a missing value.
func TestCompareReadsAnOmittedCountAsZero(t *testing.T) {
	none := good().with(wheel, func(c *rawCell) { c.rest = "\t48 B/op\t1 allocs/op" })
	c := compared(t, Query{Filter: "/scheme:wheel"}, "old="+good().path(t), "new="+none.path(t))
	assert.Empty(t, c.Missing)
	rows := rowsOf(c, "visits/op")
	require.Len(t, rows, 1)
	assert.True(t, rows[0].Changed())
	assert.Zero(t, rows[0].New.Median)
}

func TestCompareByAnotherColumn(t *testing.T) {
	c := compared(t, Query{Row: ".name", Col: "/scheme@(wheel heap)", Filter: ".unit:ns/op"}, good().path(t))
	require.Len(t, c.Pairs, 1)
	assert.Equal(t, "heap", c.Pairs[0].Col)
	assert.InDelta(t, 2, c.Pairs[0].Rows[0].Ratio.Median, 0.02)
	assert.Equal(t, "Start", c.Pairs[0].Rows[0].Name)
	c = compared(t, Query{Row: ".name,/n", Col: "/scheme@(wheel heap)"}, good().path(t))
	assert.Equal(t, ".name:Start /n:1k", c.Pairs[0].Rows[0].Name)
	pooled := compared(t, Query{Row: ".name", Filter: ".unit:ns/op"}, "a="+good().path(t), "b="+good().with(heap,
		func(c *rawCell) { c.ns++ }).path(t))
	assert.Equal(t, []string{".fullname"}, pooled.Pooled, "schemes are pooled, and it is said")
}

func TestBadQueries(t *testing.T) {
	files, err := Load(good().path(t))
	require.NoError(t, err)
	for _, test := range []struct {
		q    Query
		part string
	}{
		{Query{Filter: "(("}, "filter"}, {Query{Filter: ".name:Nosuch"}, "filter"}, {Query{Row: "a@("}, "row"},
		{Query{Col: "@("}, "col"},
	} {
		_, err := Compare(files, test.q)
		var bad *QueryError
		require.ErrorAs(t, err, &bad, "%v", test.q)
		assert.Equal(t, test.part, bad.Part)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err = Compare(files, Query{})
	assert.ErrorContains(t, err, `col ".file": only `)
}

// What benchstat prints for the same files: medians, p, and the change where p is below
// its threshold.
func TestCompareAgreesWithBenchstat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a, b := raw{rounds: 10}, raw{rounds: 7}
	for i := range 40 {
		c := rawCell{name: "Start/scheme=s" + strconv.Itoa(i), ns: 5 + 20*random.Float64()}
		a.cells = append(a.cells, c)
		c.ns *= 1 + 0.012*random.NormFloat64()
		b.cells = append(b.cells, c)
	}
	old, now := a.path(t), b.path(t)
	out, err := exec.Command("go", "tool", "benchstat", "-format", "csv", old, now).Output()
	if err != nil {
		t.Skip("no benchstat: ", err)
	}
	table := csv.NewReader(strings.NewReader(string(out)))
	table.FieldsPerRecord = -1
	records, err := table.ReadAll()
	require.NoError(t, err)
	seen := 0
	for _, r := range rowsOf(compared(t, Query{}, old, now), "ns/op") {
		i := slices.IndexFunc(records, func(fields []string) bool { return fields[0] == r.Name })
		require.GreaterOrEqual(t, i, 0, r.Name)
		fields := records[i] // name, median, ±, median, ±, change, p
		for column, mine := range map[int]float64{1: r.Base.Median, 3: r.New.Median} {
			theirs, err := strconv.ParseFloat(fields[column], 64)
			require.NoError(t, err)
			assert.InEpsilon(t, theirs*1e9, mine, 1e-9)
		}
		p, _, _ := strings.Cut(strings.TrimPrefix(fields[6], "p="), " ")
		assert.Equal(t, p, pCell(r.P).Text, r.Name)
		if r.P <= 0.05 {
			seen++
			assert.Equal(t, fields[5], Row{Difference: r.Difference}.changeCell().Text, r.Name)
		}
	}
	assert.Greater(t, seen, 3, "some differ")
}

// The interval excludes 1 exactly where the U-test rejects at 5 %.
func TestTheIntervalAgreesWithTheTest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rejected := 0
	for range 500 {
		a, b := make([]float64, 4+random.IntN(60)), make([]float64, 4+random.IntN(60))
		for i := range a {
			a[i] = 10 + random.NormFloat64()
		}
		for i := range b {
			b[i] = 10.8 + random.NormFloat64()
		}
		r := differ(a, b, false)
		if max(len(a), len(b)) > 50 && math.Abs(r.P-0.05) < 0.005 {
			continue // both approximate by the normal distribution, with other corrections
		}
		outside := r.Ratio.Lo > 1 || r.Ratio.Hi < 1
		assert.Equal(t, r.P < 0.05, outside, "n = %d, %d; p = %v; %v", len(a), len(b), r.P, r.Ratio)
		if outside {
			rejected++
		}
	}
	assert.Greater(t, rejected, 100)
	assert.Less(t, rejected, 450)
}

func TestHolm(t *testing.T) {
	assert.InDeltaSlice(t, []float64{0.03, 0.06, 0.06, 0.02}, holm([]float64{0.01, 0.04, 0.03, 0.005}), 1e-12)
	assert.Empty(t, holm(nil))
}

// With few rounds and many rows nothing can be significant, and the page says so.
func TestCompareSaysWhenNothingCanBeSignificant(t *testing.T) {
	a, b := raw{rounds: 6}, raw{rounds: 6}
	for i := range 40 {
		a.cells = append(a.cells, rawCell{"Start/scheme=s" + strconv.Itoa(i), 10, ""})
		b.cells = append(b.cells, rawCell{"Start/scheme=s" + strconv.Itoa(i), 20, ""})
	}
	c := compared(t, Query{}, "a="+a.path(t), "b="+b.path(t))
	var out strings.Builder
	require.NoError(t, c.Page(0, "").Write(&out, report.Text))
	assert.Contains(t, out.String(), "too few samples")
	assert.Contains(t, c.findings(), "0 of 40 measured values")
}

func TestThresholdCountsWhatItHides(t *testing.T) {
	slow := good().with(heap, func(c *rawCell) { c.ns *= 1.2 })
	c := compared(t, Query{Filter: ".unit:ns/op"}, "old="+good().path(t), "new="+slow.path(t))
	var out strings.Builder
	require.NoError(t, c.Page(0.1, "").Write(&out, report.Text))
	assert.Contains(t, out.String(), "scheme=heap")
	assert.NotContains(t, out.String(), "scheme=null")
	assert.Contains(t, out.String(), "3 more rows differ by less than 10 %.")
}

func TestLoadPoolsLabels(t *testing.T) {
	other := good()
	other.rounds = 3
	files, err := Load("x="+good().path(t), "x="+other.path(t))
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Len(t, files[0].Table.Sources, 2)
	_, err = Load("x=" + t.TempDir() + "/none.txt")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
