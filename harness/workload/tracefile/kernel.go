package tracefile

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
)

// kernel follows a trace of Linux's timer tracepoints, in lines of ftrace or of perf
// script:
//
//	<idle>-0  [001] d.h3.  12.004013: timer_start: timer=ffff8881 function=f expires=4294893296 [timeout=250] cpu=1 idx=7 flags=
//	swapper 0 [001]        12.254021: timer:timer_cancel: timer=0xffff8881
//	swapper 0 [001]        12.254022: timer:timer_expire_entry: timer=0xffff8881 function=f now=4294893546
//
// The kernel takes a timer off its wheel before it expires and before it is started
// anew, and says timer_cancel both times. If the start of this timer comes next on that
// processor, and at once, it was a restart, which is done with interrupts off. If its
// expiry comes within some milliseconds, it was that: an interrupt may have come between.
// Else it was stopped. A timer is an address, which may be used again when the timer has ended.
//
// A timer may expire later than it asked for, by the width of its slot. Its stay is
// what the trace has.
type kernel struct {
	trace   *Trace
	lines   *lines
	hz      int
	origin  float64 // seconds, of the first event
	alive   map[string]*pending
	off     map[string]cancel // by processor: taken off the wheel by what came last there
	doubts  []cancel          // taken off before that: stopped, unless they expire soon
	buffer  []kernelEvent     // read while the frequency was not known
	ended   []Life
	end     error
	last    float64
	clocked clocked
}

type pending struct{ start, interval schemes.Tick }

// cancel is a timer that was taken off its wheel.
type cancel struct {
	timer   string
	at      schemes.Tick
	seconds float64
}

// kernelEvent is one line.
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

var kernelEvents = map[string]string{
	"timer_start": "start", "timer_cancel": "cancel", "timer_expire_entry": "expire_entry",
}

// isKernel reports whether the beginning of a trace looks like Linux's.
func isKernel(head []byte) bool {
	if bytes.HasPrefix(head, []byte("# tracer:")) {
		return true
	}
	return kernelLine.Match(head)
}

// kernelLine is what a line of Linux's has. trace-cmd pads the event's name.
var kernelLine = regexp.MustCompile(`timer_(start|cancel|expire_entry): +timer=`)

// mostBuffered events are read before the frequency must be known.
const mostBuffered = 1 << 20

func newKernel(t *Trace, lines *lines, hz int) (*kernel, error) {
	k := &kernel{trace: t, lines: lines, hz: hz, alive: map[string]*pending{}, off: map[string]cancel{}}
	for k.hz == 0 && k.end == nil {
		if len(k.buffer) == mostBuffered {
			return nil, ErrHz
		}
		e, ok, err := k.read()
		if err != nil {
			k.end = err
		} else if ok {
			k.buffer = append(k.buffer, e)
			k.hz = k.clocked.hz(e)
		}
	}
	if len(k.buffer) == 0 && k.end == io.EOF {
		return nil, ErrEmpty
	}
	if k.hz == 0 && k.end == io.EOF {
		return nil, ErrHz
	}
	if k.hz == 0 {
		return nil, k.end
	}
	t.Tick = time.Second / time.Duration(k.hz)
	return k, nil
}

func (k *kernel) next() (Life, error) {
	for len(k.ended) == 0 {
		if len(k.buffer) > 0 {
			e := k.buffer[0]
			k.buffer = k.buffer[1:]
			if err := k.event(e); err != nil {
				return Life{}, err
			}
			continue
		}
		if k.end != nil {
			return Life{}, k.end
		}
		e, ok, err := k.read()
		switch {
		case err == io.EOF:
			k.end = err
			for _, cpu := range slices.Sorted(maps.Keys(k.off)) {
				k.doubts = append(k.doubts, k.off[cpu])
			}
			k.settle(func(cancel) bool { return true })
		case err != nil:
			k.end = err
		case ok:
			if err := k.event(e); err != nil {
				k.end = err
			}
		}
	}
	l := k.ended[0]
	k.ended = k.ended[1:]
	return l, nil
}

// read reads a line; false: it has none of the events.
func (k *kernel) read() (e kernelEvent, ok bool, err error) {
	line, whole, err := k.lines.next()
	if err != nil {
		return e, false, err
	}
	text := string(line)
	if lost, ok := lostEvents(text); ok {
		k.trace.Lost += lost
		return e, false, nil
	}
	before, kind, after := cutEvent(text)
	if kind == "" {
		return e, false, nil
	}
	if e, err = parseKernel(before, kind, after); err != nil {
		if !whole { // the file ends in the middle of a line, as ring buffers do
			k.trace.Cut = true
			return e, false, nil
		}
		return e, false, &LineError{k.lines.n, err}
	}
	e.line = k.lines.n
	return e, true, nil
}

// lostEvents reads a line such as "CPU:3 [LOST 123 EVENTS]".
func lostEvents(line string) (n int, ok bool) {
	_, rest, ok := strings.Cut(line, "[LOST ")
	if !ok {
		return 0, false
	}
	number, _, ok := strings.Cut(rest, " EVENTS")
	n, err := strconv.Atoi(number)
	return n, ok && err == nil
}

