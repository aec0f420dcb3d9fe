package tracefile

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

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
