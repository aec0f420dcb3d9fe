package tracefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"time"

	"timerlab/schemes"
)

// Fate is how a timer's life ended.
type Fate uint8

const (
	Expired   Fate = iota // its interval passed
	Stopped               // it was stopped
	Restarted             // it was started again while it was outstanding
)

var fateNames = [...]string{"expired", "stopped", "restarted"}

// String returns expired, stopped or restarted.
func (f Fate) String() string { return fateNames[f] }

// Life is one life of a timer, from a start or restart to its end.
type Life struct {
	Start    schemes.Tick // since the trace's beginning
	Interval schemes.Tick // that was asked for
	Stay     schemes.Tick // how long it was outstanding
	Fate     Fate
}

// Trace is a trace that is being read. Read it to its end with Next.
type Trace struct {
	Tick   time.Duration     // how long a tick lasts; 0: the trace does not say
	Header map[string]string // of a trace in our format
	Kernel bool              // it is Linux's

	// What Next has met so far.
	First       schemes.Tick // tick of the first operation
	Now         schemes.Tick // tick of the last one
	Operations  int
	Started     int     // lives that began, by a start or a restart
	Outstanding int     // timers
	Peak        int     // the most there were
	History     History // of Outstanding
	Unknown     int     // ends of timers that began before the trace did; Linux's only
	Lost        int     // events that the kernel says it lost
	Cut         bool    // the last line ends in the middle, and was left out; Linux's only

	source source
}

// began and ended note that a timer did.
func (t *Trace) began() {
	t.Started++
	t.Outstanding++
	t.Peak = max(t.Peak, t.Outstanding)
	t.History.note(t.Now-t.First, t.Outstanding)
}

func (t *Trace) ended() {
	t.Outstanding--
	t.History.note(t.Now-t.First, t.Outstanding)
}

// source is one of the two formats.
type source interface {
	// next returns the next life that has ended. io.EOF: there is no more.
	next() (Life, error)
	// left calls visit for each timer outstanding, with its age as the stay.
	left(visit func(Life))
}

// LineError is what is wrong with a line of a trace.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Errors of a trace as a whole.
var (
	ErrEmpty = errors.New("the trace has no timers")
	ErrHz    = errors.New("the trace does not tell how many ticks the kernel counts in a second (CONFIG_HZ): it spans too little")
)

// Options of Read.
type Options struct {
	Hz int // jiffies in a second, for Linux's traces; 0: it is told from the trace
}

// Read begins to read a trace of either format, compressed or not.
func Read(r io.Reader, o Options) (*Trace, error) {
	lines, err := newLines(r)
	if err != nil {
		return nil, err
	}
	t := &Trace{Header: map[string]string{}}
	first, err := lines.peek()
	if err != nil {
		return nil, err
	}
	if t.Kernel = isKernel(first); t.Kernel {
		t.source, err = newKernel(t, lines, o.Hz)
	} else {
		t.source, err = newText(t, lines)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Next returns the next life that has ended, in the order of the ends. Timers that are
// outstanding at the end of the trace have none. io.EOF: there is no more.
func (t *Trace) Next() (Life, error) { return t.source.next() }

// Left calls visit for each timer that is outstanding, with its age for a stay and no
// fate. O(n).
func (t *Trace) Left(visit func(Life)) { t.source.left(visit) }

// History is how many timers were outstanding over time: the most in each of at most
// 128 stretches of equal length, which doubles when they do not suffice.
type History struct {
	Width schemes.Tick // of a stretch
	Most  []int
	n     int // at present
}

const stretches = 128

func (h *History) note(now schemes.Tick, n int) {
	if h.Width == 0 {
		h.Width = 1
	}
	for now/h.Width >= stretches {
		for k := range (len(h.Most) + 1) / 2 {
			h.Most[k] = max(h.Most[2*k], h.Most[min(2*k+1, len(h.Most)-1)])
		}
		h.Most = h.Most[:(len(h.Most)+1)/2]
		h.Width *= 2
	}
	for len(h.Most) <= int(now/h.Width) {
		h.Most = append(h.Most, h.n)
	}
	h.n = n
	at := &h.Most[now/h.Width]
	*at = max(*at, n)
}

// lines reads lines and counts them.
type lines struct {
	r    *bufio.Reader
	head []byte // lines that were peeked at and not read yet
	n    int
}

const (
	longestLine = 64 << 10
	peeked      = 256 << 10 // bytes in which the format must show
)

func newLines(r io.Reader) (*lines, error) {
	b := bufio.NewReaderSize(r, peeked)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		b = bufio.NewReaderSize(z, peeked)
	}
	return &lines{r: b}, nil
}

// peek returns the beginning of what is to be read.
func (l *lines) peek() ([]byte, error) {
	head, err := l.r.Peek(peeked)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	return head, nil
}

// next returns the next line without its end, and whether it has one. It is valid
// until the next call.
func (l *lines) next() (line []byte, whole bool, err error) {
	line, err = l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull || len(line) > longestLine {
		return nil, false, &LineError{l.n + 1, fmt.Errorf("longer than the %d bytes that are allowed", longestLine)}
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, false, err
	}
	l.n++
	whole = err == nil
	return bytes.TrimRight(line, "\r\n"), whole, nil
}

// wrong makes an error about the present line.
func (l *lines) wrong(format string, args ...any) error {
	return &LineError{l.n, fmt.Errorf(format, args...)}
}
