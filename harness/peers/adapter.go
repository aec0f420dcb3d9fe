package peers

import (
	"fmt"

	"timerlab/schemes"
)

// library is a third party's timers. T is its type of a timer.
type library[T any] struct {
	start  func(interval schemes.Tick, h schemes.Handle) T // makes a timer that expires with this handle
	stop   func(T) bool                                    // false: the timer had expired; some report nothing
	move   func(T, schemes.Tick, schemes.Handle) T         // restarts a timer with another handle; nil: by stop and start
	pass   func()                                          // passes a tick
	report func()                                          // reports what has expired
	close  func()                                          // ends the library's goroutines; nil: it has none
}

// opener makes a library that calls expired from report.
type opener[T any] func(expired func(schemes.Handle)) (library[T], error)

// adapter makes a scheme of a library. It keeps what every peer adds to its timers: handles checked by
// generation, the client's IDs, and the list of due timers. Only a peak higher than all before allocates.
type adapter[T any] struct {
	library[T]
	name    string
	now     uint64
	longest uint64 // interval
	records []record[T]
	free    []uint32 // records
	live    int      // timers
	due     []schemes.Handle
	head    int // the first of due not yet handed out; those that were stopped since are not live

	strays  []schemes.Handle // reported after they had ended, or twice
	refused int              // stops that the library reported as too late
}

type record[T any] struct {
	timer T // the zero value if it does not wait, so that the collector can free it
	id    schemes.ID
	gen   uint32 // odd while the record is live
	due   bool
}

const endOfClock = 1<<64 - 1

// handle names a record in a generation.
func handle(i, gen uint32) schemes.Handle { return schemes.Handle(gen)<<32 | schemes.Handle(i) }

// checkCapacity returns an error wrapping schemes.ErrConfig for a bad capacity.
func checkCapacity(name string, capacity int) error {
	if capacity < 0 || capacity >= maxRecords {
		return fmt.Errorf("%s: capacity %d is out of range (use 0 to %d): %w", name, capacity, maxRecords-1, schemes.ErrConfig)
	}
	return nil
}

// checkInterval returns an error wrapping schemes.ErrInterval for an interval above longest, the peer's range, or
// past the end of the clock.
func checkInterval(name string, interval schemes.Tick, longest, now uint64) error {
	if most := min(longest, endOfClock-now); uint64(interval)-1 >= most {
		return fmt.Errorf("%s: interval %d is out of range (use 1 to %d): %w", name, interval, most, schemes.ErrInterval)
	}
	return nil
}

func newAdapter[T any](name string, cfg schemes.Config, longest uint64, open opener[T]) (schemes.Scheme, error) {
	if err := checkCapacity(name, cfg.Capacity); err != nil {
		return nil, err
	}
	a := &adapter[T]{name: name, now: uint64(cfg.Now), longest: longest, records: make([]record[T], 0, cfg.Capacity)}
	var err error
	if a.library, err = open(a.expired); err != nil {
		return nil, err
	}
	return a, nil
}

// Start starts one of the library's timers.
func (a *adapter[T]) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if err := checkInterval(a.name, interval, a.longest, a.now); err != nil {
		return 0, err
	}
	i, last := uint32(len(a.records)), len(a.free)-1
	if last >= 0 {
		i, a.free = a.free[last], a.free[:last]
	} else {
		a.records = append(a.records, record[T]{})
	}
	r := &a.records[i]
	r.gen++
	r.id = id
	a.live++
	h := handle(i, r.gen)
	r.timer = a.start(interval, h)
	return h, nil
}

// find returns the live record that h names, or nil.
func (a *adapter[T]) find(h schemes.Handle) *record[T] {
	i, gen := uint32(h), uint32(h>>32)
	if gen&1 == 0 || int(i) >= len(a.records) || a.records[i].gen != gen {
		return nil
	}
	return &a.records[i]
}

// end ends the timer of a record.
func (a *adapter[T]) end(r *record[T], i uint32) {
	var none T
	r.timer, r.due = none, false
	r.gen++
	a.live--
	a.free = append(a.free, i)
}

// Stop stops the library's timer, unless it has been reported already. A timer that the library
// can no longer stop ends anyway: a later report is dropped.
func (a *adapter[T]) Stop(h schemes.Handle) bool {
	r := a.find(h)
	if r == nil {
		return false
	}
	if !r.due && !a.stop(r.timer) {
		a.refused++
	}
	a.end(r, uint32(h))
	return true
}

// Restart gives a waiting timer another interval in place, if the library can.
func (a *adapter[T]) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	r := a.find(h)
	if r == nil {
		return 0, fmt.Errorf("%s: restart of %#x: %w", a.name, uint64(h), schemes.ErrHandle)
	}
	if err := checkInterval(a.name, interval, a.longest, a.now); err != nil {
		return 0, err
	}
	if r.due || a.move == nil {
		id := r.id
		a.Stop(h)
		return a.Start(interval, id)
	}
	r.gen += 2
	fresh := handle(uint32(h), r.gen)
	r.timer = a.move(r.timer, interval, fresh)
	return fresh, nil
}

// PerTick passes a tick of the library.
func (a *adapter[T]) PerTick() int {
	if a.now == endOfClock {
		return 0
	}
	a.now++
	a.pass()
	return a.collect()
}

// collect moves the timers that expire to the due list and returns their number.
func (a *adapter[T]) collect() int {
	before := len(a.due)
	a.report()
	return len(a.due) - before
}

func (a *adapter[T]) expired(h schemes.Handle) {
	r := a.find(h)
	if r == nil || r.due {
		a.strays = append(a.strays, h)
		return
	}
	var none T
	r.timer, r.due = none, true
	a.due = append(a.due, h)
}

// Expire hands out the due list. O(1) per timer.
func (a *adapter[T]) Expire(action func(schemes.ID)) {
	for a.head < len(a.due) {
		h := a.due[a.head]
		a.head++
		if r := a.find(h); r != nil {
			id := r.id
			a.end(r, uint32(h))
			action(id)
		}
	}
	a.due, a.head = a.due[:0], 0
}

// Len returns the number of outstanding timers. O(1).
func (a *adapter[T]) Len() int { return a.live }

// Close ends the library's goroutines. Outstanding timers never expire, except those of
// GoTimers, which has no goroutine to end.
func (a *adapter[T]) Close() {
	if a.close != nil {
		a.close()
	}
}
