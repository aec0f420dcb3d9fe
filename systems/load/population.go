package load

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/subject"
)

// population is the timers of a workload on one service: first the timers that are stopped or restarted, then the
// timers that expire.
type population struct {
	Load
	service
	tick           float64            // ns; less than Load.Tick if time is compressed
	begun, pending [2][]workload.Life // tables of lives, as they begin and as they are pending: [0] that expire, [1] the rest
	early          int                // timers that are stopped or restarted
	each           time.Duration      // between two operations of the driver, on average
	pause          time.Duration      // of the driver, in which it makes all operations at once
	queue          schemes.Scheme     // of the driver: when it stops or restarts timers, in pauses
	earlier        schemes.Tick       // before its place is due, a restarted timer is looked at while the driver is awake
	awake          time.Duration      // from when the driver begins to when it is awake
	begins         time.Time          // when the driver begins, and intervals with it

	opened  subject.Timers
	started []atomic.Value // systems.Timer, as an action may start one again before it is stored
	running schemes.Scheme // of a loop
	handles []schemes.Handle
	ended   atomic.Int64    // lives
	ctx     context.Context // no timer starts again when it is done
	fail    context.CancelCauseFunc
}

// drawing is a timer in the steady state, whatever the service.
type drawing struct {
	life          uint16       // of those that are pending, of its kind
	alone         bool         // as in plan
	passed        schemes.Tick // of the life
	look, earlier schemes.Tick // until a service looks at it, if it is restarted; while the program is awake
}

// plan is a timer's state when the driver begins.
type plan struct {
	timer     int           // index
	left      time.Duration // of its interval
	restarted time.Duration // the interval, if it was restarted and the service will look at it before; else 0
	look      time.Duration // until then
	alone     bool          // a Reset to an earlier deadline has put it where the service will look at it
}

// table returns each life as often as its share says, times a power of its stay: 1 if lives are pending.
func table(lives []workload.Life, power float64) (all []workload.Life) {
	weight := func(life workload.Life) float64 { return life.Share * math.Pow(float64(life.Stay), power) }
	sum, below := 0., 0.
	for _, life := range lives {
		sum += weight(life)
	}
	for _, life := range lives {
		for below += weight(life); float64(len(all))+0.5 < (1<<12)*below/sum; {
			all = append(all, life)
		}
	}
	return all
}

func draw(table []workload.Life) workload.Life { return table[rand.IntN(len(table))] }

// newPopulation returns the timers of a load. Little's law says how many of them expire.
//
// Expiries have wake-ups of their own, of which each takes five times as long at 10 a second as at 500: so time is
// compressed only below leastRate, and lives count for their number.
func newPopulation(l Load, s service) *population {
	p := &population{Load: l, service: s, tick: float64(l.Tick), each: l.part() / 10}
	if !p.clocked && l.Rate < leastRate {
		p.Rate, p.tick = leastRate, p.tick*l.Rate/leastRate
	}
	var kinds [2][]workload.Life // [0] that expire, [1] the rest
	for _, life := range l.Lives {
		kind := min(life.Fate(), 1)
		kinds[kind] = append(kinds[kind], life)
	}
	for kind, lives := range kinds {
		p.begun[kind], p.pending[kind] = table(lives, 0), table(lives, 1)
	}
	all, rest := workload.NumbersOf(l.N, l.Lives), workload.NumbersOf(l.N, kinds[1])
	p.early = int(float64(l.N)*rest.MeanStay/all.MeanStay + rand.Float64())
	if p.early > 0 {
		p.each = min(l.part(), time.Duration(1e9/(p.Rate*(rest.Stopped+rest.Restarted))))
	}
	if p.pause = requestPause; p.clocked {
		p.pause = min(l.Tick, l.part())
	}
	if p.movesTimers && p.OneInterval {
		// If any timer is due, Go's runtime moves restarted timers to their new places, from the first of the heap up to
		// one that was not restarted. So if a timer is due each millisecond, restarted ones are moved before their old
		// places are due, by as much as the longest stay is shorter than the interval.
		longest := slices.MaxFunc(p.Lives, func(a, b workload.Life) int { return cmp.Compare(a.Stay, b.Stay) })
		p.earlier = longest.Interval - longest.Stay
	}
	return p
}

// duration returns how long some ticks take, to within a tick at random, as timers of a service do not expire on ticks.
// A whole timeout of a service that has only one is exact.
func (p *population) duration(ticks schemes.Tick) time.Duration {
	exact := float64(ticks)
	if !p.inOrder || ticks != p.Lives[0].Interval {
		exact = max(0, exact+rand.Float64()-0.5)
	}
	return time.Duration(min(exact*p.tick, 1<<62))
}

