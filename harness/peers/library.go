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

// wrapper makes a scheme of a library.
type wrapper[T any] struct {
	library[T]
	store
	timers []T // by record; the zero value if it does not wait, so that the collector can free it

	strays  []schemes.Handle // reported after they had ended, or twice
	refused int              // stops that the library reported as too late
}

// newWrapper returns the scheme of the library that open makes, which calls expired from report.
func newWrapper[T any](name string, cfg schemes.Config, longest uint64,
	open func(expired func(schemes.Handle)) (library[T], error)) (schemes.Scheme, error) {
	s, err := newStore(name, cfg, longest)
	if err != nil {
		return nil, err
	}
	w := &wrapper[T]{store: s, timers: make([]T, 0, cfg.Capacity)}
	if w.library, err = open(w.expired); err != nil {
		return nil, err
	}
	return w, nil
}

// Start starts one of the library's timers.
func (w *wrapper[T]) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if w.refuses(interval) {
		return 0, w.refusal(interval)
	}
	i := w.take()
	h := w.begin(i, id)
	timer := w.start(interval, h)
	if int(i) == len(w.timers) {
		w.timers = append(w.timers, timer)
	}
	w.timers[i], w.places[i] = timer, 0
	return h, nil
}

// ended returns the library's timer of a record that no longer waits.
func (w *wrapper[T]) ended(i uint32) (timer T) {
	timer, w.timers[i] = w.timers[i], timer
	return timer
}

// Stop stops the library's timer, unless it has been reported already. A timer that the library
// can no longer stop ends anyway: a later report is dropped.
func (w *wrapper[T]) Stop(h schemes.Handle) bool {
	i, ok := w.find(h)
	if !ok {
		return false
	}
	if w.places[i] != isDue && !w.stop(w.ended(i)) {
		w.refused++
	}
	w.release(i)
	return true
}

// Restart gives a waiting timer another interval in place, if the library can.
func (w *wrapper[T]) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, err := w.restarts(h, interval)
	if err != nil {
		return 0, err
	}
	if w.places[i] == isDue || w.move == nil {
		id := w.records[i].id
		w.Stop(h)
		return w.Start(interval, id)
	}
	h = w.renew(i)
	w.timers[i] = w.move(w.timers[i], interval, h)
	return h, nil
}

// PerTick passes a tick of the library.
func (w *wrapper[T]) PerTick() int {
	if w.now == endOfClock {
		return 0
	}
	w.now++
	w.pass()
	return w.collect()
}

// collect moves the timers that expire to the due list and returns their number.
func (w *wrapper[T]) collect() int {
	before := len(w.due)
	w.report()
	return len(w.due) - before
}

func (w *wrapper[T]) expired(h schemes.Handle) {
	if i, ok := w.find(h); ok && w.places[i] != isDue {
		w.ended(i)
		w.enterDue(i)
	} else {
		w.strays = append(w.strays, h)
	}
}

// Close ends the library's goroutines. Outstanding timers never expire, except GoTimers', which have no goroutine to end.
func (w *wrapper[T]) Close() {
	if w.close != nil {
		w.close()
	}
}
