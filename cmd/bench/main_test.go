package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/schemetest"
	"timerlab/schemes/tree"
)

// asBench is set where the test binary is to be the command.
const asBench = "TIMERLAB_TEST_BENCH"

// quietRuns are two runs of the same code, one after the other.
var quietRuns = [2]string{
	filepath.Join(repository, "harness/gate/testdata/quiet-1.txt"),
	filepath.Join(repository, "harness/gate/testdata/quiet-2.txt"),
}

// allClaims are the claims before TestMain.
var allClaims []claims.Claim

// TestMain leaves a few claims, of every kind, as all of them take half a minute, and makes runs short.
func TestMain(m *testing.M) {
	lifetimesOfRun = 1_000
	repositoryOfThis = func() (string, error) { return "", errors.New("this is a test") }
	few := []string{"S2-2", "S2-4", "A-3x", "B-4", "R-6"}
	allClaims = claims.All
	claims.All = slices.DeleteFunc(slices.Clone(claims.All), func(c claims.Claim) bool { return !slices.Contains(few, c.ID) })
	if process := os.Getenv(asBench); process != "" {
		if process == "early" {
			harness.Schemes = append(harness.Schemes, planted(process, early))
		}
		main()
	}
	os.Setenv(asBench, "1") // for the processes that tests start
	os.Exit(m.Run())
}

// bench runs a command line and returns its exit code and what it printed.
func bench(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = execute(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

// exits runs a command line that must exit with a code, and returns what it printed.
func exits(t *testing.T, code int, args ...string) (out, errOut string) {
	t.Helper()
	got, out, errOut := bench(t, args...)
	require.Equal(t, code, got, "%v: %s", args, errOut)
	return out, errOut
}

// succeeds runs a command line that must exit with 0, and returns what it printed on standard output.
func succeeds(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := exits(t, 0, args...)
	return out
}

// measured runs bench run with flags, and returns the raw file.
func measured(t *testing.T, flags string) string {
	t.Helper()
	dir := t.TempDir()
	succeeds(t, slices.Concat([]string{"run", "--out", dir}, strings.Fields(flags))...)
	return raw(t, dir)
}

// containsAll demands each of the parts of a text.
func containsAll(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		assert.Contains(t, text, part)
	}
}

// put writes text into a file.
func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// fileOf writes text into a file in a folder of its own, and returns its path.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	put(t, path, text)
	return path
}

// Bad input is one line that names the value and what is allowed, and exit 2.
func TestBadUsage(t *testing.T) { refusesAll(t, read(t, "testdata/usage.txt")) }

var refused = regexp.MustCompile(`(?m)^\$ bench (.*)\n(\d) (.*)$`)

// refusesAll runs the command lines of a file such as usage.txt, each of which fails as it says.
func refusesAll(t *testing.T, text string) {
	all := refused.FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, all)
	for _, m := range all {
		t.Run(m[1], func(t *testing.T) {
			code, err := strconv.Atoi(m[2])
			require.NoError(t, err)
			refuses(t, code, m[3], strings.Fields(m[1])...)
		})
	}
}

// refuses runs a command line that prints nothing and fails with one line.
func refuses(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	out, errOut := exits(t, code, args...)
	assert.Empty(t, out, args)
	assert.Contains(t, errOut, want, args)
	assert.Equal(t, 1, strings.Count(errOut, "\n"), "one line: %s", errOut)
}