// pauses returns how many pauses of the driver some ticks take: a whole number, right on average.
func (p *population) pauses(ticks schemes.Tick) schemes.Tick {
	return schemes.Tick(min(float64(ticks)*p.tick/float64(p.pause)+rand.Float64(), 1<<31))
}

// inTicks returns a duration in ticks of the loop.
func (p *population) inTicks(d time.Duration) schemes.Tick {
	return schemes.Tick(max(1, (d+p.Tick/2)/p.Tick))
}

// part returns how long a part of the time of a service takes.
func (l Load) part() time.Duration { return l.partTime }

// draw draws the timers in the steady state.
func (p *population) draw(ctx context.Context) (all []drawing, err error) {
	all = make([]drawing, p.N)
	for timer := range all {
		if timer%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		d, kind := &all[timer], 0
		if timer < p.early {
			kind = 1
		}
		d.life = uint16(rand.IntN(len(p.pending[kind])))
		life := p.pending[kind][d.life]
		d.passed = schemes.Tick(rand.Float64() * float64(life.Stay))
		if life.Fate() == workload.Restarted {
			if d.look, d.alone = p.look(life, d.passed, 0); p.earlier > 0 {
				d.earlier, _ = p.look(life, d.passed, p.earlier)
			}
		}
	}
	return all, nil
}

// plan makes what was drawn the service's timers, and fills the driver's queue. In memory they lie in another order than
// they end in, as timers of connections do, so that services are measured with cold caches, too; but timers of one
// timeout are in order, as a program starts them.
func (p *population) plan() (plans []plan, err error) {
	if p.queue, err = hierarchical.Chunked.New(schemes.Config{Capacity: p.early, Levels: []int{256, 256, 256, 256}}); err != nil {
		return nil, err
	}
	if p.drawn == nil {
		if p.drawn, err = p.draw(p.ctx); err != nil {
			return nil, err
		}
	}
	plans = make([]plan, p.N)
	looks := p.movesTimers || p.looksTogether || p.scheme // the others have no timers, or always in their own places
	for timer := range plans {
		d, kind := p.drawn[timer], 0
		if timer < p.early {
			kind = 1
		}
		life := p.pending[kind][d.life]
		plan := plan{timer: timer, left: p.duration(life.Interval - d.passed)}
		if kind == 1 {
			_, err = p.queue.Start(max(1, p.pauses(life.Stay-d.passed)), schemes.ID(timer))
		}
		if timer%1024 == 0 && p.ctx.Err() != nil {
			err = context.Cause(p.ctx)
		}
		if err != nil {
			break
		}
		if life.Fate() == workload.Restarted && looks {
			plan.alone = d.alone
			plan.restarted, plan.look = p.duration(life.Interval), p.duration(d.look)
			if p.earlier > 0 && plan.look > p.awake {
				plan.look = min(plan.look, p.awake+p.duration(d.earlier))
			}
		}
		plans[timer] = plan
	}
	if p.inOrder {
		slices.SortFunc(plans, func(a, b plan) int { return cmp.Compare(a.left, b.left) })
	}
	return plans, err
}

// look simulates eight lives of a timer and the part of a ninth that has passed. It returns in how long a service looks
// at the timer, which it does some ticks earlier than the timer's place is due. That is the deadline that the timer had
// when the service last looked at it, as a Reset to a later one leaves it there. alone reports whether a Reset to an
// earlier deadline, which moves the timer to that, came afterwards.
func (p *population) look(ninth workload.Life, passed, earlier schemes.Tick) (in schemes.Tick, alone bool) {
	now, deadline := schemes.Tick(0), draw(p.begun[1]).Interval
	place := schemes.Tick(rand.Float64() * float64(deadline))
	for lives := range 9 {
		life := draw(p.begun[1])
		if lives == 8 {
			life.Interval, life.Stay = ninth.Interval, passed
		}
		before := deadline
		if deadline = now + life.Interval; deadline < before {
			place, alone = deadline, true
		}
		if now += life.Stay; place <= now+earlier {
			place, alone = deadline, false
		}
	}
	return place - min(place, now+earlier), alone
}

// startTime is what the start of a timer takes at most, where other programs leave a core.
const startTime = time.Microsecond

