package bench

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
)

// population is the timers of a workload: first those that are stopped or restarted, then those that expire.
type population struct {
	Load
	name           string             // of the service
	clocked        bool               // the driver wakes up for each tick
	tick           float64            // ns; less than Load.Tick if time is compressed
	timeout, short time.Duration      // of FixedTimeout, and of a second one for timers that expire; else 0
	begun, pending [2][]workload.Life // tables of lives, as they begin, and as they are pending: that expire, and the rest
	early          int                // timers that are stopped or restarted
	each           time.Duration      // between two operations of the driver, on average
	pause          time.Duration      // of the driver, in which it makes all operations at once
	queue          schemes.Scheme     // of the driver: when it stops or restarts timers, in pauses
	moveEach       time.Duration      // how often Go moves a restarted timer while the driver is awake; 0: when its old place is due
	awake          time.Duration      // from when the driver begins to when it is awake

	services [2]timers // for timers that expire, and for the rest; all have one, but for FixedTimeout
	opened   []timers
	started  []atomic.Value // systems.Timer, as an action may start one again before it is stored
	scheme   schemes.Scheme // of a loop
	handles  []schemes.Handle
	ended    atomic.Int64    // lives
	ctx      context.Context // no timer starts again when it is done
	fail     context.CancelCauseFunc
}

