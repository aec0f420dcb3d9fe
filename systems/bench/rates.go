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
	Loop  picks.Service   // CPU and Bytes of the scheme that was picked, without a clock
	Time  time.Duration   // that each service runs; 0: 2 s
}

const (
	loadParts = 6                // of the time of a service
	loadPause = time.Millisecond // between two bursts of stops and restarts
	leastRate = 500              // lives a second, below which time is compressed: each has a wake-up of its own

	ownLoop = "a loop of your own" // of the scheme that was picked, in one goroutine
)

// Shares measures what the timers of a workload cost with time.AfterFunc and sharded: the CPU time of the
// process, at the workload's own rate on the real clock, less that without timers. Lives that are rarer than
// leastRate are measured at this rate, with times as much shorter, and count for their number. The cost of a
// loop of one's own is that of the scheme, and that of waking up for each tick, which is measured. It takes
// some 14 s.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine,
// the oldest first, so that each stays for their mean stay.
func (l Load) Shares(ctx context.Context, progress func(service string)) (all []picks.Service, err error) {
	var made []*population
	var idle []float64                                                         // the shares of the goroutine that stops timers
	for _, name := range []string{nothing, ours, nothing, goTimers, nothing} { // Go's late, as those left expire later
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
	for _, p := range slices.Backward(made) {
		cpu := max(0, p.share-results.Median(idle)) * l.Rate / p.rate
		all = append(all, picks.Service{Name: p.name, Pending: l.N, Bytes: p.bytes, CPU: cpu})
	}
	progress(ownLoop)
	ticks := &population{Load: l, pause: l.Tick}
	if err := ticks.drive(ctx); err != nil {
		return nil, err
	}
	handles := int64(8 * made[0].parts[1].n)
	cpu := l.Loop.CPU + ticks.share
	all = append(all, picks.Service{Name: ownLoop, Pending: l.N, Bytes: l.Loop.Bytes + handles, CPU: cpu})
	for i := range all {
		all[i].Ns = 1e9 * all[i].CPU / l.Rate
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

	timers timers
	early  []systems.Timer       // those that do not expire
	ended  atomic.Int64          // lives
	failed atomic.Pointer[error] // of a start in an action

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
		p.pause = p.time() // no timer is to be stopped
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
	if p.timers, err = find(p.name).open(0); err != nil {
		return err
	}
	for range p.parts[0].n {
		if err := p.start(p.parts[0].left()); err != nil {
			return err
		}
	}
	p.early = make([]systems.Timer, p.parts[1].n)
	for i := range p.early {
		if p.early[i], err = p.timers.AfterFunc(p.duration(p.parts[1].left()), noop); err != nil {
			return err
		}
	}
	p.bytes = int64(run.LiveHeap() - before)
	if f, ok := p.timers.(systems.Service); ok {
		p.bytes += f.Stats().OffHeap
	}
	err = p.drive(ctx)
	p.failed.Store(&errOver)
	for _, t := range p.early {
		t.Stop()
	}
	_, closing := p.timers.Close()
	return errors.Join(err, closing)
}

var errOver = errors.New("the time of the service is over")

// start starts a timer that expires, and in its action another one.
func (p *population) start(interval schemes.Tick) error {
	_, err := p.timers.AfterFunc(p.duration(interval), p.expire)
	return err
}

func (p *population) expire() {
	p.ended.Add(1)
	if p.failed.Load() != nil {
		return
	}
	if err := p.start(p.parts[0].draw(p.parts[0].begun).Interval); err != nil {
		p.failed.CompareAndSwap(nil, &err)
	}
}

// end ends a life of a timer that does not expire, and begins another one.
func (p *population) end(timer int) (err error) {
	d := p.duration(p.parts[1].draw(p.parts[1].begun).Interval)
	p.ended.Add(1)
	if rand.Float64() < p.restart {
		p.early[timer].Reset(d)
		return nil
	}
	p.early[timer].Stop()
	p.early[timer], err = p.timers.AfterFunc(d, noop)
	return err
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
		due := p.ends*since.Seconds() - done
		for most := 10*p.ends*p.pause.Seconds() + 1; due >= 1 && most >= 1; due, most = due-1, most-1 {
			if err := p.end(next); err != nil {
				return err
			}
			next, done = (next+1)%len(p.early), done+1
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
