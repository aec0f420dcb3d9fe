package tracefile

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// kernelEvent is one line of Linux's traces.
type kernelEvent struct {
	line    int
	seconds float64
	cpu     string
	kind    string // start, cancel, expire_entry
	timer   string
	timeout int64  // of a start
	jiffies uint64 // of a start or an expiry
}

// eventName matches an event's name, which trace-cmd pads.
var eventName = regexp.MustCompile(`timer_(start|cancel|expire_entry): +`)

// anyEvent matches an event of any kind, with its processor and seconds, or the first line of
// trace-cmd report.
var anyEvent = regexp.MustCompile(`(?m)^(?:.*\s\[\d{3}\]\s(?:.*\s)?\d+\.\d+: |version = \d+$|cpus=\d+$)`)

// isKernel reports whether the beginning of a trace looks like Linux's.
func isKernel(head []byte) bool {
	return bytes.HasPrefix(head, []byte("# tracer:")) || eventName.Match(head) || anyEvent.Match(head)
}

// nextEvent reads lines up to the next one with an event.
func nextEvent(lines *lines, s *Stat) (kernelEvent, error) {
	for {
		line, err := lines.next()
		if err != nil {
			return kernelEvent{}, err
		}
		text := string(line)
		if m := lostEvents.FindStringSubmatch(text); m != nil {
			lost, _ := strconv.Atoi(m[1] + m[2] + m[3])
			s.Lost += max(lost, 1) // some formats do not say how many
			continue
		}
		before, kind, after := cutEvent(text)
		if kind == "" {
			continue
		}
		e, err := parseKernel(before, kind, after)
		if err != nil {
			return e, lines.wrong("%w", err)
		}
		e.line = lines.n
		return e, nil
	}
}

// lostEvents matches the lines of ftrace, of trace-cmd, and of perf script --show-lost-events:
// "CPU:3 [LOST 123 EVENTS]", "CPU:2 [LOST EVENTS]", "CPU:1 [12 EVENTS DROPPED]",
// "PERF_RECORD_LOST lost 57".
var lostEvents = regexp.MustCompile(`\[LOST (?:(\d+) )?EVENTS|\[(\d+) EVENTS DROPPED|PERF_RECORD_LOST.* lost (\d+)`)

// cutEvent divides a line at its event. kind is "" if it has none of the three.
func cutEvent(line string) (before, kind, after string) {
	m := eventName.FindStringSubmatchIndex(line)
	if m == nil || line[0] == '#' {
		return "", "", ""
	}
	before = strings.TrimSuffix(line[:m[0]], "timer:")
	if !strings.HasSuffix(before, " ") {
		return "", "", ""
	}
	return before, line[m[2]:m[3]], line[m[1]:]
}

// origin matches the processor and the seconds before an event.
var origin = regexp.MustCompile(`^.*\s(\[\d+\])\s(?:.*\s)?(\d+\.\d+): *$`)

// parseKernel reads the columns of an event.
func parseKernel(before, kind, after string) (e kernelEvent, err error) {
	e.kind = kind
	columns := origin.FindStringSubmatch(before)
	if columns == nil { // without the processor, a restart would look like a stop
		return e, fmt.Errorf("timer_%s after %.48q (expected a processor and seconds such as [001] 12.004013:)",
			kind, before)
	}
	e.cpu = columns[1]
	if e.seconds, err = strconv.ParseFloat(columns[2], 64); err != nil || e.seconds > 1e12 {
		return e, fmt.Errorf("invalid time %.24q (expected seconds below 10^12)", columns[2])
	}
	fields := map[string]string{}
	for _, f := range strings.FieldsFunc(after, func(r rune) bool { return strings.ContainsRune(" \t[]", r) }) {
		if key, value, ok := strings.Cut(f, "="); ok {
			fields[key] = value
		}
	}
	if e.timer = fields["timer"]; e.timer == "" {
		return e, fmt.Errorf("timer_%s without timer=", kind)
	}
	return e, e.numbers(fields)
}

// numbers reads the numbers of an event.
func (e *kernelEvent) numbers(fields map[string]string) error {
	key := map[string]string{"start": "expires", "expire_entry": "now"}[e.kind]
	if key == "" {
		return nil
	}
	var err error
	if e.jiffies, err = strconv.ParseUint(fields[key], 10, 64); err != nil {
		return fmt.Errorf("invalid %s=%.24q (expected a whole number)", key, fields[key])
	}
	if e.kind == "start" {
		if e.timeout, err = strconv.ParseInt(fields["timeout"], 10, 64); err != nil {
			return fmt.Errorf("invalid timeout=%.24q (expected a whole number)", fields["timeout"])
		}
		e.jiffies -= uint64(e.timeout)
	}
	return nil
}
