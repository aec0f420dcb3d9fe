package sharded

import (
	"sync"
	"time"

	"timerlab/systems/internal/engine"
)

// pool runs actions in the order in which they are added. One worker runs them while they are
// quick. A watchdog checks at fixed intervals whether an action has ended since. If none has,
// the workers are taken for blocked and no longer counted as active, and another worker
// continues with the queue.
type pool struct {
	patience time.Duration // interval of the watchdog
	panicked func(value any)
	running  sync.WaitGroup // workers, and an armed watchdog

	mu         sync.Mutex
	queue      []func()
	at         int    // index of the first action in queue that has not begun
	active     int    // workers that are not blocked
	idle       int    // workers that wait for an action
	epoch      uint64 // how often the active workers were found blocked
	more       sync.Cond
	watchdog   *time.Timer
	armed      bool // the watchdog
	progressed bool // an action has ended since the watchdog was armed
	closed     bool
}

// worker is a goroutine of a pool.
type worker struct {
	pool  *pool
	epoch uint64 // in which it was counted as active
	busy  bool   // with an action
}

// keptActions is the largest capacity of an empty queue that is kept.
const keptActions = 1 << 12

func newPool(patience time.Duration, panicked func(any)) *pool {
	p := &pool{patience: patience, panicked: panicked}
	p.more.L = &p.mu
	return p
}

// add queues actions.
func (p *pool) add(actions []func()) {
	if len(actions) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropBegun()
	p.queue = append(p.queue, actions...)
	if p.active == 0 {
		p.addWorker()
	}
	if !p.armed {
		p.armWatchdog()
	}
}

// dropBegun removes the actions that have begun from the queue if they are more than half of it.
func (p *pool) dropBegun() {
	if waiting := len(p.queue) - p.at; waiting < p.at {
		copy(p.queue, p.queue[p.at:])
		clear(p.queue[waiting:])
		p.queue, p.at = p.queue[:waiting], 0
	}
}

// addWorker wakes an idle worker, or starts one if none is idle.
func (p *pool) addWorker() {
	if p.idle > 0 {
		p.more.Signal()
		return
	}
	p.active++
	p.running.Add(1)
	w := &worker{pool: p, epoch: p.epoch}
	engine.RunForever(w.work, p.running.Done)
}

func (p *pool) armWatchdog() {
	p.armed, p.progressed = true, false
	p.running.Add(1)
	if p.watchdog == nil {
		p.watchdog = time.AfterFunc(p.patience, p.check)
	} else {
		p.watchdog.Reset(p.patience)
	}
}

// check is the watchdog's function.
func (p *pool) check() {
	defer p.running.Done()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed = false
	if p.closed {
		return
	}
	if !p.progressed && p.active > 0 {
		p.active = 0
		p.epoch++
	}
	waiting := p.at < len(p.queue)
	if waiting && p.active == 0 {
		p.addWorker()
	}
	if waiting || p.active > 0 {
		p.armWatchdog()
	}
}

// close drops the actions that have not begun, waits for those that have, and returns the
// number of actions dropped. add must not be called any more.
func (p *pool) close() (dropped int) {
	p.mu.Lock()
	dropped = len(p.queue) - p.at
	p.queue, p.at, p.closed = nil, 0, true
	p.more.Broadcast()
	if p.armed && p.watchdog.Stop() {
		p.armed = false
		p.running.Done()
	}
	p.mu.Unlock()
	p.running.Wait()
	return dropped
}

// work runs actions until the worker is no longer needed.
func (w *worker) work() {
	for {
		action, ok := w.next()
		if !ok {
			return
		}
		engine.Guard(action, w.pool.panicked)
	}
}

// next waits for an action. It returns false if the pool is closed or another worker is idle.
func (w *worker) next() (action func(), ok bool) {
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.busy {
		w.busy, p.progressed = false, true
	}
	if w.epoch != p.epoch { // it was blocked
		w.activate()
	}
	for p.at == len(p.queue) {
		p.trim()
		p.active--
		if p.closed || p.idle > 0 {
			return nil, false
		}
		p.idle++
		p.more.Wait()
		p.idle--
		w.activate()
	}
	action = p.queue[p.at]
	p.queue[p.at] = nil // for the garbage collector
	p.at++
	w.busy = true
	return action, true
}

// activate counts the worker as active.
func (w *worker) activate() {
	w.pool.active++
	w.epoch = w.pool.epoch
}

// trim empties the queue, all of whose actions have begun, and releases the memory of a burst.
func (p *pool) trim() {
	p.queue, p.at = p.queue[:0], 0
	if cap(p.queue) > keptActions {
		p.queue = nil
	}
}
