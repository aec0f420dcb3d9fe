package schemetest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/schemes"
)

// endOfClock is the last tick; PerTick does nothing there.
const endOfClock schemes.Tick = math.MaxUint64

type state uint8

const (
	waiting state = iota // started
	due                  // moved to the due list by PerTick
	stopped              // by Stop, or by Restart
	expired              // handed out by Expire
)

func (s state) String() string {
	return [...]string{"not due yet", "due", "stopped", "handed out before"}[s]
}

type timer struct {
	label    label
	id       schemes.ID
	deadline schemes.Tick
	handle   schemes.Handle
	state    state
	action   []op
	expire   int // number of the Expire in which it was started or stopped last, 0 outside
}

func (t *timer) String() string { return fmt.Sprintf("id %d (h%d)", t.id, t.label) }

// model is the contract in its plainest form: maps and one slice, no wheel, no tree,
// nothing in common with any scheme.
type model struct {
	suite   *suite
	setting // with the clock at the beginning
	now     schemes.Tick
	last    schemes.Tick                                           // the last tick that the program may reach
	bound   func(interval schemes.Tick) (early, late schemes.Tick) // nil: timers are exact

	timers  map[label]*timer
	handles map[schemes.Handle]*timer // every handle ever returned
	pending []*timer                  // the outstanding ones, by deadline; the first ones are due

	pastEnd bool // PerTick was called at the end of the clock
	expire  int  // number of the Expire being done, 0 outside

	expired int    // handed out so far
	links   uint64 // what Counts.Links must be

	used   schemes.Tick // the longest time that any timer so far could take to be due
	idleAt schemes.Tick // when that has passed since the last start or stop
}

func (m *model) accepts(interval schemes.Tick) bool {
	return interval >= 1 && interval <= m.longest() && interval <= endOfClock-m.now
}

// deadline is the tick on which a timer of this interval, started now, is due.
// This is the only place that decides it.
func (m *model) deadline(interval schemes.Tick) schemes.Tick {
	if m.bound == nil {
		m.used = max(m.used, interval)
		return m.now + interval
	}
	m.used = max(m.used, m.latest(interval))
	return m.rounded(interval)
}

// touch notes that a timer was started or stopped: nothing may be held when as long as the longest
// interval takes has passed since.
func (m *model) touch() { m.idleAt = m.now + min(m.used, endOfClock-m.now) }

func (m *model) start(l label, id schemes.ID, interval schemes.Tick, h schemes.Handle, action []op) schemes.Tick {
	t := &timer{label: l, id: id, deadline: m.deadline(interval), handle: h, action: action, expire: m.expire}
	m.timers[l], m.handles[h] = t, t
	m.pending = slices.Insert(m.pending, m.until(t.deadline), t)
	m.links++
	m.touch()
	return t.deadline
}

func (m *model) outstanding(h schemes.Handle) (*timer, bool) {
	t := m.handles[h]
	return t, t != nil && (t.state == waiting || t.state == due)
}

func (m *model) until(tick schemes.Tick) int {
	n, _ := slices.BinarySearchFunc(m.pending, tick, func(t *timer, tick schemes.Tick) int {
		return cmp.Or(cmp.Compare(t.deadline, tick), -1)
	})
	return n
}

func (m *model) end(t *timer, s state) {
	i := slices.Index(m.pending, t)
	m.pending = slices.Delete(m.pending, i, i+1)
	t.state = s
}

func (m *model) stop(t *timer) {
	if t.state == waiting {
		m.links++
	}
	m.end(t, stopped)
	t.expire = m.expire
	m.touch()
}

func (m *model) tick() int {
	if m.now == endOfClock {
		m.pastEnd = true
		return 0
	}
	before := m.until(m.now)
	m.now++
	moved := m.pending[before:m.until(m.now)]
	for _, t := range moved {
		t.state = due
	}
	m.links += uint64(len(moved))
	return len(moved)
}

// hand takes the first due timer with this id, nil if there is none. It should be due on the same tick as first.
func (m *model) hand(id schemes.ID) (t, first *timer) {
	for _, t := range m.pending {
		if t.state == due && t.id == id {
			first = m.pending[0]
			m.end(t, expired)
			m.expired++
			return t, first
		}
	}
	return nil, nil
}

// blame explains why id must not be handed out now, and names the rule that this breaks; "" is the one at hand.
func (m *model) blame(id schemes.ID) (rule, text string) {
	var t *timer
	for _, u := range m.timers {
		if u.id == id && (t == nil || u.label > t.label) {
			t = u
		}
	}
	inside := t != nil && m.expire != 0 && t.expire == m.expire
	switch {
	case t == nil:
		return "", fmt.Sprintf("id %d, which was never started", id)
	case t.state == waiting && inside:
		return "expire-start", fmt.Sprintf("%v, which an action of this Expire started", t)
	case t.state == waiting:
		return "", fmt.Sprintf("%v, which is due at tick %d only; the clock is at %d", t, t.deadline, m.now)
	case t.state == stopped && inside:
		return "stop-sibling", fmt.Sprintf("%v, which an action of this Expire stopped", t)
	case t.state == stopped:
		return "stop", fmt.Sprintf("%v, which was stopped", t)
	}
	return "expire", fmt.Sprintf("%v, which was handed out before", t)
}

func (m *model) next() (wait schemes.Tick, ok bool) {
	if len(m.pending) == 0 {
		return 0, false
	}
	return m.pending[0].deadline - min(m.now, m.pending[0].deadline), true
}

func (m *model) advance(most schemes.Tick) (passed schemes.Tick, moved int) {
	most = min(most, endOfClock-m.now)
	if most == 0 {
		return 0, 0
	}
	passed = most
	if wait, ok := m.next(); ok {
		passed = min(most, max(wait, 1))
	}
	m.now += passed - 1
	return passed, m.tick()
}
