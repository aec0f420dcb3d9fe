package results

import (
	"os"
	"path/filepath"
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

func TestLoadNamesBrokenLines(t *testing.T) {
	_, err := Load(file(t, "# round 0\n"+goodLines+"# round 1\n"+goodLines))
	require.NoError(t, err, "a resumed file, which names its units twice")
	_, err = Load(file(t, "goos: linux\npkg: timerlab/harness\nBenchmarkStart/scheme=a-2  \t 10\t 1.5 ns/op\t 0 B/op\nPASS\nok  \ttimerlab/harness\t1.2s\n"))
	require.NoError(t, err, "what go test prints")
	for _, line := range []string{
		"garbage",
		"Start/scheme=a 10 1.5 ns/op",
		"BenchmarkStart/scheme=a",
		"BenchmarkStart/scheme=a 10",
		"BenchmarkStart/scheme=a 10 1.5",
		"BenchmarkStart/scheme=a 10 1.5 ns/op 2",
		"BenchmarkStart/scheme=a ten 1.5 ns/op",
		"BenchmarkStart/scheme=a 10 fast ns/op",
		"BenchmarkStart/scheme=a 1.5 10 ns/op",
		"BenchmarkStart/scheme=a 10 1,5 ns/op",
		"Unit",
		"Unit visits/op assume",
		"\x00\x01\x02",
		"Goos: linux",
		"go os: linux",
		": linux",
		"--- FAIL: BenchmarkStart",
		"<html>",
		"FAIL", // go test prints it after results that are not to be believed
		"BenchmarkStart/scheme=a 10 NaN ns/op",
		"BenchmarkStart/scheme=a 10 0 ns/op",
		"BenchmarkStart/scheme=a 10 -1 ns/op",
	} {
		path := file(t, goodLines+line+"\n"+goodLines)
		_, err := Load(path)
		if assert.Error(t, err, line) {
			assert.Contains(t, err.Error(), path+":6:", line)
		}
	}
}

// A sample that comes in twice makes intervals of too few samples look finite.
func TestLoadRefusesSamplesTwice(t *testing.T) {
	path, copied := file(t, goodLines), file(t, goodLines)
	refused(t, path+" has the results of "+path+" again", path, path)
	refused(t, copied+" has the results of "+path+" again (name each file once)", path, copied)
}

func TestLoadOfNothing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.txt")
	_, err := Load(missing)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, missing)

	for _, text := range []string{"", "\n\n", "# skipped Start/scheme=a slow: why\n", "goos: linux\n"} {
		path := file(t, text)
		refused(t, path+": no benchmark results", path)
	}
	_, err = Load()
	assert.Error(t, err)
	_, err = Load(t.TempDir())
	assert.Error(t, err, "a directory")
}

// A unit cut in half would be read as another unit, and the sample would be lost without an error. The
// writing breaks off at every place of the last line.
func TestLoadRefusesALastLineThatBreaksOff(t *testing.T) {
	begin := strings.Index(goodLines, "Benchmark")
	for end := begin + 1; end < len(goodLines)-1; end++ {
		last := goodLines[begin:end]
		path := file(t, goodLines+last)
		_, err := Load(path)
		n := len(strings.Fields(last))
		switch withinUnit := n >= 4 && n%2 == 0; {
		case !withinUnit:
			assert.ErrorContains(t, err, path+":6:", last)
		case !strings.HasSuffix(last, "ns/op") && !strings.HasSuffix(last, " "):
			assert.Error(t, err, last)
		}
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
	for text, want := range map[string]string{
		head + "PASS\n": head + "PASS\n",
		head + "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\n":                                              head,
		head + "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\nBenchmarkS":                                    head,
		head + "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\n# round 1\n":                                   head + "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\n# round 1\n",
		head + "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\n# round 1":                                     head,
		head + "BenchmarkStart/scheme=b/n=1\t1\t5 ns/op\n" + "BenchmarkStop/scheme=b/n=1\t1\t5 ns/op\n": head,
		head + "# round 1\nBenchmarkSpin\t1\t5 ns/op\n":                                                 head + "# round 1\nBenchmarkSpin\t1\t5 ns/op\n",
	} {
		path := file(t, text)
		unfinished, err := Resume(path)
		require.NoError(t, err)
		assert.NotEmpty(t, unfinished.Keys)
		raw, err := unfinished.Raw(nil)
		require.NoError(t, err)
		require.NoError(t, raw.Close())
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(data), want+"Unit "), "it continues there")
	}
	_, err := LoadUnfinished(file(t, "BenchmarkStart/n=1 5"))
	assert.ErrorContains(t, err, "neither a command nor benchmark results")
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
		"code: a=1\n" + row + "code: a=2\nBenchmarkStop 1 5 ns/op\n": ":3: code is a=2 here and a=1 before",
		"code: what\n" + row:                            `:1: invalid code "what"`,
		"# skipped Start/scheme=b: why\n" + row:         `:1: invalid remark "skipped Start/scheme=b: why" (use # skipped NAME KIND: reason, or # error`,
		"# argv run\n" + row:                            `:1: invalid arguments "run" (use a JSON array of strings`,
		"# shard 4/3 p\n" + row:                         `:1: invalid shard "4/3"`,
		command + row + command + row:                   ":3: a second command: files were joined (name each of them instead)",
		"# round 0\n" + row + "# round 1\n" + row + row: ":5: duplicate: Start/scheme=a has a second value of ns/op in round 1",
		"# round 0": ":1: truncated line (the file must end with a newline; --resume continues the file of an interrupted run)",
		"Unit visits/op assume=exact\nBenchmarkA 1 5 us/op 2 visits/op\n": "A: 1 of its results count visits/op and 0 have a time in ns/op",
	} {
		refused(t, want, file(t, text))
	}
}
