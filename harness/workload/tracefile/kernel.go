package tracefile

import (
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// kernel follows a trace of Linux's timer tracepoints, in lines of ftrace or of perf
// script:
//
//	<idle>-0  [001] d.h3.  12.004013: timer_start: timer=ffff8881 function=f expires=4294893296 [timeout=250] cpu=1
//	swapper 0 [001]        12.254021: timer:timer_cancel: timer=0xffff8881
//	swapper 0 [001]        12.254022: timer:timer_expire_entry: timer=0xffff8881 function=f now=4294893546
//
// The kernel takes a timer off its wheel both before it expires and before it is
// restarted, and reports timer_cancel each time. If a start of the same timer is the next
// event on that processor, at once, it was a restart, which is done with interrupts
// off. If its expiry follows within slack, it was an expiry: an interrupt may come in
// between. Otherwise it was a stop, at the time of its cancel. A timer is an address, which
// may be reused when the timer has ended.
//
// A timer may expire later than requested, by the width of its slot. Its stay is that of
// the trace.
type kernel struct {
	stat   *Stat
	hz     int
	origin float64 // seconds, of the first event
	last   float64 // seconds, the latest so far
	timers map[string]kernelTimer
	latest map[string]string // by processor: the timer that its last event canceled, or ""
	off    []cancel          // in the order of their times; some may be settled
}

// kernelTimer is a timer that was started, or canceled without a start in the trace.
type kernelTimer struct {
	start, interval schemes.Tick
	known           bool // its start is in the trace
	cancel               // if it is off its wheel
}

// cancel is the removal of a timer from its wheel; the zero cancel is none.
type cancel struct {
	timer   string
	cpu     string
	at      schemes.Tick
	seconds float64
}

const (
	// slack is by how many seconds the lines of two processors may be out of order, and within
	// how many seconds an expiry follows its cancel.
	slack = 0.01

	// atOnce is within how many seconds the start of a restart follows its cancel.
	atOnce = 0.0002
)

func readKernel(s *Stat, lines *lines, hz int) error {
	if hz == 0 {
		return ErrHz
	}
	s.Tick = time.Second / time.Duration(hz)
	k := &kernel{stat: s, hz: hz, timers: map[string]kernelTimer{}, latest: map[string]string{}}
	for {
		e, err := nextEvent(lines, s)
		if err == io.EOF {
			break
		}
		if err == nil {
			err = k.event(e)
		}
		if err != nil {
			return err
		}
	}
	k.settle(math.Inf(1)) // a timer that was taken off its wheel was stopped
	for _, timer := range slices.Sorted(maps.Keys(k.timers)) {
		t := k.timers[timer]
		s.left(t.start, t.interval)
	}
	return nil
}

func (k *kernel) event(e kernelEvent) error {
	s := k.stat
	if s.Operations++; s.Operations == 1 {
		k.origin = e.seconds
	}
	// Both perf and ftrace merge the processors by time, except for microseconds.
	if e.seconds < k.last-slack {
		return fmt.Errorf("line %d: time %.6f after %.6f: time goes backwards", e.line, e.seconds, k.last)
	}
	k.last = max(k.last, e.seconds)
	s.Now = max(s.Now, schemes.Tick(max(0, (e.seconds-k.origin)*float64(k.hz))))
	k.settle(e.seconds - slack)

	t, known := k.timers[e.timer]
	restart := k.latest[e.cpu] == e.timer && t.cpu == e.cpu && e.seconds-t.seconds <= atOnce
	k.latest[e.cpu] = ""
	switch e.kind {
	case "cancel":
		if t.timer != "" { // a start in between was lost
			k.end(t, workload.Stopped)
			t = kernelTimer{}
		}
		t = k.remove(t, cancel{e.timer, e.cpu, s.Now, e.seconds})
		k.timers[e.timer], k.latest[e.cpu] = t, e.timer
		k.off = append(k.off, t.cancel)
	case "expire_entry":
		if t.timer == "" { // the cancel is missing
			t = k.remove(t, cancel{timer: e.timer})
		}
		t.at = s.Now
		k.end(t, workload.Expired)
	case "start":
		switch {
		case known && t.timer == "": // its end is missing
			s.Outstanding--
			s.Unended++
			s.stays += float64(s.Now - t.start)
		case restart:
			k.end(t, workload.Restarted)
		case known:
			k.end(t, workload.Stopped)
		}
		k.timers[e.timer] = kernelTimer{start: s.Now, interval: schemes.Tick(max(e.timeout, 1)), known: true}
		s.began()
	}
	return nil
}

// remove takes a timer off its wheel.
func (k *kernel) remove(t kernelTimer, c cancel) kernelTimer {
	if t.known {
		k.stat.Outstanding--
	}
	t.cancel = c
	return t
}

// settle ends the timers that were canceled before a time, and have not expired since: they
// were stopped.
func (k *kernel) settle(before float64) {
	for len(k.off) > 0 && k.off[0].seconds < before {
		if t := k.timers[k.off[0].timer]; t.cancel == k.off[0] {
			k.end(t, workload.Stopped)
		}
		k.off = k.off[1:]
	}
}

// end ends a timer that is off its wheel.
func (k *kernel) end(t kernelTimer, fate workload.Fate) {
	delete(k.timers, t.timer)
	if !t.known {
		k.stat.Unknown++
		return
	}
	k.stat.ended(Life{t.start, t.interval, t.at - t.start, fate})
}

// kernelEvent is one line of Linux's traces.
type kernelEvent struct {
	line    int
	seconds float64
	cpu     string
	kind    string // start, cancel, expire_entry
	timer   string
	timeout int64 // of a start
}

var (
	// eventName matches an event's name, which trace-cmd pads.
	eventName = regexp.MustCompile(`timer_(start|cancel|expire_entry): +`)

	// origin matches the processor and the seconds before an event.
	origin = regexp.MustCompile(`^.*\s(\[\d+\])\s(?:.*\s)?(\d+\.\d+): *$`)

	// lostEvents matches the lines of ftrace, of trace-cmd, and of perf script --show-lost-events:
	// "CPU:3 [LOST 123 EVENTS]", "CPU:2 [LOST EVENTS]", "CPU:1 [12 EVENTS DROPPED]",
	// "PERF_RECORD_LOST lost 57".
	lostEvents = regexp.MustCompile(`\[LOST (?:(\d+) )?EVENTS|\[(\d+) EVENTS DROPPED|PERF_RECORD_LOST.* lost (\d+)`)
)

// nextEvent reads lines up to the next one with an event of a timer.
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
		m := eventName.FindStringSubmatchIndex(text)
		if m == nil || text[0] == '#' {
			continue
		}
		before := strings.TrimSuffix(text[:m[0]], "timer:")
		if !strings.HasSuffix(before, " ") {
			continue
		}
		e := kernelEvent{line: lines.n, kind: text[m[2]:m[3]]}
		if err := e.parse(before, text[m[1]:]); err != nil {
			return e, lines.wrong("%w", err)
		}
		return e, nil
	}
}

// parse reads the columns before and after an event's name.
func (e *kernelEvent) parse(before, after string) (err error) {
	columns := origin.FindStringSubmatch(before)
	if columns == nil { // without the processor, a restart would look like a stop
		return fmt.Errorf("timer_%s after %.48q (expected a processor and seconds such as [001] 12.004013:)",
			e.kind, before)
	}
	e.cpu = columns[1]
	if e.seconds, err = strconv.ParseFloat(columns[2], 64); err != nil || e.seconds > 1e12 {
		return fmt.Errorf("invalid time %.24q (expected seconds below 10^12)", columns[2])
	}
	fields := map[string]string{}
	for _, f := range strings.FieldsFunc(after, func(r rune) bool { return strings.ContainsRune(" \t[]", r) }) {
		if key, value, ok := strings.Cut(f, "="); ok {
			fields[key] = value
		}
	}
	if e.timer = fields["timer"]; e.timer == "" {
		return fmt.Errorf("timer_%s without timer=", e.kind)
	}
	if e.kind == "start" {
		if e.timeout, err = strconv.ParseInt(fields["timeout"], 10, 64); err != nil {
			return fmt.Errorf("invalid timeout=%.24q (expected a whole number)", fields["timeout"])
		}
	}
	return nil
}
