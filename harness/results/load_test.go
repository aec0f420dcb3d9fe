package results

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goodLines = "goos: linux\n\nUnit visits/op assume=exact better=lower\n# remark\nBenchmarkStart/scheme=a 10 1.5 ns/op 2 visits/op\n"

// file writes text into a file of its own.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// text returns the text of a file.
func text(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// loaded reads files that are good.
func loaded(t *testing.T, paths ...string) *Table {
	t.Helper()
	table, err := Load(paths...)
	require.NoError(t, err)
	return table
}

// refused reads files, of which the error must contain want.
func refused(t *testing.T, want string, paths ...string) {
	t.Helper()
	_, err := Load(paths...)
	assert.ErrorContains(t, err, want)
}

// otherText is what go test prints, and what programs print in it, besides results.
var otherText = []string{
	"garbage", "Start/scheme=a 10 1.5 ns/op", "Goos: linux", "go os: linux", ": linux", "12:30:07 up", "<html>",
	"=== RUN   TestX", "--- PASS: TestX (0.00s)", "--- BENCH: BenchmarkB-12", "    b_test.go:12: 5 ns/op", "\t... [output truncated]",
	"--- SKIP: BenchmarkC", "?   \tq\t[no test files]", "2026/01/02 10:00:00 starting", "exit status 1", "FAILED to connect",
}

// Lines that are no results are counted. A file of ours has none.
func TestLoadSkipsOtherText(t *testing.T) {
	const head = "goos: linux\npkg: p\nBenchmarkB\n"
	for _, text := range otherText {
		table := loaded(t, file(t, "\ufeff"+head+text+"\nBenchmarkB-12  \t 10\t 1.5 ns/op\t 0 B/op\nPASS\nok  \tp\t1.2s\n"))
		assert.Equal(t, 1, table.OtherText, text)
		assert.Equal(t, []Key{{Op: "B"}}, table.Keys, text)
		refused(t, "raw.txt:7: ", file(t, "# round 0\n"+goodLines+text+"\n"))
	}
	var log strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&log, "progress: %d\n", i)
	}
	assert.Less(t, len(loaded(t, file(t, log.String()+"BenchmarkB 10 1.5 ns/op\n")).Machine["progress"]), 1100)
	refused(t, "no benchmark results in the file (lines of other text: 1)", file(t, "<html>\n"))
	refused(t, "raw.txt: the text is UTF-16 (save it as UTF-8)", file(t, "\xff\xfeB\x00"))
	for _, packed := range []string{"\x1f\x8b\b\x00", "BZh91AY&SY\n", "\xfd7zXZ\x00\n", "\x28\xb5\x2f\xfd\n", "PK\x03\x04\n"} {
		refused(t, "raw.txt: the file is compressed (unpack it first)", file(t, packed))
	}
	refused(t, "raw.txt: the text is UTF-16 or binary (save it as UTF-8)", file(t, "B\x00e\x00\n\x00"))
	refused(t, "raw.txt:4: \"hello BenchmarkB 10 1.5 ns/op\" has a result after other text", file(t, head+"hello BenchmarkB 10 1.5 ns/op\n"))
	refused(t, `raw.txt:4: "BenchmarkB-12\thello" has no values`, file(t, head+"BenchmarkB-12\thello\n"))
}

func TestLoadNamesBrokenLines(t *testing.T) {
	_, err := Load(file(t, "# round 0\n"+goodLines+"# round 1\n"+goodLines))
	require.NoError(t, err, "a resumed file, which names its units twice")
	const name = "BenchmarkStart/scheme=a"
	for _, line := range []string{
		name, name + " 10", name + " 10 1.5", name + " 10 1.5 ns/op 2", name + " ten 1.5 ns/op", name + " 10 fast ns/op",
		name + " 1.5 10 ns/op", name + " 10 1,5 ns/op", name + " 10 NaN ns/op", name + " 10 0 ns/op", name + " 10 -1 ns/op",
		"Unit", "Unit visits/op assume", "--- FAIL: BenchmarkStart", "    --- FAIL: BenchmarkStart/n=1k",
		"panic: boom", "panic: test timed out after 1s", "fatal error: all goroutines are asleep - deadlock!",
		"FAIL\tp [build failed]", "FAIL", // go test prints it after results that are not to be believed
	} {
		path := file(t, goodLines+line+"\n"+goodLines)
		refused(t, path+":6:", path)
	}
}

