package tracefile

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// text follows a trace in our format. The timers run on a wheel, which tells when
// they expire.
type text struct {
	trace *Trace
	lines *lines
	wheel wheel
	alive map[uint64]*alive // by the trace's number
	ids   []*alive          // by the wheel's
	free  []schemes.ID
	ended []Life // to be handed out
	end   error  // behind them
}

// wheel is what is needed of one of our schemes.
type wheel interface {
	schemes.Scheme
	schemes.Advancer
}

// alive is a timer outstanding.
type alive struct {
	timer    uint64
	id       schemes.ID
	handle   schemes.Handle
	start    schemes.Tick
	interval schemes.Tick
}

func newText(t *Trace, lines *lines) (*text, error) {
	s, err := hierarchical.Info.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		return nil, err
	}
	return &text{trace: t, lines: lines, wheel: s.(wheel), alive: map[uint64]*alive{}}, nil
}

func (x *text) next() (Life, error) {
	for len(x.ended) == 0 && x.end == nil {
		x.end = x.line()
	}
	if len(x.ended) > 0 {
		l := x.ended[0]
		x.ended = x.ended[1:]
		return l, nil
	}
	return Life{}, x.end
}

// line reads a line.
func (x *text) line() error {
	line, whole, err := x.lines.next()
	if err != nil {
		if err == io.EOF && x.trace.Operations == 0 {
			return ErrEmpty
		}
		return err
	}
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '#':
		return x.header(string(line[1:]))
	case !whole && !bytes.ContainsAny(line, " \t"): // not even two columns
		return x.lines.wrong("%q ends in the middle", line)
	}
	x.trace.Operations++
	return x.operation(strings.Fields(string(line)))
}

// header reads a line such as "# tick: 1ms". Those that have no colon are comments.
func (x *text) header(line string) error {
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return nil
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	x.trace.Header[key] = value
	if key != "tick" {
		return nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return x.lines.wrong("tick: %q, allowed a duration above 0 such as 1ms", value)
	}
	x.trace.Tick = d
	return nil
}

func (x *text) operation(columns []string) error {
	if len(columns) < 3 {
		return x.lines.wrong("%d columns, want a tick, an operation, a timer, and an interval if it starts", len(columns))
	}
	tick, err := x.number("tick", columns[0])
	if err != nil {
		return err
	}
	timer, err := x.number("timer", columns[2])
	if err != nil {
		return err
	}
	if now := schemes.Tick(tick); now < x.trace.Now {
		return x.lines.wrong("tick %d after tick %d: time goes backwards", now, x.trace.Now)
	} else if err := x.advance(now); err != nil {
		return err
	}
	a, known := x.alive[timer]
	switch what := columns[1]; {
	case what == "stop" && len(columns) != 3, (what == "start" || what == "restart") && len(columns) != 4:
		return x.lines.wrong("%s with %d columns, want 3 for a stop and 4 for a start or restart", what, len(columns))
	case what == "start" && known:
		return x.lines.wrong("start of timer %d, which is outstanding", timer)
	case what == "start":
		return x.start(timer, columns[3])
	case what != "stop" && what != "restart":
		return x.lines.wrong("operation %q, allowed start, stop, restart", what)
	case !known:
		return x.lines.wrong("%s of timer %d, which is not outstanding", what, timer)
	case what == "stop":
		x.wheel.Stop(a.handle)
		x.over(a, Stopped)
		return nil
	}
	return x.restart(a, columns[3])
}

func (x *text) number(name, text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, x.lines.wrong("%s %q, allowed a whole number from 0 to %d", name, text, uint64(math.MaxUint64))
	}
	return n, nil
}

// advance lets the time pass until a tick.
func (x *text) advance(now schemes.Tick) error {
	for x.trace.Now < now {
		passed, due := x.wheel.Advance(now - x.trace.Now)
		if passed == 0 {
			return x.lines.wrong("tick %d: the clock does not get there", now)
		}
		x.trace.Now += passed
		if due > 0 {
			x.wheel.Expire(func(id schemes.ID) { x.over(x.ids[id], Expired) })
		}
	}
	return nil
}

func (x *text) start(timer uint64, interval string) error {
	a := &alive{timer: timer, start: x.trace.Now}
	if k := len(x.free) - 1; k >= 0 {
		a.id, x.free = x.free[k], x.free[:k]
		x.ids[a.id] = a
	} else {
		a.id = schemes.ID(len(x.ids))
		x.ids = append(x.ids, a)
	}
	if err := x.run(a, interval); err != nil {
		return err
	}
	x.alive[timer] = a
	x.trace.began()
	return nil
}

// run starts the timer on the wheel.
func (x *text) run(a *alive, text string) error {
	interval, err := x.number("interval", text)
	if err != nil {
		return err
	}
	a.interval, a.start = schemes.Tick(interval), x.trace.Now
	if a.handle, err = x.wheel.Start(a.interval, a.id); err != nil {
		return x.lines.wrong("interval %d, allowed 1 to %d", interval, uint64(math.MaxUint64-x.trace.Now))
	}
	return nil
}

func (x *text) restart(a *alive, interval string) error {
	x.wheel.Stop(a.handle)
	old := *a
	if err := x.run(a, interval); err != nil {
		return err
	}
	x.trace.Started++
	x.ended = append(x.ended, Life{old.start, old.interval, x.trace.Now - old.start, Restarted})
	return nil
}

// over ends a timer.
func (x *text) over(a *alive, fate Fate) {
	delete(x.alive, a.timer)
	x.ids[a.id] = nil
	x.free = append(x.free, a.id)
	x.trace.ended()
	x.ended = append(x.ended, Life{a.start, a.interval, x.trace.Now - a.start, fate})
}

func (x *text) ages() (sum float64) {
	for _, a := range x.alive {
		sum += float64(x.trace.Now - a.start)
	}
	return sum
}

// Writer writes a trace in our format.
type Writer struct {
	w   io.Writer
	err error
}

// NewWriter begins a trace. A tick of 0 is not told.
func NewWriter(w io.Writer, tick time.Duration, source string) *Writer {
	x := &Writer{w: w}
	if tick > 0 {
		x.line("# tick: %v\n", tick)
	}
	if source != "" {
		x.line("# source: %s\n", strings.ReplaceAll(source, "\n", " "))
	}
	return x
}

func (w *Writer) line(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.w, format, args...)
	}
}

// Comment writes a line that readers pass over.
func (w *Writer) Comment(text string) { w.line("# %s\n", strings.ReplaceAll(text, "\n", " ")) }

// Start, Restart and Stop write a line each. Ticks must not decrease.
func (w *Writer) Start(tick schemes.Tick, timer uint64, interval schemes.Tick) {
	w.line("%d start %d %d\n", tick, timer, interval)
}

func (w *Writer) Restart(tick schemes.Tick, timer uint64, interval schemes.Tick) {
	w.line("%d restart %d %d\n", tick, timer, interval)
}

func (w *Writer) Stop(tick schemes.Tick, timer uint64) { w.line("%d stop %d\n", tick, timer) }

// Err returns the first error of writing, if there was one.
func (w *Writer) Err() error { return w.err }
