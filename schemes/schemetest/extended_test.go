package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// extended is the reference with the optional operations, and faults in them.
type extended struct {
	*reference
	forgot map[schemes.Handle]schemes.ID // by Restart: that fault is not one of ID too
}

func extendedInfo(number int, f fault) *schemes.Info {
	return wrapped(number, f, func(r *reference, _ setting) schemes.Scheme {
		return &extended{r, map[schemes.Handle]schemes.ID{}}
	})
}

func (e *extended) Next() (schemes.Tick, bool) {
	first := e.records[waitingHead].next
	if e.is("Next counts") {
		e.counts.Visits++
	}
	switch {
	case e.records[dueHead].next != dueHead && !e.is("Next ignores due timers"):
		return 0, true
	case first == waitingHead:
		return 0, false
	case e.is("Next one late"):
		return e.records[first].deadline - e.now + 1, true
	}
	return e.records[first].deadline - e.now, true
}

func (e *extended) Advance(most schemes.Tick) (passed schemes.Tick, moved int) {
	if most > 0 && e.is("Advance by single ticks") {
		for passed < most && e.now < endOfClock {
			moved = e.PerTick()
			if passed++; e.records[dueHead].next != dueHead {
				break
			}
		}
		return passed, moved
	}
	most = min(most, endOfClock-e.now)
	if most == 0 {
		return 0, 0
	}
	passed = most
	if wait, ok := e.Next(); ok && !e.is("Advance past due timers") {
		passed = min(most, max(wait, 1))
	}
	e.now += passed - 1
	return passed, e.PerTick()
}

func (e *extended) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i := uint32(h)
	if i < 2 || uint64(i) >= uint64(len(e.records)) || e.records[i].generation != uint32(h>>32) || e.records[i].state > due {
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
	if forgot, again := e.forgot[h]; e.is("Restart forgets the ID") {
		if again {
			id = forgot
		}
		fresh, err := e.Start(interval, 0)
		e.forgot[fresh] = id
		return fresh, err
	}
	return e.Start(interval, id)
}

func (e *extended) ID(h schemes.Handle) (schemes.ID, bool) {
	i := uint32(h)
	if i < 2 || uint64(i) >= uint64(len(e.records)) || e.records[i].generation != uint32(h>>32) {
		return 0, e.is("ID of a stopped timer") && uint64(i) < uint64(len(e.records)) && i > 1
	}
	id := e.records[i].id
	if forgot, ok := e.forgot[h]; ok {
		id = forgot
	}
	if e.is("ID of another timer") {
		id++
	}
	return id, e.records[i].state <= due
}

func (e *extended) NextEvent() (wait schemes.Tick, ok bool) {
	wait, ok = e.Next()
	if e.is("NextEvent too late") {
		return wait + 1, ok
	}
	return min(wait, 1), ok
}

func (e *extended) View(yield func(schemes.Place) bool) {
	heads := []uint32{dueHead, waitingHead}
	if e.is("View shows due timers last") {
		slices.Reverse(heads)
	}
	position := 0
	for _, head := range heads {
		for i := e.records[head].next; i != head; i = e.records[i].next {
			p := schemes.Place{ID: e.records[i].id, Due: head == dueHead, Position: position, Parent: -1}
			if !p.Due {
				p.Deadline = e.records[i].deadline
				if e.is("View a tick off") {
					p.Deadline++
				}
				if e.is("View shows all at one place") {
					p.Position = 0
				}
			}
			if position++; e.is("View skips one") && position == 2 {
				continue
			}
			if !yield(p) {
				return
			}
		}
	}
}
