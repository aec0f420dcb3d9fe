package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/results"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchproc"

	"timerlab/harness"
	"timerlab/harness/claims"
	"timerlab/schemes"
)

// allClaims are the claims before TestMain.
var allClaims []claims.Claim

// TestMain leaves a few claims, of every kind: all of them take half a minute.
func TestMain(m *testing.M) {
	if os.Getenv(asBench) != "" {
		main()
	}
	few := []string{"S2-2", "S2-4", "A-3x", "H-14", "R-6"}
	allClaims = claims.All
	claims.All = slices.DeleteFunc(slices.Clone(claims.All), func(c claims.Claim) bool { return !slices.Contains(few, c.ID) })
	os.Exit(m.Run())
}

// bench runs a command line and returns its exit code and what it printed.
func bench(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = execute(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

// badUsage are command lines and what is said of them.
var badUsage = []struct{ args, want string }{
	{"frob", `unknown verb "frob" (have check, claims, completion, doctor, lab, list, page, peers, pick, plot, report, reproduce, run, systems, trace, verify, version)`},
	{"pikc", `unknown verb "pikc" (did you mean pick?)`},
	{"help frob", `unknown verb "frob" (have check, claims, completion`},
	{"verify extra", `takes no argument`},
	{"verify --schemes nosuch", `unknown scheme "nosuch" (have unordered, ordered`},
	{"run --schemes nosuch", `unknown scheme "nosuch" (have unordered`},
	{"list nosuch", `unknown scheme "nosuch" (have unordered`},
	{"list tree tree", "at most one argument"},
	{"run -n 0", "0 is out of range (use 1 to"},
	{"run -n -5", `invalid count "-5"`},
	{"run -n 1k,,2k", `invalid count ""`},
	{"run -n 1x", `invalid count "1x"`},
	{"run -n 99999999999G", "invalid count"},
	{"run -M 0", "0 is out of range (use 1 to"},
	{"run -M 5G", "-M 5000000000 is out of range (use 1 to 2147483648)"},
	{"run -M 8 -m 9", "-m 9 with -M 8: invalid levels (use 1 to 64"},
	{"run -n 1k,1000", `duplicate value "1000"`},
	{"run --stop 0.5@0.5,0.50@0.5", `duplicate value "0.50@0.5"`},
	{"run --workload exp,exp", `duplicate value "exp"`},
	{"run --schemes tree,ordered,tree", `duplicate value "tree"`},
	{"run -n 100M", "use fewer timers or ticks"},
	{"run -T 0", "0 is out of range (use 1 to"},
	{"run -T 100G", "T = 100000000000 ticks (use 1 to"},
	{"run --workload gauss", `"gauss"`},
	{"run --stop 1.5@0.5", `invalid share of timers "1.5@0.5"`},
	{"run --arrivals never", `unknown arrivals "never" (have hold, poisson)`},
	{"run --rounds 0", `invalid count "0" (use a whole number from 1 to 1k`},
	{"run --rounds -1", `invalid count "-1"`},
	{"run --seed -1", `invalid count "-1"`},
	{"run --limit -1s", "--limit -1s is out of range (use a time above 0)"},
	{"--rounds 0", `invalid count "0" (use a whole number from 1 to 1k`},
	{"--full --smoke", "--full and --smoke are mutually exclusive"},
	{"--nosuch", "unknown flag: --nosuch"},
	{"peers --match Hold", "unknown flag: --match"},
	{"peers --filter ((", `--filter "((": syntax error`},
	{"peers --rounds 0", `invalid count "0" (use a whole number from 1 to 1k`},
	{"list hierarchicl", `unknown scheme "hierarchicl" (did you mean hierarchical?)`},
	{"verify --schemes=", "--schemes is empty"},
	{"verify --format gradescope", "--format gradescope needs --module"},
	{"verify --timeout 5s", "--timeout needs --module"},
	{"verify --module x --schemes 8", `unknown scheme of the paper "8"`},
	{"verify --module x --schemes tree,ordered", "--schemes tree,ordered: a module has one scheme"},
	{"verify --module x --schemes=", "a module has one scheme"},
	{"verify --format xml", `unknown format "xml" (have text, json, csv, md, gradescope)`},
	{"verify --module nosuch", `no module to grade (there is no such folder)`},
	{"verify --module testdata", "no module to grade (there is no Go file here)"},
	{"verify --module=", "--module is empty (use the folder of a student's module)"},
	{"verify --module ../../schemes/tree", "no module to grade (it is a part of timerlab itself)"},
	{"verify --module x --format csv", "--format csv is not for --module (have text, json, gradescope)"},
	{"verify --module x --timeout -1s", "--timeout -1s is out of range (use a time above 0)"},
	{"lab", "lab takes one folder, got 0"},
	{"lab --schemes hashsorted x", `no lab for scheme "hashsorted" (have hashunsorted, ordered, hierarchical)`},
	{"lab testdata", "folder is not empty"},
	{"list --format xml", `unknown format "xml" (have text, json, csv, md)`},
	{"run --shard 0/4", `invalid shard "0/4" (use an index from 1 and a count, as in 2/4)`},
	{"run --shard 5/4", `invalid shard "5/4"`},
	{"run --shard env", "neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set"},
	{"peers --shard x", `invalid shard "x"`},
	{"plot", "takes one raw file or more"},
	{"report", "takes one raw file or more"},
	{"check new.txt", "--base is missing (use the raw file to compare with)"},
	{"check --base old.txt", "takes one raw file or more"},
	{"check --base old.txt new.txt --time fast", `invalid percentage "fast"`},
	{"check --base old.txt new.txt --time 10% --bless", "--bless and --time are mutually exclusive"},
	{"check --base a.txt --base b.txt new.txt --bless", "--bless takes one --base, got 2"},
	{"check --base ../../harness/gate/testdata/quiet-1.txt ../../harness/gate/testdata/quiet-2.txt --filter ((", `--filter "((": `},
	{"reproduce", "takes one or two raw files, got 0"},
	{"reproduce a b c", "takes one or two raw files, got 3"},
	{"reproduce testdata", "testdata is a folder (name a raw file in it"},
	{"reproduce ../../harness/gate/testdata/quiet-1.txt --rounds 0", `invalid count "0"`},
	{"--version", "unknown flag: --version"},
	{"trace", "trace needs a verb (have check, stat)"},
	{"trace draw", `unknown verb "draw" (have check, stat)`},
	{"completion", "completion needs a verb (have bash, fish, powershell, zsh)"},
	{"completion tcsh", `unknown verb "tcsh" (`},
	{"completion bash more", `bash takes no argument, got "more"`},
	{"doctor quickly", "doctor takes no argument"},
}

// Bad input is one line that names the value and what is allowed, and exit 2.
func TestBadUsage(t *testing.T) {
	for _, test := range badUsage {
		t.Run(test.args, func(t *testing.T) {
			code, out, errOut := bench(t, strings.Fields(test.args)...)
			assert.Equal(t, exitUsage, code)
			assert.Empty(t, out)
			assert.Contains(t, errOut, test.want)
			assert.Equal(t, 1, strings.Count(errOut, "\n"), "one line: %s", errOut)
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help", "run"}, {"run", "--help"}} {
		code, out, _ := bench(t, args...)
		assert.Zero(t, code)
		assert.Contains(t, out, "--timers")
	}
}

func TestList(t *testing.T) {
	code, out, _ := bench(t, "list")
	assert.Zero(t, code)
	for _, info := range harness.Schemes {
		assert.Contains(t, out, info.Name)
		code, one, _ := bench(t, "list", info.Name)
		assert.Zero(t, code)
		assert.Contains(t, one, info.Doc)
	}
}

func TestVerify(t *testing.T) {
	args := []string{"verify", "--schemes", "simplewheel,tree"}
	if testing.Short() {
		args = append(args, "--short")
	}
	code, out, _ := bench(t, args...)
	assert.Zero(t, code)
	assert.Contains(t, out, "2 schemes keep every rule")
}

// The formats of a verb hold the same, and JSON says its version.
func TestFormats(t *testing.T) {
	for _, args := range []string{"list", "list tree", "list presets", "verify --short --schemes tree"} {
		code, out, errOut := bench(t, append(strings.Fields(args), "--format", "json")...)
		require.Zero(t, code, errOut)
		var doc struct {
			Version int
			Rows    []map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(out), &doc), args)
		assert.Equal(t, report.JSONVersion, doc.Version)
		assert.NotEmpty(t, doc.Rows)
		code, out, errOut = bench(t, append(strings.Fields(args), "--format", "csv")...)
		require.Zero(t, code, errOut)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		require.NoError(t, err)
		assert.Len(t, rows, 1+len(doc.Rows), args)
		code, out, errOut = bench(t, append(strings.Fields(args), "--format", "md")...)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "|---")
	}
	_, out, _ := bench(t, "list")
	assert.Contains(t, out, "unlimited")
}

func TestVersionAndCompletion(t *testing.T) {
	code, verb, _ := bench(t, "version")
	assert.Zero(t, code)
	assert.Regexp(t, `^timerlab commit \S+ go1\.`, verb)
	code, out, _ := bench(t, "__complete", "run", "--schemes", "")
	assert.Zero(t, code)
	assert.Contains(t, out, "hierarchical-chunked")
	code, out, _ = bench(t, "completion", "bash")
	assert.Zero(t, code)
	assert.Contains(t, out, "__start_bench")
}

// Every verb has examples, and the exit codes are in the help of all.
func TestHelpIsComplete(t *testing.T) {
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		assert.NotEmpty(t, cmd.Example, cmd.CommandPath())
		for _, c := range cmd.Commands() {
			check(c)
		}
	}
	check(newRoot())
	_, out, _ := bench(t, "--help")
	assert.Contains(t, out, "130 interrupted")
}

// What run suggests is a filter and a projection that benchstat reads, and the first
// scheme is its baseline.
func TestBenchstatCommand(t *testing.T) {
	infos, err := findSchemes([]string{"tree", "ordered"})
	require.NoError(t, err)
	command := benchstat(infos, "raw.txt")
	assert.Equal(t, "go tool benchstat -filter '.unit:sec/op -.name:Spin' -ignore /m -col '/scheme@(tree ordered)' raw.txt", command)
	_, err = benchproc.NewFilter(".unit:sec/op -.name:Spin")
	require.NoError(t, err)
	filter, err := benchproc.NewFilter("*")
	require.NoError(t, err)
	_, err = new(benchproc.ProjectionParser).Parse("/scheme@(tree ordered)", filter)
	require.NoError(t, err)
}

// Levels that do not divide the slots are no error, but said.
func TestUnevenLevels(t *testing.T) {
	code, _, errOut := bench(t, "run", "-n", "10", "-T", "10", "-M", "10", "-m", "3", "--rounds", "1",
		"--schemes", "hierarchical", "--out", t.TempDir())
	assert.Zero(t, code)
	assert.Contains(t, errOut, "note: 3 does not divide M = 10: scheme 7 gets 3 levels of 3 slots")
}

// An interrupt before anything is measured leaves no folder.
func TestInterruptLeavesNoEmptyFolder(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := filepath.Join(t.TempDir(), "out")
	var out, errOut bytes.Buffer
	assert.Equal(t, exitInterrupted, execute(ctx, []string{"--smoke", "--out", dir}, &out, &errOut))
	assert.NoDirExists(t, dir)
}

// Progress that is not on a terminal is a line now and then, with what is left.
func TestProgressInAFile(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, begun: time.Now().Add(-time.Minute), shown: time.Now().Add(-lineEvery)}
	p.run(10, 40, "verifying tree")
	p.run(11, 40, "verifying tree")
	p.finish()
	assert.Equal(t, "verifying tree: 10 of 40, about 3 min left\n", b.String())

	b.Reset()
	continued := &progress{w: &b, begun: time.Now().Add(-time.Minute), first: -1, shown: time.Now().Add(-lineEvery)}
	continued.run(10, 40, "tree")
	continued.shown = continued.begun
	continued.run(20, 40, "tree")
	assert.Equal(t, "tree: 10 of 40\ntree: 20 of 40, about 2 min left\n", b.String(), "ten runs took a minute, not 20")
}

