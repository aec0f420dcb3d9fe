package tracefile

import (
	"bytes"
	"io"
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
	for _, t := range x.outstanding {
		s.left(t.start, t.interval)
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

// kinds are the operations by name.
var kinds = []string{workload.Stop.String(), workload.Restart.String(), workload.Start.String()}

func (x *text) operation(columns []string) error {
	if len(columns) < 3 {
		return x.lines.wrong("%d columns (expected a tick, an operation, a timer, and an interval for a start)",
			len(columns))
	}
	kind := workload.Kind(slices.Index(kinds, columns[1]))
	switch stop := kind == workload.Stop; {
	case int(kind) >= len(kinds):
		return x.lines.wrong("unknown operation %.24q (have start, stop, restart)", columns[1])
	case len(columns) != 4 && !stop, len(columns) != 3 && stop:
		return x.lines.wrong("%v with %d columns (expected 3 for a stop and 4 for a start or restart)",
			kind, len(columns))
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
