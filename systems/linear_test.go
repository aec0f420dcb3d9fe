package systems_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// event is what happened to a timer: a call, or that its action began.
type event struct {
	op          string        // start, stop, run or close
	d           time.Duration // of a start
	from, until time.Duration // when it was called and had returned; a run began before its body was entered
	pending     bool          // the timer was, as Stop and TryReset report
	blind       bool          // that is not known, as of Start
	started     bool          // it is pending afterwards
}

// state is the model of a timer.
type state struct {
	pending, closed bool
	deadline        time.Duration // of a pending timer
	now             time.Duration // at least
}

// step reports whether an event may be the next one, and returns the state after it. Before a timer's deadline, neither is
// its action entered, nor has a call returned that takes effect after the action began.
func (s state) step(e event) (bool, state) {
	if e.op == "run" {
		s.now = max(s.now, s.deadline)
	}
	ok := s.now <= e.until && (e.blind || e.pending == s.pending) && e.started == (e.op == "start" && !s.closed)
	s.pending, s.deadline, s.closed = e.started, 0, s.closed || e.op == "close"
	if s.pending {
		s.deadline = e.from + max(e.d, 0)
	}
	return ok, s
}

var timerModel = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(s, e, _ any) (bool, any) { return s.(state).step(e.(event)) },
}

// watched is a timer with all that happened to it.
type watched struct {
	systems.Timer
	due, runs atomic.Int64
	mu        sync.Mutex
	events    []porcupine.Operation
}

// record appends an event, which has just ended.
func (w *watched) record(e event) {
	e.until = clock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, porcupine.Operation{Input: e, Call: int64(e.from), Return: int64(e.until)})
}

// use stops the timer or starts it, pending or not; blindly by Start, if it has that. It reports whether it was pending.
func (w *watched) use(stops, blind bool, d time.Duration) (pending bool) {
	own, ok := w.Timer.(interface{ Start(time.Duration) error })
	e, err := event{op: "start", d: d, blind: ok && blind && !stops, from: clock()}, error(nil)
	w.due.Store(int64(e.from + d))
	switch {
	case stops:
		e.op, e.pending = "stop", w.Stop()
	case e.blind:
		err = own.Start(d)
	default:
		e.pending, err = w.Timer.(systems.Resetter).TryReset(d)
	}
	e.started = !stops && err == nil
	w.record(e)
	return e.pending
}

// history lets some goroutines use timers near their deadlines, and closes the service: half of the histories have one timer,
// which may be used meanwhile, the others two. It returns an error if no order of the events is one of the model's, or a start does
// not run for longer than the patience.
func (k kind) history(seed uint64, tick, patience time.Duration, lag *atomic.Int64) error {
	f, err := k.open(systems.Options{Tick: tick})
	if err != nil {
		return err
	}
	began, timers := clock(), make([]*watched, 1+seed%2)
	for i := range timers {
		w, e := &watched{}, event{op: "start", d: randomDuration(tick), from: clock(), started: true}
		w.Timer, err = f.AfterFunc(e.d, func() {
			w.record(event{op: "run", from: began, pending: true})
			w.runs.Add(1)
		})
		if err != nil {
			return err
		}
		w.due.Store(int64(e.from + e.d))
		w.record(e)
		timers[i] = w
	}
	client := func() {
		for range 2 + rand.N(5) {
			w := timers[rand.N(len(timers))]
			aim(time.Duration(w.due.Load()), lag)
			learn(lag, w.use(rand.N(3) == 0, rand.N(2) == 0, randomDuration(tick)))
		}
	}
	var clients sync.WaitGroup
	for range 2 + rand.N(3) {
		clients.Go(client)
	}
	if client(); len(timers) > 1 {
		clients.Wait()
		for _, w := range timers {
			before, from := w.runs.Load(), clock()
			for w.use(false, false, 0); w.runs.Load() == before; runtime.Gosched() {
				if clock()-from > patience {
					return errors.New("a start was lost")
				}
			}
			w.use(true, false, 0)
		}
	}
	e := event{op: "close", from: clock()}
	n, err := f.Close()
	e.pending = n > 0
	for _, w := range timers {
		w.record(e)
	}
	clients.Wait()
	for _, w := range timers {
		if err == nil && !porcupine.CheckOperations(timerModel, w.events) {
			err = fmt.Errorf("history %d with a tick of %v is not linearizable:\n%+v", seed, tick, w.events)
		}
	}
	return err
}

// histories makes some histories, several at the same time, and returns the first error.
func (k kind) histories(n uint64, tick, patience time.Duration) error {
	var all sync.WaitGroup
	var seeds atomic.Uint64
	var lag atomic.Int64
	errs := make(chan error, 2*runtime.GOMAXPROCS(0))
	for range cap(errs) {
		all.Go(func() {
			for seed := seeds.Add(1); seed <= n && len(errs) == 0; seed = seeds.Add(1) {
				if err := k.history(seed, tick, patience, &lag); err != nil {
					errs <- err
				}
			}
		})
	}
	all.Wait()
	close(errs)
	return <-errs
}

// Several goroutines see of a timer what they would see if they took turns: each call, and each beginning of an action, takes
// effect at one moment.
func TestLinearizable(t *testing.T) {
	for _, k := range kinds {
		for _, tick := range []time.Duration{time.Microsecond, 20 * time.Microsecond, time.Millisecond} {
			if k.longest == 0 {
				require.NoError(t, k.histories(60, tick, time.Minute), k.name)
			}
		}
	}
}

// faults are of timers near their deadlines.
var faults = map[string]broken{
	"reset is early": timers(faulty{tryReset: func(t systems.Timer, d time.Duration) (bool, error) {
		return t.(systems.Resetter).TryReset(d - d/4)
	}}),
	"runs twice":                     {run: func(_ time.Duration, action func()) { action(); action() }},
	"never runs":                     {run: func(time.Duration, func()) {}},
	"stop of what has begun is true": timers(faulty{stop: func(t systems.Timer) bool { t.Stop(); return true }}),
	"reset of what has begun is true": timers(faulty{tryReset: func(t systems.Timer, d time.Duration) (bool, error) {
		_, err := t.(systems.Resetter).TryReset(d)
		return true, err
	}}),
	"reset is two steps": timers(faulty{tryReset: func(t systems.Timer, d time.Duration) (bool, error) {
		stopped := t.Stop()
		runtime.Gosched()
		pending, err := t.(systems.Resetter).TryReset(d)
		return pending || stopped, err
	}}),
}

// Both tests find the faults of timers. A single client does not see that a timer is not pending during a Reset.
func TestFaultyTimers(t *testing.T) {
	for name, fault := range faults {
		const tick, patience = 100 * time.Microsecond, 10 * time.Millisecond
		assert.Error(t, fault.kind().histories(10_000, tick, patience), name)
		if name != "reset is two steps" {
			assert.Error(t, fault.kind().exact(1, tick, 10*time.Second, patience), name)
		}
	}
}
