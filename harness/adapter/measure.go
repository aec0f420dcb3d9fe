package adapter

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"time"

	"timerlab/harness/workload"
)

// Measure lets the library run a trace by itself and returns the CPU time of its process. It returns an error if the outcome
// is not the trace's, or if the time cannot be true.
func (t *timers) Measure(trace *workload.Trace) (took time.Duration, err error) {
	const (
		mostLoading = 2 * time.Minute
		mostRunning = time.Minute
		readingTime = 2 * time.Millisecond // of a line, and writing one, and what a virtual machine does beside it
	)
	defer caught(&err)
	a := t.a
	if !a.Promises("run") {
		return 0, fmt.Errorf("%s does not promise run", a.Name)
	}
	file, err := os.CreateTemp("", "timerlab-operations-*.txt")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name())
	if err := writeTrace(file, trace, a.Promises("restart")); err != nil {
		return 0, err
	}
	a.scan(mostLoading, "load "+file.Name(), "ok")
	pid := a.process.cmd.Process.Pid
	before, known := cpuTime(pid)
	a.scan(mostRunning, "run", "ok %d", &took)
	after, _ := cpuTime(pid)
	var expired, checksum uint64
	a.scan(mostRunning, "outcome", "ok %d %d", &expired, &checksum)
	spent, operations, want := after-before, len(trace.Ops)-trace.Prefill, trace.Want
	switch {
	case expired != want.Expired || checksum != want.Checksum:
		err = fmt.Errorf("%s: %d timers expired, with the checksum %d; want %d and %d", a.Name, expired, checksum,
			want.Expired, want.Checksum)
	case known && (took > spent || took < spent-spent/10-readingTime):
		err = fmt.Errorf("%s says that the run took %v, but its process used %v of CPU time (the command must be that process: "+
			"a shell has to use exec)", a.Name, took, spent)
	case took < time.Duration(operations):
		err = fmt.Errorf("%s says that %d operations took %v, less than 1 ns each, in which no program can read one",
			a.Name, operations, took)
	}
	return took, err
}

// scan sends a line and reads the answer, which comes within a time, into values.
func (a *Adapter) scan(within time.Duration, line, form string, values ...any) {
	answer := a.process.ask(line, within)
	if _, err := fmt.Sscanf(answer, form, values...); err != nil {
		a.unexpected(line, answer)
	}
}

// writeTrace writes a trace as lines of the protocol and closes the file. Without restarts, a stop and a start replace each.
func writeTrace(file *os.File, trace *workload.Trace, restarts bool) error {
	w := bufio.NewWriterSize(file, 1<<16)
	now := trace.From
	pass := func(to uint64) {
		if n := to - uint64(now); n > 0 {
			fmt.Fprintln(w, "tick", n)
		}
	}
	for i, op := range trace.Ops {
		if i == trace.Prefill {
			fmt.Fprintln(w, "begin")
		}
		pass(uint64(op.Tick))
		now = op.Tick
		if op.Kind == workload.Restart && restarts {
			fmt.Fprintln(w, "restart", op.Timer, op.Timer, op.Interval)
			continue
		}
		if op.Kind != workload.Start {
			fmt.Fprintln(w, "stop", op.Timer)
		}
		if op.Kind != workload.Stop {
			fmt.Fprintln(w, "start", op.Timer, op.Interval)
		}
	}
	if trace.Prefill == len(trace.Ops) {
		fmt.Fprintln(w, "begin")
	}
	pass(uint64(trace.Ticks))
	return cmp.Or(w.Flush(), file.Close())
}