// What a verb prints on standard output when all is well.
func TestOutput(t *testing.T) {
	version, again := fmt.Sprintf(`"version": %d`, report.JSONVersion), "reproduce "+quietRuns[0]+" "+quietRuns[1]+" --format "
	for args, want := range map[string][]string{
		"help run":    {"--timers"},
		"run --help":  {"--timers"},
		"help":        {"130 interrupted"},
		"--help":      {"130 interrupted"},
		"list":        append(harness.Names(), "unlimited"),
		"list tree":   {"scheme 3", tree.Info.Doc},
		"list 3":      {"scheme 3", tree.Info.Doc},
		"version":     {"timerlab commit ", " go1."},
		"sample list": {"cell StartStop/service=sharded/n=1M/g=8 6\n"},
		"sample 3:StartStop/service=sharded/n=10k/g=2": {
			"BenchmarkStartStop/service=sharded/n=10k/g=2\t", " ns/op\t", " cpu-ns/op"},
		"check --base " + quietRuns[0] + " " + quietRuns[1] + " --format md": {
			"    go run ./cmd/bench check --base=" + quietRuns[0] + " --format=md " + quietRuns[1] + "\n"},
		"list --format json": {version, `"rows": [`}, again + "json": {version, `"findings": "All 23 exact counts`},
		"list --format csv": {"\n3,tree,"}, again + "csv": {"\ntimes,PerTick/scheme=hierarchical/"},
		"list --format md": {"|---", "| tree |"}, again + "md": {"|---", "All 23 exact counts"},
	} {
		out := succeeds(t, strings.Fields(args)...)
		containsAll(t, out, want...)
	}
}

// Every verb has examples.
func TestHelpIsComplete(t *testing.T) {
	for cmds := []*cobra.Command{newRoot()}; len(cmds) > 0; cmds = cmds[1:] {
		assert.True(t, cmds[0].Example != "" || cmds[0].Hidden, cmds[0].CommandPath())
		cmds = append(cmds, cmds[0].Commands()...)
	}
}

// Progress that is not on a terminal is a line now and then, with what is left.
func TestProgressInAFile(t *testing.T) {
	for _, test := range []struct {
		first, limit int // seconds; 0: none
		want         string
	}{
		{0, 0, "verifying tree: 20 of 40, about 60 s left\n"},
		{10, 0, "verifying tree: 20 of 40, about 2 min left\n"}, // a job that continues: ten runs took a minute, not 20
		{10, 51, "verifying tree: 20 of 40, about 51 s left\n"}, // then it ends, done or not
		{-1, 0, "verifying tree: 20 of 40\n"},                   // not yet known
	} {
		var b bytes.Buffer
		p := &progress{w: &b, every: lineEvery, end: "\n", begun: time.Now().Add(-time.Minute), first: test.first, shown: time.Now().Add(-lineEvery)}
		if test.limit > 0 {
			p.deadline = time.Now().Add(time.Duration(test.limit) * time.Second)
		}
		p.run(20, 40, "verifying tree")
		p.run(21, 40, "verifying tree")
		p.finish()
		assert.Equal(t, test.want, b.String())
		p.shown = time.Now().Add(-lineEvery)
		p.run(0, 0, "workload 3 of 9") // while workloads are made, no runs are known
		assert.Equal(t, test.want+"workload 3 of 9\n", b.String())
	}
}

// start is a Start of planted schemes.
type start func(s schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error)

// wheel is one with such a Start.
type wheel struct {
	schemes.Scheme
	start
}

func (w wheel) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return w.start(w.Scheme, interval, id)
}

// planted describes such a wheel.
func planted(name string, f start) *schemes.Info {
	info := hashunsorted.Info
	info.Name, info.Number = name, 0
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return wheel{s, f}, nil
	}
	return &info
}

// plant registers a scheme in this process.
func plant(t *testing.T, info *schemes.Info) {
	t.Helper()
	registry := harness.Schemes
	t.Cleanup(func() { harness.Schemes = registry })
	harness.Schemes = append(slices.Clone(registry), info)
}

// early starts timers that come one tick early.
func early(s schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval > 2 {
		interval--
	}
	return s.Start(interval, id)
}

var lastTimer *schemes.ID

// allocating allocates each timer, as most timer libraries do.
func allocating(s schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	lastTimer = &id
	h, err := s.Start(interval, id)
	if err != nil {
		err = fmt.Errorf("pointers: %w", err)
	}
	return h, err
}

