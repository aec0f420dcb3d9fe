package tracefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Life is one lifetime of a timer, from a start or restart to its end.
type Life struct {
	Start    schemes.Tick // since the trace's beginning
	Interval schemes.Tick // requested
	Stay     schemes.Tick // how long it was outstanding
	Fate     workload.Fate
}

// Options of Read.
type Options struct {
	Hz    int        // jiffies per second, for Linux's traces; 0 derives it from the trace
	Seed  uint64     // of the draw of Lives
	visit func(Life) // called with each lifetime that ends, by tests
}

// LineError is an error in a line of a trace.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Errors of a trace as a whole.
var (
	ErrEmpty  = errors.New("the trace has no timers")
	ErrBinary = errors.New("not a trace: it contains binary data")
	ErrHz     = errors.New("the trace is too short to derive the kernel's ticks per second (CONFIG_HZ)")
)

// Read reads a trace of either format to its end, compressed or not. O(operations) time,
// O(n) memory.
func Read(r io.Reader, o Options) (*Stat, error) {
	lines, err := newLines(r)
	if err != nil {
		return nil, err
	}
	head, err := lines.peek()
	if err != nil {
		return nil, err
	}
	s := newStat(o)
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return nil, ErrBinary
	case isKernel(head):
		s.Kernel = true
		err = readKernel(s, lines, o.Hz)
	default:
		err = readText(s, lines)
	}
	if err == nil && s.Started == 0 {
		err = ErrEmpty
	}
	if err != nil {
		return nil, err
	}
	if n := s.Ended(); n > 0 {
		s.Lives = s.drawn.finish(n, s.Outstanding)
	}
	return s, nil
}
