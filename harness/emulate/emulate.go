// Package emulate counts the instructions of the operations of a scheme in valgrind, an emulator of processors. A
// program does one operation many times, and asks valgrind to count that alone. Two counts of the same code, with the same
// Go and processor, differ by less than one in a thousand, whatever else runs: Go's runtime does a little more in one run
// than in another.
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

// Count runs a command that calls Program and prints what that returns, a number on each line, and returns a row for each
// of Ops. keys are their name without the operation.
func Count(ctx context.Context, keys string, command ...string) (rows []results.Result, err error) {
	counts, err := os.CreateTemp("", "timerlab-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(counts.Name())
	counts.Close()
	child := exec.CommandContext(ctx, "valgrind", append([]string{"--tool=callgrind", "--collect-atstart=no",
		"--combine-dumps=yes", "--callgrind-out-file=" + counts.Name()}, command...)...)
	// One thread, no collection, and of the processor only what all have. A preemption by a signal takes the runtime
	// longer, by as much as its stack is deep.
	child.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=cpu.all=off,asyncpreemptoff=1")
	var errOut bytes.Buffer
	child.Stderr = &errOut
	out, err := child.Output()
	if err != nil {
		return nil, fmt.Errorf("emulate: %s: %w: %s", keys, errors.Join(ctx.Err(), err), errOut.String())
	}
	report, err := os.ReadFile(counts.Name())
	times, instructions := strings.Fields(string(out)), totals(string(report))
	if err != nil || len(times) != len(Ops) || len(instructions) < len(Ops) {
		return nil, fmt.Errorf("emulate: %s: %q operations, %v instructions: want %d numbers of each (%v)", keys, times,
			instructions, len(Ops), err)
	}
	for i, op := range Ops {
		n, err := strconv.Atoi(times[i])
		if err != nil {
			return nil, fmt.Errorf("emulate: %s: %w", keys, err)
		}
		row := results.Result{Name: op + "/" + keys, Iters: n}
		row.Add(instructions[i]/float64(n), units.InstrPerOp)
		rows = append(rows, row)
	}
	return rows, nil
}

// totals returns the numbers of instructions in callgrind's report, "totals: 8006200" for each part.
func totals(report string) (all []float64) {
	for line := range strings.Lines(report) {
		if number, ok := strings.CutPrefix(line, "totals: "); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(number), 64)
			all = append(all, n)
		}
	}
	return all
}
