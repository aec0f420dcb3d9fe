package engine

import (
	"sync"
	"time"

	"timerlab/systems"
)

// Pool is a facility with several workers. One of them, the leader, waits for what is due;
// when it has something it runs that, and another one leads. It implements
// systems.Facility.
type Pool struct {
	engine  *Engine
	handler func(any)
	leader  chan struct{} // full while somebody leads, who has batch and at: a lock that a fake clock knows to be waiting
	batch   []func()
	at      int
	workers sync.WaitGroup
}

// NewPool starts so many workers.
func NewPool(e *Engine, workers int, handler func(any)) *Pool {
	p := &Pool{engine: e, handler: handler, leader: make(chan struct{}, 1)}
	p.workers.Add(workers)
	for range workers {
		Keep(p.work, p.workers.Done)
	}
	return p
}

// AfterFunc implements systems.Facility.
func (p *Pool) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	t, err := p.engine.AfterFunc(d, action)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// work runs until the facility is closed.
func (p *Pool) work() {
	for {
		action, ok := p.take()
		if !ok {
			return
		}
		Guard(action, p.handler)
	}
}

// take leads until there is an action to run. False: the facility is closed.
func (p *Pool) take() (action func(), ok bool) {
	p.leader <- struct{}{}
	defer func() { <-p.leader }()
	if p.engine.Closed() {
		return nil, false
	}
	if p.at == len(p.batch) {
		p.at = 0
		if p.batch, ok = p.engine.Take(p.batch[:0], false); !ok {
			return nil, false
		}
	}
	action = p.batch[p.at]
	p.batch[p.at] = nil // it can be collected
	p.at++
	return action, true
}

// Close implements systems.Facility.
func (p *Pool) Close() (unexpired int) {
	unexpired, first := p.engine.Close()
	p.workers.Wait()
	if !first {
		return 0
	}
	return unexpired + len(p.batch) - p.at
}

// Wakeups implements systems.Waker.
func (p *Pool) Wakeups() uint64 { return p.engine.Wakeups() }

// Held returns the timers in the scheme: those that wait, and those stopped lazily.
func (p *Pool) Held() int { return p.engine.Held() }