// plan is a timer's state when the driver begins.
type plan struct {
	left      time.Duration // of its interval
	restarted time.Duration // the interval, if it was restarted; else 0
	moved     bool          // a Reset to an earlier time has put it where sharded will look at it
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
func newPopulation(l Load, name string) *population {
	p := &population{Load: l, name: name, tick: float64(l.Tick), each: l.part() / 10}
	if p.clocked = name == ownLoop || name == bareLoop; !p.clocked && l.Rate < leastRate {
		p.Rate, p.tick = leastRate, p.tick*l.Rate/leastRate
	}
	var kinds [2][]workload.Life // those that expire, and the rest
	for _, life := range l.Lives {
		kind := min(life.Fate(), 1)
		kinds[kind] = append(kinds[kind], life)
	}
	for kind, lives := range kinds {
		p.begun[kind], p.pending[kind] = table(lives, 0), table(lives, 1)
	}
	all, rest := workload.NumbersOf(l.N, l.Lives), workload.NumbersOf(l.N, kinds[1])
	p.early = int(float64(l.N)*rest.MeanStay/all.MeanStay + rand.Float64())
	switch name {
	case bareLoop:
		p.name = nothing
	case fixed:
		p.timeout = time.Duration(all.Interval * p.tick)
		p.short = min(p.timeout, l.part())
		p.N = max(1, p.early+int(p.Rate*all.Expired*p.short.Seconds()+rand.Float64()))
	}
	if p.early > 0 {
		p.each = min(l.part(), time.Duration(1e9/(p.Rate*(rest.Stopped+rest.Restarted))))
	}
	if p.pause = requestPause; p.clocked {
		p.pause = min(l.Tick, l.part())
	}
	if name == goTimers {
		p.moveEach = p.moves()
	}
	return p
}

// moves returns the mean time from one move of a timer of Go to the next in an awake program, where all have one interval and
// none expires; else 0. If any timer is due, the runtime moves those that were restarted to their new places, from the first of
// the heap up to one that was not restarted. So if one is due each millisecond, they are moved before their old places are
// due, by as much as the longest stay is shorter than the interval.
func (p *population) moves() time.Duration {
	const moves = 1000
	interval, longest := p.Lives[0].Interval, schemes.Tick(0)
	for _, life := range p.Lives {
		longest = max(longest, life.Stay)
	}
	if p.varies() || longest == interval {
		return 0
	}
	place, start, stay := interval, schemes.Tick(0), draw(p.begun[1]).Stay
	for range moves {
		for start+stay <= place-(interval-longest) {
			start, stay = start+stay, draw(p.begun[1]).Stay
		}
		place = start + interval
	}
	return time.Duration(float64(start) / moves * p.tick)
}

// duration returns how long some ticks take: the timeout if a service has one, else to within a tick at random, as
// timers of a service do not expire on ticks.
func (p *population) duration(ticks schemes.Tick) time.Duration {
	if p.timeout > 0 {
		return p.timeout
	}
	return time.Duration(min(max(0, float64(ticks)+rand.Float64()-0.5)*p.tick, 1<<62))
}

// pauses returns how many pauses of the driver some ticks take, on average, of whole ones.
func (p *population) pauses(ticks schemes.Tick) schemes.Tick {
	return schemes.Tick(min(float64(ticks)*p.tick/float64(p.pause)+rand.Float64(), 1<<31))
}

// part returns how long a part of the time of a service takes.
func (l Load) part() time.Duration { return l.Time / (2 * loadParts) }

// measure opens the service, fills it, adds what some parts of its time take, and closes it.
func (p *population) measure(ctx context.Context, parts int, u *usage) (err error) {
	p.ctx, p.fail = context.WithCancelCause(ctx)
	defer func() { err = errors.Join(err, p.close()) }()
	p.started, p.handles = make([]atomic.Value, p.N), make([]schemes.Handle, p.N)
	plans, err := p.plan()
	if err != nil {
		return err
	}
	p.awake = loadWarm + time.Duration(parts)*p.part()
	entry, before := 16, run.LiveHeap() // bytes of a Timer in the client's list
	if err = p.open(p.timeout, 1); err != nil {
		return err
	}
	if p.services[0] = p.services[1]; p.short > 0 {
		err = p.open(p.short, 0)
	} else if p.name == ownLoop {
		entry = 8
		p.scheme, err = p.Loop.Info.New(p.Loop.Config(p.N))
	}
	if err != nil {
		return err
	}
	if err = p.fill(plans); err != nil {
		return err
	}
	bytes := run.LiveHeap() - before + p.early*entry
	runtime.KeepAlive(plans)
	if s, ok := p.services[1].(systems.Service); ok {
		bytes += int(s.Stats().OffHeap)
	}
	if s, ok := p.scheme.(schemes.OffHeaper); ok {
		bytes += s.OffHeap()
	}
	u.timers, u.bytes = p.N, cmp.Or(u.bytes, float64(bytes)/float64(p.N)) // before others have left anything
	if p.clocked {
		return p.drive(ticks(p.pause), parts, &u.woken)
	}
	w, err := p.requests()
	if err == nil {
		err = p.drive(w, parts, &u.woken)
	}
	if err == nil {
		err = p.drive(ticks(time.Millisecond), parts, &u.awake)
	}
	return err
}

// open opens the service for timers that expire, 0, or for the rest, 1.
func (p *population) open(timeout time.Duration, kind int) error {
	s, err := find(p.name).open(timeout)
	if err == nil {
		p.services[kind], p.opened = s, append(p.opened, s)
	}
	return err
}

// close ends all that measure has begun.
func (p *population) close() (errs error) {
	p.fail(nil)
	for _, s := range p.opened {
		_, err := s.Close()
		errs = errors.Join(errs, err)
	}
	for i := range p.started { // Go's are not closed
		if t, ok := p.started[i].Load().(systems.Timer); ok {
			t.Stop()
		}
	}
	for _, s := range []schemes.Scheme{p.scheme, p.queue} {
		if s, ok := s.(schemes.Releaser); ok {
			s.Release()
		}
	}
	return errs
}

// plan draws the timers in the steady state, and fills the driver's queue. In memory they lie in another order than
// that in which they end, as timers of connections do, so that services are measured with cold caches, too.
func (p *population) plan() (plans []plan, err error) {
	p.queue, err = hierarchical.Chunked.New(schemes.Config{Capacity: p.early, Levels: []int{256, 256, 256, 256}})
	plans = make([]plan, p.N)
	moves := p.name == ours && p.varies()
	for timer := 0; timer < p.N && err == nil && p.ctx.Err() == nil; timer++ {
		kind, age := 0, rand.Float64()
		if timer < p.early {
			kind = 1
		}
		life := draw(p.pending[kind])
		passed := schemes.Tick(age * float64(life.Stay))
		plans[timer].left = p.duration(life.Interval - passed)
		if kind == 1 {
			_, err = p.queue.Start(max(1, p.pauses(life.Stay-passed)), schemes.ID(timer))
		}
		if life.Fate() == workload.Restarted && p.timeout == 0 {
			plans[timer].restarted = p.duration(life.Interval)
			plans[timer].moved = moves && p.restarts(life, passed)
		}
	}
	return plans, err
}

// restarts follows a timer for eight lives and until some time of a last one has passed, from somewhere between two times at
// which sharded looks at it. It reports whether a Reset to an earlier time, which puts a timer at its own deadline, came
// after the last of these.
func (p *population) restarts(last workload.Life, passed schemes.Tick) (moved bool) {
	now, deadline := schemes.Tick(0), draw(p.begun[1]).Interval
	look := schemes.Tick(rand.Float64() * float64(deadline))
	for lives := range 9 {
		life := draw(p.begun[1])
		if lives == 8 {
			life.Interval, life.Stay = last.Interval, passed
		}
		before := deadline
		if deadline = now + life.Interval; deadline < before {
			look, moved = deadline, true
		}
		if now += life.Stay; look <= now {
			look, moved = deadline, false
		}
	}
	return moved
}

// fill starts the timers with what is left of their intervals: on all processors, as each has a heap of Go's timers.
// FixedTimeout cannot do that: its timers that expire start one after the other, with a short timeout, so that they
// expire at the same rate, and of the others, none expires in this time.
func (p *population) fill(plans []plan) error {
	var parts sync.WaitGroup
	step := runtime.GOMAXPROCS(0)
	if p.scheme != nil {
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

// fillPart starts every step-th timer, those that were restarted until a service is to look at them. When all are
// started, it resets these, as a start of one of Go's moves timers that were reset to their new places. When the
// first of them is due, the runtime moves all up to one that was not reset, perhaps the whole heap, and then none for
// seconds. For each part of the time to have its share, timers that are not reset are between them.
func (p *population) fillPart(plans []plan, first, step int) (err error) {
	begun, passed := time.Now(), time.Duration(0)
	rest, resets := time.Duration(0), time.Duration(0) // until all are started, and for the resets after it
	for timer := first; timer < p.N && err == nil && p.ctx.Err() == nil; timer += step {
		switch {
		case p.short > 0 && timer < p.early+step: // the first that expires begins a time of its own
			begun = time.Now()
		case p.short > 0:
			time.Sleep((p.short*time.Duration(timer-p.early)/time.Duration(p.N-p.early) - time.Since(begun)).Truncate(time.Millisecond))
		case p.scheme == nil && timer%1024 == 512+first: // the clock of a loop stands still
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
	for d := p.part() / 10; p.name == goTimers && err == nil && d < 2*p.Time; d += p.part() / 10 {
		_, err = p.services[1].AfterFunc(d, noop)
	}
	for timer := first; timer < p.N && err == nil && p.ctx.Err() == nil; timer += step {
		if plans[timer].restarted > 0 {
			err = p.again(timer, plans[timer].left, true)
		}
	}
	return err
}

// look returns when a service is to look at a timer that was restarted: it wakes up for where a Reset left the timer,
// too. Timers of Go are looked at one by one, but sharded does it for all that were not moved on some ticks, 16 to 32 in an
// interval: here at least twice in each part of the time, as most parts would be between two such ticks. Where Go moves timers
// more often in an awake program, it looks at them earlier from when the driver is awake.
func (p *population) look(timer plan, now time.Duration) time.Duration {
	at := rand.N(timer.left + 1)
	if p.moveEach > 0 && at > p.awake {
		return p.awake + time.Duration(float64(at-p.awake)*min(1, p.moveEach.Seconds()/timer.left.Seconds()))
	}
	if together := min(timer.restarted/16, p.part()/2); p.name == ours && !timer.moved && together > 0 {
		at = min(timer.left, (now+at+together).Truncate(together)-now)
	}
	return at
}

// start starts a timer. One that expires starts again in its action.
func (p *population) start(timer int, d time.Duration) (err error) {
	if p.scheme != nil {
		p.handles[timer], err = p.scheme.Start(p.inTicks(d), schemes.ID(timer))
		return err
	}
	action, service := noop, p.services[1]
	if timer >= p.early {
		action, service = func() { p.expire(timer) }, p.services[0]
		d = cmp.Or(p.short, d)
	}
	t, err := service.AfterFunc(d, action)
	if err == nil {
		p.started[timer].Store(t)
	}
	return err
}

// inTicks returns a duration in ticks of the loop.
func (p *population) inTicks(d time.Duration) schemes.Tick {
	return schemes.Tick(max(1, (d+p.Tick/2)/p.Tick))
}

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
	case restart && p.scheme != nil:
		p.handles[timer], err = p.scheme.(schemes.Restarter).Restart(p.handles[timer], p.inTicks(d))
		if !errors.Is(err, schemes.ErrHandle) { // else it has expired
			return err
		}
	case p.scheme != nil:
		p.scheme.Stop(p.handles[timer])
	case restart:
		t.Reset(d)
		return nil
	default:
		t.Stop()
	}
	return p.start(timer, d)
}

// wakes is how the driver waits, and how that ends.
type wakes struct {
	wait func() error
	end  func()
}

// drive lets the timers run, wakes up every so often and makes the stops and restarts that are due, until some parts of the
// time are measured.
func (p *population) drive(w wakes, parts int, u *spent) error {
	defer w.end()
	var before reading
	var within time.Duration // operations of this part
	begun, from, now, pauses := time.Now(), loadWarm, schemes.Tick(0), schemes.Tick(0)
	var failed error
	endLife := func(id schemes.ID) { failed = cmp.Or(failed, p.end(int(id))) }
	for parts > 0 {
		if err := w.wait(); err != nil || p.ctx.Err() != nil {
			return cmp.Or(context.Cause(p.ctx), err)
		}
		since := time.Since(begun)
		for passed := schemes.Tick(since / p.Tick); p.scheme != nil && now < passed; now++ {
			if p.scheme.PerTick() > 0 {
				p.scheme.Expire(func(id schemes.ID) { p.expire(int(id)) })
			}
		}
		cpu := run.CPUTime()
		// A driver that cannot keep up falls behind, so that parts of the time still end.
		for most := pauses + max(10, schemes.Tick(loadWarm/p.pause)); p.ctx.Err() == nil && pauses < min(schemes.Tick(since/p.pause), most); pauses++ {
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
			*u = append(*u, part{float64(after.ops - before.ops), took, (after.cpu - before.cpu).Seconds() / took, within.Seconds() / took})
			parts--
		}
		before, within, from = after, 0, since+p.part()-p.pause/2
	}
	return context.Cause(p.ctx)
}