// A scheme that allocates is verified, with a remark.
func TestVerifyASchemeThatAllocates(t *testing.T) {
	plant(t, planted("pointers", allocating))
	out := succeeds(t, "verify", "--short", "--schemes", "pointers,tree")
	containsAll(t, out, "pointers: verified, allocates", "1 scheme verified: every rule of the contract is kept")
	out = succeeds(t, "verify", "--short", "--schemes", "pointers", "--format", "csv")
	assert.Contains(t, out, "pointers,\"ok, allocates\",\"pointers breaks the rule allocation")
}

// A scheme that breaks the contract is exit 4, and so is a run whose outcome is
// wrong: its row is an error, never a time.
func TestABrokenScheme(t *testing.T) {
	plant(t, planted("early", early))
	t.Setenv(asBench, "early")
	out, errOut := exits(t, exitUnverified, "verify", "--schemes", "early")
	assert.Contains(t, out, "early breaks the rule exact")
	assert.Contains(t, errOut, "1 of 1 schemes")

	dir := t.TempDir()
	_, errOut = exits(t, exitUnverified, "run", "-n", "100", "-T", "100", "--rounds", "2", "--schemes", "early,tree", "--out", dir)
	assert.Contains(t, errOut, "wrong outcome")
	table := load(t, raw(t, dir))
	for _, k := range table.Keys {
		assert.NotContains(t, k.Scheme, "early", "no time")
	}
	assert.True(t, table.Missing[0].Fail)
	assert.Empty(t, table.Incomplete(), "the other rounds are measured, too")

	out, errOut = exits(t, exitUnverified, "report", raw(t, dir), "--out", dir)
	assert.Contains(t, errOut, "6 cells with a wrong outcome", "early, and early as its own control, in three modes")
	assert.Contains(t, out, filepath.Join(dir, "README.md"), "the page is written all the same")
}

// raw returns the one raw file in dir.
func raw(t *testing.T, dir string) string {
	t.Helper()
	files := glob(t, dir, "*-*Z*.txt")
	require.Len(t, files, 1)
	return files[0]
}

// The verbs work over saved files: run, then report. Slots that levels do not divide are no error.
func TestRunReport(t *testing.T) {
	dir := t.TempDir()
	out, errOut := exits(t, 0, "run", "-n", "100,1k", "-M", "4000", "-m", "3", "-T", "100", "--rounds", "1",
		"--schemes", "unordered,hashunsorted,hierarchical", "--stop", "0.5@0.5", "--out", dir)
	file := raw(t, dir)
	assert.Contains(t, out, file)
	assert.Contains(t, errOut, "note: all rounds have one layout, this executable's: this is a test")

	out = succeeds(t, "report", file, "--out", dir, "--png")
	for _, name := range []string{"start", "stop", "per-tick", "bytes"} {
		for _, format := range []string{".svg", ".png"} {
			assert.NotEmpty(t, read(t, filepath.Join(dir, "figures", name+format)))
		}
	}
	assert.Contains(t, out, "Schemes 6 and 7 were not compared", "the grid of schemes 6 and 7 was not measured")
	page := read(t, filepath.Join(dir, "README.md"))
	containsAll(t, page, "go run ./cmd/bench run --levels=3", "## Lifetime: CPU time per timer")
	assert.NoFileExists(t, filepath.Join(dir, "claims.md"), "which takes long, and these files decide no claim")
}

// The command that a file records repeats the run, zero and false included.
func TestTheRecordedCommand(t *testing.T) {
	for _, test := range [][2]string{
		{"run --seed 0 -n 10,1k", "run --seed=0 --timers=10,1k"},
		{"--full=false --smoke", "--full=false --smoke=true"},
		{"run --schemes tree,ordered --stop 0,0.9@0.05", "run --schemes=tree,ordered --stop=0,0.9@0.05"},
		{"run --out it's|here", `run --out='it'"'"'s|here'`},
	} {
		root := newRoot()
		cmd, args, err := root.Find(strings.Fields(test[0]))
		require.NoError(t, err)
		require.NoError(t, cmd.ParseFlags(args))
		assert.Equal(t, test[1], strings.TrimPrefix(commandLine(cmd), "go run ./cmd/bench "))
	}
}

