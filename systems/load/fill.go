package load

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"
)

// fill starts the timers with what is left of their intervals: on all processors, as each has a heap of Go's timers.
// FixedTimeout cannot do that: its timers that expire start one after the other, with a short timeout, so that they
// expire at the same rate, and of the others, none expires in this time.
func (p *population) fill(plans []plan) error {
	var parts sync.WaitGroup
	step := runtime.GOMAXPROCS(0)
	if p.running != nil {
		step = 1
	}
	for first := range step {
		parts.Go(func() {
			if err := p.fillPart(plans, first, step); err != nil {
				p.fail(err)
			}
		})
	}
	parts.Wait()
	return context.Cause(p.ctx)
}

// fillPart starts every step-th timer: a restarted one with the time until the service is to look at it. When all are
// started, it resets these to their own deadlines; not before, as a start of a timer of Go's moves others that were
// reset to their new places. When the first of them is due, the runtime moves all up to one that was not reset, perhaps
// the whole heap, and then none for seconds. For each part of the time to have its share, timers that are not reset are
// between them.
func (p *population) fillPart(plans []plan, first, step int) (err error) {
	begun, passed := time.Now(), time.Duration(0)
	rest, resets := time.Duration(0), time.Duration(0) // until all are started, and for the resets after it
	for timer := first; timer < p.N && err == nil && p.ctx.Err() == nil; timer += step {
		switch {
		case p.short > 0 && timer < p.early+step: // the first that expires begins a time of its own
			begun = time.Now()
		case p.short > 0:
			time.Sleep((p.short*time.Duration(timer-p.early)/time.Duration(p.N-p.early) - time.Since(begun)).Truncate(time.Millisecond))
		case p.running == nil && timer%1024 == 512+first: // the clock of a loop stands still
			passed = time.Since(begun)
			all := float64(passed) * float64(p.N) / float64(timer)
			rest, resets = time.Duration(all)-passed, time.Duration(all/4)
		}
		d := plans[timer].left
		if interval := plans[timer].restarted; interval > 0 {
			d = resets + p.look(plans[timer], passed+rest+resets)
		}
		err = p.start(timer, d+rest)
	}
	for d := p.part() / 10; p.movesTimers && err == nil && d < 2*p.Time; d += p.part() / 10 {
		_, err = p.services[1].AfterFunc(d, noop)
	}
	for timer := first; timer < p.N && err == nil && p.ctx.Err() == nil; timer += step {
		if plans[timer].restarted > 0 {
			err = p.again(timer, plans[timer].left, true)
		}
	}
	return err
}

// look returns in how long a service looks at a timer that was restarted: it wakes up for the place where a Reset left the
// timer, too. Go looks at timers one by one. The service that looks together does so, for all that were not moved, on 16
// to 32 ticks of an interval: here at least twice in each part of the time, as most parts would be between two such ticks.
// Where Go moves timers more often in an awake program, it looks at them earlier from when the driver is awake.
func (p *population) look(timer plan, now time.Duration) time.Duration {
	at := rand.N(timer.left + 1)
	if p.moveEach > 0 && at > p.awake {
		return p.awake + time.Duration(float64(at-p.awake)*min(1, p.moveEach.Seconds()/timer.left.Seconds()))
	}
	if together := min(timer.restarted/16, p.part()/2); p.looksTogether && !timer.moved && together > 0 {
		at = min(timer.left, (now+at+together).Truncate(together)-now)
	}
	return at
}
