package schemetest

import (
	"fmt"
	"math"
	"strings"

	"timerlab/schemes"
)

func (r *reference) PerTick() int {
	if r.now == endOfClock && !r.is("clock wraps") {
		return 0
	}
	r.now++
	for r.is("hangs") && r.n > 3 {
		<-forever
	}
	moved := 0
	for {
		i := r.records[waitingHead].next
		if i == waitingHead {
			break
		}
		if !r.is("visits miscounted") || r.isDue(i) {
			r.counts.Visits++
		}
		if !r.isDue(i) {
			break
		}
		r.unlink(i)
		r.records[i].state = due
		moved++
		if r.is("later ticks first") {
			r.link(i, r.records[dueHead].next)
		} else {
			r.link(i, dueHead)
		}
	}
	return r.returned(moved)
}

var forever = make(chan struct{})

func (r *reference) isDue(i uint32) bool {
	if r.is("32-bit deadline") {
		return uint32(r.records[i].deadline) == uint32(r.now)
	}
	return !r.earlier(r.now, r.records[i].deadline)
}

func (r *reference) returned(moved int) int {
	if moved > 0 && r.is("PerTick returns all due") {
		return r.listed(dueHead)
	}
	return moved
}

// listed is the number of timers in the list of a head.
func (r *reference) listed(head uint32) (n int) {
	for i := r.records[head].next; i != head; i = r.records[i].next {
		n++
	}
	return n
}

func (r *reference) Expire(action func(schemes.ID)) {
	r.firing = true
	defer func() {
		r.firing = false
		if p := recover(); p != nil && !r.is("panic swallowed") {
			if r.is("due timers lost on a panic") {
				r.dropDue()
			}
			panic(p)
		}
	}()
	if r.is("order of a map") {
		r.shuffle()
	}
	for {
		i := r.records[dueHead].next
		if i == dueHead {
			return
		}
		id := r.records[i].id
		r.unlink(i)
		r.release(i, expired)
		r.current = i
		action(id)
		r.current = 0
		if r.is("handed out twice") && r.records[i].state == expired && id%5 == 0 {
			action(id)
		}
	}
}

func (r *reference) dropDue() {
	for r.records[dueHead].next != dueHead {
		i := r.records[dueHead].next
		r.unlink(i)
		r.release(i, stopped)
	}
}

// shuffle orders the due timers of the first tick as a map does.
func (r *reference) shuffle() {
	first := r.records[r.records[dueHead].next].deadline
	batch := map[uint32]bool{}
	for i := r.records[dueHead].next; i != dueHead && r.records[i].deadline == first; i = r.records[i].next {
		batch[i] = true
	}
	for i := range batch {
		r.unlink(i)
		r.link(i, r.records[dueHead].next)
	}
}

func (r *reference) Len() int {
	if r.is("Len without due timers") {
		return r.listed(waitingHead)
	}
	return r.n
}

func (r *reference) Counts() schemes.Counts {
	c := r.counts
	if r.is("counts start again") {
		r.counts.Visits = 0
		c.Visits += math.MaxUint32
	}
	if r.is("empty slots counted") {
		c.EmptySlots = 1
	}
	if r.is("migrations counted") {
		c.Migrations = 1
	}
	return c
}

func (r *reference) Check() error {
	if r.checks++; r.is("Check always errs") || r.is("Check wrong at last") && r.checks == 20 {
		return fmt.Errorf("reference: the list is not sorted")
	}
	if first := r.records[dueHead].next; r.is("Check changes the order") && first != dueHead {
		if r.records[first].deadline == r.records[r.records[dueHead].prev].deadline {
			r.unlink(first)
			r.link(first, dueHead)
		}
	}
	return nil
}

func (r *reference) String() string {
	if r.n == 0 && r.is("String panics when empty") {
		return fmt.Sprint(r.records[2])
	}
	if r.is("String draws every timer") {
		return strings.Repeat("timer\n", r.n)
	}
	return fmt.Sprintf("%d timers", r.n)
}
