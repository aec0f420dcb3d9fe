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
	loadWarm  = 300 * time.Millisecond // after its timers were started
	loadParts = 6                      // of the time of a service
	loadPause = time.Millisecond       // between two bursts of stops and restarts
	leastRate = 500                    // lives a second, below which time is compressed: each has a wake-up of its own

	mostFill = 5 * time.Second // of FixedTimeout, of which no timer can start with a part of its interval

	ownLoop = "a loop of your own" // of the scheme that was picked, in one goroutine
	fixed   = "fixedtimeout"
)

// Shares measures what the timers of a workload cost with time.AfterFunc, sharded, FixedTimeout if all
// intervals are equal, and a loop of one's own: the CPU time of the process, at the workload's own rate on
// the real clock, less that without timers. Lives that are rarer than leastRate are measured at this rate,
// with times as much shorter, and count for their number. A loop ticks at the workload's ticks, which are
// in its cost. It takes some 17 s.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine,
// the oldest first, so that each stays for their mean stay.
func (l Load) Shares(ctx context.Context, progress func(service string)) (all []picks.Service, err error) {
	names := []string{nothing, ours, nothing}
	if !slices.ContainsFunc(l.Lives, func(life workload.Life) bool { return life.Interval != l.Lives[0].Interval }) {
		names = append(names, fixed)
	}
	var rates, idle []float64                                        // idle: the shares that the goroutine that stops timers takes
	for _, name := range append(names, ownLoop, goTimers, nothing) { // Go's timers last, as those left expire later
		progress(name)
		p := &population{Load: l, speed: max(1, leastRate/l.Rate)}
		switch name {
		case ownLoop:
			p.speed = 1
		case fixed:
			p.speed = max(p.speed, p.Tick.Seconds()*float64(l.Lives[0].Interval)/mostFill.Seconds())
		}
		if err := p.draw(); err != nil {
			return nil, err
		}
		share, bytes, err := p.measure(ctx, name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case name == nothing:
			idle = append(idle, share)
			continue
		}
		rates = append(rates, p.rate)
		all = append(all, picks.Service{Name: name, Pending: l.N, Bytes: bytes, CPU: share})
	}
	for i := range all {
		s := &all[i]
		if s.Name != ownLoop { // of which the clock ticks whatever the rate
			s.CPU = max(0, s.CPU-results.Median(idle)) * l.Rate / rates[i]
		}
		s.Ns = 1e9 * s.CPU / l.Rate
	}
	last := len(all) - 1
	return append(all[last:], all[:last]...), nil
}

// population is the timers of a workload, in two parts by how their lives end.
type population struct {
	Load
	speed   float64      // by which all times are divided
	parts   [2]part      // those that expire, and the others
	ends    float64      // stops and restarts a second
	restart float64      // share of them
	ended   atomic.Int64 // lives
	rate    float64      // lives ended a second, measured
}

type part struct {
	lives []workload.Life
	share float64        // of all lives
	stay  float64        // of the mean stay
	sums  []float64      // of the lives' shares
	first []schemes.Tick // what is left of the timers' intervals at the beginning
}

// draw divides the lives into the two parts and draws the first intervals, as in the steady state.
func (p *population) draw() error {
	for _, life := range p.Lives {
		part := &p.parts[min(int(life.Fate()), 1)]
		part.lives = append(part.lives, life)
		part.share += life.Share
		part.stay += life.Share * float64(life.Stay)
		part.sums = append(part.sums, part.share)
		if life.Fate() == workload.Restarted {
			p.restart += life.Share
		}
	}
	for k := range p.parts {
		part := &p.parts[k]
		n := int(math.Round(float64(p.N) * part.stay / (p.parts[0].stay + p.parts[1].stay))) // Little's law
		if n == 0 {
			continue
		}
		stream, err := workload.Mixture{N: n, Lives: part.lives, Seed: 1}.Stream()
		if err != nil {
			return err
		}
		for _, op := range stream.Fill().Ops {
			part.first = append(part.first, op.Interval)
		}
		if k == 1 {
			p.ends, p.restart = p.Rate*p.speed*part.share, p.restart/part.share
		}
	}
	return nil
}

