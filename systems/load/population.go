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
	turn           int                // of the service

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
	passed        float64      // ticks of its life, to within a tick at random
	look, earlier schemes.Tick // until a service looks at it, if it is restarted or reused; while the program is awake
	life          uint16       // of those that are pending, of its kind
	alone         bool         // as in plan
}

// plan is a timer's state when the driver begins.
type plan struct {
	timer     int           // index
	left      time.Duration // of its interval
	restarted time.Duration // the interval, if it was reset and the service will look at it before; else 0
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
	p := &population{Load: l, service: s, tick: float64(l.Tick), each: l.partTime / 10}
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
	p.early = int(math.Round(float64(l.N) * rest.MeanStay / all.MeanStay)) // the same in all populations, as drawings are
	if p.early > 0 {
		p.each = min(l.partTime, time.Duration(1e9/(p.Rate*(rest.Stopped+rest.Restarted))))
	}
	if p.pause = requestPause; p.clocked {
		p.pause = min(l.Tick, l.partTime)
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
func (p *population) duration(ticks schemes.Tick) time.Duration {
	return time.Duration(min(max(0, float64(ticks)+rand.Float64()-0.5)*p.tick, 1<<62))
}

// pauses returns how many pauses of the driver some ticks take: a whole number, right on average.
func (p *population) pauses(ticks float64) schemes.Tick {
	return schemes.Tick(min(max(0, ticks)*p.tick/float64(p.pause)+rand.Float64(), 1<<31))
}

// inTicks returns a duration in ticks of the loop.
func (p *population) inTicks(d time.Duration) schemes.Tick {
	return schemes.Tick(max(1, (d+p.Tick/2)/p.Tick))
}

// warm returns for how long a population runs before a part is measured.
func (l Load) warm() time.Duration { return min(mostWarm, l.partTime) }

// drawings is how many timers of a kind are drawn: the next ones repeat them, within their ticks.
const drawings = 1 << 17

// draw draws the timers in the steady state.
func (p *population) draw(ctx context.Context) error {
	p.drawn = make([]drawing, p.N)
	for timer := range p.drawn {
		if timer%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		d, kind := &p.drawn[timer], p.kind(timer)
		if other := timer - drawings; other >= 0 && p.kind(other) == kind {
			*d = p.drawn[other]
			d.passed = math.Round(d.passed)
		} else {
			d.life = uint16(rand.IntN(len(p.pending[kind])))
			life := p.pending[kind][d.life]
			passed := schemes.Tick(rand.Float64() * float64(life.Stay))
			if kind == 1 {
				if d.look, d.alone = p.look(life, passed, 0); p.earlier > 0 {
					d.earlier, _ = p.look(life, passed, p.earlier)
				}
			}
			d.passed = float64(passed)
		}
		d.passed += rand.Float64() - 0.5
	}
	return nil
}

// kind returns 0 for a timer that expires, 1 for the rest.
func (p *population) kind(timer int) int {
	if timer < p.early {
		return 1
	}
	return 0
}

// enqueue fills the driver's queue.
func (p *population) enqueue() (err error) {
	if p.drawn == nil {
		err = p.draw(p.ctx)
	}
	if err == nil {
		p.queue, err = hierarchical.Chunked.New(schemes.Config{Capacity: p.early, Levels: []int{256, 256, 256, 256}})
	}
	for timer := 0; timer < p.early && err == nil; timer++ {
		d := p.drawn[timer]
		_, err = p.queue.Start(max(1, p.pauses(float64(p.pending[1][d.life].Stay)-d.passed)), schemes.ID(timer))
		if timer%1024 == 0 && p.ctx.Err() != nil {
			err = context.Cause(p.ctx)
		}
	}
	return err
}

// plan returns the state of the i-th timer to start. In memory they lie in another order than they end in, as timers of
// connections do, so that services are measured with cold caches, too.
func (p *population) plan(i int) plan {
	left := func(ticks float64) time.Duration { return time.Duration(min(max(0, ticks)*p.tick, 1<<62)) }
	d := &p.drawn[i]
	life := p.pending[p.kind(i)][d.life]
	plan := plan{timer: i, left: left(float64(life.Interval) - d.passed)}
	// A restart leaves a timer where a service looks at it: the runtime in its heap, sharded in its wheel, stored time when its
	// timer fires. So does a stop of a reused timer, which the runtime takes back into its heap at the same place.
	if fate := life.Fate(); !p.none && (fate == workload.Restarted || fate == workload.Stopped && p.Reuse && p.movesTimers) {
		plan.alone = d.alone
		plan.restarted, plan.look = p.duration(life.Interval), p.duration(d.look)
		if p.earlier > 0 && plan.look > p.awake {
			plan.look = min(plan.look, p.awake+p.duration(d.earlier))
		}
	}
	return plan
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

const (
	startTime  = time.Microsecond / 2 // that a start takes on one processor, until it is known
	startBlock = 1024                 // timers, which take a millisecond
)

// fill starts the timers with what is left of their intervals: on all processors, as each has a heap of Go's timers,
// but one after the other in a loop. Intervals begin when the driver does: when all are started, if that takes as long as the
// fastest time before.
func (p *population) fill(fastest time.Duration) error {
	var parts sync.WaitGroup
	step, begun := runtime.GOMAXPROCS(0), time.Now()
	if p.running != nil {
		step = 1
	}
	takes := make([]time.Duration, step)
	for first := range takes {
		if takes[first] = cmp.Or(fastest, time.Duration(p.N/step)*startTime); p.clocked || p.none { // nothing will be due
			takes[first] = 0
		}
		parts.Go(func() {
			if err := p.fillPart(&takes[first], first, step); err != nil {
				p.fail(err)
			}
		})
	}
	parts.Wait()
	p.begins = begun.Add(slices.Max(takes))
	return context.Cause(p.ctx)
}

// fillPart starts every step-th timer: a restarted one with the time until the service is to look at it. Then it resets these
// to their own deadlines, a block at once: before they are due, as the action of each would have a goroutine, so that where
// other programs took most of the processors, filling took not 2 s but 80. When the first of Go's timers is due, the runtime
// moves those that were reset to their new places, up to one that was not, perhaps the whole heap, and then none for seconds;
// a start does so with the first of the heap. So a timer that is not reset is before each block, and for each part of the time
// to have its share, others are between them. If a quarter of the starts shows that all take longer, takes is more.
func (p *population) fillPart(takes *time.Duration, first, step int) (err error) {
	begun, passed, rest := time.Now(), time.Duration(0), *takes // since filling began, until intervals begin
	plans := make([]plan, 0, startBlock)
	for d := p.partTime / 10; p.movesTimers && err == nil && d < p.awake+2*p.partTime; d += p.partTime / 10 {
		_, err = p.opened.AfterFunc(d+rest, noop)
	}
	for block := first; block < p.N && err == nil && p.ctx.Err() == nil; block += step * startBlock {
		if *takes > 0 { // else the clock stands still
			passed = time.Since(begun)
			if block > p.N/4 { // not before, as one preemption makes little take long
				*takes = max(*takes, time.Duration(float64(passed)*float64(p.N)/float64(block)))
			}
			rest = max(0, *takes-passed)
		}
		if p.movesTimers {
			_, err = p.opened.AfterFunc(rest, noop)
		}
		plans = plans[:0]
		for i := block; i < min(block+step*startBlock, p.N) && err == nil; i += step {
			timer := p.plan(i)
			d := timer.left
			if timer.restarted > 0 {
				plans, d = append(plans, timer), p.together(timer, passed+rest)
			}
			err = p.start(timer.timer, d+rest)
		}
		for i := 0; i < len(plans) && err == nil; i++ {
			err = p.again(plans[i].timer, plans[i].left+rest, true)
		}
	}
	if p.movesTimers && !p.Reuse && err == nil {
		err = p.leaveStopped(p.N/step, rest)
	}
	return err
}

// leaveStopped starts and stops Go timers. The runtime keeps a stopped timer in its heap until that would be due, or until a
// quarter of the heap is stopped, when it removes them all. So there may be any number between none and a quarter of n, or
// by Little's law as many as are stopped in the time until they would be due, if those are fewer.
func (p *population) leaveStopped(n int, rest time.Duration) (err error) {
	stays, left := 0., 0. // ticks, of all lives of the table and, until they would be due, of those that are stopped
	for _, life := range p.begun[1] {
		if stays += float64(life.Stay); life.Fate() == workload.Stopped {
			left += float64(life.Interval - life.Stay)
		}
	}
	if left == 0 {
		return nil
	}
	most := min(float64(n)/4, float64(n)*float64(p.early)/float64(p.N)*left/stays)
	phase := (float64(p.turn%loadTurns) + rand.Float64()) / loadTurns // so that as many of the turns as are right remove them
	for extra := int(phase * most); extra > 0 && err == nil; {
		life := draw(p.begun[1])
		if life.Fate() != workload.Stopped {
			continue
		}
		d := p.duration(schemes.Tick(rand.Float64() * float64(life.Interval-life.Stay)))
		var t systems.Timer
		if t, err = p.opened.AfterFunc(rest+d, noop); err == nil {
			t.Stop()
		}
		extra--
	}
	return err
}

// together returns in how long a service looks at a timer. Go looks at timers one by one. The service that looks
// together does so, for all that are not alone, on 16 to 32 ticks of an interval: here at least twice in each part of
// the time, as most parts would be between two such ticks.
func (p *population) together(timer plan, now time.Duration) time.Duration {
	each := min(timer.restarted/16, p.partTime/2)
	if !p.looksTogether || timer.alone || each == 0 {
		return timer.look
	}
	return min(timer.left, (now+timer.look+each).Truncate(each)-now)
}

// start starts a timer, the one that was kept if timers are reused. One that expires starts again in its action.
func (p *population) start(timer int, d time.Duration) (err error) {
	if p.running != nil {
		p.handles[timer], err = p.running.Start(p.inTicks(d), schemes.ID(timer))
		return err
	}
	last := p.started[timer].Load()
	if t, ok := last.(systems.Timer); ok && p.Reuse { // else it is new, or has run before it was stored
		t.Reset(d)
		return nil
	}
	action := noop
	if timer >= p.early {
		action = func() { p.expire(timer) }
	}
	t, err := p.opened.AfterFunc(d, action)
	if err == nil {
		p.started[timer].CompareAndSwap(last, t) // else its action has started the next one
	}
	return err
}

// noop is the action of timers that never expire.
func noop() {}

func (p *population) expire(timer int) {
	if timer >= p.early && p.ctx.Err() == nil {
		if p.ended.Add(1)%1024 == 0 && runtime.NumGoroutine() > mostGoroutines {
			p.fail(errBehind)
		}
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
		wait = p.pauses(float64(life.Stay))
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
