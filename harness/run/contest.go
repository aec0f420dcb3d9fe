package run

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"timerlab/harness/results"

	"golang.org/x/perf/benchfmt"
)

// Contest interleaves cells of which every sample is made by a process of its own, so that
// none inherits another's heap: those of timers that this module does not import, in the test
// binary of the nested module of peers, and those of timer services.
//
// The binary is called with some arguments and then --cells, upon which it prints a line
// "cell ROUNDS NAME" for each cell, or --cell=NAME --round=ROUND, upon which it prints a
// result in the Go benchmark format, or "failed WHY"; --jvm makes all samples of the lines
// "jvm NAME".
type Contest struct {
	dir    string // in which the binary is called
	binary string
	args   []string // with which it is called, and more behind them
	cells  []childCell
	jvm    map[string]bool // cells that one process makes all samples of
}

// cell is a work of one subject, and how many samples it needs.
type childCell struct {
	name   string // in the Go benchmark format, without "Benchmark"
	rounds int
}

// RowSink takes rows as they come; results.Raw is one.
type RowSink interface {
	Round(round int) error // what follows is of this round
	Result(results.Result) error
	Skip(name, why string) error
	Fail(name string, err error) error
}

// ErrNoSource says that the nested module's source is not there.
var ErrNoSource = errors.New("the peers are built from source")

// Build builds the binary of the nested module, into the folder tmp, and asks it
// for its cells.
func BuildPeers(ctx context.Context, tmp string) (*Contest, error) {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	dir := filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), "harness", "peers")
	if _, statErr := os.Stat(filepath.Join(dir, "go.mod")); err != nil || statErr != nil {
		return nil, fmt.Errorf("%w: found no %s, allowed: to be called within the repository, with go installed", ErrNoSource, filepath.Join("harness", "peers", "go.mod"))
	}
	binary := filepath.Join(tmp, "peers.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the peers: %w\n%s", err, out)
	}
	return Ask(ctx, dir, binary, "-test.run=^TestContest$", "-test.timeout=0")
}

// Of asks a binary, called in a folder with some arguments, for its cells.
func Ask(ctx context.Context, dir, binary string, args ...string) (*Contest, error) {
	c := &Contest{dir: dir, binary: binary, args: args, jvm: map[string]bool{}}
	out, err := c.call(ctx, "--cells")
	if err != nil {
		return nil, err
	}
	return c, c.list(out)
}

// call runs the binary with some flags and returns what it printed.
func (c *Contest) call(ctx context.Context, flags ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, c.binary, slices.Concat(c.args, flags)...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(flags, " "), err, lastLine(out))
	}
	return out, err
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// list reads the cells that the binary printed.
func (c *Contest) list(out []byte) error {
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var one childCell
		if n, _ := fmt.Sscanf(lines.Text(), "cell %d %s", &one.rounds, &one.name); n == 2 {
			c.cells = append(c.cells, one)
		}
		if name, ok := strings.CutPrefix(lines.Text(), "jvm "); ok {
			c.jvm[name] = true
		}
	}
	if len(c.cells) == 0 {
		return fmt.Errorf("the binary named no cells: %s", lastLine(out))
	}
	return nil
}

// Keep leaves only the cells whose names match, with at most so many rounds; 0 leaves
// the rounds as they are.
func (c *Contest) Keep(match *regexp.Regexp, rounds int) error {
	var kept []childCell
	for _, one := range c.cells {
		if match.MatchString(one.name) {
			if rounds > 0 {
				one.rounds = min(one.rounds, rounds)
			}
			kept = append(kept, one)
		}
	}
	maps.DeleteFunc(c.jvm, func(name string, _ bool) bool { return !match.MatchString(name) })
	if len(kept)+len(c.jvm) == 0 {
		return fmt.Errorf("no cell matches %q, allowed: what is in names such as %s", match, c.cells[0].name)
	}
	c.cells = kept
	return nil
}

// Run makes the samples that are not done yet, round by round, the cells of a round
// in an order of its own, and then the JVM's. A sample that fails is told to the sink
// and no reason to end.
func (c *Contest) Run(ctx context.Context, sink RowSink, done func(name string, round int) bool, progress Progress) error {
	plan := c.plan(done)
	last := -1
	for i, s := range plan {
		progress(i, len(plan), fmt.Sprintf("round %d: %s", s.round+1, s.name))
		if s.round != last {
			if err := sink.Round(s.round); err != nil {
				return err
			}
			last = s.round
		}
		if err := c.sample(ctx, sink, s); err != nil {
			return err
		}
	}
	if len(c.jvm) == 0 {
		return nil
	}
	progress(len(plan), len(plan), "the JVM's timers, some minutes")
	return c.runJVM(ctx, sink, done)
}

type childSample struct {
	childCell
	round int
}

// plan returns the samples in the order in which they are made.
func (c *Contest) plan(done func(name string, round int) bool) (plan []childSample) {
	most := 0
	for _, one := range c.cells {
		most = max(most, one.rounds)
	}
	for round := range most {
		first := len(plan)
		for _, one := range c.cells {
			if round < one.rounds && !done(one.name, round) {
				plan = append(plan, childSample{one, round})
			}
		}
		of := plan[first:]
		random := rand.New(rand.NewPCG(1987, uint64(round)))
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	}
	return plan
}

func (c *Contest) sample(ctx context.Context, sink RowSink, s childSample) error {
	out, err := c.call(ctx, "--cell="+s.name, fmt.Sprintf("--round=%d", s.round))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		var result results.Result
		if result, err = parse(out); err == nil {
			return sink.Result(result)
		}
	}
	return sink.Fail(s.name, err)
}

// runJVM runs the program for the JVM, which makes several samples of each of its
// cells in one process, and tells the sink those that are wanted and not done. Where
// there is no JVM, they are skipped with the reason.
func (c *Contest) runJVM(ctx context.Context, sink RowSink, done func(name string, round int) bool) error {
	out, err := c.call(ctx, "--jvm")
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for _, result := range benchmarkLines(out) {
		round := seen[result.Name]
		seen[result.Name]++
		if !c.jvm[result.Name] || done(result.Name, round) {
			continue
		}
		if err := errors.Join(sink.Round(round), sink.Result(result)); err != nil {
			return err
		}
	}
	for line := range strings.Lines(string(out)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "skipped ")
		if name, why, _ := strings.Cut(text, ": "); ok && c.jvm[name] {
			if err := sink.Skip(name, why); err != nil {
				return err
			}
		}
	}
	return nil
}

// results returns the benchmark lines in what a binary printed.
func benchmarkLines(out []byte) (all []results.Result) {
	for r := benchfmt.NewReader(bytes.NewReader(out), "output"); r.Scan(); {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			res = res.Clone()
			all = append(all, results.Result{Name: string(res.Name), Iters: res.Iters, Values: res.Values})
		}
	}
	return all
}

// parse returns the benchmark line in what a binary printed, or the failure that it
// told.
func parse(out []byte) (results.Result, error) {
	if all := benchmarkLines(out); len(all) > 0 {
		return all[0], nil
	}
	for line := range strings.Lines(string(out)) {
		if why, ok := strings.CutPrefix(line, "failed "); ok {
			return results.Result{}, errors.New(strings.TrimSpace(why))
		}
	}
	return results.Result{}, fmt.Errorf("no result: %s", lastLine(out))
}
