// Package tracefile reads what the timers of a real program did: traces in a text
// format of its own, and the output of Linux's timer tracepoints. It reads line by
// line, so a trace may be larger than memory; it keeps only the outstanding timers.
//
// The text format has header lines, then a line for each operation:
//
//	# tick: 1ms
//	# source: gateway, 2026-11-03
//	0 start 17 30000
//	4 restart 17 30000
//	9 stop 17
//
// The columns are the tick, the operation, the timer, and for a start or restart the
// interval in ticks. Each but the operation is a whole number below 2^64. A timer's number
// may be reused when the timer has ended. Ticks do not decrease. A timer expires by itself
// when its interval has passed, before the operations of that tick: no line says so, and a
// stop on that tick is an error.
//
// Linux's traces are lines of ftrace or of perf script with the events timer_start,
// timer_cancel and timer_expire_entry; see kernel.go.
//
// Either may be compressed with gzip. A bad line is an error with its line number;
// nothing is guessed. A last line without an end is left out, and reported.
package tracefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

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
	Hz    int        // jiffies per second, which Linux's traces need
	Seed  uint64     // of the draw of Lives
	visit func(Life) // called with each lifetime that ends, by tests
}

// Errors of a trace as a whole.
var (
	errEmpty  = errors.New("the trace has no timers")
	errBinary = errors.New("not a trace: it contains binary data")
	ErrHz     = errors.New("a trace of Linux does not say the kernel's ticks per second (CONFIG_HZ)")
)

// Read reads a trace of either format to its end, compressed or not. O(operations) time,
// O(n) memory.
func Read(r io.Reader, o Options) (*Stat, error) {
	b := bufio.NewReaderSize(r, peeked)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		b = bufio.NewReaderSize(z, peeked)
	}
	head, err := b.Peek(peeked)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	lines := &lines{r: b}
	s := &Stat{
		Header: map[string]string{}, Intervals: newQuantiles(), Stays: newQuantiles(),
		visit: o.visit, random: rand.New(rand.NewPCG(o.Seed, 7)),
	}
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return nil, errBinary
	case bytes.HasPrefix(head, []byte("# tracer:")), eventName.Match(head):
		s.Kernel = true
		err = readKernel(s, lines, o.Hz)
	default:
		err = readText(s, lines)
	}
	s.Cut = lines.cut
	if err == nil && s.Started == 0 {
		err = errEmpty
	}
	if err != nil {
		return nil, err
	}
	s.finish()
	return s, nil
}

// lines reads lines and counts them.
type lines struct {
	r   *bufio.Reader
	n   int
	cut bool // the last line has no end, so that a part of it may be missing
}

const (
	longestLine = 64 << 10
	peeked      = 256 << 10 // bytes at the beginning that decide the format
)

// next returns the next line without its end; io.EOF after the last one that has an end. The
// line is valid until the next call.
func (l *lines) next() (line []byte, err error) {
	line, err = l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull || len(line) > longestLine {
		return nil, fmt.Errorf("line %d: longer than %d bytes", l.n+1, longestLine)
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) { // the latter from gzip
		l.cut = len(line) > 0 || err != io.EOF
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	l.n++
	return bytes.TrimRight(line, "\r\n"), nil
}

// wrong makes an error about the current line.
func (l *lines) wrong(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", l.n, fmt.Errorf(format, args...))
}
