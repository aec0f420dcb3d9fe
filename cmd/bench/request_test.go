package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// samplesOf counts the samples of each cell, and the values of its counts. The noise probe is of a file, not of a cell.
func samplesOf(t *testing.T, paths ...string) map[string]string {
	t.Helper()
	table := load(t, paths...)
	all := map[string]string{}
	for _, k := range table.Keys {
		if k.Op != units.SpinName {
			counts := len(table.Samples(k, units.NsPerOp)) + len(table.Samples(k, "limit-ns")) + len(table.Samples(k, units.BytesPerTimer))
			all[k.String()] = fmt.Sprint(counts, table.Samples(k, units.VisitsPerOp), table.Samples(k, units.LinksPerOp))
		}
	}
	return all
}

// A run that was cut off anywhere is continued with its own flags: then every cell has every
// round once, and rounds can be added.
func TestResumeARun(t *testing.T) {
	file := measured(t, "-n 100 -T 100 -M 64 --rounds 2 --schemes tree,hashunsorted")
	text, want := read(t, file), samplesOf(t, file)
	command := strings.Index(text, "# note")
	for _, part := range []float64{float64(command) / float64(len(text)), 0.3, 0.62} { // the first before any sample
		cut := fileOf(t, text[:int(part*float64(len(text)))])
		r := newRequest("run")
		r.resume = cut
		require.NoError(t, r.begin())
		assert.Equal(t, filepath.Dir(cut), r.out, "where the page belongs")
		require.NoError(t, r.earlier.Close())
		out := succeeds(t, "run", "--resume", cut)
		assert.Contains(t, out, "raw results  "+cut)
		assert.Equal(t, want, samplesOf(t, cut), "after %v of the file", part)
	}
	half := fileOf(t, text[:strings.LastIndex(text[:len(text)/3], "\n")+1])
	out, _ := exits(t, exitRegression, "check", "--base", file, half)
	assert.Contains(t, out, "raw.txt: 1 of 2 rounds, interrupted")
	assert.Contains(t, succeeds(t, "report", half), "**Incomplete**: raw.txt: 1 of 2 rounds, interrupted.")
	refuses(t, exitFailure, "; --resume continues the file", "check", "--base", file, fileOf(t, text[:len(text)/3]))
	refuses(t, exitUsage, "is the base and is checked", "check", "--base", file, file)
	earlier := regexp.MustCompile("commit: .*").ReplaceAllString(text, "commit: 0123")
	put(t, file, earlier)
	succeeds(t, "run", "--resume", file, "--rounds", "3")
	more := read(t, file)
	assert.Equal(t, 3, strings.Count(more, "\nBenchmarkLifetime/scheme=tree/n=100/"))
	assert.Equal(t, 1, strings.Count(more, "# argv "))
	table := load(t, file)
	require.Len(t, table.Sources, 1, "rounds that are added are of the same piece")
	assert.Contains(t, table.Sources[0].Args, "--rounds=3", "by which the file is measured again")
	assert.Contains(t, table.Sources[0].Command, "--timers=100")
	assert.Equal(t, strings.Count(more, "commit: "), strings.Count(more, "commit: 0123"), "the same code: its commit stays")
}

// Runs that begin in one second have files of their own.
func TestRunsInASecond(t *testing.T) {
	dir := t.TempDir()
	r, err := parseRequest([]string{"run", "--out=" + dir})
	require.NoError(t, err)
	for range 3 {
		sink, err := r.open()
		require.NoError(t, err)
		require.NoError(t, sink.Close())
	}
	assert.Len(t, glob(t, dir, "run-*Z.txt"), 3)
}

// What does not fit the file to resume is said before anything is measured or changed.
func TestResumeRefuses(t *testing.T) {
	machine, err := thisMachine()
	require.NoError(t, err)
	const row = "BenchmarkLifetime/scheme=tree/n=1k/M=64/T=10/dist=exp/stop=0\t1\t5 ns/op\nPASS\n"
	of := func(command string) string {
		return `# argv ["` + strings.ReplaceAll(command, " ", `","`) + "\"]\n" + machine.String() + row
	}
	mine := of("run --timers=1k")
	elsewhere := "# argv [\"peers\"]\n" + strings.Replace(machine.String(), "cpu: ", "cpu: another ", 1) + peersLines
	for _, test := range []struct {
		args, file string
		code       int
		want       string
	}{
		{"run -n 1k", mine, exitUsage, "--timers and --resume are mutually exclusive (a file is continued with the flags"},
		{"--full", mine, exitUsage, "--full and --resume are mutually exclusive"},
		{"", mine, exitFailure, "is one of run, not of bench"},
		{"run", of("peers"), exitFailure, "is one of peers, not of run"},
		{"run", strings.Replace(mine, "# argv", "# note", 1), exitFailure, "no command is recorded"},
		{"run", of("run --what=5"), exitFailure, `unknown flag: --what`},
		{"run", of("run --timers=x"), exitFailure, `invalid count "x"`},
		{"run", mine + mine, exitFailure, "a second command: files were joined"},
		{"peers", elsewhere, exitFailure, "its cpu is another "},
		{"run", strings.Replace(mine, "schemes=", "schemes=0", 1), exitFailure, "its code is driver="},
		{"run", "", exitFailure, "neither a command nor benchmark results"},
	} {
		path := fileOf(t, test.file)
		refuses(t, test.code, test.want, append(strings.Fields(test.args), "--resume", path)...)
		assert.Equal(t, test.file, read(t, path), "the file is as it was")
	}
}

