package engine

import (
	"runtime"
	"time"

	"timerlab/schemes"
)

// crew is the part of a shard that runs actions. Due timers stay in the scheme until they are
// among the next to begin; then they are ready. Both can be stopped.
type crew struct {
	ready []readyTimer // in the order in which they begin
	first int          // index in ready; none before it is live
	live  int          // timers in ready that have neither begun nor been stopped

	due    int           // timers on the scheme's due list; stopped ones may be included
	dueAt  time.Duration // when the first of them was due
	handed int           // out by the scheme
	expire func(schemes.ID)

	later func(schemes.ID) schemes.Tick // lookAgainIn

	workers   int    // goroutines that run actions, or that call Execute
	tokens    int    // functions that Execute has yet to call, each for any action
	running   int    // actions
	executing int    // calls of Execute
	begun     uint64 // actions
	filled    uint64 // of those, when fill was last called

	looking   bool   // the alarm is set to look whether timers still wait
	begunThen uint64 // actions, when it was set
}

type readyTimer struct {
	timer *Timer // nil: begun or stopped
	due   time.Duration
}

const (
	// patience is for how long due timers wait before workers are added. Each time, they double.
	patience = time.Millisecond

	// batch is the number of timers that the scheme hands out at a time: some 20 µs under the
	// lock. Actions are quick if as many begin within the patience.
	batch = 256

	keptReady = 4 * batch // the largest capacity of ready that is kept when it is empty
)

// short reports whether due timers wait, or may, for which Execute has not been called.
func (s *shard) short() bool { return s.live > s.tokens || s.behind }

// grows reports whether workers are added while due timers wait.
func (s *shard) grows() bool { return s.service.options.Execute == nil }

// joins reports whether the goroutine of the alarm is to be a worker. waited reports whether timers have been ready
// for longer than the patience: then, if workers may be added and actions are not quick, joins adds more.
func (s *shard) joins(waited bool) bool {
	if !s.grows() {
		return s.workers == 0
	}
	quick := s.begun-s.begunThen >= batch
	if waited && !quick {
		for range min(s.workers, s.live-1) {
			s.addWorker()
		}
	}
	return !waited || !quick || s.workers < runtime.GOMAXPROCS(0)
}

// hire adds a worker if timers wait that no worker is on its way to.
func (s *shard) hire() {
	if !s.closed && s.short() && s.workers == 0 {
		s.addWorker()
	}
}

func (s *shard) addWorker() {
	s.workers++
	s.alive.Add(1)
	go s.work(false)
}

// work runs actions, or calls Execute for them, until no timer waits. ended reports whether an action or
// a call of this worker has just ended.
func (s *shard) work(ended bool) {
	o, returned := &s.service.options, false
	defer func() {
		if !returned { // an action called runtime.Goexit
			go s.work(true)
		}
	}()
	for ; ; ended = true {
		action, ok := s.nextAction(ended)
		switch {
		case !ok:
			returned = true
			return
		case o.Execute != nil:
			callExecute(o.Execute, s.runAny)
		default:
			Run(action, o.Panic)
		}
	}
}

// nextAction returns an action to run, or in a service with Execute whether to call that. It returns
// false if no timer waits; then the worker is not counted any more.
func (s *shard) nextAction(ended bool) (action func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !ended:
	case s.service.options.Execute != nil:
		s.executing--
	default:
		s.running--
	}
	for !s.closed && s.short() {
		now := s.readClock()
		if s.live <= s.tokens || s.mayFill(now) {
			s.fill(now)
		}
		switch {
		case s.service.closed.Load():
		case s.service.options.Execute != nil && s.live > s.tokens:
			s.tokens++
			s.executing++
			return nil, true
		case s.live > 0 && s.service.options.Execute == nil:
			return s.begin(now), true
		case s.behind: // let others have the lock between two batches
			s.mu.Unlock()
			s.mu.Lock()
			continue
		}
		break
	}
	s.workers--
	if s.alarmAt == 0 || s.looking {
		s.settle()
	}
	s.alive.Done()
	return nil, false
}

// runAny is what Execute is called with. It runs the action that has waited longest, unless the
// timers for which Execute was called have been stopped.
func (s *shard) runAny() {
	s.mu.Lock()
	s.tokens--
	if s.live == 0 || s.service.closed.Load() {
		s.hire()
		s.settle()
		s.mu.Unlock()
		return
	}
	action := s.begin(s.service.clock())
	s.alive.Add(1)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.running--
		s.mu.Unlock()
		s.alive.Done()
	}()
	Run(action, s.service.options.Panic)
}
