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

// Writer writes a trace in the text format. It writes only what Read accepts: it follows
// the timers, and an operation that is not possible is left out and reported as false.
// It is not safe for concurrent use.
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

// Start writes that a timer starts. It returns false if the tick is before the last one,
// the timer is outstanding, or the interval is 0 or leads past the end of the clock.
func (w *Writer) Start(tick schemes.Tick, timer uint64, interval schemes.Tick) bool {
	if !w.at(tick) || w.outstanding[timer] != nil || w.start(timer, interval) != nil {
		return false
	}
	w.operation(tick, " start ", timer, interval)
	return true
}

// Restart writes that a timer is restarted. It returns false if the timer is not
// outstanding, or for the other reasons of Start.
func (w *Writer) Restart(tick schemes.Tick, timer uint64, interval schemes.Tick) bool {
	if !w.at(tick) {
		return false
	}
	if t := w.outstanding[timer]; t == nil || w.restart(t, interval) != nil {
		return false
	}
	w.operation(tick, " restart ", timer, interval)
	return true
}

// Stop writes that a timer is stopped. It returns false if the timer is not outstanding,
// or if the tick is before the last one.
func (w *Writer) Stop(tick schemes.Tick, timer uint64) bool {
	if !w.at(tick) || w.outstanding[timer] == nil {
		return false
	}
	w.stop(w.outstanding[timer])
	w.operation(tick, " stop ", timer, 0)
	return true
}

// at advances to a tick, and reports whether it can be reached.
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
