package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"timerlab/harness/report/picks"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/systems"
)

// Load is a workload on the real clock.
type Load struct {
	N     int             // timers pending
	Rate  float64         // lives begun a second
	Tick  time.Duration   // the unit of Lives
	Lives []workload.Life // shares sum to 1
	Loop  run.Subject     // the scheme of a loop of one's own
	Time  time.Duration   // that each service runs; 0: 2 s
}

const (
	loadParts = 6                // of the time of a service
	loadPause = time.Millisecond // between two bursts of stops and restarts
	leastRate = 500              // lives a second, below which time is compressed: each has a wake-up of its own

	mostFill = 5 * time.Second // of FixedTimeout, of which no timer can start with a part of its interval

	ownLoop = "a loop of your own" // of the scheme that was picked, in one goroutine
	fixed   = "fixedtimeout"
)

// Shares measures what the timers of a workload cost with time.AfterFunc, sharded, FixedTimeout if all intervals are
// equal, and a loop of one's own: the CPU time of the process, at the workload's own rate on the real clock, less that
// without timers. Lives that are rarer than leastRate are measured at this rate, with times as much shorter, and count for
// their number. A loop ticks at the workload's ticks, which are in its cost. It takes some 17 s.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine,
// the oldest first, so that each stays for their mean stay.
func (l Load) Shares(ctx context.Context, progress func(service string)) (all []picks.Service, err error) {
	names := []string{nothing, ours, nothing}
	if !slices.ContainsFunc(l.Lives, func(life workload.Life) bool { return life.Interval != l.Lives[0].Interval }) {
		names = append(names, fixed)
	}
	var made []*population
	var idle []float64                                               // the shares of the goroutine that stops timers
	for _, name := range append(names, ownLoop, goTimers, nothing) { // Go's late, as those left expire later
		progress(name)
		p := newPopulation(l, name)
		switch err := p.measure(ctx); {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case name == nothing:
			idle = append(idle, p.share)
		default:
			made = append(made, p)
		}
	}
	last := len(made) - 1
	for _, p := range append(made[last:], made[:last]...) {
		cpu := p.share
		if p.name != ownLoop { // of which the clock ticks whatever the rate
			cpu = max(0, p.share-results.Median(idle)) * l.Rate / p.rate
		}
		all = append(all, picks.Service{Name: p.name, Pending: l.N, Bytes: p.bytes, CPU: cpu, Ns: 1e9 * cpu / l.Rate})
	}
	return all, nil
}

// population is the timers of a workload on a service, in two parts by how their lives end.
type population struct {
	Load
	name    string
	speed   float64 // by which all times are divided
	parts   [2]part // those that expire, and the others
	ends    float64 // stops and restarts a second
	restart float64 // share of them
	pause   time.Duration

	timers  timers
	early   []systems.Timer       // those that do not expire
	scheme  schemes.Scheme        // of a loop, instead of timers
	handles []schemes.Handle      // instead of early
	now     schemes.Tick          // of the scheme
	ended   atomic.Int64          // lives
	failed  atomic.Pointer[error] // of a start in an action

	share, rate float64 // of a core, and lives ended a second, measured
	bytes       int64   // with the client's list of those that do not expire
}

// part is the lives of a part, with the cumulated weights by which one is drawn: among those that begin, and
// among those that are pending in the steady state.
type part struct {
	lives          []workload.Life
	begun, pending []float64
	n              int // timers
}

// newPopulation divides the lives into the two parts.
func newPopulation(l Load, name string) *population {
	p := &population{Load: l, name: name, speed: max(1, leastRate/l.Rate), pause: loadPause}
	switch name {
	case ownLoop:
		p.speed, p.pause = 1, l.Tick
	case fixed:
		p.speed = max(p.speed, l.Tick.Seconds()*float64(l.Lives[0].Interval)/mostFill.Seconds())
	}
	for _, life := range p.Lives {
		part := &p.parts[min(int(life.Fate()), 1)]
		part.lives = append(part.lives, life)
		part.begun = append(part.begun, last(part.begun)+life.Share)
		part.pending = append(part.pending, last(part.pending)+life.Share*float64(life.Stay))
		if life.Fate() == workload.Restarted {
			p.restart += life.Share
		}
	}
	expire, other := &p.parts[0], &p.parts[1]
	share := last(other.pending) / (last(expire.pending) + last(other.pending)) // by Little's law
	other.n = int(math.Round(float64(p.N) * share))
	expire.n = p.N - other.n
	if other.n == 0 {
		if name != ownLoop {
			p.pause = p.time() // no timer is to be stopped
		}
		return p
	}
	p.ends, p.restart = p.Rate*p.speed*last(other.begun), p.restart/last(other.begun)
	return p
}

// time is that of one part of the time of a service.
func (l Load) time() time.Duration { return cmp.Or(l.Time, 2*time.Second) / loadParts }

func last(sums []float64) float64 {
	if len(sums) == 0 {
		return 0
	}
	return sums[len(sums)-1]
}

// draw returns a random life by cumulated weights. Any goroutine may call it.
func (p *part) draw(sums []float64) workload.Life {
	at, _ := slices.BinarySearch(sums, rand.Float64()*last(sums))
	return p.lives[min(at, len(sums)-1)]
}

// left returns what is left of the interval of a life that is pending.
func (p *part) left() schemes.Tick {
	life := p.draw(p.pending)
	return life.Interval - rand.N(life.Stay)
}

// duration returns how long an interval takes.
func (p *population) duration(interval schemes.Tick) time.Duration {
	return time.Duration(float64(interval) * float64(p.Tick) / p.speed)
}

