package tracefile

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
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
// event on that processor, within slack, it was a restart, which is done with interrupts
// off. If its expiry follows within slack, it was an expiry: an interrupt may come in
// between. Otherwise it was a stop. A timer is an address, which may be reused when the
// timer has ended.
//
// A timer may expire later than requested, by the width of its slot. Its stay is that of
// the trace.
type kernel struct {
	stat    *Stat
	hz      int
	origin  float64 // seconds, of the first event
	last    float64 // seconds, the latest so far
	alive   map[string]started
	off     map[string]cancel // by processor: taken off the wheel by its last event
	pending []cancel          // taken off before that: stopped, unless they expire soon
}

type started struct{ start, interval schemes.Tick }

// cancel is a timer that was taken off its wheel.
type cancel struct {
	timer   string
	at      schemes.Tick
	seconds float64
}

// slack is by how many seconds the lines of two processors may be out of order, and within
// how many seconds an event counts as following at once.
const slack = 0.01

// mostBuffered is the number of events within which the frequency must become known.
const mostBuffered = 1 << 20

func readKernel(s *Stat, lines *lines, hz int) error {
	k := &kernel{stat: s, alive: map[string]started{}, off: map[string]cancel{}}
	k.setHz(hz)
	var clock jiffyClock
	var events []kernelEvent // read while the frequency is not known, else one
	for k.hz > 0 || len(events) < mostBuffered {
		e, err := nextEvent(lines, s)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		events = append(events, e)
		if k.hz == 0 {
			k.setHz(clock.hz(e))
		}
		if k.hz == 0 {
			continue
		}
		for _, e := range events {
			if err := k.event(e); err != nil {
				return err
			}
		}
		events = events[:0]
	}
	if len(events) > 0 {
		return ErrHz
	}
	k.finish()
	return nil
}

func (k *kernel) setHz(hz int) {
	if k.hz = hz; hz > 0 {
		k.stat.Tick = time.Second / time.Duration(hz)
	}
}

// event follows one event.
func (k *kernel) event(e kernelEvent) error {
	s := k.stat
	if s.Operations == 0 {
		k.origin = e.seconds
	}
	// Both perf and ftrace merge the processors by time, except for microseconds.
	if e.seconds < k.last-slack {
		return fmt.Errorf("line %d: time %.6f after %.6f: time goes backwards", e.line, e.seconds, k.last)
	}
	k.last = max(k.last, e.seconds)
	s.Operations++
	s.Now = max(s.Now, schemes.Tick(max(0, (e.seconds-k.origin)*float64(k.hz))))

	c, atOnce := k.follows(e)
	k.settle(func(c cancel) bool {
		return c.seconds < e.seconds-slack || c.timer == e.timer && e.kind != "expire_entry"
	})
	switch e.kind {
	case "cancel":
		if atOnce {
			k.end(c.timer, c.at, workload.Stopped)
		}
		k.off[e.cpu] = cancel{e.timer, s.Now, e.seconds}
	case "expire_entry":
		k.pending = slices.DeleteFunc(k.pending, func(c cancel) bool { return c.timer == e.timer })
		k.end(e.timer, s.Now, workload.Expired)
	case "start":
		if _, alive := k.alive[e.timer]; alive {
			k.end(e.timer, s.Now, workload.Restarted)
		}
		k.alive[e.timer] = started{s.Now, schemes.Tick(max(e.timeout, 1))}
		s.began()
	}
	return nil
}

// follows removes the cancel that was the last event of e's processor, and reports whether
// e follows it at once with the same timer. Otherwise the cancel becomes pending.
func (k *kernel) follows(e kernelEvent) (c cancel, atOnce bool) {
	c, taken := k.off[e.cpu]
	delete(k.off, e.cpu)
	atOnce = taken && c.timer == e.timer && e.seconds-c.seconds <= slack
	if taken && !atOnce {
		k.pending = append(k.pending, c)
	}
	return c, atOnce
}

// settle ends the pending timers that are known by now to have been stopped.
func (k *kernel) settle(known func(cancel) bool) {
	k.pending = slices.DeleteFunc(k.pending, func(c cancel) bool {
		if known(c) {
			k.end(c.timer, c.at, workload.Stopped)
			return true
		}
		return false
	})
}

func (k *kernel) end(timer string, now schemes.Tick, fate workload.Fate) {
	p, alive := k.alive[timer]
	if !alive {
		k.stat.Unknown++
		return
	}
	delete(k.alive, timer)
	k.stat.ended(Life{p.start, p.interval, now - p.start, fate})
}

// finish ends the trace: a timer that was taken off its wheel was stopped.
func (k *kernel) finish() {
	for _, cpu := range slices.Sorted(maps.Keys(k.off)) {
		k.pending = append(k.pending, k.off[cpu])
	}
	k.settle(func(cancel) bool { return true })
	for _, timer := range slices.Sorted(maps.Keys(k.alive)) {
		p := k.alive[timer]
		k.stat.left(p.start, p.interval)
	}
}

// jiffyClock derives the kernel's ticks per second from times and jiffies.
type jiffyClock struct {
	set     bool
	seconds float64
	jiffies uint64
}

// frequencies that kernels are configured with.
var frequencies = []int{100, 200, 250, 300, 500, 1000, 1024}

// hz returns the frequency as soon as the events span long enough that a jiffy at either
// end makes no other one possible; 0 before.
func (c *jiffyClock) hz(e kernelEvent) int {
	if e.kind == "cancel" {
		return 0
	}
	if !c.set {
		*c = jiffyClock{true, e.seconds, e.jiffies}
		return 0
	}
	span, count := e.seconds-c.seconds, float64(int64(e.jiffies-c.jiffies))
	if span <= 0 || count < 50 { // too few to exclude a wrong frequency
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
	return found
}
