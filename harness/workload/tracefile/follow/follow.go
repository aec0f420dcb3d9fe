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

// Parse reads a line such as "4 restart 17 30000".
func Parse(line string) (o Op, err error) {
	columns := strings.Fields(line)
	var kind workload.Kind
	if len(columns) < 3 || len(columns) > 4 || kind.UnmarshalText([]byte(columns[1])) != nil ||
		(len(columns) == 3) != (kind == workload.Stop) {
		return o, fmt.Errorf("invalid operation %.48q (expected TICK start TIMER INTERVAL, TICK restart TIMER INTERVAL "+
			"or TICK stop TIMER, separated by blanks, as in 0 start 17 30000)", line)
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
	Now         schemes.Tick
	Late        int   // stops of timers that were not outstanding, which changed nothing
	wheel       wheel // a timer's ID is its number
	outstanding map[uint64]timer
	ended       Ended
}

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

// New returns a trace's timers at tick 0. It calls ended with each lifetime that ends.
func New(ended Ended) *Timers {
	s, err := hierarchical.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		panic(err) // these wheels are valid
	}
	return &Timers{wheel: s.(wheel), outstanding: map[uint64]timer{}, ended: ended}
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
	if o.Tick < t.Now {
		return fmt.Errorf("tick %d after tick %d: time goes backwards", o.Tick, t.Now)
	}
	for t.Now < o.Tick {
		passed, due := t.wheel.Advance(o.Tick - t.Now)
		if passed == 0 {
			return errors.New("the tick is beyond the end of the clock")
		}
		t.Now += passed
		if due > 0 {
			t.wheel.Expire(func(id schemes.ID) { t.end(uint64(id), workload.Expired) })
		}
	}
	old, alive := t.outstanding[o.Timer]
	switch {
	case alive && o.Kind == workload.Start:
		return fmt.Errorf("start of timer %d, which is outstanding from tick %d to tick %d",
			o.Timer, old.start, old.start+old.interval)
	case alive && o.Kind == workload.Stop:
		t.end(o.Timer, workload.Stopped)
		t.wheel.Stop(old.handle)
		return nil
	case o.Kind == workload.Stop:
		t.Late++
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

func (t *Timers) end(number uint64, fate workload.Fate) {
	old := t.outstanding[number]
	delete(t.outstanding, number)
	t.ended(old.start, old.interval, t.Now-old.start, fate)
}