// measure opens the service, fills it and lets its timers run.
func (p *population) measure(ctx context.Context) (err error) {
	before := run.LiveHeap()
	if p.name == ownLoop {
		p.scheme, err = p.Loop.Info.New(p.Loop.Config(p.N))
		p.handles = make([]schemes.Handle, p.parts[1].n)
	} else {
		p.timers, err = find(p.name).open(p.duration(p.Lives[0].Interval))
		p.early = make([]systems.Timer, p.parts[1].n)
	}
	if err != nil {
		return err
	}
	if err := p.fill(); err != nil {
		return err
	}
	p.bytes = int64(run.LiveHeap() - before)
	if f, ok := p.timers.(systems.Service); ok {
		p.bytes += f.Stats().OffHeap
	}
	if s, ok := p.scheme.(schemes.OffHeaper); ok {
		p.bytes += int64(s.OffHeap())
	}
	err = p.drive(ctx)
	p.failed.Store(&errOver)
	if s, ok := p.scheme.(schemes.Releaser); ok {
		s.Release()
	}
	for _, t := range p.early {
		t.Stop()
	}
	if p.timers != nil {
		_, closing := p.timers.Close()
		err = errors.Join(err, closing)
	}
	return err
}

var errOver = errors.New("the time of the service is over")

// fill starts the timers with what is left of their intervals. If all have one timeout, none can: then those that expire
// start one after the other instead.
func (p *population) fill() error {
	begun, spread := time.Now(), float64(p.duration(p.Lives[0].Interval))/float64(p.parts[0].n)
	for k := range p.parts {
		for i := range p.parts[k].n {
			left := p.parts[k].left()
			if p.name == fixed {
				left = p.Lives[0].Interval
				if ahead := time.Duration(spread*float64(i)) - time.Since(begun); k == 0 && ahead > loadPause {
					time.Sleep(ahead)
				}
			}
			if err := p.start(i*k+k-1, left); err != nil {
				return err
			}
		}
	}
	return nil
}

const expires schemes.ID = math.MaxUint64 // of all timers that expire in a loop

// start starts a timer; one below 0 expires, and starts another one in its action.
func (p *population) start(timer int, interval schemes.Tick) (err error) {
	switch {
	case p.scheme != nil && timer < 0:
		_, err = p.scheme.Start(interval, expires)
	case p.scheme != nil:
		p.handles[timer], err = p.scheme.Start(interval, schemes.ID(timer))
	case timer < 0:
		_, err = p.timers.AfterFunc(p.duration(interval), p.expire)
	default:
		p.early[timer], err = p.timers.AfterFunc(p.duration(interval), noop)
	}
	return err
}

func (p *population) expire() {
	p.ended.Add(1)
	if p.failed.Load() != nil {
		return
	}
	if err := p.start(-1, p.parts[0].draw(p.parts[0].begun).Interval); err != nil {
		p.failed.CompareAndSwap(nil, &err)
	}
}

// end ends a life of a timer that does not expire, and begins another one.
func (p *population) end(timer int) (err error) {
	interval := p.parts[1].draw(p.parts[1].begun).Interval
	p.ended.Add(1)
	restart := rand.Float64() < p.restart
	r, ok := p.scheme.(schemes.Restarter)
	switch {
	case restart && ok:
		p.handles[timer], err = r.Restart(p.handles[timer], interval)
		if !errors.Is(err, schemes.ErrHandle) { // else it has expired
			return err
		}
	case restart && p.scheme == nil:
		p.early[timer].Reset(p.duration(interval))
		return nil
	case p.scheme != nil:
		p.scheme.Stop(p.handles[timer])
	default:
		p.early[timer].Stop()
	}
	return p.start(timer, interval)
}

// tick lets a loop catch up with the clock.
func (p *population) tick(since time.Duration) {
	for passed := schemes.Tick(since / p.Tick); p.scheme != nil && p.now < passed; p.now++ {
		if p.scheme.PerTick() > 0 {
			p.scheme.Expire(func(id schemes.ID) {
				if id == expires {
					p.expire()
				}
			})
		}
	}
}

// drive lets the timers run and makes the stops and restarts that are due. The share of a core that the process
// takes is the median of some parts of the time, as what else runs on the machine disturbs some.
func (p *population) drive(ctx context.Context) error {
	begun, clock := time.Now(), time.Tick(p.pause)
	var shares, rates []float64
	var before reading
	from := loadWarm
	for done, next := 0.0, 0; len(shares) < loadParts; <-clock {
		since := time.Since(begun)
		if since >= from {
			now := reading{time.Now(), run.CPUTime(), p.ended.Load()}
			if took := now.at.Sub(before.at).Seconds(); !before.at.IsZero() {
				shares = append(shares, (now.cpu-before.cpu).Seconds()/took)
				rates = append(rates, float64(now.ops-before.ops)/took)
			}
			before, from = now, since+p.time()
		}
		p.tick(since)
		due := p.ends*since.Seconds() - done
		for most := 10*p.ends*p.pause.Seconds() + 1; due >= 1 && most >= 1; due, most = due-1, most-1 {
			if err := p.end(next); err != nil {
				return err
			}
			next, done = (next+1)%p.parts[1].n, done+1
		}
		if err := p.failed.Load(); err != nil || ctx.Err() != nil {
			if err == nil {
				return ctx.Err()
			}
			return *err
		}
	}
	p.share, p.rate = results.Median(shares), results.Median(rates)
	return nil
}
