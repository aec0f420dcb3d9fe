package results

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

// result makes a line with two values.
func result(name string, ns, visits float64) Result {
	return Result{name, 10, []benchfmt.Value{{Value: ns, Unit: "ns/op"}, {Value: visits, Unit: units.VisitsPerOp}}}
}

// write makes a raw file by what fill does with it.
func write(t *testing.T, keys Machine, fill func(*Raw)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	r, err := CreateRaw(path, keys, "run")
	require.NoError(t, err)
	fill(r)
	require.NoError(t, r.Close())
	return path
}

func TestLoadReadsWhatRawWrites(t *testing.T) {
	path := write(t, [][2]string{{"goos", "linux"}, {"cpu", "Some: Model / 2 GHz"}, {"commit", "0123456789ab+changes"}}, func(r *Raw) {
		require.NoError(t, r.Note("made for\na test"))
		require.NoError(t, r.Result(result("Start/scheme=a/n=1k", 1.25, 3)))
		require.NoError(t, r.Result(result("Start/scheme=b/n=1k", 1e-9, 0)))
		require.NoError(t, r.Skip("Lifetime/scheme=c/n=1k", Reason{TooSlow, "predicted to take 5 s: too long"}))
		require.NoError(t, r.Result(result("Start/scheme=a/n=1k", 123456789.125, 3)))
		require.NoError(t, r.Fail("Lifetime/scheme=d/n=1k", errors.New("two\nlines: indeed")))
	})
	table := loaded(t, path)
	a, b := ParseKey("Start/scheme=a/n=1k"), ParseKey("Start/scheme=b/n=1k")
	assert.Equal(t, []Key{a, b}, table.Keys)
	assert.Equal(t, []float64{1.25, 123456789.125}, table.Samples(a, "ns/op"))
	assert.Equal(t, []float64{3, 3}, table.Samples(a, units.VisitsPerOp))
	assert.Equal(t, []float64{1e-9}, table.Samples(b, "ns/op"))
	assert.Nil(t, table.Samples(b, "sec/op"), "units are as written")
	assert.Equal(t, map[string]string{"goos": "linux", "cpu": "Some: Model / 2 GHz", "commit": "0123456789ab+changes"}, table.Machine)
	assert.Equal(t, []Missing{
		{ParseKey("Lifetime/scheme=c/n=1k"), Reason{TooSlow, "predicted to take 5 s: too long"}, false},
		{ParseKey("Lifetime/scheme=d/n=1k"), Reason{"", "two lines: indeed"}, true},
	}, table.Missing)
}

func TestLoadAddsFilesUp(t *testing.T) {
	of := func(commit string, ns float64) string {
		return write(t, [][2]string{{"cpu", "one"}, {"commit", commit}}, func(r *Raw) {
			require.NoError(t, r.Result(result("Start/scheme=a", ns, 0)))
			require.NoError(t, r.Skip("Stop/scheme=a", Reason{TooLarge, "why"}))
		})
	}
	table := loaded(t, of("a", 1), of("b", 2))
	assert.Equal(t, []float64{1, 2}, table.Samples(table.Keys[0], "ns/op"))
	assert.Equal(t, map[string]string{"cpu": "one", "commit": "a; b"}, table.Machine)
	assert.Len(t, table.Missing, 1, "the same cell for the same reason, once")
}

// Two processors, compilers, algorithms, codes or streams of operations under one name are no samples of one cell.
func TestLoadRefusesToPoolWhatDiffers(t *testing.T) {
	of := func(head, values string) string {
		return file(t, head+"\nUnit visits/op assume=exact better=lower\nBenchmarkStart/scheme=a 10 "+values+"\n")
	}
	stream := func(hash uint64, ns float64) string {
		return write(t, nil, func(r *Raw) {
			require.NoError(t, r.Stream("Start", hash))
			require.NoError(t, r.Result(result("Start/scheme=a", ns, 0)))
		})
	}
	_, err := Load(stream(1, 1), stream(1, 2))
	require.NoError(t, err)
	for _, test := range []struct{ first, second, want string }{
		{of("cpu: one", "1 ns/op"), of("cpu: two", "2 ns/op"), ":1: cpu is two here and one before"},
		{of("cpuid: one", "1 ns/op"), of("cpuid: two", "2 ns/op"), ":1: cpuid is two here and one before"},
		{of("go: one", "1 ns/op"), of("go: two", "2 ns/op"), ":1: go is two here and one before"},
		{of("goarch: one", "1 ns/op"), of("goarch: two", "2 ns/op"), ":1: goarch is two here and one before"},
		{of("code: a=1", "1 ns/op"), of("code: a=2", "2 ns/op"), "Start/scheme=a/gomaxprocs=1: code is a=2 here and a=1 in "},
		{of("commit: one", "1 ns/op 3 visits/op"), of("commit: two", "2 ns/op 4 visits/op"), "3 and 4 visits/op (exact counts must agree"},
		{of("", "1 ns/op 3 visits/op"), of("", "2 ns/op"), "1 of its results count visits/op and 2 have a time"},
		{stream(1, 1), stream(2, 2), ":9: stream Start has hash 0000000000000002 here and 0000000000000001 before"},
	} {
		_, err := Load(test.first, test.second)
		if strings.HasPrefix(test.want, ":") { // a line of the second
			test.want = test.second + test.want
		}
		assert.ErrorContains(t, err, test.want)
	}
	_, err = Load(file(t, "BenchmarkStart/scheme=a 10 2 ns/op 3 visits/op\nBenchmarkStart/scheme=a 10 2 ns/op 4 visits/op\n"))
	assert.NoError(t, err, "go test does not say that counts are exact, and there they are not")
}