// early is a wheel whose timers come one tick early.
func early() *schemes.Info {
	wheel, err := harness.Find("hashunsorted")
	if err != nil {
		panic(err)
	}
	info := *wheel
	info.Name = "early"
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := wheel.New(cfg)
		return earlyScheme{s}, err
	}
	return &info
}

type earlyScheme struct{ schemes.Scheme }

func (e earlyScheme) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval > 2 {
		interval--
	}
	return e.Scheme.Start(interval, id)
}

// A scheme that breaks the contract is exit 4, and so is a run whose outcome is
// wrong: its row is an error, never a time.
func TestABrokenScheme(t *testing.T) {
	registry := harness.Schemes
	defer func() { harness.Schemes = registry }()
	harness.Schemes = append(registry[:len(registry):len(registry)], early())

	code, out, errOut := bench(t, "verify", "--schemes", "early")
	assert.Equal(t, exitUnverified, code)
	assert.Contains(t, out, "breaks the rule")
	assert.Contains(t, errOut, "1 of 1 schemes")

	dir := t.TempDir()
	code, _, errOut = bench(t, "run", "-n", "100", "-T", "100", "--rounds", "1", "--schemes", "early,tree", "--out", dir)
	assert.Equal(t, exitUnverified, code)
	assert.Contains(t, errOut, "wrong outcome")
	table, err := results.Load(raw(t, dir))
	require.NoError(t, err)
	for _, k := range table.Keys {
		assert.NotContains(t, k.Scheme, "early", "no time")
	}
	assert.True(t, table.Missing[0].Fail)

	code, out, errOut = bench(t, "report", raw(t, dir), "--out", dir)
	assert.Equal(t, exitUnverified, code)
	assert.Contains(t, errOut, "6 cells with a wrong outcome", "early, and early as its own control, in three modes")
	assert.Contains(t, out, filepath.Join(dir, "README.md"), "the page is written all the same")
}