// cutEvent divides a line at its event; kind "": it has none of those that count.
func cutEvent(line string) (before, kind, after string) {
	for name, kind := range kernelEvents {
		if at := strings.Index(line, name+": "); at > 0 {
			before := strings.TrimSuffix(line[:at], "timer:")
			if strings.HasSuffix(before, " ") && !strings.HasPrefix(line, "#") {
				return before, kind, line[at+len(name)+2:]
			}
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
	if e.seconds, err = strconv.ParseFloat(strings.TrimSuffix(stamp, ":"), 64); err != nil || !strings.HasSuffix(stamp, ":") || !strings.Contains(stamp, ".") || e.seconds < 0 || e.seconds > 1e12 {
		return e, fmt.Errorf("time %q, allowed seconds such as 12.004013:", stamp)
	}
	for _, c := range columns[:len(columns)-1] {
		if len(c) > 2 && c[0] == '[' && c[len(c)-1] == ']' && strings.Trim(c[1:len(c)-1], "0123456789") == "" {
			e.cpu = c
		}
	}
	if e.cpu == "" {
		return e, fmt.Errorf("no processor such as [001] before the time, without which a restart cannot be told from a stop")
	}
	fields := map[string]string{}
	for _, f := range strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(after)) {
		if key, value, ok := strings.Cut(f, "="); ok {
			fields[key] = value
		}
	}
	if e.timer = fields["timer"]; e.timer == "" {
		return e, fmt.Errorf("timer_%s without timer=", kind)
	}
	return e, e.numbers(fields)
}

// numbers reads what a kind of event has beside the timer.
func (e *kernelEvent) numbers(fields map[string]string) (err error) {
	parse := func(key string) uint64 {
		n, e := strconv.ParseUint(fields[key], 10, 64)
		if e != nil && err == nil {
			err = fmt.Errorf("%s=%q, allowed a whole number", key, fields[key])
		}
		return n
	}
	switch e.kind {
	case "start":
		expires := parse("expires")
		timeout, parseErr := strconv.ParseInt(fields["timeout"], 10, 64)
		if parseErr != nil && err == nil {
			err = fmt.Errorf("timeout=%q, allowed a whole number", fields["timeout"])
		}
		e.timeout, e.jiffies, e.counts = timeout, expires-uint64(timeout), true
	case "expire_entry":
		e.jiffies, e.counts = parse("now"), true
	}
	return err
}

// event follows one event.
func (k *kernel) event(e kernelEvent) error {
	if k.trace.Operations == 0 {
		k.origin = e.seconds
	}
	// Processors are merged by time; perf and ftrace print them in order, but for
	// microseconds.
	if e.seconds < k.last-slack {
		return &LineError{e.line, fmt.Errorf("time %.6f after %.6f: time goes backwards", e.seconds, k.last)}
	}
	k.last = max(k.last, e.seconds)
	k.trace.Operations++
	now := schemes.Tick(max(0, (e.seconds-k.origin)*float64(k.hz)))
	k.trace.Now = max(k.trace.Now, now)
	now = k.trace.Now

	c, taken := k.off[e.cpu]
	delete(k.off, e.cpu)
	same := taken && c.timer == e.timer && e.seconds-c.seconds <= slack
	if taken && !same {
		k.doubts = append(k.doubts, c)
	}
	k.settle(func(c cancel) bool {
		return c.seconds < e.seconds-slack || c.timer == e.timer && e.kind != "expire_entry"
	})
	switch e.kind {
	case "cancel":
		if same {
			k.over(c.timer, c.at, Stopped)
		}
		k.off[e.cpu] = cancel{e.timer, now, e.seconds}
	case "expire_entry":
		k.doubts = slices.DeleteFunc(k.doubts, func(c cancel) bool { return c.timer == e.timer })
		k.over(e.timer, now, Expired)
	case "start":
		if k.alive[e.timer] != nil {
			k.over(e.timer, now, Restarted)
		}
		k.alive[e.timer] = &pending{now, schemes.Tick(max(e.timeout, 1))}
		k.trace.began()
	}
	return nil
}

// settle ends the timers of which it is known by now that they were stopped.
func (k *kernel) settle(known func(cancel) bool) {
	k.doubts = slices.DeleteFunc(k.doubts, func(c cancel) bool {
		if known(c) {
			k.over(c.timer, c.at, Stopped)
			return true
		}
		return false
	})
}

// slack is by how many seconds the lines of two processors may be out of order, and how
// long what follows at once may take.
const slack = 0.01

func (k *kernel) over(timer string, now schemes.Tick, fate Fate) {
	p := k.alive[timer]
	if p == nil {
		k.trace.Unknown++
		return
	}
	delete(k.alive, timer)
	k.trace.ended()
	k.ended = append(k.ended, Life{p.start, p.interval, now - p.start, fate})
}

func (k *kernel) left(visit func(Life)) {
	for _, timer := range slices.Sorted(maps.Keys(k.alive)) {
		p := k.alive[timer]
		visit(Life{Start: p.start, Interval: p.interval, Stay: k.trace.Now - p.start})
	}
}

// clocked tells the kernel's frequency from times and jiffies.
type clocked struct {
	set     bool
	seconds float64
	jiffies uint64
}

// frequencies that kernels are configured with.
var frequencies = []int{100, 200, 250, 300, 500, 1000, 1024}

// hz returns the frequency, once the events span long enough that a jiffy at either
// end makes no other of them possible; else 0.
func (c *clocked) hz(e kernelEvent) int {
	if !e.counts {
		return 0
	}
	if !c.set {
		*c = clocked{true, e.seconds, e.jiffies}
		return 0
	}
	span, count := e.seconds-c.seconds, float64(int64(e.jiffies-c.jiffies))
	if span <= 0 || count <= 2 {
		return 0
	}
	found := 0
	for _, hz := range frequencies {
		if math.Abs(count-span*float64(hz)) <= 2 {
			if found > 0 {
				return 0
			}
			found = hz
		}
	}
	if found > 0 && count < 50 { // too few for a wrong one to be excluded
		return 0
	}
	return found
}