// run is a file of ours, with some rounds of three cells, whose times come from a stream of their own.
func run(seed uint64, rounds int, digits string) string {
	random, text := rand.New(rand.NewPCG(seed, 1)), "Unit visits/op assume=exact\n"
	for round := range rounds {
		text += fmt.Sprintf("# round %d\n", round)
		for _, cell := range []string{"Start/n=1k", "Stop/n=1k", "Lifetime/n=1k"} {
			text += fmt.Sprintf("Benchmark%s\t1000\t"+digits+" ns/op\t3 visits/op\nBenchmark%[1]s/memory\t1\t64 B/timer\n",
				cell, 10*(1+0.03*random.Float64()))
		}
	}
	return text
}

// A copy of a file, or of a part of it, has some of its samples, and a sample that comes in twice makes intervals of too
// few samples look finite. Another run has none, but if times have few digits, some of them are equal.
func TestLoadRefusesSamplesTwice(t *testing.T) {
	path, other := file(t, goodLines), file(t, goodLines)
	refused(t, path+" has the results of "+path+" again", path, path)
	refused(t, other+" has the results of "+path+" again (name each file once, and no copy of it)", path, other)
	before, now := run(1, 3, "%.6g"), run(1, 6, "%.6g")
	lines := strings.SplitAfter(now, "\n")
	renumbered := strings.NewReplacer("# round 0", "# round 8", "# round 1", "# round 9").Replace(before)
	for _, copied := range []string{
		before, strings.Join(slices.Delete(slices.Clone(lines), 17, 18), ""),
		renumbered, now[strings.Index(now, "# round 4"):],
		before + strings.ReplaceAll(run(2, 2, "%.6g"), "# round ", "# round 1"),
	} {
		first, second := file(t, now), file(t, copied)
		refused(t, second+" has the results of "+first+" again", first, second)
	}
	for _, digits := range []string{"%.6g", "%.4g", "%.3g"} {
		for seed := range uint64(20) {
			loaded(t, file(t, run(2*seed, 6, digits)), file(t, run(2*seed+1, 6, digits)))
		}
	}
}

// One run of go test appended to itself has every sample twice; another run appended has more samples.
func TestLoadRefusesAFileJoinedToItself(t *testing.T) {
	goTest := func(seed int) string {
		text := "pkg: p\n"
		for i := range 5 {
			text += fmt.Sprintf("BenchmarkB-2\t1000\t%d.%d ns/op\n", 10+i, seed)
		}
		return text + "PASS\nok  \tp\t1s\n"
	}
	path := file(t, goTest(1)+goTest(1))
	refused(t, path+" has its first half again (name each run once)", path)
	assert.Len(t, loaded(t, file(t, goTest(1)+goTest(2))).Samples(Key{Op: "B"}, "ns/op"), 10)
	loaded(t, file(t, strings.Repeat("BenchmarkB 1000 5 ns/op\n", 6))) // times of few digits come again
}

// A run that was interrupted is not whole until it has been continued to its end.
func TestIncomplete(t *testing.T) {
	const argv, row = "# argv [\"run\"]\n", "BenchmarkStart/n=1 1 5 ns/op\n"
	begun := argv + "# rounds 3\n# round 0\n" + row + "PASS\n# round 1\n" + row
	ended := begun + "PASS\n# round 2\n" + row + "PASS\n"
	for _, test := range []struct{ text, want string }{
		{argv + "# round 0\n" + row, ""}, // how many rounds is not recorded
		{row, ""},                        // go test's
		{begun, "raw.txt: 2 of 3 rounds, interrupted"},
		{ended, "raw.txt: 3 of 3 rounds, interrupted"},
		{ended + "# finished\nPASS\n", ""},
		{ended + "# finished\nPASS\n# resumed [\"run\"]\n# rounds 9\n", "raw.txt: 3 of 9 rounds, interrupted"},
		{begun + "# resumed [\"run\"]\n# rounds 2\n# finished\n", ""},
	} {
		assert.Equal(t, test.want, strings.Join(loaded(t, file(t, test.text)).Incomplete(), "; "), test.text)
	}
	path := file(t, ended)
	unfinished, err := Resume(path)
	require.NoError(t, err)
	raw, err := unfinished.Raw(nil)
	require.NoError(t, err)
	require.NoError(t, errors.Join(raw.Finish(), raw.Close()))
	assert.Empty(t, loaded(t, path).Incomplete())
	assert.True(t, strings.HasSuffix(text(t, path), "\n# finished\nPASS\n"))
}