// raw returns the one raw file in dir.
func raw(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*-*Z.txt"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// The verbs work over saved files: run, then plot and report.
func TestRunPlotReport(t *testing.T) {
	dir := t.TempDir()
	code, out, errOut := bench(t, "run", "-n", "100,1k", "-M", "4096", "-m", "2", "-T", "100", "--rounds", "1",
		"--schemes", "unordered,hashunsorted,hierarchical", "--stop", "0.5@0.5", "--out", dir)
	require.Zero(t, code, errOut)
	file := raw(t, dir)
	assert.Contains(t, out, file)
	assert.FileExists(t, filepath.Join(dir, "machine.txt"))

	figures := filepath.Join(dir, "figures")
	formats := []string{"svg", "png"}
	if testing.Short() {
		formats = formats[:1]
	}
	for _, format := range formats {
		args := []string{"plot", file, "--out", figures}
		if format == "png" {
			args = append(args, "--format", "png")
		}
		code, out, errOut = bench(t, args...)
		require.Zero(t, code, errOut)
		for _, name := range []string{"start", "stop", "per-tick", "bytes"} {
			path := filepath.Join(figures, name+"."+format)
			assert.Contains(t, out, path)
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.NotEmpty(t, before)
			code, _, _ = bench(t, args...)
			require.Zero(t, code)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, before, after, "%s: a second run draws the same bytes", path)
		}
	}

	code, out, errOut = bench(t, "report", file, "--out", dir)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "do not decide between schemes 6 and 7", "the grid of schemes 6 and 7 was not measured")
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "go run ./cmd/bench run --levels=2")
	assert.Contains(t, string(page), "## Lifetime: time per timer")
	assert.NoFileExists(t, filepath.Join(dir, "claims.md"), "which takes long, and these files decide no claim")
}

