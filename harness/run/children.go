package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/results"
)

// Children measures cells of which every sample is made by a process of its own, so that
// no sample inherits another's heap. The program that makes them is a Server.
type Children struct {
	tmp    string // removed by Close; "": nothing is
	dir    string // in which the program runs
	binary string
	args   []string // before those of the protocol
	cells  []Cell
	batch  []listed // of which one process makes all samples
}

// PeersDir returns the folder of the nested module's source in the repository around the
// working directory.
func PeersDir() (string, error) {
	at, err := os.Getwd()
	for ; err == nil; at = filepath.Dir(at) {
		dir := filepath.Join(at, "harness", "peers")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return "", errors.New("no source of the peers: harness/peers/go.mod not found (needs the repository)")
}

// BuildPeers builds the program of the nested module in a temporary folder, and returns
// its cells.
func BuildPeers(ctx context.Context) (c *Children, err error) {
	dir, err := PeersDir()
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(tmp)
		}
	}()
	binary := filepath.Join(tmp, "peers.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the peers: %w\n%s", err, out)
	}
	c, err = NewChildren(ctx, dir, binary, "-test.run=^TestServer$", "-test.timeout=0")
	if err == nil {
		c.tmp = tmp
	}
	return c, err
}

// Close removes the program if it was built.
func (c *Children) Close() error { return os.RemoveAll(c.tmp) } // of "" it is nothing

// NewChildren returns the cells of a program that is run in a folder with some arguments.
func NewChildren(ctx context.Context, dir, binary string, args ...string) (*Children, error) {
	c := &Children{dir: dir, binary: binary, args: args}
	out, err := c.call(ctx, "--"+listFlag)
	if err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var l listed
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.Name == "" {
			continue // other output
		}
		if l.Rounds == 0 {
			c.batch = append(c.batch, l)
			continue
		}
		sample := func(ctx context.Context, round int) ([]results.Result, error) { return c.sample(ctx, l.Name, round) }
		c.cells = append(c.cells, Cell{Name: l.Name, Rounds: l.Rounds, Sample: sample})
	}
	if len(c.cells) == 0 {
		return nil, fmt.Errorf("run: %s lists no cells: %s", filepath.Base(binary), lastLine(out))
	}
	return c, nil
}

// call runs the program with some flags and returns its output.
func (c *Children) call(ctx context.Context, flags ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, c.binary, slices.Concat(c.args, flags)...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(flags, " "), err, lastLine(out))
	}
	return out, err
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

func (c *Children) sample(ctx context.Context, name string, round int) ([]results.Result, error) {
	out, err := c.call(ctx, "--"+cellFlag+"="+name, fmt.Sprintf("--%s=%d", roundFlag, round))
	if err != nil {
		return nil, err
	}
	if rows := results.ParseResults(out); len(rows) > 0 {
		return rows, nil
	}
	for line := range strings.Lines(string(out)) {
		if why, ok := strings.CutPrefix(line, failedWord+" "); ok {
			return nil, errors.New(strings.TrimSpace(why))
		}
	}
	return nil, fmt.Errorf("no result: %s", lastLine(out))
}

// Names returns the names of all cells.
func (c *Children) Names() (names []string) {
	for _, cell := range c.cells {
		names = append(names, cell.Name)
	}
	for _, l := range c.batch {
		names = append(names, l.Name)
	}
	return names
}

// Keep leaves only the cells whose names match, with at most this number of rounds; 0
// leaves the rounds as they are. It reports whether any cell is left.
func (c *Children) Keep(matches func(name string) bool, rounds int) bool {
	c.cells = slices.DeleteFunc(c.cells, func(cell Cell) bool { return !matches(cell.Name) })
	c.batch = slices.DeleteFunc(c.batch, func(l listed) bool { return !matches(l.Name) })
	for i := range c.cells {
		if rounds > 0 {
			c.cells[i].Rounds = min(c.cells[i].Rounds, rounds)
		}
	}
	return len(c.cells)+len(c.batch) > 0
}

