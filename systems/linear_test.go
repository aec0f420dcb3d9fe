package systems_test

import (
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
	blind       bool          // that is not known
	started     bool          // it is pending afterwards
}

// state is the model of a timer.
type state struct {
	pending, closed bool
	deadline        time.Duration // of a pending timer
	now             time.Duration // at least
}

// step reports whether an event may be the next one, and returns the state after it. Not only is no action entered before the
// timer's deadline: nor has anything returned by then that happens after the action began.
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
	due    atomic.Int64 // about
	runs   atomic.Int64
	mu     sync.Mutex
	events []porcupine.Operation
}

// record appends an event, which has just ended.
func (w *watched) record(e event) {
	e.until = clock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, porcupine.Operation{Input: e, Call: int64(e.from), Return: int64(e.until)})
}

func (w *watched) stop() {
	e := event{op: "stop", from: clock()}
	e.pending = w.Stop()
	w.record(e)
}

// start starts the timer, pending or not; with Start if blind is set, and it has that.
func (w *watched) start(d time.Duration, blind bool) {
	e := event{op: "start", d: d, from: clock()}
	w.due.Store(int64(e.from + d))
	var err error
	if t, ok := w.Timer.(interface{ Start(time.Duration) error }); ok && blind {
		e.blind, err = true, t.Start(d)
	} else {
		e.pending, err = w.Timer.(systems.Resetter).TryReset(d)
	}
	e.started = err == nil
	w.record(e)
}

// end lets the timer run once more, and stops it.
func (w *watched) end(patience time.Duration) {
	before, began := w.runs.Load(), clock()
	for w.start(0, false); w.runs.Load() == before; runtime.Gosched() {
		if clock()-began > patience {
			return // Close will return one that should have run
		}
	}
	w.stop()
}

// history lets some goroutines use one or two timers, mostly near their deadlines, and closes the service, in one history of
// three while they do. It returns an error if there is no order of the events that the model allows.
func (k kind) history(seed uint64, patience time.Duration) error {
	r := rand.New(rand.NewPCG(1, seed))
	tick := []time.Duration{20 * time.Microsecond, 100 * time.Microsecond, 300 * time.Microsecond, time.Millisecond}[seed%4]
	f, err := k.open(systems.Options{Tick: tick})
	if err != nil {
		return err
	}
	began, early, timers := clock(), seed%3 == 0, make([]*watched, 1+r.IntN(2))
	for i := range timers {
		w, e := &watched{}, event{op: "start", d: near(tick), from: clock(), started: true}
		w.Timer, err = f.AfterFunc(e.d, func() {
			w.record(event{op: "run", from: began, pending: true})
			w.runs.Add(1)
		})
		if err != nil {
			return err
		}
		w.record(e)
		timers[i] = w
	}
	var clients sync.WaitGroup
	for range 3 + r.IntN(3) {
		clients.Go(func() {
			for range 2 + rand.N(5) {
				w := timers[rand.N(len(timers))]
				aim(time.Duration(w.due.Load()), tick)
				if rand.N(3) == 0 {
					w.stop()
				} else {
					w.start(near(tick), !early && rand.N(2) == 0)
				}
			}
		})
	}
	if !early {
		clients.Wait()
		for _, w := range timers {
			w.end(patience)
		}
	}
	e := event{op: "close", blind: true, from: clock()}
	left, err := f.Close()
	for _, w := range timers {
		w.record(e)
	}
	clients.Wait()
	for _, w := range timers {
		for _, o := range w.events {
			if e := o.Input.(event); early && e.started != e.pending { // a start, or the end of one
				left += map[bool]int{true: -1, false: 1}[e.started]
			}
		}
		if err == nil && !porcupine.CheckOperations(timerModel, w.events) {
			err = fmt.Errorf("history %d is not linearizable, with a tick of %v:\n%+v", seed, tick, w.events)
		}
	}
	if err == nil && left != 0 {
		err = fmt.Errorf("history %d: Close returned %d timers too many", seed, left)
	}
	return err
}

// histories makes some histories, several at the same time, and returns the first error.
func (k kind) histories(n uint64, patience time.Duration) error {
	var all sync.WaitGroup
	var seeds atomic.Uint64
	errs := make(chan error, 4*runtime.GOMAXPROCS(0))
	for range cap(errs) {
		all.Go(func() {
			var err error
			for seed := seeds.Add(1); seed <= n && len(errs) == 0; seed = seeds.Add(1) {
				if err = k.history(seed, patience); err != nil {
					errs <- err
					return
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
	n := uint64(1000)
	if testing.Short() {
		n = 150
	}
	for _, k := range kinds {
		if k.longest == 0 {
			t.Run(k.name, func(t *testing.T) { require.NoError(t, k.histories(n, time.Minute)) })
		}
	}
}

// faults are of timers near their deadlines.
var faults = map[string]broken{
	"reset is early": timers(faulty{tryReset: func(t systems.Timer, d time.Duration) (bool, error) {
		return t.(systems.Resetter).TryReset(d - d/8)
	}}),
	"runs twice": {run: func(_ time.Duration, action func()) { action(); action() }},
	"loses one in eight": {run: func(_ time.Duration, action func()) {
		map[bool]func(){true: func() {}, false: action}[rand.N(8) == 0]()
	}},
	"stop of what has begun is true":  {make: func(b *broken) { hesitate(b, true) }},
	"reset of what has begun is true": {make: func(b *broken) { hesitate(b, false) }},
	"stop is a reset":                 timers(faulty{stop: func(t systems.Timer) bool { return t.Reset(0) }}),
	"reset is a stop":                 timers(faulty{tryReset: func(t systems.Timer, _ time.Duration) (bool, error) { return t.Stop(), nil }}),
	"reset is a stop, then a start": timers(faulty{tryReset: func(t systems.Timer, d time.Duration) (bool, error) {
		stopped := t.Stop()
		runtime.Gosched()
		pending, err := t.(systems.Resetter).TryReset(d)
		return pending || stopped, err
	}}),
}

// hesitate lets each action wait when it has begun. Meanwhile either Stop or Reset returns true.
func hesitate(b *broken, stops bool) {
	var waiting atomic.Int64
	b.run = func(_ time.Duration, action func()) {
		waiting.Add(1)
		time.Sleep(10 * time.Microsecond)
		waiting.Add(-1)
		action()
	}
	b.gives = timers(faulty{
		stop: func(t systems.Timer) bool { return t.Stop() || stops && waiting.Load() > 0 },
		tryReset: func(t systems.Timer, d time.Duration) (bool, error) {
			pending, err := t.(systems.Resetter).TryReset(d)
			return pending || !stops && waiting.Load() > 0, err
		},
	}).gives
}

// No order of events explains what a faulty timer does.
func TestNotLinearizable(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) { assert.Error(t, fault.kind().histories(10_000, 10*time.Millisecond)) })
	}
}
