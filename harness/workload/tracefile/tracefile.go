// Package tracefile reads and writes what the timers of a real program did: traces in a text format of
// its own, and the output of Linux's timer tracepoints. It reads line by line, so a
// trace may be larger than memory; it keeps only the outstanding timers, and a sample of the others.
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
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// Errors of a trace as a whole.
var (
	errEmpty  = errors.New("the trace has no timers")
	errBinary = errors.New("not a trace: it contains binary data")
)

// longestLine is also how much of the beginning decides the format.
const longestLine = 256 << 10

// Options of Read.
type Options struct {
	Hz    int        // jiffies per second, which Linux's traces need
	Seed  uint64     // of the sample of lives
	visit func(life) // called with each lifetime that ends, by tests
}

// format reads the lines of a trace into a Stat.
type format interface {
	line(text string) error
	finish() // notes the timers that are outstanding at the end
}

// Read reads a trace of either format to its end, compressed or not. O(operations) time, O(n) memory.
func Read(r io.Reader, o Options) (*Stat, error) {
	lines := bufio.NewReaderSize(r, longestLine)
	if magic, _ := lines.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(lines)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		lines = bufio.NewReaderSize(z, longestLine)
	}
	s := &Stat{Header: map[string]string{}, visit: o.visit, random: rand.New(rand.NewPCG(o.Seed, 7))}
	follower, err := newFollower(s.ended)
	if err != nil {
		return nil, err
	}
	var f format = &text{s, follower}
	switch head, _ := lines.Peek(longestLine); {
	case bytes.IndexByte(head, 0) >= 0:
		return nil, errBinary
	case !bytes.HasPrefix(head, []byte("# tracer:")) && !eventName.Match(head):
	case o.Hz == 0:
		return nil, ErrHz
	default:
		s.Kernel, s.Tick = true, time.Second/time.Duration(o.Hz)
		f = &kernel{Stat: s, hz: o.Hz, timers: map[string]kernelTimer{}}
	}
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return nil, fmt.Errorf("line %d: longer than %d bytes", n, longestLine)
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF): // the latter from gzip
			s.Cut = len(line) > 0 || err != io.EOF
			if s.Started == 0 {
				return nil, errEmpty
			}
			f.finish()
			s.finish()
			return s, nil
		case err != nil:
			return nil, err
		}
		if err := f.line(string(bytes.TrimRight(line, "\r\n"))); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// text reads the text format.
type text struct {
	*Stat
	*follower
}

func (t *text) line(line string) error {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return nil
	case line[0] == '#':
		return t.header(line[1:])
	}
	return t.operation(strings.Fields(line))
}

