package tracefile

import (
	"bytes"
	"errors"
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
	timeout int64 // of a start
	jiffies uint64
	counts  bool // jiffies are known
}

var kernelEvents = []string{"start", "cancel", "expire_entry"}

// isKernel reports whether the beginning of a trace looks like Linux's.
func isKernel(head []byte) bool {
	return bytes.HasPrefix(head, []byte("# tracer:")) || kernelLine.Match(head)
}

// kernelLine matches lines with an event. trace-cmd pads the event's name.
var kernelLine = regexp.MustCompile(`timer_(start|cancel|expire_entry): +timer=`)

// nextEvent reads lines up to the next one with an event.
func nextEvent(lines *lines, s *Stat) (kernelEvent, error) {
	for {
		line, whole, err := lines.next()
		if err != nil {
			return kernelEvent{}, err
		}
		text := string(line)
		if m := lostEvents.FindStringSubmatch(text); m != nil {
			lost, _ := strconv.Atoi(m[1])
			s.Lost += lost
			continue
		}
		before, kind, after := cutEvent(text)
		if kind == "" {
			continue
		}
		e, err := parseKernel(before, kind, after)
		switch {
		case err == nil:
			e.line = lines.n
			return e, nil
		case whole:
			return e, &LineError{lines.n, err}
		}
		s.Cut = true // ring buffers end in the middle of a line
	}
}

// lostEvents matches a line such as "CPU:3 [LOST 123 EVENTS]".
var lostEvents = regexp.MustCompile(`\[LOST (\d+) EVENTS`)

// cutEvent divides a line at its event. kind is "" if it has none of the three.
func cutEvent(line string) (before, kind, after string) {
	for _, kind := range kernelEvents {
		before, after, found := strings.Cut(line, "timer_"+kind+": ")
		before = strings.TrimSuffix(before, "timer:")
		if found && strings.HasSuffix(before, " ") && !strings.HasPrefix(line, "#") {
			return before, kind, after
		}
	}
	return "", "", ""
}

// parseKernel reads the columns of an event.
func parseKernel(before, kind, after string) (e kernelEvent, err error) {
	e.kind = kind
	columns := strings.Fields(before)
	if len(columns) == 0 {
		return e, fmt.Errorf("timer_%s without a time", kind)
	}
	stamp := columns[len(columns)-1]
	digits, colon := strings.CutSuffix(stamp, ":")
	e.seconds, err = strconv.ParseFloat(digits, 64)
	if err != nil || !colon || !strings.Contains(stamp, ".") || !(e.seconds >= 0 && e.seconds <= 1e12) {
		return e, fmt.Errorf("invalid time %.24q (expected seconds such as 12.004013:)", stamp)
	}
	for _, c := range columns[:len(columns)-1] {
		if cpuColumn.MatchString(c) {
			e.cpu = c
		}
	}
	if e.cpu == "" {
		return e, errors.New("no processor such as [001] before the time, " +
			"without which a restart looks like a stop")
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

var cpuColumn = regexp.MustCompile(`^\[\d+\]$`)

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
	e.counts = true
	if e.kind == "start" {
		if e.timeout, err = strconv.ParseInt(fields["timeout"], 10, 64); err != nil {
			return fmt.Errorf("invalid timeout=%.24q (expected a whole number)", fields["timeout"])
		}
		e.jiffies -= uint64(e.timeout)
	}
	return nil
}
