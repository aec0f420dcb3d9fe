package tracefile

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// kernel follows a trace of Linux's timer tracepoints, in lines of ftrace or of perf script:
//
//	<idle>-0  [001] d.h3.  12.004013: timer_start: timer=ffff8881 function=f expires=4294893296 [timeout=250] cpu=1
//	swapper 0 [001]        12.254021: timer:timer_cancel: timer=0xffff8881
//	swapper 0 [001]        12.254022: timer:timer_expire_entry: timer=0xffff8881 function=f now=4294893546
//
// The kernel takes a timer off its wheel both before it expires and before it is restarted, and reports timer_cancel
// each time. The next event of the same timer says what it was: its expiry within slack, or its start on the same
// processor at once, as a restart is done with interrupts off. Otherwise it was a stop, at the time of its cancel. A
// timer is an address, which may be reused when the timer has ended.
//
// A timer may expire later than requested, by the width of its slot. It stays as long as in the trace.
type kernel struct {
	*Stat
	hz     int
	origin float64 // seconds, of the first event
	last   float64 // seconds, the latest so far
	timers map[string]kernelTimer
}

// kernelTimer is a timer that was started, or canceled without a start in the trace.
type kernelTimer struct {
	start, interval schemes.Tick
	known           bool         // its start is in the trace
	canceled        bool         // it is off its wheel, since
	at              schemes.Tick // this tick
	seconds         float64
	cpu             string
}

// ErrHz is the error of a trace that needs the ticks per second.
var ErrHz = errors.New("a trace of Linux does not say the kernel's ticks per second (CONFIG_HZ)")

const (
	// slack, in seconds, is how far the lines of two processors may be out of order, and how soon
	// an expiry follows its cancel.
	slack = 0.01

	// atOnce, in seconds, is how soon the start of a restart follows its cancel.
	atOnce = 0.0002
)

// tsDiff is what trace-cmd report --ts-diff has after the seconds: (+25).
const tsDiff = `(?: *\(\+\d+\))?`

var (
	// eventName matches an event's name, which trace-cmd pads, and the end of other events' names, such as hrtimer_start.
	eventName = regexp.MustCompile(`timer_(start|cancel|expire_entry): +`)

	// origin matches the processor and the seconds before an event.
	origin = regexp.MustCompile(`^.*\s(\[\d+\])\s(?:.*\s)?(\d{1,12}\.\d+):` + tsDiff + ` +$`)

	// otherEvent matches the name of another event, whose text may have the name of an event.
	otherEvent = regexp.MustCompile(`\s\d+(?:\.\d+)?:` + tsDiff + ` +[^\s:(]+:`)

	// kernelLine matches the first line of ftrace or of trace-cmd, or a line with an event of any name.
	kernelLine = regexp.MustCompile(`(?m)^# tracer:|^version = \d|^cpus=\d|^[^#\n]*(?:` +
		`\s\d+\.\d+:` + tsDiff + ` +[\w:-]+:\s|` + eventName.String() + `)`)

	// lostEvents matches the lines of ftrace, of trace-cmd, and of perf script --show-lost-events:
	// "CPU:3 [LOST 123 EVENTS]", "CPU:2 [LOST EVENTS]", "CPU:1 [12 EVENTS DROPPED]",
	// "CPU:1 [EVENTS DROPPED]", "PERF_RECORD_LOST lost 57".
	lostEvents = regexp.MustCompile(`\[LOST (?:(\d+) )?EVENTS|\[(?:(\d+) )?EVENTS DROPPED|PERF_RECORD_LOST.* lost (\d+)`)
)

// line reads a line. It ignores lines without an event of a timer.
func (k *kernel) line(text string) error {
	name := eventName.FindStringSubmatchIndex(text)
	if name == nil {
		if m := lostEvents.FindStringSubmatch(text); m != nil {
			lost, _ := strconv.Atoi(m[1] + m[2] + m[3])
			k.Lost += max(lost, 1) // some formats do not say how many
		}
		return nil
	}
	before := strings.TrimSuffix(text[:name[0]], "timer:") // perf names the subsystem
	if text[0] == '#' || before != "" && !strings.HasSuffix(before, " ") || otherEvent.MatchString(before) {
		return nil
	}
	kind := text[name[2]:name[3]]
	from := origin.FindStringSubmatch(before)
	fields, named := strings.CutPrefix(text[name[1]:], "timer=")
	timer, fields, _ := strings.Cut(fields, " ")
	_, digits, _ := strings.Cut(fields, "timeout=")
	digits, _, _ = strings.Cut(strings.Replace(digits, "]", " ", 1), " ")
	timeout, err := strconv.ParseInt(digits, 10, 64)
	missing := ""
	switch {
	case from == nil && !strings.Contains(before, " ["):
		missing = "processor" // without it, a restart would look like a stop
	case from == nil:
		missing = "time in seconds"
	case !named:
		missing = "timer"
	case kind == "start" && err != nil:
		missing = "timeout"
	}
	if missing != "" {
		return fmt.Errorf("invalid event %.96q: no %s (expected a line such as "+
			"[001] 12.004013: timer_start: timer=ffff8881 timeout=250)", text, missing)
	}
	seconds, _ := strconv.ParseFloat(from[2], 64) // which are digits
	if k.Operations++; k.Operations == 1 {
		k.origin = seconds
	}
	// Both perf and ftrace merge the processors by time, except for microseconds.
	if seconds < k.last-slack {
		return fmt.Errorf("time %.6f after %.6f: time goes backwards", seconds, k.last)
	}
	k.last = max(k.last, seconds)
	k.Now = max(k.Now, schemes.Tick(max(0, (seconds-k.origin)*float64(k.hz))))
	k.event(kind, timer, from[1], seconds, schemes.Tick(max(timeout, 1)))
	return nil
}

func (k *kernel) event(kind, timer, cpu string, seconds float64, interval schemes.Tick) {
	t := k.timers[timer]
	if after := seconds - t.seconds; t.canceled && kind != "expire_entry" || t.canceled && after > slack {
		fate := workload.Stopped
		if kind == "start" && t.cpu == cpu && after <= atOnce {
			fate = workload.Restarted
		}
		t = k.end(timer, t, fate)
	}
	switch kind {
	case "start":
		if t.known { // its end is missing
			k.Outstanding--
			k.Unpaired++
			k.stays += float64(k.Now - t.start)
		}
		k.timers[timer] = kernelTimer{start: k.Now, interval: interval, known: true}
		k.Started++
		k.Outstanding++
		k.Peak = max(k.Peak, k.Outstanding)
		return
	case "cancel", "expire_entry": // the cancel before an expiry may be missing
		if t.known && !t.canceled {
			k.Outstanding--
		}
		t.canceled, t.at, t.seconds, t.cpu = true, k.Now, seconds, cpu
		k.timers[timer] = t
	}
	if kind == "expire_entry" {
		k.end(timer, t, workload.Expired)
	}
}

// end ends a timer that is off its wheel.
func (k *kernel) end(timer string, t kernelTimer, fate workload.Fate) (none kernelTimer) {
	delete(k.timers, timer)
	if t.known {
		k.ended(t.start, t.interval, t.at-t.start, fate)
	} else {
		k.Unpaired++
	}
	return none
}

// finish ends the timers whose last event is a cancel, and notes the others as outstanding.
func (k *kernel) finish() {
	for _, timer := range slices.Sorted(maps.Keys(k.timers)) {
		if t := k.timers[timer]; t.canceled {
			k.end(timer, t, workload.Stopped)
		} else {
			k.left(t.start, t.interval)
		}
	}
}
