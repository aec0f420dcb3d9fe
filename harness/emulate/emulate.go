// Package emulate counts the instructions of the operations of a scheme in valgrind, an emulator of processors. A
// program does one operation many times, and asks valgrind to count that alone. With equal code, Go and architecture the
// count is the same on every machine and under every load, to less than one in a thousand: the threads of Go's runtime
// take turns at other times.
package emulate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Set is the value of the key set in names of cells with instructions.
const Set = "instructions"

// Missing returns why nothing can be counted here, or "".
func Missing() string {
	if !supported {
		return "instructions are counted on amd64 alone"
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return "valgrind is not installed (Debian's package is valgrind)"
	}
	return ""
}

// Count runs a command that calls Program and prints what it returns, and returns the row of a cell.
func Count(ctx context.Context, cell string, command ...string) (row results.Result, err error) {
	child := exec.CommandContext(ctx, "valgrind", append([]string{"--tool=callgrind", "--collect-atstart=no",
		"--callgrind-out-file=/dev/null"}, command...)...)
	// One thread, no collection, and of the processor only what all have. A preemption by a signal takes the runtime
	// longer, by as much as its stack is deep.
	child.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=cpu.all=off,asyncpreemptoff=1")
	var out, report bytes.Buffer
	child.Stdout, child.Stderr = &out, &report
	if err := child.Run(); err != nil {
		return row, fmt.Errorf("emulate: %s: %w: %s", cell, errors.Join(ctx.Err(), err), report.String())
	}
	times, err := strconv.Atoi(strings.TrimSpace(out.String()))
	if err != nil || times < 1 {
		return row, fmt.Errorf("emulate: %s: %q is no number of operations", cell, out.String())
	}
	instructions, err := collected(report.String())
	if err != nil {
		return row, fmt.Errorf("emulate: %s: %w", cell, err)
	}
	row = results.Result{Name: cell, Iters: times}
	row.Add(instructions/float64(times), units.InstrPerOp)
	return row, nil
}

// collected returns the number in valgrind's line "==77== Collected : 8006200".
func collected(report string) (float64, error) {
	for line := range strings.Lines(report) {
		if _, number, ok := strings.Cut(line, "Collected : "); ok {
			if n, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil && n > 0 {
				return n, nil
			}
		}
	}
	return 0, fmt.Errorf("valgrind printed no count: %q", report)
}