// next draws an interval. Any goroutine may call it.
func (p *part) next() schemes.Tick {
	at, _ := slices.BinarySearch(p.sums, rand.Float64()*p.share)
	return p.lives[min(at, len(p.lives)-1)].Interval
}

// driven is what the timers of a population run on. Timers below 0 expire and start again in their actions.
type driven interface {
	start(timer int, interval schemes.Tick) error
	stop(timer int)
	restart(timer int, interval schemes.Tick) error
	tick(since time.Duration) error // may do what is due
	bytes() int64                   // outside Go's heap
	close() error
}

// measure fills what the timers run on, lets them run and returns the share of a core and the
// bytes that they took, with the client's list of those that do not expire.
func (p *population) measure(ctx context.Context, name string) (share float64, bytes int64, err error) {
	before := run.LiveHeap()
	var d driven
	pause := loadPause
	if name == ownLoop {
		scheme, err := p.Loop.Info.New(p.Loop.Config(p.N))
		if err != nil {
			return 0, 0, err
		}
		d, pause = &loop{population: p, scheme: scheme, handles: make([]schemes.Handle, len(p.parts[1].first))}, p.Tick
	} else {
		opened, err := find(name).open(p.duration(p.Lives[0].Interval))
		if err != nil {
			return 0, 0, err
		}
		d = &onService{population: p, timers: opened, early: make([]systems.Timer, len(p.parts[1].first))}
	}
	if err := p.fill(d, name == fixed); err != nil {
		return 0, 0, err
	}
	bytes = int64(run.LiveHeap()-before) + d.bytes()
	share, err = p.drive(ctx, d, pause)
	if err == nil {
		err = d.close()
	}
	return share, bytes, err
}

// fill starts the timers. If all have one timeout, none can start with a part of its interval: those that
// expire start one after the other instead.
func (p *population) fill(d driven, fixed bool) error {
	begun, spread := time.Now(), float64(p.duration(p.Lives[0].Interval))/float64(len(p.parts[0].first))
	for k, part := range p.parts {
		for i, left := range part.first {
			if fixed {
				left = p.Lives[0].Interval
			}
			if ahead := time.Duration(spread*float64(i)) - time.Since(begun); fixed && k == 0 && ahead > loadPause {
				time.Sleep(ahead)
			}
			if err := d.start(i*k+k-1, left); err != nil {
				return err
			}
		}
	}
	return nil
}

// end ends a life of a timer that does not expire, and begins another one.
func (p *population) end(d driven, timer int) error {
	interval := p.parts[1].next()
	p.ended.Add(1)
	if rand.Float64() < p.restart {
		return d.restart(timer, interval)
	}
	d.stop(timer)
	return d.start(timer, interval)
}

// drive lets the timers run, makes the stops and restarts that are due, and returns the share of a core that the
// process takes: the median of some parts of the time, as what else runs on the machine disturbs some.
func (p *population) drive(ctx context.Context, d driven, pause time.Duration) (float64, error) {
	begun, clock := time.Now(), time.Tick(pause)
	var shares, rates []float64
	from, cpu, ended := loadWarm, time.Duration(-1), int64(0)
	part := cmp.Or(p.Time, 2*time.Second) / loadParts
	for done, next := 0.0, 0; len(shares) < loadParts; {
		since := time.Since(begun)
		if since >= from {
			if cpu >= 0 {
				took := (part + since - from).Seconds()
				shares = append(shares, (run.CPUTime()-cpu).Seconds()/took)
				rates = append(rates, float64(p.ended.Load()-ended)/took)
			}
			from, cpu, ended = since+part, run.CPUTime(), p.ended.Load()
		}
		err := cmp.Or(ctx.Err(), d.tick(since))
		due := p.ends*since.Seconds() - done
		for most := 10*p.ends*pause.Seconds() + 1; due >= 1 && most >= 1 && err == nil; due, most = due-1, most-1 {
			err = p.end(d, next)
			next, done = (next+1)%len(p.parts[1].first), done+1
		}
		if err != nil {
			return 0, err
		}
		if p.ends > 0 || pause != loadPause {
			<-clock
		} else {
			time.Sleep(part)
		}
	}
	p.rate = results.Median(rates)
	return results.Median(shares), nil
}