// Results are never replaced, and nothing is appended to a line that broke off.
func TestUnwritableFiles(t *testing.T) {
	path := file(t, goodLines)
	for path, want := range map[string]error{path: os.ErrExist, filepath.Join(t.TempDir(), "no", "raw.txt"): os.ErrNotExist, t.TempDir(): os.ErrExist} {
		_, err := CreateRaw(path, nil)
		require.ErrorIs(t, err, want)
	}
	assert.Equal(t, goodLines, text(t, path))
}

// smallDisk is a file on a disk with so many bytes left: a write that does not fit is cut short.
type smallDisk struct {
	*os.File
	left int
}

func (d *smallDisk) Write(p []byte) (int, error) {
	fits := min(len(p), d.left)
	d.left -= fits
	n, err := d.File.Write(p[:fits])
	if err == nil && fits < len(p) {
		err = syscall.ENOSPC
	}
	return n, err
}

// Each line is in the file before the next is measured. One that does not fit breaks off, which is reported, and a run
// that continues leaves it out.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	d := &smallDisk{f, 1000}
	r, err := NewRaw(d, Machine{{"cpu", "one"}})
	require.NoError(t, err)
	require.NoError(t, r.Result(result("Start/scheme=a", 1, 0)))
	require.NoError(t, r.Result(result("Start/scheme=b", 1, 0)))
	d.left = 7
	assert.ErrorIs(t, r.Result(result("Start/scheme=c", 2, 0)), syscall.ENOSPC)
	require.NoError(t, r.Close())
	refused(t, ErrTorn.Error(), path)
	unfinished, err := Resume(path)
	require.NoError(t, err)
	assert.Len(t, unfinished.Keys, 1, "the last complete sample may lack lines")
	r, err = unfinished.Raw(nil)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, err = Load(path)
	require.NoError(t, err)

	_, err = NewRaw(&smallDisk{f, 7}, nil)
	require.ErrorIs(t, err, os.ErrClosed)
}

// A program that runs in the tree of another module is not of that tree's commit.
func TestTheCommitOfAnotherRepository(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skip("no git: ", string(out))
		}
	}
	assert.Equal(t, "unknown", commit())
	require.NoError(t, os.WriteFile("go.mod", []byte("module other\n"), 0o644))
	assert.Equal(t, "unknown", commit())
	require.NoError(t, os.WriteFile("go.mod", []byte("module timerlab\n"), 0o644))
	assert.Regexp(t, "^[0-9a-f]{12}$", commit())
}

// Keys must survive the format: no space or capital in a key, one line a value,
// and no value empty, since that deletes the key.
func TestThisMachineSurvivesTheFormat(t *testing.T) {
	machine := ThisMachine()
	want := map[string]string{}
	for _, kv := range machine {
		assert.Regexp(t, regexp.MustCompile(`^[a-z][a-z0-9-]*$`), kv[0])
		assert.NotEmpty(t, kv[1], kv[0])
		assert.NotContains(t, want, kv[0], "twice")
		want[kv[0]] = kv[1]
	}
	path := write(t, machine, func(r *Raw) { require.NoError(t, r.Result(result("Start/scheme=a", 1, 0))) })
	table := loaded(t, path)
	assert.Equal(t, want, table.Machine)
	assert.Contains(t, want, "layout", "a layout is a condition as a compiler is")
	assert.Equal(t, "unknown", firstLine(filepath.Join(t.TempDir(), "none")))
}
