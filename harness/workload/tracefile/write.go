package tracefile

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
)

// Writer writes a trace in our format. It writes nothing that would not be read: it
// follows the timers, and what does not fit is left out, which it says. It is not safe
// for concurrent use.
type Writer struct {
	*follower
	w    *bufio.Writer
	line []byte
}

// NewWriter begins a trace. A tick of 0, and an empty source, are not told.
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

// Header writes a line that says something about the trace.
func (w *Writer) Header(key, value string) {
	fmt.Fprintf(w.w, "# %s: %s\n", key, strings.ReplaceAll(value, "\n", " "))
}

// Outstanding returns how many timers are, at the tick of the last operation.
func (w *Writer) Outstanding() int { return len(w.alive) }

// Start writes that a timer starts. false: the tick is before the last one, the timer
// is outstanding, or the interval is 0 or leads past the end of the clock.
func (w *Writer) Start(tick schemes.Tick, timer uint64, interval schemes.Tick) bool {
	if !w.at(tick) || w.alive[timer] != nil || w.start(timer, interval) != nil {
		return false
	}
	w.operation(tick, " start ", timer, interval)
	return true
}

// Restart writes that a timer starts anew. false: it is not outstanding, or as Start.
func (w *Writer) Restart(tick schemes.Tick, timer uint64, interval schemes.Tick) bool {
	if !w.at(tick) {
		return false
	}
	if a := w.alive[timer]; a == nil || w.restart(a, interval) != nil {
		return false
	}
	w.operation(tick, " restart ", timer, interval)
	return true
}

// Stop writes that a timer is stopped. false: it is not outstanding, or the tick is
// before the last one.
func (w *Writer) Stop(tick schemes.Tick, timer uint64) bool {
	if !w.at(tick) || w.alive[timer] == nil {
		return false
	}
	w.stop(w.alive[timer])
	w.operation(tick, " stop ", timer, 0)
	return true
}

// at lets the time pass until a tick; false: it is in the past.
func (w *Writer) at(tick schemes.Tick) bool { return tick >= w.now && w.advance(tick) == nil }

func (w *Writer) operation(tick schemes.Tick, what string, timer uint64, interval schemes.Tick) {
	w.line = append(strconv.AppendUint(w.line[:0], uint64(tick), 10), what...)
	w.line = strconv.AppendUint(w.line, timer, 10)
	if interval > 0 {
		w.line = strconv.AppendUint(append(w.line, ' '), uint64(interval), 10)
	}
	_, _ = w.w.Write(append(w.line, '\n')) // an error stays, for Flush
}

// Flush writes what is buffered, and returns the first error of all writing.
func (w *Writer) Flush() error { return w.w.Flush() }