// A run has its file from the first round to the last: no second one gets in between two rounds, and it says so before
// it verifies or builds anything. Of a run that is killed another continues the file.
func TestAFileHasOneRun(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	for _, kill := range []bool{false, true} {
		dir := t.TempDir()
		first := exec.Command(program, strings.Fields("run -n 100 -T 100 -M 64 --rounds 6 --schemes tree --out "+dir)...)
		require.NoError(t, first.Start())
		ended := make(chan error, 1)
		go func() { ended <- first.Wait() }()
		file := ""
		for file == "" || !strings.Contains(read(t, file), "# round 1") {
			if files, _ := filepath.Glob(filepath.Join(dir, "run-*")); len(files) == 1 {
				file = files[0]
			}
			select {
			case err := <-ended:
				require.FailNow(t, "the run ended before its second round", err)
			case <-time.After(time.Millisecond):
			}
		}
		refuses(t, exitFailure, "is being written by another process", "--resume", file)
		if kill {
			require.NoError(t, first.Process.Kill())
		}
		rounds := func() int { return strings.Count(read(t, file), "\nBenchmarkLifetime/scheme=tree/n=100/") }
		for running := true; running; {
			select {
			case err := <-ended:
				running = false
				assert.Equal(t, kill, err != nil)
			default:
				if second, err := results.Resume(file); err == nil {
					assert.True(t, kill || rounds() == 6, "a second run got in")
					require.NoError(t, second.Close())
				}
			}
		}
		for code, errOut := 1, "is being written"; code != 0; { // by the process of a round that was killed
			require.Contains(t, errOut, "is being written")
			code, _, errOut = bench(t, "run", "--resume", file, "--rounds", "6")
		}
		assert.Equal(t, 6, rounds())
	}
}

// A file of run with several M can be judged: the workloads are the same for all M, though their wheels turn in
// different times.
func TestPlanOfSeveralSlots(t *testing.T) {
	r, err := parseRequest(strings.Fields("run -n 100 -M 64,524288 -m 1 -T 100 --schemes hashunsorted,hierarchical"))
	require.NoError(t, err)
	plan, err := r.plan()
	require.NoError(t, err)
	byMode := map[run.Mode]workload.Spec{}
	for _, group := range plan.Groups {
		if spec, ok := byMode[group.Mode]; ok {
			assert.Equal(t, spec, group.Spec)
		}
		byMode[group.Mode] = group.Spec
	}
	assert.Len(t, plan.Groups, 2*len(byMode))
}

// Rounds are measured by builds of the layouts in turn, and again by others.
func TestLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	defer func(f func() (string, error)) { repositoryOfThis = f }(repositoryOfThis)
	repositoryOfThis = thisRepository
	file := measured(t, "-n 100 -T 100 -M 64 --schemes tree --rounds 3 --layouts 3-4")
	table := load(t, file)
	assert.Equal(t, "3; 4", table.Machine["layout"])
	assert.Equal(t, []string{"--layouts=5-24"}, otherLayouts(table))
	text := read(t, file)
	assert.Equal(t, 2, strings.Count(text, "\nlayout: 3\n"))
	assert.Equal(t, 3, strings.Count(text, "\nBenchmarkLifetime/scheme=tree/n=100/"))
	assert.Contains(t, text, "3 rounds, each a process, of 2 layouts")
}

// No two of the first rounds have environments of one size.
func TestEnvironment(t *testing.T) {
	sizes := map[int]bool{}
	for round := range 2 * mostLayouts {
		sizes[len(strings.Join(environment(round), ""))] = true
	}
	assert.Len(t, sizes, 2*mostLayouts)
}
