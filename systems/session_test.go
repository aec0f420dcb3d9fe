package systems_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// session is a service under test with a model of it. It checks each result and each action
// against the model and records the first violation.
type session struct {
	service systems.Service
	kind    kind
	late    time.Duration // the most by which actions may be

	running   atomic.Int32 // actions
	mu        sync.Mutex   // of what follows, and of the timers
	timers    []*timer
	runs      int
	panics    []any
	closed    bool
	violation error
}

// timer is a timer of the service with what the model expects of it.
type timer struct {
	real     systems.Timer
	session  *session
	name     string
	deadline time.Time
	pending  bool
}

// start starts a timer.
func (s *session) start(d time.Duration) *timer { return s.startFunc(d, func() {}) }

// startFunc starts a timer with an action.
func (s *session) startFunc(d time.Duration, action func()) *timer {
	t := &timer{session: s}
	s.mu.Lock()
	t.name = fmt.Sprintf("timer %d of %v", len(s.timers), d)
	s.timers = append(s.timers, t)
	s.mu.Unlock()
	t.expect(true, d)
	real, err := s.service.AfterFunc(d, func() { t.run(action) })
	s.require(err == nil, "AfterFunc(%v): error %v", d, err)
	if err != nil {
		real = noTimer{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.real = real
	return t
}

// block starts timers of a second whose actions take some time.
func (s *session) block(n int, takes time.Duration) {
	for range n {
		s.startFunc(time.Second, func() { time.Sleep(takes) })
	}
}

// noTimer is in place of a timer that was not started, so that the script can continue.
type noTimer struct{}

func (noTimer) Stop() bool               { return false }
func (noTimer) Reset(time.Duration) bool { return false }

func (noTimer) TryReset(time.Duration) (bool, error) { return false, errNotStarted }

var errNotStarted = errors.New("the timer was not started")

// expect lets the model expect that the timer will run after d, or not at all. It returns the
// timer and reports whether that was pending.
func (t *timer) expect(pending bool, d time.Duration) (real systems.Timer, was bool) {
	s := t.session
	s.mu.Lock()
	defer s.mu.Unlock()
	was, t.pending = t.pending, pending && !s.closed
	t.deadline = time.Now().Add(max(d, 0))
	return t.real, was
}

// stop stops the timer. Stop must report whether it was pending.
func (t *timer) stop() {
	real, pending := t.expect(false, 0)
	got := real.Stop()
	t.session.require(got == pending, "Stop of %s returned %v (pending: %v)", t.name, got, pending)
}

// reset resets the timer. Reset must report whether it was pending.
func (t *timer) reset(d time.Duration) {
	real, pending := t.expect(true, d)
	got := real.Reset(d)
	t.session.require(got == pending, "Reset(%v) of %s returned %v (pending: %v)", d, t.name, got, pending)
}

// tryReset is reset where the service may refuse: then the timer must not run.
func (t *timer) tryReset(d time.Duration) error {
	real, pending := t.expect(true, d)
	got, err := real.(systems.Resetter).TryReset(d)
	t.session.require(got == pending, "TryReset(%v) of %s returned %v (pending: %v)", d, t.name, got, pending)
	if err != nil {
		t.expect(false, 0)
	}
	return err
}

// run runs an action, for which the timer must be pending and due, for at most a tick.
func (t *timer) run(action func()) {
	s := t.session
	s.running.Add(1)
	defer s.running.Add(-1)
	s.mu.Lock()
	late, pending := time.Since(t.deadline), t.pending
	t.pending = false
	s.runs++
	s.mu.Unlock()
	s.require(pending, "%s ran, but was not pending", t.name)
	s.require(late >= 0, "%s ran %v early", t.name, -late)
	s.require(late <= s.late, "%s ran %v late (must be at most %v)", t.name, late, s.late)
	action()
}

// close closes the service by several calls at the same time. One must return the number of pending timers,
// and all must wait for the actions that are running.
func (s *session) close() {
	synctest.Wait()
	pending := s.dropAll()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	idle, began := s.running.Load() == 0, time.Now()
	if idle {
		cancel() // an idle service does not look at the context
	}
	counts := make([]int, 8)
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() {
			dropped, err := s.service.CloseContext(ctx)
			running := s.running.Load()
			s.require(err == nil, "CloseContext: error %v", err)
			s.require(running == 0, "CloseContext returned while %d actions were running", running)
			counts[i] = dropped
		})
	}
	all.Wait()
	s.require(!idle || time.Since(began) == 0, "CloseContext took %v, with no action running", time.Since(began))
	slices.Sort(counts)
	s.require(counts[6] == 0 && counts[7] == pending, "CloseContext returned %v, with %d timers pending", counts, pending)
}

// dropAll lets the model expect that no action begins any more. It returns the number of pending timers, none
// of which may be overdue.
func (s *session) dropAll() (pending int) {
	s.mu.Lock()
	latest := time.Duration(0)
	for _, t := range s.timers {
		if t.pending {
			pending++
			latest = max(latest, time.Since(t.deadline))
		}
		t.pending = false
	}
	s.closed = true
	s.mu.Unlock()
	s.require(latest <= s.late, "an action had not begun %v after its deadline", latest)
	return pending
}

// sleep lets time pass, and everything happen that is due.
func (s *session) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// panicked is the service's handler of panics.
func (s *session) panicked(value any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.panics = append(s.panics, value)
}

// require records a violation unless ok.
func (s *session) require(ok bool, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !ok && s.violation == nil {
		s.violation = fmt.Errorf(format, args...)
	}
}
