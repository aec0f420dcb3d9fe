package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// badUsage are command lines and what is said of them.
var badUsage = []struct{ args, want string }{
	{"frob", `unknown verb "frob" (have check, claims, completion, doctor, lab, list, page, peers, pick, plot, report, reproduce, run, systems, trace, verify, version)`},
	{"verify extra", `put -- before the command`},
	{"run --schemes nosuch", `unknown scheme "nosuch" (have unordered`},
	{"list tree tree", "at most one argument"},
	{"run -n 0", `invalid count "0" (use a whole number from 1 to 100M`},
	{"run -n 1k,,2k", `invalid count ""`},
	{"run -M 5G", `invalid count "5G" (use a whole number from 1 to 2147483648`},
	{"run -M 8 -m 9", "-m 9 with -M 8: invalid levels (each needs a slot or more"},
	{"run -n 1k,1000", `duplicate value "1000"`},
	{"run --stop 0.5@0.5,0.50@0.5", `duplicate value "0.50@0.5"`},
	{"run --schemes tree,ordered,tree", `duplicate value "tree"`},
	{"run -m 65", `invalid count "65" (use a whole number from 1 to 64`},
	{"run --out=", `invalid argument "" for "--out" flag: an empty name (use the name of a file or folder)`},
	{"run --limit abc", `for "--limit" flag: invalid duration "abc" (use one above 0 and up to 290y, such as 300ms, 2h or 5d)`},
	{"run --workload nope", `invalid distribution "nope" (use const, uniform, exp,`},
	{"list 8", `unknown scheme "8" (have unordered`},
	{"claims --id=", "unknown claim \"\" (have "},
	{"run -n 100M", "use fewer timers or ticks"},
	{"run --stop 0.5@0", `invalid share of timers "0.5@0" (use 0, or a share and a part of the interval, both above 0`},
	{"run --resume x --out y", "--out and --resume are mutually exclusive"},
	{"run --arrivals never", `unknown arrivals "never" (have hold, poisson)`},
	{"run --rounds 0", `invalid count "0" (use a whole number from 1 to 1k`},
	{"--full --smoke", "--full and --smoke are mutually exclusive"},
	{"--nosuch", "unknown flag: --nosuch"},
	{"peers --match Hold", "unknown flag: --match"},
	{"peers --filter ((", `for "--filter" flag: filter "((": syntax error`},
	{"verify --format gradescope", "--format gradescope needs --module"},
	{"verify --timeout 5s", "--timeout needs --module"},
	{"verify --module x --schemes tree,ordered", "--schemes tree,ordered: a module has one scheme"},
	{"verify --module x --schemes tree-4ary", "--schemes tree-4ary: not one of the paper's seven"},
	{"verify --format xml", `unknown format "xml" (have text, json, csv, md, gradescope)`},
	{"verify --module nosuch", `no module to grade (there is no such folder)`},
	{"verify --module ../../results", "no module to grade (there is no Go file here)"},
	{"verify --module ../../schemes/tree", "no module to grade (it is a part of timerlab itself)"},
	{"verify --module x --format csv", "--format csv is not for --module (have text, json, gradescope)"},
	{"lab", "lab takes one folder, got 0"},
	{"lab --schemes hashsorted x", `no lab for scheme "hashsorted" (have hashunsorted, ordered, hierarchical)`},
	{"lab ../../results", "../../results is not empty"},
	{"run --layouts 3-2", `invalid layouts "3-2" (use seeds from 1 on, as in 1-20, or 0)`},
	{"page x", "page takes no argument"},
	{"plot single.txt --format gif", `unknown format "gif" (have svg, png)`},
	{"systems --filter (", "--filter"},
	{"reproduce ../../harness/gate/testdata/quiet-1.txt ../../harness/gate/testdata/quiet-2.txt --rounds 3", "--rounds is for one raw file"},
	{"reproduce --counts ../../harness/gate/testdata/quiet-1.txt ../../harness/gate/testdata/quiet-2.txt", "--counts is for one raw file"},
	{"reproduce --counts x --rounds 3", "--counts and --rounds are mutually exclusive"},
	{"claims --id R-99", "unknown claim \"R-99\" (have "},
	{"claims --id v-1", `claim "v-1" is not judged: hold by construction, and are tests`},
	{"claims --id R-6,r-6", `"--id" flag: duplicate value "r-6"`},
	{"plot", "takes one raw file or more"},
	{"check new.txt", "--base is missing (use the raw file to compare with)"},
	{"check --base old.txt new.txt --time fast", `invalid percentage "fast"`},
	{"reproduce", "takes one or two raw files, got 0"},
	{"reproduce a b c", "takes one or two raw files, got 3"},
	{"--version", "unknown flag: --version"},
	{"help frob", `unknown verb "frob" (have check, claims, `},
	{"help list frob", `unknown verb "list frob" (have check, `},
	{"trace", "trace needs a verb (have stat)"},
	{"trace draw", `unknown verb "draw" (have stat)`},
	{"doctor quickly", "doctor takes no argument"},
}

