// Package follow reads the operations of a trace and follows its timers. It is apart from package tracefile because
// that package's statistics are too large for a page that runs in a browser.
package follow

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// Op is an operation of a trace. A Stop has no interval.
type Op struct {
	Tick     schemes.Tick
	Kind     workload.Kind
	Timer    uint64
	Interval schemes.Tick
}

// form is what a line may be.
const form = "TICK start TIMER INTERVAL, TICK restart TIMER INTERVAL or TICK stop TIMER, separated by blanks, " +
	"as in 0 start 17 30000"

// Parse reads a line such as "4 restart 17 30000".
func Parse(line string) (o Op, err error) {
	columns := strings.Fields(line)
	if len(columns) < 3 {
		return o, fmt.Errorf("too few columns in %.48q (expected %s)", line, form)
	}
	kind, err := workload.Parse[workload.Kind](columns[1])
	if err != nil {
		return o, fmt.Errorf("unknown operation %.24q (expected %s)", columns[1], form)
	}
	if stop := kind == workload.Stop; len(columns) != 4 && !stop || len(columns) != 3 && stop {
		return o, fmt.Errorf("%v with %d columns (expected %s)", kind, len(columns), form)
	}
	var numbers [3]uint64 // tick, timer, interval
	for i, column := range slices.Concat(columns[:1], columns[2:]) {
		n, err := strconv.ParseUint(column, 10, 64)
		if err != nil {
			name := [...]string{"tick", "timer", "interval"}[i]
			return o, fmt.Errorf("invalid %s %.24q (expected a whole number below 2^64)", name, column)
		}
		numbers[i] = n
	}
	return Op{schemes.Tick(numbers[0]), kind, numbers[1], schemes.Tick(numbers[2])}, nil
}

// Timers are the outstanding timers of a trace. A wheel finds their expiries. O(n) memory.
type Timers struct {
	Now     schemes.Tick
	Late    int // stops of timers that had ended; they change nothing
	Unknown int // stops of timers that the trace did not start; they change nothing

	wheel       wheel // a timer's ID is its number
	outstanding map[uint64]timer
	visit       Ended

	ended        map[uint64]bool // the first mostEnded timers that ended, to tell Unknown from Late
	judged       int             // stops until these were mostEnded
	firstUnknown Op
}

// mostEnded bounds the memory for timers that have ended.
const mostEnded = 1 << 18

// Ended is called with each lifetime that ends: the tick of its start, the interval requested, and its length.
type Ended func(start, interval, stay schemes.Tick, fate workload.Fate)

type wheel interface {
	schemes.Scheme
	schemes.Advancer
}

type timer struct {
	handle          schemes.Handle
	start, interval schemes.Tick
}

// New returns a trace's timers at tick 0. It calls visit with each lifetime that ends.
func New(visit Ended) *Timers {
	s, err := hierarchical.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		panic(err) // these wheels are valid
	}
	return &Timers{wheel: s.(wheel), outstanding: map[uint64]timer{}, ended: map[uint64]bool{}, visit: visit}
}

// Len returns the number of outstanding timers.
func (t *Timers) Len() int { return len(t.outstanding) }

// Each calls left with the start and interval of each outstanding timer, by number.
func (t *Timers) Each(left func(start, interval schemes.Tick)) {
	for _, number := range slices.Sorted(maps.Keys(t.outstanding)) {
		left(t.outstanding[number].start, t.outstanding[number].interval)
	}
}

// Apply advances to the operation's tick and applies it. An error says why that is impossible.
//
// Programs call Stop and Reset when a timer may have expired already. So a restart of a timer that is not
// outstanding starts it, and a stop of one is counted and changes nothing.
func (t *Timers) Apply(o Op) error {
	if err := t.advance(o.Tick); err != nil {
		return err
	}
	old, alive := t.outstanding[o.Timer]
	switch {
	case alive && o.Kind == workload.Start:
		return fmt.Errorf("start of timer %d, which is outstanding from tick %d to tick %d", o.Timer, old.start, old.start+old.interval)
	case o.Kind == workload.Stop:
		t.stop(o, old, alive)
		return nil
	}
	longest := uint64(math.MaxUint64 - t.Now)
	if longest == 0 {
		return fmt.Errorf("%v of timer %d on tick %d, the clock's last", o.Kind, o.Timer, t.Now)
	}
	h, err := t.wheel.Start(o.Interval, schemes.ID(o.Timer))
	if err != nil {
		return fmt.Errorf("invalid interval %d (expected 1 to %d)", o.Interval, longest)
	}
	if alive {
		t.end(o.Timer, workload.Restarted)
		t.wheel.Stop(old.handle)
	}
	t.outstanding[o.Timer] = timer{h, t.Now, o.Interval}
	return nil
}

// advance advances to a tick. Timers expire before its operations.
func (t *Timers) advance(to schemes.Tick) error {
	if to < t.Now {
		return fmt.Errorf("tick %d after tick %d: time goes backwards", to, t.Now)
	}
	for t.Now < to {
		passed, due := t.wheel.Advance(to - t.Now)
		if passed == 0 {
			return errors.New("the tick is beyond the end of the clock")
		}
		t.Now += passed
		if due > 0 {
			t.wheel.Expire(func(id schemes.ID) { t.end(uint64(id), workload.Expired) })
		}
	}
	return nil
}

// stop stops a timer, or counts why it cannot.
func (t *Timers) stop(o Op, old timer, alive bool) {
	remembers := len(t.ended) < mostEnded
	if remembers {
		t.judged++
	}
	switch {
	case alive:
		t.end(o.Timer, workload.Stopped)
		t.wheel.Stop(old.handle)
	case t.ended[o.Timer] || !remembers:
		t.Late++
	default:
		if t.Unknown++; t.Unknown == 1 {
			t.firstUnknown = o
		}
	}
}

// Err returns an error if most stops are of timers that the trace did not start. Then starts and stops have
// different numbers, or the trace is far shorter than its timers stay.
func (t *Timers) Err() error {
	if 2*t.Unknown <= t.judged {
		return nil
	}
	return fmt.Errorf("%d of %d stops are of timers that were not started before, such as timer %d on tick %d "+
		"(expected the number of a start)", t.Unknown, t.judged, t.firstUnknown.Timer, t.firstUnknown.Tick)
}

func (t *Timers) end(number uint64, fate workload.Fate) {
	old := t.outstanding[number]
	delete(t.outstanding, number)
	if len(t.ended) < mostEnded {
		t.ended[number] = true
	}
	t.visit(old.start, old.interval, t.Now-old.start, fate)
}
