package tracefile

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
)

// text follows a trace in our format.
type text struct {
	trace *Trace
	lines *lines
	*follower
	over []Life // to be handed out
	end  error  // behind them
}

func newText(t *Trace, lines *lines) (x *text, err error) {
	x = &text{trace: t, lines: lines}
	x.follower, err = newFollower(func(l Life) {
		x.over = append(x.over, l)
		if l.Fate != Restarted {
			t.Now = x.now
			t.ended()
		}
	})
	return x, err
}

func (x *text) next() (Life, error) {
	for len(x.over) == 0 && x.end == nil {
		x.end = x.line()
	}
	if len(x.over) > 0 {
		l := x.over[0]
		x.over = x.over[1:]
		return l, nil
	}
	return Life{}, x.end
}

func (x *text) left(visit func(Life)) {
	for _, a := range x.ids {
		if a != nil {
			visit(Life{Start: a.start, Interval: a.interval, Stay: x.now - a.start})
		}
	}
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
	now := schemes.Tick(tick)
	if now < x.now {
		return x.lines.wrong("tick %d after tick %d: time goes backwards", now, x.now)
	}
	if err := x.advance(now); err != nil {
		return x.lines.wrong("tick %d: %v", now, err)
	}
	if x.trace.Now = now; x.trace.Operations == 1 {
		x.trace.First = now
	}
	a := x.alive[timer]
	switch what := columns[1]; {
	case what != "start" && what != "stop" && what != "restart":
		return x.lines.wrong("operation %q, allowed start, stop, restart", what)
	case len(columns) != 4 && what != "stop", len(columns) != 3 && what == "stop":
		return x.lines.wrong("%s with %d columns, want 3 for a stop and 4 for a start or restart", what, len(columns))
	case a != nil && what == "start":
		return x.lines.wrong("start of timer %d, which is outstanding", timer)
	case a == nil && what != "start":
		return x.lines.wrong("%s of timer %d, which is not outstanding", what, timer)
	case what == "stop":
		x.stop(a)
		return nil
	}
	return x.begin(a, timer, columns[3])
}

// begin starts a timer, or restarts it if it is outstanding.
func (x *text) begin(a *alive, timer uint64, text string) error {
	interval, err := x.number("interval", text)
	if err != nil {
		return err
	}
	if a == nil {
		err = x.start(timer, schemes.Tick(interval))
	} else {
		err = x.restart(a, schemes.Tick(interval))
	}
	if err != nil {
		return x.lines.wrong("%v", err)
	}
	if a == nil {
		x.trace.began()
	} else {
		x.trace.Started++
	}
	return nil
}

func (x *text) number(name, text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, x.lines.wrong("%s %q, allowed a whole number from 0 to %d", name, text, uint64(math.MaxUint64))
	}
	return n, nil
}
