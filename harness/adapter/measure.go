package adapter

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"timerlab/harness/workload"
)

// Measure lets the library run a trace by itself and returns the CPU time of its process. It returns an error if the outcome
// is not the trace's, or if the time cannot be true.
func (t *timers) Measure(trace *workload.Trace) (took time.Duration, err error) {
	return t.a.measure(trace)
}

func (a *Adapter) measure(trace *workload.Trace) (took time.Duration, err error) {
	defer caught(&err)
	if !a.promise("run") {
		return 0, fmt.Errorf("%s does not promise run", a.Name)
	}
	path, err := writeTrace(trace, a.promise("restart"))
	if err != nil {
		return 0, err
	}
	defer os.Remove(path)
	a.expect(mostLoading, "load "+path, "ok")
	pid := a.process.cmd.Process.Pid
	before, known := cpuTime(pid)
	var said int64
	line, answer := a.expect(mostRunning, "run", "ok %d", &said)
	after, _ := cpuTime(pid)
	var expired, checksum uint64
	a.expect(mostRunning, "outcome", "ok %d %d", &expired, &checksum)
	if want := trace.Want; expired != want.Expired || checksum != want.Checksum {
		return 0, fmt.Errorf("%s: %d timers expired, with the checksum %d; want %d and %d", a.Name, expired, checksum,
			want.Expired, want.Checksum)
	}
	took = time.Duration(said)
	if spent := after - before; known && (took > spent || took < spent-spent/10-readingTime) {
		return 0, fmt.Errorf("%s answered %q to %q, but its process used %v of CPU time (the command must be that process: a shell has to use exec)", a.Name, answer, line, spent)
	}
	if operations := len(trace.Ops) - trace.Prefill; took < time.Duration(operations) {
		return 0, fmt.Errorf("%s says that %d operations took %v, less than 1 ns each, in which no program can read one",
			a.Name, operations, took)
	}
	return took, nil
}

const (
	mostLoading = 2 * time.Minute
	mostRunning = time.Minute
	readingTime = 2 * time.Millisecond // of a line, and writing one, and what a virtual machine does beside it
)

// expect sends a line and reads the answer into values. It panics with a *Failure if there is none within a time.
func (a *Adapter) expect(within time.Duration, line, form string, values ...any) (asked, answer string) {
	answer = a.process.ask(line, within)
	if _, err := fmt.Sscanf(answer, form, values...); err != nil {
		a.unexpected(line, answer)
	}
	return line, answer
}

// writeTrace writes a trace as lines of the protocol to a new file, with restarts or with a stop and a start in place of each.
func writeTrace(trace *workload.Trace, restarts bool) (path string, err error) {
	file, err := os.CreateTemp("", "timerlab-operations-*.txt")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
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
		switch {
		case op.Kind == workload.Stop:
			fmt.Fprintln(w, "stop", op.Timer)
		case op.Kind == workload.Restart && restarts:
			fmt.Fprintln(w, "restart", op.Timer, op.Timer, op.Interval)
		case op.Kind == workload.Restart:
			fmt.Fprintln(w, "stop", op.Timer)
			fallthrough
		default:
			fmt.Fprintln(w, "start", op.Timer, op.Interval)
		}
	}
	if trace.Prefill == len(trace.Ops) {
		fmt.Fprintln(w, "begin")
	}
	pass(uint64(trace.Ticks))
	if err = w.Flush(); err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}