// fill starts the timers with what is left of their intervals: on all processors, as each has a heap of Go's timers,
// but one after the other in a loop, or where they must be in order. Intervals begin when the driver does, at a time that is
// fixed before, so that no timer is due while others are started: when all are started if that takes as long as in the last
// turn, and a quarter.
func (p *population) fill(plans []plan, u *usage) error {
	var parts sync.WaitGroup
	step, begun := runtime.GOMAXPROCS(0), time.Now()
	if p.begins = begun; p.running == nil { // the clock of a loop stands still
		p.begins = begun.Add(cmp.Or(u.fill*5/4, time.Duration(p.N)*startTime))
	}
	if p.running != nil || p.inOrder {
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
	u.fill = time.Since(begun)
	return context.Cause(p.ctx)
}

// fillPart starts every step-th timer: a restarted one with the time until the service is to look at it. When all are
// started, it resets these to their own deadlines; not before, as a start of a timer of Go's moves others that were
// reset to their new places. When the first of them is due, the runtime moves all up to one that was not reset, perhaps
// the whole heap, and then none for seconds. For each part of the time to have its share, timers that are not reset are
// between them.
func (p *population) fillPart(plans []plan, first, step int) (err error) {
	until := func() time.Duration { return max(0, time.Until(p.begins)) }
	if p.running != nil {
		until = func() time.Duration { return 0 }
	}
	rest := until()
	for i := first; i < p.N && err == nil && p.ctx.Err() == nil; i += step {
		d := plans[i].left
		if plans[i].restarted > 0 {
			d = p.together(plans[i], rest)
		}
		err = p.start(plans[i].timer, d+until())
	}
	for d := p.part() / 10; p.movesTimers && err == nil && d < p.awake+2*p.part(); d += p.part() / 10 {
		_, err = p.opened.AfterFunc(d+until(), noop)
	}
	for i := first; i < p.N && err == nil && p.ctx.Err() == nil; i += step {
		if plans[i].restarted > 0 {
			err = p.again(plans[i].timer, plans[i].left+until(), true)
		}
	}
	return err
}

// together returns in how long a service looks at a timer. Go looks at timers one by one. The service that looks
// together does so, for all that are not alone, on 16 to 32 ticks of an interval: here at least twice in each part of
// the time, as most parts would be between two such ticks.
func (p *population) together(timer plan, now time.Duration) time.Duration {
	each := min(timer.restarted/16, p.part()/2)
	if !p.looksTogether || timer.alone || each == 0 {
		return timer.look
	}
	return min(timer.left, (now+timer.look+each).Truncate(each)-now)
}

// start starts a timer. One that expires starts again in its action.
func (p *population) start(timer int, d time.Duration) (err error) {
	if p.running != nil {
		p.handles[timer], err = p.running.Start(p.inTicks(d), schemes.ID(timer))
		return err
	}
	action := noop
	if timer >= p.early {
		action = func() { p.expire(timer) }
	}
	t, err := p.opened.AfterFunc(d, action)
	if err == nil {
		p.started[timer].Store(t)
	}
	return err
}

// noop is the action of timers that never expire.
func noop() {}

func (p *population) expire(timer int) {
	if timer >= p.early && p.ctx.Err() == nil {
		p.ended.Add(1)
		if err := p.start(timer, p.duration(draw(p.begun[0]).Interval)); err != nil {
			p.fail(err)
		}
	}
}

// end ends the life of a timer that does not expire, and as many more as pass within this pause of the driver.
func (p *population) end(timer int) (err error) {
	for wait := schemes.Tick(0); wait == 0 && err == nil; {
		p.ended.Add(1)
		life := draw(p.begun[1])
		wait = p.pauses(life.Stay)
		if err = p.again(timer, p.duration(life.Interval), life.Restarts); err == nil && wait > 0 {
			_, err = p.queue.Start(wait, schemes.ID(timer))
		}
	}
	return err
}

// again starts a timer that does not expire again, by a restart, or by a stop and a start.
func (p *population) again(timer int, d time.Duration, restart bool) (err error) {
	t, _ := p.started[timer].Load().(systems.Timer)
	switch {
	case restart && p.running != nil:
		p.handles[timer], err = p.running.(schemes.Restarter).Restart(p.handles[timer], p.inTicks(d))
		if !errors.Is(err, schemes.ErrHandle) { // else it has expired
			return err
		}
	case p.running != nil:
		p.running.Stop(p.handles[timer])
	case restart:
		t.Reset(d)
		return nil
	default:
		t.Stop()
	}
	return p.start(timer, d)
}