// orderSeed is that of the order of cells.
const orderSeed = 1987

// Run makes the samples that are not done, in interleaved rounds, and then the batch.
// A failed sample is reported to the sink and does not end the run.
func (c *Children) Run(ctx context.Context, sink Sink, done Done, progress Progress) error {
	r := Runner{Cells: c.cells, Seed: orderSeed, Done: done}
	tally, err := r.Run(ctx, sink, progress)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, b := range c.batch {
		if b.Missing == "" {
			wanted[b.Name] = true
		} else if err := sink.Skip(b.Name, b.Missing); err != nil {
			return err
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	progress(tally.Made, tally.Made+1, fmt.Sprintf("%d cells in one process, which takes minutes", len(wanted)))
	out, err := c.call(ctx, "--"+batchFlag)
	if err != nil {
		return err
	}
	next := map[string]int{} // the k-th sample of a cell is of round k
	for _, row := range results.ParseResults(out) {
		round := next[row.Name]
		next[row.Name]++
		if !wanted[row.Name] || done(row.Name, round) {
			continue
		}
		if err := errors.Join(sink.Round(round), sink.Result(row)); err != nil {
			return err
		}
	}
	return nil
}

// Server makes single samples of its cells at the request of Children. The protocol
// is a set of flags and what the program prints for each, among other output:
//
//	--cells                  a line of JSON for each cell, those of the batch included
//	--cell NAME --round K    results in the Go benchmark format, or "failed WHY"
//	--batch                  all samples of the batch, in the Go benchmark format
type Server struct {
	Cells func() []Cell
	Batch Batch

	list, batch bool
	cell        string
	round       int
}

// Batch is a program, as of another language, that makes all samples of its cells.
type Batch struct {
	Names   []string
	Missing string // why it cannot run here; "": it can
	Run     func(context.Context) (output string, err error)
}

// listed is a line of the list of cells.
type listed struct {
	Name    string `json:"cell"`
	Rounds  int    `json:"rounds,omitempty"`  // 0: the cell is of the batch
	Missing string `json:"missing,omitempty"` // why the batch cannot run here; "": it can
}

const (
	listFlag, cellFlag, roundFlag, batchFlag = "cells", "cell", "round", "batch"
	failedWord                               = "failed"
)

// Define defines the protocol's flags.
func (s *Server) Define(f *flag.FlagSet) {
	f.BoolVar(&s.list, listFlag, false, "list the cells")
	f.StringVar(&s.cell, cellFlag, "", "make one sample of this cell")
	f.IntVar(&s.round, roundFlag, 0, "round of the sample")
	f.BoolVar(&s.batch, batchFlag, false, "make all samples of the cells that one process measures")
}

// Requested reports whether the flags request anything.
func (s *Server) Requested() bool { return s.list || s.batch || s.cell != "" }

// Serve answers the request. A failed sample is an answer; an unknown cell is an error.
func (s *Server) Serve(ctx context.Context, w io.Writer) (err error) {
	switch {
	case s.list:
		lines := json.NewEncoder(w)
		for _, c := range s.Cells() {
			err = errors.Join(err, lines.Encode(listed{Name: c.Name, Rounds: c.Rounds}))
		}
		for _, name := range s.Batch.Names {
			err = errors.Join(err, lines.Encode(listed{Name: name, Missing: s.Batch.Missing}))
		}
		return err
	case s.batch:
		out, err := s.Batch.Run(ctx)
		fmt.Fprint(w, out)
		return err
	}
	for _, c := range s.Cells() {
		if c.Name != s.cell {
			continue
		}
		rows, err := c.Sample(ctx, s.round)
		if err != nil {
			fmt.Fprintln(w, failedWord, strings.ReplaceAll(err.Error(), "\n", " "))
			return nil
		}
		for _, row := range rows {
			fmt.Fprintln(w, row.String())
		}
		return nil
	}
	return fmt.Errorf("run: unknown cell %q", s.cell)
}