// A file with several M can be judged: its workloads are the same for all M,
// though their wheels turn in different times.
func TestSeveralSlots(t *testing.T) {
	dir := t.TempDir()
	code, _, errOut := bench(t, "run", "-n", "100", "-M", "64,524288", "-m", "1", "-T", "100", "--rounds", "1",
		"--schemes", "hashunsorted,hierarchical", "--out", dir)
	require.Zero(t, code, errOut)
	code, _, errOut = bench(t, "report", raw(t, dir), "--out", dir)
	require.Zero(t, code, errOut)
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

// The main job, as small as it gets; with -short, without the variants that only their
// own tests need.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		registry := harness.Schemes
		defer func() { harness.Schemes = registry }()
		harness.Schemes = slices.DeleteFunc(slices.Clone(registry), func(info *schemes.Info) bool {
			return !info.IsBase() && !slices.Contains([]int{2, 3, 5, 6}, info.Number)
		})
	}
	dir := t.TempDir()
	code, out, errOut := bench(t, "--smoke", "--rounds", "1", "--out", dir)
	require.Zero(t, code, errOut)
	for _, want := range []string{fmt.Sprintf("%d schemes keep every rule", len(harness.Schemes)), "Of 3 claims of the paper, ", filepath.Join(dir, "claims.md"), "THE LONGEST PERTICK", filepath.Join(dir, "latency.csv"), raw(t, dir), filepath.Join(dir, "README.md")} {
		assert.Contains(t, out, want)
	}
}

