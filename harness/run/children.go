package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/results"
)

// BuildPeers builds the program of the nested module, and returns its cells.
func BuildPeers(ctx context.Context) ([]Cell, error) {
	root, err := Repository()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, peersDir)
	binary, err := Build(ctx, dir, "peers.test", "test", "-c", ".")
	if err != nil {
		return nil, fmt.Errorf("building the peers: %w", err)
	}
	return Children(ctx, dir, binary, "-test.run=^TestServer$", "-test.timeout=0", "-sample")
}

// Children returns the cells of a program that calls Serve. Every sample is made by a process of its own, so that no
// sample inherits another's heap: the program, run in a folder with these arguments and a request.
func Children(ctx context.Context, dir, binary string, args ...string) (cells []Cell, err error) {
	call := func(ctx context.Context, request string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, binary, append(slices.Clone(args), request)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = cmp.Or(ctx.Err(), fmt.Errorf("%s: %w: %s", request, err, lastLine(out)))
		}
		return out, err
	}
	out, err := call(ctx, listRequest)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		var c Cell
		if _, err := fmt.Sscanf(line, cellLine, &c.Name, &c.Rounds); err != nil {
			continue // other output
		}
		c.Sample = func(ctx context.Context, round int) ([]results.Result, error) {
			out, err := call(ctx, fmt.Sprintf("%d:%s", round, c.Name))
			if err != nil {
				return nil, err
			}
			return parseSample(out)
		}
		cells = append(cells, c)
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("run: %s lists no cells: %s", filepath.Base(binary), lastLine(out))
	}
	return cells, nil
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// parseSample parses what a program prints for a sample.
func parseSample(out []byte) (rows []results.Result, err error) {
	err = fmt.Errorf("no result: %s", lastLine(out))
	for line := range strings.Lines(string(out)) {
		word, why, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch row, other := results.ParseResult(line); {
		case other == nil:
			rows = append(rows, row)
		case word == failedWord:
			err = errors.New(why)
		case word == skippedWord:
			err = fmt.Errorf("%w%s", ErrTime, strings.TrimPrefix(why, ErrTime.Error()))
		}
	}
	if len(rows) > 0 { // what else a program prints may look like a failure
		return rows, nil
	}
	return nil, err
}

// A request is one of these. The program prints, among other output:
//
//	list          a line for each of its cells, with the number of rounds
//	ROUND:NAME    the sample of a cell in the Go benchmark format, "failed WHY", or "skipped WHY"
const (
	listRequest = "list"
	cellLine    = "cell %s %d\n"
	failedWord  = "failed"
	skippedWord = "skipped"
)

// Serve answers a request. A failed sample is an answer; an unknown cell is an error.
func Serve(ctx context.Context, cells []Cell, request string, w io.Writer) (err error) {
	if request == listRequest {
		for _, c := range cells {
			fmt.Fprintf(w, cellLine, c.Name, c.Rounds)
		}
		return nil
	}
	before, name, _ := strings.Cut(request, ":")
	round, err := strconv.Atoi(before)
	i := slices.IndexFunc(cells, func(c Cell) bool { return c.Name == name })
	if err != nil || i < 0 {
		return fmt.Errorf("run: unknown sample %q (use a round and a cell, as in 0:%s)", request, cells[0].Name)
	}
	rows, err := cells[i].within(ctx, round)
	if err != nil {
		word := failedWord
		if errors.Is(err, ErrTime) {
			word = skippedWord
		}
		fmt.Fprintln(w, word, strings.ReplaceAll(err.Error(), "\n", " "))
		return nil
	}
	for _, row := range rows {
		fmt.Fprintln(w, row.String())
	}
	return nil
}

// within makes a sample within the cell's limit. A sample that is abandoned goes on: the process ends with the answer.
// Nothing is called within what is timed.
func (c Cell) within(ctx context.Context, round int) ([]results.Result, error) {
	if c.Limit == 0 {
		return c.Sample(ctx, round)
	}
	type answer struct {
		rows []results.Result
		err  error
	}
	stop, made := RealTime.Within(c.Limit), make(chan answer, 1)
	go func() {
		rows, err := c.Sample(ctx, round)
		made <- answer{rows, err}
	}()
	for {
		select {
		case a := <-made:
			return a.rows, a.err
		case <-time.After(c.Limit / 100):
			if err := stop(); err != nil {
				return nil, err
			}
		}
	}
}

// Sample measures a subject on the group's workload in a process that makes one sample: see Children. It makes
// the trace, and times CPU time of the process, which includes what a subject leaves to other goroutines. Unlike
// a Plan it leaves the collector on, so that collecting a subject's garbage is timed too, and makes one pass: a collection
// falls into some passes only, and is no disturbance. The trace is in the same heap, so the collector runs less often
// than in a program without one.
func (g Group) Sample(s Subject) ([]results.Result, error) {
	t, err := g.Spec.Trace()
	if err != nil {
		return nil, err
	}
	const resolution = time.Microsecond // of the CPU time
	p, err := runOnce(g.Mode, s, t, CPUTime, ClockSteps*resolution)
	return p.rows, err
}