// The main job, as small as it gets: with two claims, and one scheme verified. With -short TestRunReport
// goes the same way, on fewer cells.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("measures every scheme")
	}
	few := claims.All
	defer func() { claims.All, conforms = few, schemetest.VerifyShort }()
	conforms = func(info *schemes.Info) error {
		if info != &hashunsorted.Info {
			return nil
		}
		return schemetest.VerifyShort(info)
	}
	claims.All = slices.DeleteFunc(slices.Clone(few), func(c claims.Claim) bool { return c.ID != "A-3x" && c.ID != "R-6" })
	dir := t.TempDir()
	out := succeeds(t, "--smoke", "--rounds", "1", "--out", dir)
	containsAll(t, out, fmt.Sprintf("%d schemes verified", len(harness.Schemes)), "Of 1 claim of the paper, ",
		"AT GIVEN M", raw(t, dir), filepath.Join(dir, "README.md"))
	assert.FileExists(t, filepath.Join(dir, "claims.md"))
	assert.FileExists(t, filepath.Join(dir, "schemes.csv"))
}

// A file that cannot be read, continued or written is an error of one line before anything is built, verified, judged
// or measured.
func TestBadFiles(t *testing.T) {
	quiet, err := filepath.Abs(quietRuns[0])
	require.NoError(t, err)
	commands := strings.ReplaceAll(read(t, "testdata/files.txt"), "QUIET", quiet)
	t.Chdir(t.TempDir()) // outside the repository
	const line = "BenchmarkStart/scheme=tree/n=1k 10 1.5 ns/op\n"
	for name, text := range map[string]string{
		"broken": line + "BenchmarkStart/scheme=tree/n=1k 10 1.5\n", "single": line, "again": line, "plain": "no marks\n",
		"peers": peersLines, "systems": systemsLines, "gotest": "BenchmarkDecode/256-2 10 1.5 ns/op\n",
		"empty": "", "binary": "\x1b\x00\xfe", "text": "0 start 1 9\n", "twice": "0 start 1 9\n4 start 1 9\n",
		"ftrace": "# tracer: nop\n a [000] .... 1.5: timer_cancel: timer=1\n",
	} {
		put(t, name, text)
	}
	require.NoError(t, os.WriteFile("idle", []byte(idle), 0o755))
	require.NoError(t, os.WriteFile("says", []byte("#!/bin/sh\nread -r asked\necho \"$@\"\n"), 0o755))
	require.NoError(t, os.Mkdir("own", 0o755))
	for _, name := range []string{"README.md", "peers.csv", "systems.csv", "reproduce.md"} {
		put(t, "own/"+name, "my notes\n")
	}
	refusesAll(t, commands)
	assert.NoFileExists(t, "new/README.md")
	files, _ := filepath.Glob(filepath.Join(defaultOut, "*"))
	assert.Empty(t, files)
}

// An interrupt keeps what was measured.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil { // as soon as there is a result
			files, _ := filepath.Glob(filepath.Join(dir, "*-*Z.txt"))
			for _, file := range files {
				if data, _ := os.ReadFile(file); bytes.Contains(data, []byte("BenchmarkStart")) {
					cancel()
				}
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out, errOut bytes.Buffer
	code := execute(ctx, []string{"run", "-n", "1k", "-T", "1k", "--rounds", "500", "--schemes", "tree,hashunsorted", "--out", dir}, &out, &errOut)
	assert.Equal(t, exitInterrupted, code)
	assert.Contains(t, errOut.String(), "bench: interrupted; what was measured is in "+raw(t, dir))
	table := load(t, raw(t, dir))
	assert.NotEmpty(t, table.Keys)
}

// The page is one file. What goes wrong in the program that makes it is one line.
func TestPageIsOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the page")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	out := succeeds(t, "page", "--out", path)
	assert.Contains(t, out, path)
	html := read(t, path)
	assert.Contains(t, html, "<!DOCTYPE html>")

	_, errOut := exits(t, exitFailure, "page", "--out", "/proc/page.html") // where no file can be made
	assert.Regexp(t, `^bench: page: .*/proc/.*\n$`, errOut)
}