// duration returns how long an interval takes.
func (p *population) duration(interval schemes.Tick) time.Duration {
	return time.Duration(float64(interval) * float64(p.Tick) / p.speed)
}

// onService runs the timers on a service.
type onService struct {
	*population
	timers timers
	early  []systems.Timer // those that do not expire
	over   atomic.Bool
	failed atomic.Pointer[error] // of a start in an action
}

func (s *onService) start(timer int, interval schemes.Tick) (err error) {
	if timer < 0 {
		_, err = s.timers.AfterFunc(s.duration(interval), s.expire)
	} else {
		s.early[timer], err = s.timers.AfterFunc(s.duration(interval), noop)
	}
	return err
}

// expire is the action of a timer that expires: it starts again.
func (s *onService) expire() {
	s.ended.Add(1)
	if s.over.Load() {
		return
	}
	if err := s.start(-1, s.parts[0].next()); err != nil && !s.over.Load() {
		s.failed.Store(&err)
	}
}

func (s *onService) stop(timer int) { s.early[timer].Stop() }

func (s *onService) restart(timer int, interval schemes.Tick) error {
	s.early[timer].Reset(s.duration(interval))
	return nil
}

func (s *onService) tick(time.Duration) error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (s *onService) bytes() int64 {
	if f, ok := s.timers.(systems.Service); ok {
		return f.Stats().OffHeap
	}
	return 0
}

func (s *onService) close() error {
	s.over.Store(true)
	for _, t := range s.early {
		t.Stop()
	}
	_, err := s.timers.Close()
	return err
}

// loop runs the timers on a scheme in one goroutine, which catches up with the clock.
type loop struct {
	*population
	scheme  schemes.Scheme
	now     schemes.Tick
	handles []schemes.Handle // of those that do not expire
	err     error            // of a start in an action
}

const expires schemes.ID = 1 << 63 // the ID of all timers that expire

func (l *loop) start(timer int, interval schemes.Tick) (err error) {
	if timer < 0 {
		_, err = l.scheme.Start(interval, expires)
	} else {
		l.handles[timer], err = l.scheme.Start(interval, schemes.ID(timer))
	}
	return err
}

func (l *loop) stop(timer int) { l.scheme.Stop(l.handles[timer]) }

func (l *loop) restart(timer int, interval schemes.Tick) (err error) {
	if r, ok := l.scheme.(schemes.Restarter); ok {
		if l.handles[timer], err = r.Restart(l.handles[timer], interval); !errors.Is(err, schemes.ErrHandle) {
			return err
		} // else it has expired
	}
	l.stop(timer)
	return l.start(timer, interval)
}

func (l *loop) tick(since time.Duration) error {
	for passed := schemes.Tick(since / l.Tick); l.now < passed; l.now++ {
		if l.scheme.PerTick() > 0 {
			l.scheme.Expire(l.expire)
		}
	}
	return l.err
}

func (l *loop) expire(id schemes.ID) {
	if id == expires {
		l.ended.Add(1)
		l.err = cmp.Or(l.err, l.start(-1, l.parts[0].next()))
	}
}

func (l *loop) bytes() int64 {
	if s, ok := l.scheme.(schemes.OffHeaper); ok {
		return int64(s.OffHeap())
	}
	return 0
}

func (l *loop) close() error {
	if s, ok := l.scheme.(schemes.Releaser); ok {
		s.Release()
	}
	return nil
}
