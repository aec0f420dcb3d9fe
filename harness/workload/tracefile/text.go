package tracefile

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
)

// text follows a trace in the text format.
type text struct {
	stat  *Stat
	lines *lines
	*follower
}

func readText(s *Stat, lines *lines) error {
	f, err := newFollower(s.ended)
	if err != nil {
		return err
	}
	x := &text{s, lines, f}
	for {
		line, whole, err := lines.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = x.line(bytes.TrimSpace(line), whole)
		}
		if err != nil {
			return err
		}
	}
	for _, t := range x.ids {
		if t != nil {
			s.left(t.start, t.interval)
		}
	}
	return nil
}

func (x *text) line(line []byte, whole bool) error {
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '#':
		return x.header(string(line[1:]))
	case !whole && !bytes.ContainsAny(line, " \t"): // not even two columns
		return x.lines.wrong("%.24q is incomplete", line)
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

func (x *text) operation(columns []string) error {
	if len(columns) < 3 {
		return x.lines.wrong("%d columns (expected a tick, an operation, a timer, and an interval for a start)", len(columns))
	}
	number, err := x.number("timer", columns[2])
	if err != nil {
		return err
	}
	if err := x.advanceTo(columns[0]); err != nil {
		return err
	}
	t := x.outstanding[number]
	switch what := columns[1]; {
	case what != "start" && what != "stop" && what != "restart":
		return x.lines.wrong("unknown operation %.24q (have start, stop, restart)", what)
	case len(columns) != 4 && what != "stop", len(columns) != 3 && what == "stop":
		return x.lines.wrong("%s with %d columns (expected 3 for a stop and 4 for a start or restart)", what, len(columns))
	case t != nil && what == "start":
		return x.lines.wrong("start of timer %d, which is outstanding", number)
	case t == nil && what != "start":
		return x.lines.wrong("%s of timer %d, which is not outstanding", what, number)
	case what == "stop":
		x.stop(t)
		return nil
	}
	return x.startOrRestart(t, number, columns[3])
}

// advanceTo advances to the tick of an operation.
func (x *text) advanceTo(column string) error {
	tick, err := x.number("tick", column)
	if err != nil {
		return err
	}
	now := schemes.Tick(tick)
	if now < x.now {
		return x.lines.wrong("tick %d after tick %d: time goes backwards", now, x.now)
	}
	if x.stat.Operations++; x.stat.Operations == 1 {
		x.stat.First = now
	}
	if err := x.advance(now); err != nil {
		return x.lines.wrong("tick %d: %v", now, err)
	}
	x.stat.Now = now
	return nil
}

// startOrRestart starts a timer, or restarts t if it is not nil.
func (x *text) startOrRestart(t *timer, number uint64, column string) error {
	interval, err := x.number("interval", column)
	if err != nil {
		return err
	}
	if t == nil {
		err = x.start(number, schemes.Tick(interval))
	} else {
		err = x.restart(t, schemes.Tick(interval))
	}
	if err != nil {
		return x.lines.wrong("%v", err)
	}
	x.stat.began()
	return nil
}

func (x *text) number(name, column string) (uint64, error) {
	n, err := strconv.ParseUint(column, 10, 64)
	if err != nil {
		return 0, x.lines.wrong("invalid %s %.24q (expected a whole number below 2^64)", name, column)
	}
	return n, nil
}
