package tracefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

func readText(s *Stat, lines *lines) error {
	f, err := newFollower(func(l Life) {
		s.Now = max(s.Now, l.Start+l.Stay)
		s.Outstanding--
		s.ended(l)
	})
	if err != nil {
		return err
	}
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			err = s.header(string(line[1:]))
		default:
			err = f.operation(s, strings.Fields(string(line)))
		}
		if err != nil {
			return lines.wrong("%w", err)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(f.outstanding)) {
		s.left(f.outstanding[number].start, f.outstanding[number].interval)
	}
	return nil
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
func (f *follower) operation(s *Stat, columns []string) error {
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
	tick := schemes.Tick(numbers[0])
	if s.Operations++; s.Operations == 1 {
		s.First = tick
	}
	if err := f.apply(tick, kind, numbers[1], schemes.Tick(numbers[2])); err != nil {
		return err
	}
	s.Now = tick
	if kind != workload.Stop {
		s.began()
	}
	return nil
}

// Writer writes a trace in the text format. It writes only what Read accepts, as it
// follows the timers. It is not safe for concurrent use.
type Writer struct {
	*follower
	w    *bufio.Writer
	line []byte
}

// NewWriter begins a trace. A tick of 0 and an empty source are left out.
func NewWriter(w io.Writer, tick time.Duration, source string) (*Writer, error) {
	f, err := newFollower(func(Life) {})
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
	ended       func(Life)
}

type wheel interface {
	schemes.Scheme
	schemes.Advancer
}

type timer struct {
	handle          schemes.Handle
	start, interval schemes.Tick
}

// newFollower returns a follower at tick 0 that calls ended with each lifetime that ends.
func newFollower(ended func(Life)) (*follower, error) {
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
	f.ended(Life{t.start, t.interval, f.now - t.start, fate})
}