func (t *text) finish() {
	t.Now, t.Outstanding = t.now, len(t.outstanding)
	for _, number := range slices.Sorted(maps.Keys(t.outstanding)) {
		t.left(t.outstanding[number].start, t.outstanding[number].interval)
	}
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

// operation reads a line such as "4 restart 17 30000".
func (t *text) operation(columns []string) error {
	if len(columns) < 3 {
		return fmt.Errorf("%d columns (expected a tick, an operation, a timer, and an interval for a start)", len(columns))
	}
	kind, expected := workload.Start, 4
	switch columns[1] {
	case "start":
	case "restart":
		kind = workload.Restart
	case "stop":
		kind, expected = workload.Stop, 3
	default:
		return fmt.Errorf("unknown operation %.24q (have start, stop, restart)", columns[1])
	}
	if len(columns) != expected {
		return fmt.Errorf("%v with %d columns (expected %d)", kind, len(columns), expected)
	}
	var numbers [3]uint64 // tick, timer, interval
	for i, column := range slices.Concat(columns[:1], columns[2:]) {
		n, err := strconv.ParseUint(column, 10, 64)
		if err != nil {
			name := [...]string{"tick", "timer", "interval"}[i]
			return fmt.Errorf("invalid %s %.24q (expected a whole number below 2^64)", name, column)
		}
		numbers[i] = n
	}
	if t.Operations++; t.Operations == 1 {
		t.First = schemes.Tick(numbers[0])
	}
	if kind != workload.Stop {
		t.Started++
	}
	err := t.apply(schemes.Tick(numbers[0]), kind, numbers[1], schemes.Tick(numbers[2]))
	t.Peak = max(t.Peak, len(t.outstanding))
	return err
}

// Writer writes a trace. It writes only what Read accepts, as it follows the timers. It is not safe for
// concurrent use.
type Writer struct {
	*follower
	w    *bufio.Writer
	line []byte
}

// NewWriter begins a trace. A tick of 0 and an empty source are left out.
func NewWriter(w io.Writer, tick time.Duration, source string) (*Writer, error) {
	f, err := newFollower(func(life) {})
	if err != nil {
		return nil, err
	}
	x := &Writer{follower: f, w: bufio.NewWriterSize(w, 64<<10)}
	if tick > 0 {
		x.Header("tick", tick.String())
	}
	if source != "" {
		x.Header("source", source)
	}
	return x, nil
}

// Header writes a header line.
func (w *Writer) Header(key, value string) {
	fmt.Fprintf(w.w, "# %s: %s\n", key, strings.ReplaceAll(value, "\n", " "))
}

// Outstanding returns the number of outstanding timers at the tick of the last operation.
func (w *Writer) Outstanding() int { return len(w.outstanding) }

// Write writes an operation; a stop has interval 0. It writes nothing and returns false
// if the tick is before the last one, if the timer is outstanding on a start, or not on a
// stop or restart, or if the interval is 0 or leads past the end of the clock.
func (w *Writer) Write(tick schemes.Tick, kind workload.Kind, timer uint64, interval schemes.Tick) bool {
	if w.apply(tick, kind, timer, interval) != nil {
		return false
	}
	w.line = append(strconv.AppendUint(w.line[:0], uint64(tick), 10), ' ')
	w.line = append(append(w.line, kind.String()...), ' ')
	w.line = strconv.AppendUint(w.line, timer, 10)
	if kind != workload.Stop {
		w.line = strconv.AppendUint(append(w.line, ' '), uint64(interval), 10)
	}
	_, _ = w.w.Write(append(w.line, '\n')) // Flush returns its error
	return true
}

// Flush writes what is buffered, and returns the first error of all writing.
func (w *Writer) Flush() error { return w.w.Flush() }

// follower keeps the outstanding timers of a trace on a wheel, which finds the
// expiries. O(n) memory.
type follower struct {
	now         schemes.Tick
	wheel       wheel // a timer's ID is its number
	outstanding map[uint64]timer
	ended       func(life)
}

type wheel interface {
	schemes.Scheme
	schemes.Advancer
}

type timer struct {
	handle          schemes.Handle
	start, interval schemes.Tick
}

// life is one lifetime of a timer, from a start or restart to its end.
type life struct {
	start          schemes.Tick // since the trace's beginning
	interval, stay schemes.Tick // requested, and how long it was outstanding
	fate           workload.Fate
}

// newFollower returns a follower at tick 0 that calls ended with each lifetime that ends.
func newFollower(ended func(life)) (*follower, error) {
	s, err := hierarchical.Info.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		return nil, err
	}
	return &follower{wheel: s.(wheel), outstanding: map[uint64]timer{}, ended: ended}, nil
}

// apply advances to a tick and applies an operation. An error says why it is impossible.
func (f *follower) apply(tick schemes.Tick, kind workload.Kind, number uint64, interval schemes.Tick) error {
	if tick < f.now {
		return fmt.Errorf("tick %d after tick %d: time goes backwards", tick, f.now)
	}
	for f.now < tick {
		passed, due := f.wheel.Advance(tick - f.now)
		if passed == 0 {
			return errors.New("the tick is beyond the end of the clock")
		}
		f.now += passed
		if due > 0 {
			f.wheel.Expire(func(id schemes.ID) { f.end(uint64(id), workload.Expired) })
		}
	}
	old, alive := f.outstanding[number]
	switch {
	case alive && kind == workload.Start:
		return fmt.Errorf("start of timer %d, which is outstanding", number)
	case !alive && kind != workload.Start:
		return fmt.Errorf("%v of timer %d, which is not outstanding", kind, number)
	case kind == workload.Stop:
		f.end(number, workload.Stopped)
		f.wheel.Stop(old.handle)
		return nil
	}
	h, err := f.wheel.Start(interval, schemes.ID(number))
	if err != nil {
		return fmt.Errorf("invalid interval %d (expected 1 to %d)", interval, uint64(math.MaxUint64-f.now))
	}
	if alive {
		f.end(number, workload.Restarted)
		f.wheel.Stop(old.handle)
	}
	f.outstanding[number] = timer{h, f.now, interval}
	return nil
}

// end ends the lifetime of an outstanding timer.
func (f *follower) end(number uint64, fate workload.Fate) {
	t := f.outstanding[number]
	delete(f.outstanding, number)
	f.ended(life{t.start, t.interval, f.now - t.start, fate})
}
