// Package tracefile reads what the timers of a real program did: traces in a text format, which package record
// writes, and the output of Linux's timer tracepoints. It reads line by line, so a trace may be larger than memory.
// It keeps only the outstanding timers, and a sample of the others.
//
// The text format has header lines, then a line for each operation:
//
//	# tick: 1ms
//	# source: gateway, 2026-11-03
//	0 start 17 30000
//	4 restart 17 30000
//	9 stop 17
//
// The columns are the tick, the operation, the timer, and for a start or restart the interval in ticks. Each but the
// operation is a whole number below 2^64. A timer's number may be reused when the timer has ended. Ticks do not
// decrease. A timer expires when its interval has passed, before the operations of that tick. No line says so.
//
// Programs stop and restart timers that have expired, or that started before the trace did. A stop of a timer that is
// not outstanding is counted, and changes nothing. A restart of one starts it.
//
// Linux's traces are lines of ftrace or of perf script with the events timer_start,
// timer_cancel and timer_expire_entry; see kernel.go. Lines of other events are ignored.
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
	"regexp"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile/follow"
)

// longestLine is also how much of the beginning decides the format.
const longestLine = 256 << 10

// Options of Read.
type Options struct {
	Hz    int          // jiffies per second, which Linux's traces need
	Seed  uint64       // of the sample of lives
	visit follow.Ended // by tests
}

// format reads the lines of a trace into a Stat.
type format interface {
	line(text string) error
	finish() // notes the timers that are outstanding at the end
}

// Read reads a trace of either format to its end, compressed or not. O(operations) time, O(n) memory.
func Read(r io.Reader, o Options) (*Stat, error) {
	lines, err := decode(bufio.NewReaderSize(r, longestLine))
	if err != nil {
		return nil, err
	}
	s := &Stat{Header: map[string]string{}, visit: o.visit, random: rand.New(rand.NewPCG(o.Seed, 7))}
	head, _ := lines.Peek(longestLine)
	f, err := newFormat(head, s, o.Hz)
	if err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return nil, fmt.Errorf("line %d: longer than %d bytes", n, longestLine)
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF): // the latter from gzip
			s.Cut = len(line) > 0 || err != io.EOF
			if s.Started == 0 {
				return nil, errors.New("the trace has no timers: no line with start or timer_start")
			}
			f.finish()
			if s.Ended() == 0 {
				s.Lives = nil
			}
			for i := range s.Lives {
				s.Lives[i].Share = 1 / float64(len(s.Lives))
			}
			return s, nil
		case err != nil:
			return nil, err
		}
		if err := f.line(string(bytes.TrimRight(line, "\r\n"))); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// decode uncompresses a trace, and leaves out the byte order mark that editors of Windows write.
func decode(lines *bufio.Reader) (*bufio.Reader, error) {
	if magic, _ := lines.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(lines)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		lines = bufio.NewReaderSize(z, longestLine)
	}
	switch mark, _ := lines.Peek(3); {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, errors.New("UTF-16: save it as UTF-8")
	case string(mark) == "\ufeff":
		_, _ = lines.Discard(len(mark))
	}
	return lines, nil
}

// newFormat returns the reader of the format that the beginning of a trace has. hz says that the trace is Linux's.
func newFormat(head []byte, s *Stat, hz int) (format, error) {
	isKernel := kernelLine.Match(head)
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return nil, errors.New("not a trace: it contains binary data")
	case isKernel && hz == 0:
		return nil, ErrHz
	case !isKernel && hz > 0 && textLine.Match(head):
		return nil, ErrText
	case hz == 0:
		return &text{s, follow.New(s.ended)}, nil
	}
	s.Kernel, s.Tick = true, time.Second/time.Duration(hz)
	return &kernel{Stat: s, hz: hz, timers: map[string]kernelTimer{}}, nil
}

// ErrText is the error of ticks per second that are given for a trace in the text format.
var ErrText = errors.New("a trace in the text format has no ticks per second of a kernel")

// textLine matches an operation of the text format.
var textLine = regexp.MustCompile(`(?m)^\s*\d+\s+(?:start|restart|stop)\s+\d+`)

// text reads the text format.
type text struct {
	*Stat
	timers *follow.Timers
}

func (t *text) line(line string) error {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return nil
	case line[0] == '#':
		return t.header(line[1:])
	}
	o, err := follow.Parse(line)
	if err != nil {
		return err
	}
	if t.Operations++; t.Operations == 1 {
		t.First = o.Tick
	}
	if o.Kind != workload.Stop {
		t.Started++
	}
	err = t.timers.Apply(o)
	t.Peak = max(t.Peak, t.timers.Len())
	return err
}

func (t *text) finish() {
	t.Now, t.Outstanding = t.timers.Now, t.timers.Len()
	t.Late = t.timers.Late
	t.timers.Each(t.left)
}

// header reads a line such as "# tick: 1ms". Lines without a colon are comments.
func (s *Stat) header(line string) (err error) {
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return nil
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	s.Header[key] = value
	if key != "tick" {
		return nil
	}
	if s.Tick, err = time.ParseDuration(value); err != nil || s.Tick <= 0 {
		return fmt.Errorf("invalid tick %.24q (expected a duration above 0 such as 1ms)", value)
	}
	return nil
}
