package load

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/systems"
)

// measure opens the service, fills it, adds what a part of its time takes in each way to wake up, and closes it.
func (p *population) measure(ctx context.Context, u *usage) (err error) {
	p.ctx, p.fail = context.WithCancelCause(ctx)
	defer func() { err = errors.Join(err, p.close()) }()
	p.started, p.handles = make([]atomic.Value, p.N), make([]schemes.Handle, p.N)
	p.awake, p.turn = p.warm()+p.partTime, len(u.bytes)
	if err = p.enqueue(); err != nil {
		return err
	}
	run.LiveHeap()                                // what pools and cleanups still hold goes with the second collection
	entry, bytes, before := 16, 0, run.LiveHeap() // bytes of a Timer in the client's list
	if p.opened, err = p.Open(); err == nil && p.scheme {
		entry = 8
		p.running, err = p.Loop.Info.New(p.Loop.Config(p.N))
	}
	if err == nil {
		begun := time.Now()
		err = p.fill(u.fill)
		took := time.Since(begun)
		u.fill = min(cmp.Or(u.fill, took), took)
		kept := p.early // by the client
		if p.Reuse {
			kept = p.N
		}
		bytes = run.LiveHeap() - before + kept*entry // before any timer is due
	}
	if err != nil {
		return err
	}
	if s, ok := p.opened.(systems.Service); ok {
		bytes += int(s.Stats().OffHeap)
	}
	if s, ok := p.running.(schemes.OffHeaper); ok {
		bytes += s.OffHeap()
	}
	select {
	case <-time.After(time.Until(p.begins)):
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	}
	if u.bytes = append(u.bytes, max(0, int64(bytes))); p.clocked {
		return p.driveByClock(p.pause, &u.woken)
	}
	wait, end, err := p.requests()
	if err == nil {
		err = p.drive(wait, &u.woken)
		end()
	}
	if err == nil {
		err = p.driveByClock(time.Millisecond, &u.awake)
	}
	return err
}

// driveByClock lets the runtime's timers wake up the driver.
func (p *population) driveByClock(every time.Duration, u *spent) error {
	t := time.NewTicker(every)
	defer t.Stop()
	return p.drive(func() error { <-t.C; return nil }, u)
}

// close ends all that measure has begun.
func (p *population) close() (errs error) {
	p.fail(nil)
	if p.opened != nil {
		_, errs = p.opened.Close()
	}
	_, closed := p.opened.(systems.Service)
	for range 2 { // as actions that have begun may still start timers
		for i := 0; i < len(p.started) && !closed; i++ {
			if t, ok := p.started[i].Load().(systems.Timer); ok {
				t.Stop()
			}
		}
		// The runtime drops stopped timers when a heap's processor looks for work, which an idle one does not.
		procs := runtime.GOMAXPROCS(1)
		time.Sleep(time.Millisecond)
		runtime.GOMAXPROCS(procs)
	}
	for _, s := range []schemes.Scheme{p.running, p.queue} {
		if s, ok := s.(schemes.Releaser); ok {
			s.Release()
		}
	}
	return errs
}

// reading is what had been done and used at a time.
type reading struct {
	at    time.Time
	cpu   time.Duration
	lives int64
}

// drive lets the timers run, wakes up when wait returns and makes the stops and restarts that are due, until a part of the
// time is measured.
func (p *population) drive(wait func() error, u *spent) error {
	var before reading
	var within time.Duration // operations of this part
	begun, from, now, pauses := time.Now(), p.warm(), schemes.Tick(0), schemes.Tick(0)
	var failed error
	endLife := func(id schemes.ID) { failed = cmp.Or(failed, p.end(int(id))) }
	for {
		if err := wait(); err != nil || p.ctx.Err() != nil {
			return cmp.Or(context.Cause(p.ctx), err)
		}
		since := time.Since(begun)
		for passed := schemes.Tick(since / p.Tick); p.running != nil && now < passed && p.ctx.Err() == nil; now++ {
			if p.running.PerTick() > 0 {
				p.running.Expire(func(id schemes.ID) { p.expire(int(id)) })
			}
		}
		cpu := run.CPUTime()
		// A driver that cannot keep up falls behind, so that parts of the time still end.
		for most := pauses + max(10, schemes.Tick(p.warm()/p.pause)); p.ctx.Err() == nil && pauses < min(schemes.Tick(since/p.pause), most); pauses++ {
			if p.queue.PerTick() > 0 {
				p.queue.Expire(endLife)
			}
		}
		if failed != nil {
			return failed
		}
		within += run.CPUTime() - cpu
		if since < from {
			continue
		}
		after := reading{time.Now(), run.CPUTime(), p.ended.Load()}
		if took := after.at.Sub(before.at).Seconds(); !before.at.IsZero() {
			*u = append(*u, part{float64(after.lives - before.lives), took, (after.cpu - before.cpu).Seconds() / took, within.Seconds() / took})
			return nil
		}
		before, within, from = after, 0, since+p.partTime-p.pause/2
	}
}
