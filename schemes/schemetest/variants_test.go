package schemetest

import (
	"slices"
	"time"

	"timerlab/schemes"
)

// Schemes with more methods than the reference, with fewer, and with other promises.

// extended is the reference with the optional operations, and faults in them.
type extended struct{ *reference }

func extendedInfo(number int, f fault) *schemes.Info {
	return wrapped(number, f, func(r *reference, _ setting) schemes.Scheme { return extended{r} })
}

func (e extended) Next() (schemes.Tick, bool) {
	if e.is("Next counts") {
		e.counts.Visits++
	}
	switch {
	case len(e.due) > 0 && !e.is("Next ignores due timers"):
		return 0, true
	case len(e.waiting) == 0:
		return 0, false
	}
	wait := e.records[e.waiting[0]].deadline - e.now
	if e.is("Next one late") {
		wait++
	}
	return wait, true
}

func (e extended) Advance(most schemes.Tick) (passed schemes.Tick, moved int) {
	most = min(most, endOfClock-e.now)
	if most == 0 {
		return 0, 0
	}
	passed = most
	if wait, ok := e.Next(); ok && !e.is("Advance past due timers") {
		passed = min(most, max(wait, 1))
	}
	if e.is("Advance by single ticks") {
		for range passed - 1 {
			e.PerTick()
		}
	} else {
		e.now += passed - 1
	}
	return passed, e.PerTick()
}

func (e extended) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, current := e.named(h)
	if !current || e.records[i].state > due {
		if e.is("Restart of a stale handle starts") {
			return e.Start(interval, 0)
		}
		return 0, schemes.ErrHandle
	}
	if err := e.bad(interval); err != nil {
		if e.is("Restart loses the timer on a bad interval") {
			e.Stop(h)
		}
		return 0, err
	}
	id := e.records[i].id
	e.Stop(h)
	if e.is("Restart forgets the ID") {
		id = 0
	}
	return e.Start(interval, id)
}

func (e extended) ID(h schemes.Handle) (schemes.ID, bool) {
	i, current := e.named(h)
	if !current {
		return 0, e.is("ID of a stopped timer") && i > 0
	}
	id := e.records[i].id
	if e.is("ID of another timer") {
		id++
	}
	return id, e.records[i].state <= due
}

func (e extended) NextEvent() (wait schemes.Tick, ok bool) {
	wait, ok = e.Next()
	if e.is("NextEvent too late") {
		return wait + 1, ok
	}
	return min(wait, 1), ok
}

func (e extended) View(yield func(schemes.Place) bool) {
	all := slices.Concat(e.due, e.waiting)
	if e.is("View shows due timers last") {
		all = slices.Concat(e.waiting, e.due)
	}
	for position, i := range all {
		t := &e.records[i]
		p := schemes.Place{ID: t.id, Due: t.state == due, Position: position, Parent: -1}
		if !p.Due {
			p.Deadline = t.deadline
			if e.is("View a tick off") {
				p.Deadline++
			}
			if e.is("View shows all at one place") {
				p.Position = 0
			}
		}
		if !(e.is("View skips one") && position == 1) && !yield(p) {
			return
		}
	}
}

// coarse is the reference as a scheme that trades precision: the longer the interval, the coarser the deadline.
// Its units are the ticks of one slot on each level; the largest that the interval reaches is the one to which
// the absolute deadline is rounded, half a unit up.
type coarse struct {
	*reference
	units []schemes.Tick // ascending, the first is 1
}

func coarseInfo(f fault) *schemes.Info {
	info := wrapped(7, f, func(r *reference, of setting) schemes.Scheme {
		c := &coarse{r, append([]schemes.Tick{1}, of.spans()...)}
		c.units = c.units[:min(len(c.units), len(of.wheels()))] // the last product is the range
		c.rounded = c.round
		return c
	})
	info.Name = "reference-coarse"
	return info
}

func (c *coarse) unit(interval schemes.Tick) (unit schemes.Tick) {
	for _, u := range c.units {
		if u <= interval {
			unit = u
		}
	}
	return unit
}