// A unit cut in half would be read as another unit, and the sample would be lost without an error. The
// writing breaks off at every place of the last line.
func TestLoadRefusesALastLineThatBreaksOff(t *testing.T) {
	for end := strings.Index(goodLines, "Benchmark") + 1; end < len(goodLines); end++ {
		_, err := Load(file(t, goodLines+goodLines[:end]))
		assert.ErrorIs(t, err, ErrTorn, goodLines[:end])
	}
}

// A scheme that was wrong in one round has no time in any: neither of the
// operations of that run nor of others that the same run timed.
func TestFailedCellsHaveNoSamples(t *testing.T) {
	const keys = "scheme=a/n=1k/M=64/T=10/dist=exp/stop=0"
	table := loaded(t, file(t, "# round 0\nBenchmarkStart/"+keys+" 10 1.5 ns/op\nBenchmarkPerTick/"+keys+" 10 1.5 ns/op\n"+
		"BenchmarkLifetime/"+keys+" 10 1.5 ns/op\nBenchmarkSpin 10 1.5 ns/op\n# round 1\n# error Operations/"+keys+": outcome\n"))
	assert.Equal(t, []Key{ParseKey("Lifetime/" + keys), {Op: units.SpinName}}, table.Keys)
	for op, failed := range map[string]bool{"Start/": true, "PerTick/": true, "Lifetime/": false, "PerTickLatency/": false} {
		assert.Equal(t, failed, table.Failed(ParseKey(op+keys)), op)
		_, err := table.Median(ParseKey(op+keys), "ns/op")
		assert.Equal(t, op != "Lifetime/", err != nil, op)
	}
}

// Of a run that did not end in good order the last sample is left out, since it may be
// incomplete: the lines at the end that have the same keys, and a truncated one.
func TestLoadUnfinished(t *testing.T) {
	const head = "cpu: one\n# round 0\nBenchmarkLifetime/scheme=a/n=1\t1\t5 ns/op\n"
	const start = "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\n"
	for before, want := range map[string]string{
		head + "PASS\n":              head + "PASS\n",
		head + start:                 head,
		head + start + "BenchmarkS":  head,
		head + start + "# round 1\n": head + start + "# round 1\n",
		head + start + "# round 1":   head,
		head + start + strings.Replace(start, "Start", "Stop", 1): head,
		head + "# round 1\nBenchmarkSpin\t1\t5 ns/op\n":           head + "# round 1\nBenchmarkSpin\t1\t5 ns/op\n",
	} {
		path := file(t, before)
		unfinished, err := Resume(path)
		require.NoError(t, err)
		assert.NotEmpty(t, unfinished.Keys)
		raw, err := unfinished.Raw(nil)
		require.NoError(t, err)
		require.NoError(t, raw.Close())
		assert.True(t, strings.HasPrefix(text(t, path), want+"Unit "), "it continues there")
	}
	for _, nothing := range []string{"", "Unit a b=c\n", "BenchmarkStart/n=1 5"} {
		_, err := LoadUnfinished(file(t, nothing))
		assert.ErrorContains(t, err, "neither a command nor benchmark results in the file (remove it and measure anew)")
	}
}

// While a run may continue a file, no other can, though all may read it.
func TestAFileHasOneWriter(t *testing.T) {
	path := file(t, goodLines+"PASS\n")
	first, err := Resume(path)
	require.NoError(t, err)
	refused := func() {
		_, err := Resume(path)
		assert.ErrorContains(t, err, path+" is being written by ")
	}
	refused()
	raw, err := first.Raw(nil)
	require.NoError(t, err)
	require.NoError(t, raw.Result(result("Start/scheme=b", 1, 0)))
	refused()
	read, err := LoadUnfinished(path)
	require.NoError(t, err)
	assert.Len(t, read.Keys, 1, "the last sample may be incomplete")
	require.NoError(t, raw.Close())
	second, err := Resume(path)
	require.NoError(t, err)
	assert.Len(t, second.Keys, 2)
	require.NoError(t, second.Close())
}

