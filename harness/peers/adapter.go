package peers

import "timerlab/schemes"

// library is a third party's timers. T is its type of a timer.
type library[T any] struct {
	start  func(interval schemes.Tick, h schemes.Handle) T // makes a timer that expires with this handle
	stop   func(T) bool                                    // false: the timer had expired; some report nothing
	move   func(T, schemes.Tick, schemes.Handle) T         // restarts a timer with another handle; nil: by stop and start
	pass   func()                                          // passes a tick
	report func()                                          // reports what has expired
	close  func()                                          // ends the library's goroutines; nil: it has none
}

// adapter makes a scheme of a library.
type adapter[T any] struct {
	library[T]
	store
	timers []T // by record; the zero value if it does not wait, so that the collector can free it

	strays  []schemes.Handle // reported after they had ended, or twice
	refused int              // stops that the library reported as too late
}

// newAdapter returns the scheme of the library that open makes, which calls expired from report.
func newAdapter[T any](name string, cfg schemes.Config, longest uint64,
	open func(expired func(schemes.Handle)) (library[T], error)) (schemes.Scheme, error) {
	s, err := newStore(name, cfg, longest)
	if err != nil {
		return nil, err
	}
	a := &adapter[T]{store: s, timers: make([]T, 0, cfg.Capacity)}
	if a.library, err = open(a.expired); err != nil {
		return nil, err
	}
	return a, nil
}

// Start starts one of the library's timers.
func (a *adapter[T]) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if a.refuses(interval) {
		return 0, a.refusal(interval)
	}
	i := a.take()
	h := a.begin(i, id)
	timer := a.start(interval, h)
	if int(i) == len(a.timers) {
		a.timers = append(a.timers, timer)
	}
	a.timers[i], a.places[i] = timer, 0
	return h, nil
}

// ended returns the library's timer of a record that no longer waits.
func (a *adapter[T]) ended(i uint32) (timer T) {
	timer, a.timers[i] = a.timers[i], timer
	return timer
}

// Stop stops the library's timer, unless it has been reported already. A timer that the library
// can no longer stop ends anyway: a later report is dropped.
func (a *adapter[T]) Stop(h schemes.Handle) bool {
	i, ok := a.find(h)
	if !ok {
		return false
	}
	if a.places[i] != isDue && !a.stop(a.ended(i)) {
		a.refused++
	}
	a.release(i)
	return true
}

// Restart gives a waiting timer another interval in place, if the library can.
func (a *adapter[T]) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, err := a.restarts(h, interval)
	if err != nil {
		return 0, err
	}
	if a.places[i] == isDue || a.move == nil {
		id := a.records[i].id
		a.Stop(h)
		return a.Start(interval, id)
	}
	h = a.renew(i)
	a.timers[i] = a.move(a.timers[i], interval, h)
	return h, nil
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
	if i, ok := a.find(h); ok && a.places[i] != isDue {
		a.ended(i)
		a.enterDue(i)
	} else {
		a.strays = append(a.strays, h)
	}
}

// Close ends the library's goroutines. Outstanding timers never expire, except GoTimers', which have no goroutine to end.
func (a *adapter[T]) Close() {
	if a.close != nil {
		a.close()
	}
}