// Bad input is one line that names the value and what is allowed, and exit 2.
func TestBadUsage(t *testing.T) {
	for _, test := range badUsage {
		t.Run(test.args, func(t *testing.T) {
			refuses(t, exitUsage, test.want, strings.Fields(test.args)...)
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

// The formats of a verb hold the same, and JSON says its version.
func TestFormats(t *testing.T) {
	for _, args := range []string{"list", "reproduce " + quietRuns[0] + " " + quietRuns[1]} {
		formatted := func(format string) string {
			return succeeds(t, append(strings.Fields(args), "--format", format)...)
		}
		var doc struct {
			Version int
			Rows    []map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(formatted("json")), &doc), args)
		assert.Equal(t, report.JSONVersion, doc.Version)
		rows := csv.NewReader(strings.NewReader(formatted("csv")))
		rows.FieldsPerRecord = -1 // a page has several tables
		records, err := rows.ReadAll()
		require.NoError(t, err)
		if doc.Rows != nil {
			assert.Len(t, records, 1+len(doc.Rows), args)
		}
		assert.Contains(t, formatted("md"), "|---")
	}
}

// What a verb prints on standard output when all is well.
func TestOutput(t *testing.T) {
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
	}
}

// planted is a scheme: a wheel with the operations of wrap.
func planted(name string, wrap func(schemes.Scheme) schemes.Scheme) *schemes.Info {
	info := hashunsorted.Info
	info.Name, info.Number = name, 0
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return wrap(s), nil
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

// earlyScheme has timers that come one tick early.
type earlyScheme struct{ schemes.Scheme }

func early(s schemes.Scheme) schemes.Scheme { return earlyScheme{s} }

func (e earlyScheme) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval > 2 {
		interval--
	}
	return e.Scheme.Start(interval, id)
}

// allocating is a scheme that allocates each timer, as most timer libraries do.
type allocating struct{ schemes.Scheme }

var lastTimer *schemes.ID

func (a allocating) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	lastTimer = &id
	h, err := a.Scheme.Start(interval, id)
	if err != nil {
		err = fmt.Errorf("pointers: %w", err)
	}
	return h, err
}

// A scheme that allocates is verified, with a remark.
func TestVerifyASchemeThatAllocates(t *testing.T) {
	plant(t, planted("pointers", func(s schemes.Scheme) schemes.Scheme { return allocating{s} }))
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

// The verbs work over saved files: run, then plot and report. Slots that levels do not divide are no error.
func TestRunPlotReport(t *testing.T) {
	dir := t.TempDir()
	out, errOut := exits(t, 0, "run", "-n", "100,1k", "-M", "4000", "-m", "3", "-T", "100", "--rounds", "1",
		"--schemes", "unordered,hashunsorted,hierarchical", "--stop", "0.5@0.5", "--out", dir)
	file := raw(t, dir)
	assert.Contains(t, out, file)
	assert.Contains(t, errOut, "note: all rounds have one layout, this executable's: this is a test")

	for _, format := range []string{"svg", "png"} {
		out = succeeds(t, "plot", file, "--out", filepath.Join(dir, "figures"), "--format", format)
		for _, name := range []string{"start", "stop", "per-tick", "bytes"} {
			path := filepath.Join(dir, "figures", name+"."+format)
			assert.Contains(t, out, path)
			assert.NotEmpty(t, read(t, path))
		}
	}

	out = succeeds(t, "report", file, "--out", dir)
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

// The main job, as small as it gets: with two claims, and one scheme verified. With -short TestRunPlotReport
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
		"Longest PER_TICK ", raw(t, dir), filepath.Join(dir, "README.md"))
	assert.FileExists(t, filepath.Join(dir, "claims.md"))
	assert.FileExists(t, filepath.Join(dir, "schemes.csv"))
}

// A file that cannot be read, continued or written is an error of one line before anything is built, verified, judged
// or measured.
func TestBadFiles(t *testing.T) {
	quiet, err := filepath.Abs(quietRuns[0])
	require.NoError(t, err)
	t.Chdir(t.TempDir()) // outside the repository
	const line = "BenchmarkStart/scheme=tree/n=1k 10 1.5 ns/op\n"
	for name, text := range map[string]string{
		"broken": line + "BenchmarkStart/scheme=tree/n=1k 10 1.5\n", "single": line, "again": line, "plain": "no marks\n",
		"peers": peersLines, "systems": systemsLines, "gotest": "BenchmarkDecode/256-2 10 1.5 ns/op\n",
	} {
		put(t, name, text)
	}
	require.NoError(t, os.Mkdir("own", 0o755))
	for _, name := range []string{"README.md", "peers.csv", "systems.csv", "reproduce.md"} {
		put(t, "own/"+name, "my notes\n")
	}
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"plot broken --out new", exitFailure, "broken:2:"},
		{"report broken --out new", exitFailure, "broken:2:"},
		{"plot none --out new", exitFailure, "none"},
		{"report none --out new", exitFailure, "none"},
		{"claims none", exitFailure, "none"},
		{"check --base none " + quiet, exitFailure, "none"},
		{"check --base single again", exitUsage, "nothing to check: no exact count"},
		{"check --base single again", exitUsage, "times need --time; files of go test -bench need a line"},
		{"reproduce none", exitFailure, "none"},
		{"reproduce .", exitFailure, "read .: is a directory"},
		{"reproduce peers", exitUsage, `peers: no command is recorded; name a second file`},
		{"reproduce gotest", exitUsage, `gotest: no command is recorded; name a second file`},
		{"report gotest", exitUsage, "gotest: no results of schemes on a virtual clock (use a file that bench run measures; go tool benchstat"},
		{"peers gotest", exitUsage, "gotest: no results of timers of several libraries (use a file that bench peers measures"},
		{"run -n 10 -T 10 -M 8 -m 2 --rounds 1 --schemes tree --limit 1ns --layouts 0 --out below", exitUsage, "every cell was skipped, as was Operations/scheme="},
		{"peers none", exitFailure, "none"},
		{"peers --resume none", exitFailure, "none"},
		{"peers --resume plain", exitFailure, "neither a command nor benchmark results"},
		{"systems none", exitFailure, "none"},
		{"run --resume .", exitFailure, "is a directory"},
		{"systems --resume none", exitFailure, "none"},
		{"plot single --out new", exitFailure, "no figure"},
		{"peers systems", exitUsage, "timer services on the real clock (bench systems reports them)"},
		{"run -n 10 -T 10 --rounds 1 --out single/below", exitUsage, "--out single/below: mkdir single: not a directory (use a folder"},
		{"--smoke --out single/below", exitUsage, "--out single/below: mkdir single: not a directory"},
		{"report single --out single/below", exitUsage, "--out single/below: mkdir single: not a directory"},
		{"systems systems --out single/below", exitUsage, "--out single/below: mkdir single: not a directory"},
		{"plot single --out single/below", exitUsage, "--out single/below: mkdir single: not a directory"},
		{"reproduce " + quiet + " single --out single/below", exitUsage, "--out single/below: mkdir single: not a directory"},
		{"peers --out single/below", exitUsage, "--out single/below: mkdir single: not a directory"},
		{"peers", exitFailure, "the working directory is not in the repository"},
		{"page", exitFailure, "is built from source: the working directory is not in the repository: no harness/peers/go.mod"},
		{"page --out .", exitUsage, `--out "." is no file (use a name such as page.html)`},
		{"page --out=", exitUsage, `"--out" flag: an empty name`},
		{"page --out /nonexistent/x.html", exitUsage, `--out "/nonexistent/x.html": there is no folder /nonexistent`},
		{"sample 0:StartStop/service=mine/n=1/g=1", exitFailure, "unknown sample"},
		{"--smoke --out own", exitUsage, "own/README.md: not made by this program, so not replaced (move the file, or use another"},
		{"report single --out own", exitUsage, "own/README.md: not made by this program"},
		{"peers --out own", exitUsage, "own/peers.csv: not made by this program"},
		{"systems systems --out own", exitUsage, "own/systems.csv: not made by this program"},
		{"reproduce single --out own", exitUsage, "own/reproduce.md: not made by this program"},
		{"page --out own/README.md", exitUsage, "own/README.md: not made by this program"},
		{"report . single", exitUsage, "raw files or folders of results, got both"},
		{"report . /", exitUsage, "are not in one folder"},
		{"report .", exitFailure, "no file of the main job, bench-*.txt"},
		{"report single " + quiet, exitUsage, "are not in one folder (name the page's with --out)"},
	} {
		refuses(t, test.code, test.want, strings.Fields(test.args)...)
	}
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
	assert.LessOrEqual(t, len(html), 1_800_000)

	_, errOut := exits(t, exitFailure, "page", "--out", "/proc/page.html") // where no file can be made
	assert.Regexp(t, `^bench: page: .*/proc/.*\n$`, errOut)
}