func TestWhatIsWrongWithAFileIsNamed(t *testing.T) {
	const row, command = "BenchmarkStart/scheme=a 10 1.5 ns/op\n", "# argv [\"run\"]\n"
	for text, want := range map[string]string{
		"code: a=1\n" + row + "code: a=2\nBenchmarkStop 1 5 ns/op\n":      ":3: code is a=2 here and a=1 before",
		"BenchmarkA 10 1e999 ns/op\n":                                     `:1: invalid number "1e999" (use a finite number, as in 1.5)`,
		"BenchmarkA ten 1 ns/op\n":                                        `:1: invalid number "ten" (use a whole number of iterations)`,
		"# skipped Start/scheme=b: why\n" + row:                           `:1: invalid remark "skipped Start/scheme=b: why" (use # skipped NAME KIND: reason, or # error`,
		"# argv run\n" + row:                                              `:1: invalid arguments "run" (use a JSON array of strings`,
		command + row + command + row:                                     ":3: a second command: files were joined (name each of them instead)",
		"# round 0\n" + row + "# round 1\n" + row + row:                   ":5: duplicate: Start/scheme=a has a second value of ns/op in round 1",
		"Unit visits/op assume=exact\nBenchmarkA 1 5 us/op 2 visits/op\n": "A: 1 of its results count visits/op and 0 have a time in ns/op",
		"": "raw.txt: no benchmark results", "\n\n": "raw.txt: no benchmark results", "goos: linux\n": "raw.txt: no benchmark results",
		"# skipped Start/scheme=a slow: why\n": "raw.txt: no benchmark results",
	} {
		refused(t, want, file(t, text))
	}
	missing := filepath.Join(t.TempDir(), "none.txt")
	_, err := Load(missing)
	assert.ErrorIs(t, err, os.ErrNotExist)
	refused(t, missing, missing)
	refused(t, "no benchmark results")
	refused(t, "is a directory", t.TempDir())
}

// A count that is left out is 0; a cell that was not measured has none.
func TestCount(t *testing.T) {
	table := loaded(t, write(t, nil, func(r *Raw) { require.NoError(t, r.Result(result("Start/scheme=a", 1, 3))) }))
	visits, err := table.Count(ParseKey("Start/scheme=a"), units.VisitsPerOp)
	require.NoError(t, err)
	assert.Equal(t, 3.0, visits)
	migrations, err := table.Count(ParseKey("Start/scheme=a"), units.MigrationsPerOp)
	require.NoError(t, err)
	assert.Zero(t, migrations)
	_, err = table.Count(ParseKey("Start/scheme=b"), units.VisitsPerOp)
	assert.ErrorIs(t, err, ErrNoSamples)
}

// What goes on with a file asks what it has. A cell that failed is done for good: none
// of its samples counts, and making them again would put two of a round into the file.
func TestHas(t *testing.T) {
	table := loaded(t, file(t, `# round 0
BenchmarkHold/scheme=a/n=1k/T=10 1 5 ns/op
BenchmarkHold/scheme=b/n=1k/T=10 1 5 ns/op
# round 1
BenchmarkHold/scheme=a/n=1k/T=10 1 5 ns/op
BenchmarkStart/scheme=d/n=1k/T=10 1 5 ns/op
BenchmarkPerTick/scheme=e/n=1k/T=10 1 5 ns/op
# error Hold/scheme=b/n=1k/T=10: late
# skipped Operations/scheme=f/n=1k/T=10 slow: too long
`))
	for cell, want := range map[string][3]bool{ // in rounds 0, 1 and 2
		"Hold/scheme=a": {true, true, false}, "Hold/scheme=b": {true, true, true}, "Hold/scheme=c": {},
		"Operations/scheme=d": {}, "Operations/scheme=e": {false, true, false}, "Operations/scheme=g": {},
	} {
		for round, has := range want {
			assert.Equal(t, has, table.Has(cell+"/n=1k/T=10", round), "%s in round %d", cell, round)
		}
	}
	assert.True(t, table.Skipped("Operations/scheme=f/n=1k/T=10"))
	assert.False(t, table.Skipped("Hold/scheme=b/n=1k/T=10"), "it failed")
}
