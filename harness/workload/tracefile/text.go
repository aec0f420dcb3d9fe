package tracefile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// text follows a trace in the text format.
type text struct {
	stat  *Stat
	lines *lines
	*follower
}

func readText(s *Stat, lines *lines) error {
	f, err := newFollower(func(l Life) {
		s.Now = max(s.Now, l.Start+l.Stay)
		s.removed()
		s.ended(l)
	})
	if err != nil {
		return err
	}
	x := &text{s, lines, f}
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = x.line(bytes.TrimSpace(line))
		}
		if err != nil {
			return err
		}
	}
	for _, number := range slices.Sorted(maps.Keys(x.outstanding)) {
		s.left(x.outstanding[number].start, x.outstanding[number].interval)
	}
	return nil
}

func (x *text) line(line []byte) error {
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '#':
		return x.header(string(line[1:]))
	}
	return x.operation(strings.Fields(string(line)))
}

// header reads a line such as "# tick: 1ms". Lines without a colon are comments.
func (x *text) header(line string) error {
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return nil
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	x.stat.Header[key] = value
	if key != "tick" {
		return nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return x.lines.wrong("invalid tick %.24q (expected a duration above 0 such as 1ms)", value)
	}
	x.stat.Tick = d
	return nil
}

// kinds are the operations by name.
var kinds = []string{workload.Stop.String(), workload.Restart.String(), workload.Start.String()}

func (x *text) operation(columns []string) error {
	if len(columns) < 3 {
		return x.lines.wrong("%d columns (expected a tick, an operation, a timer, and an interval for a start)",
			len(columns))
	}
	kind, expected := workload.Kind(slices.Index(kinds, columns[1])), 4
	if kind == workload.Stop {
		expected = 3
	}
	switch {
	case int(kind) >= len(kinds):
		return x.lines.wrong("unknown operation %.24q (have start, stop, restart)", columns[1])
	case len(columns) != expected:
		return x.lines.wrong("%v with %d columns (expected %d)", kind, len(columns), expected)
	}
	var numbers [3]uint64 // tick, timer, interval
	for i, column := range slices.Concat(columns[:1], columns[2:]) {
		n, err := strconv.ParseUint(column, 10, 64)
		if err != nil {
			name := [...]string{"tick", "timer", "interval"}[i]
			return x.lines.wrong("invalid %s %.24q (expected a whole number below 2^64)", name, column)
		}
		numbers[i] = n
	}
	tick := schemes.Tick(numbers[0])
	if x.stat.Operations++; x.stat.Operations == 1 {
		x.stat.First = tick
	}
	if err := x.apply(tick, kind, numbers[1], schemes.Tick(numbers[2])); err != nil {
		return x.lines.wrong("%w", err)
	}
	x.stat.Now = tick
	if kind != workload.Stop {
		x.stat.began()
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

// Operations and the longest interval, for programs that write traces.
const (
	Start    = workload.Start
	Stop     = workload.Stop
	Restart  = workload.Restart
	MaxTicks = workload.MaxTicks
)

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