func TestFilesThatAreNotRight(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	broken := write("broken.txt", "BenchmarkStart/scheme=tree/n=1k 10 1.5 ns/op\nBenchmarkStart/scheme=tree/n=1k 10 1.5\n")
	for _, verb := range []string{"plot", "report"} {
		out := filepath.Join(dir, "out-"+verb)
		code, _, errOut := bench(t, verb, broken, "--out", out)
		assert.Equal(t, exitFailure, code)
		assert.Contains(t, errOut, broken+":2:")
		assert.NoFileExists(t, filepath.Join(out, "README.md"))

		code, _, errOut = bench(t, verb, filepath.Join(dir, "none.txt"), "--out", out)
		assert.Equal(t, exitFailure, code)
		assert.Contains(t, errOut, "none.txt")
	}
	single := write("single.txt", "BenchmarkStart/scheme=tree/n=1k 10 1.5 ns/op\n")
	code, _, errOut := bench(t, "plot", single, "--out", dir)
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errOut, "no figure")

	// A folder that cannot be made, since a file has its name.
	code, _, errOut = bench(t, "run", "-n", "10", "-T", "10", "--rounds", "1", "--out", filepath.Join(single, "below"))
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errOut, single)
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
	table, err := results.Load(raw(t, dir))
	require.NoError(t, err)
	assert.NotEmpty(t, table.Keys)
}

// A folder that cannot be made is an error before anything is verified or judged.
func TestUnwritableFolderIsReportedAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("BenchmarkStart/scheme=tree/n=1k 10 1.5 ns/op\n"), 0o644))
	out := filepath.Join(file, "below")
	for _, args := range [][]string{{"--smoke", "--out", out}, {"report", file, "--out", out}} {
		code, printed, errOut := bench(t, args...)
		assert.Equal(t, exitFailure, code)
		assert.Empty(t, printed, "nothing verified")
		assert.NotContains(t, errOut, "claims judged")
		assert.Contains(t, errOut, file)
	}
}
