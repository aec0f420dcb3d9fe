package sharded

import (
	"sync"
	"time"

	"timerlab/systems/internal/engine"
)

// crew runs actions in the order in which they come, by one runner as long as they are
// quick. While there are any, a watch looks every so often what has happened since. If
// nothing has, the runners are busy with slow actions and counted no more, and another one
// goes on with the rest.
type crew struct {
	patience time.Duration // of the watch
	handler  func(any)
	all      sync.WaitGroup // runners, and a watch that is set

	mu      sync.Mutex
	actions []func() // those from at on have not begun
	at      int
	working int    // runners that are not slow
	idle    int    // runners that wait for more
	epoch   uint64 // how often the working ones were found to be slow
	more    sync.Cond
	watch   *time.Timer
	looking bool // the watch is set
	ended   bool // an action did since the watch looked last
	closed  bool
}

// runner is a goroutine of a crew.
type runner struct {
	crew  *crew
	epoch uint64 // in which it was counted as working
	busy  bool   // with an action
}

// longKept bounds the actions for which a crew without any keeps memory.
const longKept = 1 << 12

func newCrew(patience time.Duration, handler func(any)) *crew {
	c := &crew{patience: patience, handler: handler}
	c.more.L = &c.mu
	return c
}

// run lets the crew run actions.
func (c *crew) run(actions []func()) {
	if len(actions) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forgetDone()
	c.actions = append(c.actions, actions...)
	if c.working == 0 {
		c.hire()
	}
	if !c.looking {
		c.look()
	}
}

// forgetDone moves what has not begun to the front, once that is less than what has.
func (c *crew) forgetDone() {
	if rest := len(c.actions) - c.at; rest < c.at {
		copy(c.actions, c.actions[c.at:])
		clear(c.actions[rest:])
		c.actions, c.at = c.actions[:rest], 0
	}
}

// hire sets another runner to work.
func (c *crew) hire() {
	if c.idle > 0 {
		c.more.Signal()
		return
	}
	c.working++
	c.all.Add(1)
	r := &runner{crew: c, epoch: c.epoch}
	engine.Keep(r.work, c.all.Done)
}

// look sets the watch.
func (c *crew) look() {
	c.looking, c.ended = true, false
	c.all.Add(1)
	if c.watch == nil {
		c.watch = time.AfterFunc(c.patience, c.check)
	} else {
		c.watch.Reset(c.patience)
	}
}

// check is what the watch does.
func (c *crew) check() {
	defer c.all.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looking = false
	if c.closed {
		return
	}
	if !c.ended && c.working > 0 {
		c.working = 0
		c.epoch++
	}
	waiting := c.at < len(c.actions)
	if waiting && c.working == 0 {
		c.hire()
	}
	if waiting || c.working > 0 {
		c.look()
	}
}

// close drops the actions that have not begun, waits for those that have, and returns how
// many it dropped. Nobody may call run any more.
func (c *crew) close() (dropped int) {
	c.mu.Lock()
	dropped = len(c.actions) - c.at
	c.actions, c.at, c.closed = nil, 0, true
	c.more.Broadcast()
	if c.looking && c.watch.Stop() {
		c.looking = false
		c.all.Done()
	}
	c.mu.Unlock()
	c.all.Wait()
	return dropped
}

// work runs actions until the crew is closed, or another runner waits for them.
func (r *runner) work() {
	for {
		action, ok := r.next()
		if !ok {
			return
		}
		engine.Guard(action, r.crew.handler)
	}
}

// next waits for an action. False: the runner is not needed any more.
func (r *runner) next() (action func(), ok bool) {
	c := r.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.busy {
		r.busy, c.ended = false, true
	}
	if r.epoch != c.epoch { // it was slow
		r.count()
	}
	for c.at == len(c.actions) {
		c.rest()
		c.working--
		if c.closed || c.idle > 0 {
			return nil, false
		}
		c.idle++
		c.more.Wait()
		c.idle--
		r.count()
	}
	action = c.actions[c.at]
	c.actions[c.at] = nil // it can be collected
	c.at++
	r.busy = true
	return action, true
}

// count makes the runner one of the working ones.
func (r *runner) count() {
	r.crew.working++
	r.epoch = r.crew.epoch
}

// rest gives back what a burst needed.
func (c *crew) rest() {
	c.actions, c.at = c.actions[:0], 0
	if cap(c.actions) > longKept {
		c.actions = nil
	}
}