// round gives the deadline of a timer; the clock's end is the last.
func (c *coarse) round(interval schemes.Tick) schemes.Tick {
	exact, unit := c.now+interval, c.unit(interval)
	switch {
	case unit == 1:
		return exact
	case c.is("a tick later than its bound"):
		exact += min(unit/2, endOfClock-exact)
	case c.is("due on its own tick"):
		return c.now
	case c.is("never due") && interval == 4*unit:
		return endOfClock
	case c.is("rounded by its neighbours") && c.n > 5:
		return exact
	case c.is("rounded by its past") && c.starts%7 == 0:
		return exact
	}
	if exact > endOfClock-unit/2 && !c.is("past the clock's end") {
		return endOfClock
	}
	return exact + unit/2 - (exact+unit/2)%unit
}

func (c *coarse) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	unit := c.unit(interval)
	early, late = unit-1-unit/2, unit/2
	switch {
	case c.is("bound not tight early") && unit > 1:
		early++
	case c.is("bound not tight late"):
		late++
	case c.is("bound of the clock"):
		late += c.now % 2
	case c.is("bound before the start"):
		early = interval
	}
	return early, late
}

// lazy is the reference with lazy stops: a stopped timer stays in the list until its deadline.
type lazy struct {
	*reference
	held int
}

func lazyInfo(f fault) *schemes.Info {
	info := wrapped(2, f, func(r *reference, _ setting) schemes.Scheme { return &lazy{reference: r} })
	info.Name = "reference-lazy"
	return info
}

func (l *lazy) Stop(h schemes.Handle) bool {
	i, current := l.named(h)
	if !current || l.records[i].state != waiting {
		return l.reference.Stop(h)
	}
	l.records[i].state = stopped
	l.n--
	l.held++
	if l.is("leaving counted at the stop") {
		l.counts.Links++
	}
	return true
}

func (l *lazy) PerTick() int {
	for at := len(l.waiting) - 1; at >= 0 && l.now < endOfClock; at-- {
		if t := &l.records[l.waiting[at]]; t.state == stopped && t.deadline <= l.now+1 {
			l.discard(l.waiting[at])
		}
	}
	return l.reference.PerTick()
}

// discard takes a stopped timer out of the list.
func (l *lazy) discard(i uint32) {
	if l.is("never discards") {
		l.waiting = slices.DeleteFunc(l.waiting, func(j uint32) bool { return i == j })
		return
	}
	if l.records[i].state = waiting; l.is("leaving counted at the stop") {
		l.counts.Links--
	}
	l.takeOut(i)
	l.n++
	l.release(i, stopped)
	l.held--
}

func (l *lazy) Held() int {
	if l.is("Held without due timers") {
		return l.n + l.held - len(l.due)
	}
	return l.n + l.held
}

// eighth is a scheme that is not in the paper: it has the four operations and nothing else, with a Stop
// that takes its time.
type eighth struct {
	schemes.Scheme
	wait time.Duration
}

func eighthInfo(wait time.Duration) *schemes.Info {
	return wrapped(0, "", func(r *reference, _ setting) schemes.Scheme { return eighth{r, wait} })
}

func (e eighth) Stop(h schemes.Handle) bool {
	for began := time.Now(); time.Since(began) < e.wait; {
	}
	return e.Scheme.Stop(h)
}

// leaking keeps a word for every start, outside Go's heap.
type leaking struct{ *reference }

func leakingInfo(f fault) *schemes.Info {
	return wrapped(2, f, func(r *reference, _ setting) schemes.Scheme { return leaking{r} })
}

func (l leaking) OffHeap() int { return 8 * l.starts }

// sharing ticks the newest scheme instead of itself.
type sharing struct {
	*reference
	newest **reference
}

func sharingInfo(f fault) *schemes.Info {
	var newest *reference
	return wrapped(2, f, func(r *reference, _ setting) schemes.Scheme {
		newest = r
		return &sharing{r, &newest}
	})
}

func (s *sharing) PerTick() int { return (*s.newest).PerTick() }
