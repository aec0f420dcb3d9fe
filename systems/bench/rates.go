package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"gonum.org/v1/gonum/stat"

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
	loadParts = 8       // of the time of a service
	fewTimers = 100_000 // up to which services are opened and filled again for every second part
	leastRate = 20      // lives a second, below which time is compressed

	together   = 4                    // stops and restarts, if they follow so fast
	leastPause = time.Millisecond     // between them: the runtime sleeps in whole ms
	mostPause  = 5 * time.Millisecond // unless single ones are rarer
	mostFill   = time.Second          // of FixedTimeout, of which no timer can start with a part of its interval

	ownLoop = "a loop of your own" // of the scheme that was picked, in one goroutine
	fixed   = "fixedtimeout"
)

// Shares measures what the timers of a workload cost with time.AfterFunc, sharded, FixedTimeout if all intervals are
// equal, and a loop of one's own, on the real clock at the workload's own rate. It takes some 17 s.
//
// A timer that expires starts again in its action. The others are stopped or restarted by one goroutine, the driver,
// the oldest first, so that each stays for their mean stay. The share of a core is
//
//	what the process takes, less what it takes if the same driver starts no timer,
//	but at least what the driver's operations take, less the same without timers.
//
// The first has all wake-ups and collections in it, but its noise is a tenth of what the driver takes, or more. So it
// counts only if it is above 0 in all parts but one. The second hardly has noise.
//
// A wake-up takes 20 µs to 0.2 ms, and an operation about 1 µs. So the driver wakes up only as often as it must: for each
// operation where they are rare, else each 1 to 5 ms; and it starts timers with the deadlines that they would have if it
// had not waited. It is woken as by requests, see there. Expiries keep their own wake-ups, of which each takes five
// times as long at 10 a second as at 500: so time is compressed only for lives below leastRate, which count for their
// number. A loop ticks at the workload's ticks, which are in its cost.
//
// All begin in the steady state. A restart leaves a timer's entry where it was, and the service wakes up there: so
// those that are restarted are started for a part of their time first. Services take turns, as what else runs on
// the machine changes within seconds what a wake-up takes.
func (l Load) Shares(ctx context.Context, progress func(service string)) (all []picks.Service, err error) {
	names, rounds := []string{ours}, loadParts
	if !slices.ContainsFunc(l.Lives, func(life workload.Life) bool { return life.Interval != l.Lives[0].Interval }) {
		names = append(names, fixed)
	}
	if l.N > fewTimers {
		rounds = 1
	}
	names = append(names, ownLoop, nothing, goTimers) // Go's last, as of more timers some are left
	made := map[string]*population{}
	for i, name := range slices.Repeat(names, rounds) {
		progress(name)
		p := newPopulation(l, name)
		if before := made[name]; before != nil {
			p.usage = before.usage
		}
		made[name] = p
		if err := p.measure(ctx, (1+i/len(names))*loadParts/rounds); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range append([]string{goTimers}, names[:len(names)-2]...) {
		p := made[name]
		cpu := results.Median(p.shares)
		if name != ownLoop { // of which the clock ticks whatever the rate
			cpu = p.above(made[nothing].usage) * l.Rate / stat.Mean(p.rates, nil)
		}
		all = append(all, picks.Service{Name: name, Pending: l.N, Bytes: p.bytes * int64(l.N) / int64(p.N), CPU: cpu, Ns: 1e9 * cpu / l.Rate})
	}
	return all, nil
}

// usage is what parts of the time of a service have taken: shares of a core, those within the operations of
// the driver, and lives ended a second.
type usage struct{ shares, within, rates []float64 }

// above returns what is above the usage without timers.
func (u usage) above(idle usage) float64 {
	var more []float64
	for i, share := range u.shares {
		more = append(more, share-idle.shares[i])
	}
	slices.Sort(more)
	within := max(0, results.Median(u.within)-results.Median(idle.within))
	if more[1] <= 0 {
		return within
	}
	return max(within, results.Median(more))
}

// population is the timers of a workload on a service, in two parts by how their lives end.
type population struct {
	Load
	usage
	name    string
	speed   float64 // by which all times are divided
	parts   [2]part // those that expire, and the others
	ends    float64 // stops and restarts a second
	restart float64 // share of them
	pause   time.Duration

	timers  timers
	started []systems.Timer // first those that do not expire
	locks   [64]sync.Mutex  // of the others: an action may start one while started is being written
	stride  uint64          // between two that end one after the other: in memory, too, if all stay for the same time
	scheme  schemes.Scheme  // of a loop, instead of timers
	handles []schemes.Handle
	now     schemes.Tick          // of the scheme
	ended   atomic.Int64          // lives
	failed  atomic.Pointer[error] // of a start in an action

	bytes int64 // with the client's list of those that do not expire
}

// part is the lives of a part, with the cumulated weights by which one is drawn: among those that begin, and
// among those that are pending in the steady state.
type part struct {
	lives          []workload.Life
	begun, pending []float64
	n              int            // timers
	intervals      []schemes.Tick // of some that begin
}

// newPopulation divides the lives into the two parts.
func newPopulation(l Load, name string) *population {
	p := &population{Load: l, name: name, speed: max(1, leastRate/l.Rate), pause: l.time(), stride: 1}
	if name == ownLoop {
		p.speed = 1
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
	if most := schemes.Tick(mostFill/p.Tick) + 1; name == fixed && other.n == 0 && most < p.Lives[0].Interval {
		p.N = max(1, int(float64(p.N)*float64(most)/float64(p.Lives[0].Interval))) // the rate remains
		expire.lives, expire.n = []workload.Life{{Interval: most, Stay: most, Share: 1}}, p.N
		p.Lives, expire.begun, expire.pending = expire.lives, []float64{1}, []float64{1}
	}
	if other.n > 0 {
		p.ends, p.restart = p.Rate*p.speed*last(other.begun), p.restart/last(other.begun)
		each := time.Duration(1e9 / p.ends)
		p.pause = max(each, min(max(leastPause, together*each), mostPause))
	}
	if name == ownLoop {
		p.pause = l.Tick
	}
	for i := range p.parts {
		for part := &p.parts[i]; part.n > 0 && len(part.intervals) < 1<<12; {
			part.intervals = append(part.intervals, part.draw(part.begun).Interval)
		}
	}
	const prime = 1<<31 - 1 // more than the timers, so that all have their turn
	if slices.ContainsFunc(other.lives, func(life workload.Life) bool { return life.Stay != other.lives[0].Stay }) {
		p.stride = prime
	}
	return p
}

// turn returns the timer that is the i-th to end of those that do not expire, if i is below their number.
func (p *population) turn(i int) int { return int(uint64(i) * p.stride % uint64(p.parts[1].n)) }

// time is that of one part of the time of a service.
func (l Load) time() time.Duration { return cmp.Or(l.Time, 2*time.Second) / loadParts }

func last(sums []float64) float64 {
	if len(sums) == 0 {
		return 0
	}
	return sums[len(sums)-1]
}

// draw returns a random life by cumulated weights.
func (p *part) draw(sums []float64) workload.Life {
	at, _ := slices.BinarySearch(sums, rand.Float64()*last(sums))
	return p.lives[min(at, len(sums)-1)]
}

// interval returns that of a random life that begins, quickly. Any goroutine may call it.
func (p *part) interval() schemes.Tick { return p.intervals[rand.IntN(len(p.intervals))] }

// left returns what is left of the interval of a life that is pending, when a share of its stay has passed.
func (p *part) left(passed float64) schemes.Tick {
	life := p.draw(p.pending)
	return life.Interval - schemes.Tick(passed*float64(life.Stay))
}

// duration returns how long an interval takes of which a time has passed: all of it if a service has one timeout, else
// to within a tick at random, as timers of a service do not expire on ticks.
func (p *population) duration(interval schemes.Tick, passed time.Duration) time.Duration {
	tick := float64(p.Tick) / p.speed
	if p.name == fixed {
		return time.Duration(float64(interval) * tick)
	}
	return max(0, time.Duration((float64(interval)+rand.Float64()-0.5)*tick)-passed)
}

// measure opens the service, fills it and lets its timers run until some parts of its time are measured.
func (p *population) measure(ctx context.Context, parts int) (err error) {
	p.started = make([]systems.Timer, p.N)
	before := run.LiveHeap()
	if p.name == ownLoop {
		p.scheme, err = p.Loop.Info.New(p.Loop.Config(p.N))
		p.handles = make([]schemes.Handle, p.parts[1].n)
	} else {
		p.timers, err = find(p.name).open(p.duration(p.Lives[0].Interval, 0))
		p.bytes = int64(p.parts[1].n) * int64(unsafe.Sizeof(p.started[0]))
	}
	if err != nil {
		return err
	}
	if err := p.fill(); err != nil {
		return err
	}
	p.bytes += int64(run.LiveHeap() - before)
	if f, ok := p.timers.(systems.Service); ok {
		p.bytes += f.Stats().OffHeap
	}
	if s, ok := p.scheme.(schemes.OffHeaper); ok {
		p.bytes += int64(s.OffHeap())
	}
	err = p.drive(ctx, parts)
	p.failed.CompareAndSwap(nil, &errOver)
	if s, ok := p.scheme.(schemes.Releaser); ok {
		s.Release()
	}
	for i := range min(p.N, fewTimers) { // else Go's would expire while others are measured
		lock := p.lock(i)
		if t := p.started[i]; t != nil {
			t.Stop()
		}
		lock.Unlock()
	}
	if p.timers != nil {
		_, closing := p.timers.Close()
		err = errors.Join(err, closing)
	}
	return err
}

var errOver = errors.New("the time of the service is over")

// fill starts the timers with what is left of their intervals. If all have one timeout, none can: then they start one
// after the other if all expire, else none expires in this time.
func (p *population) fill() error {
	early, begun := p.parts[1].n, time.Now()
	spread := float64(p.duration(p.Lives[0].Interval, 0)) / float64(p.parts[0].n)
	for place := range p.N {
		timer, part, passed := place, &p.parts[0], rand.Float64()
		if place < early { // the oldest ends first
			timer, part, passed = p.turn(place), &p.parts[1], 1-float64(place)/float64(early)
		}
		left := max(1, part.left(passed))
		if p.name == fixed {
			left = p.Lives[0].Interval
			if ahead := time.Duration(spread*float64(place)) - time.Since(begun); early == 0 && ahead > leastPause {
				time.Sleep(ahead)
			}
		}
		first := left
		if place < early && p.name != fixed && rand.Float64() < p.restart { // it is where a restart has left it
			first = 1 + rand.N(left)
		}
		err := p.start(timer, first, 0)
		if err == nil && first < left {
			err = p.reset(timer, left, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// start starts a timer of which a time has passed. One that expires starts again in its action, until the time of
// the service is over.
func (p *population) start(timer int, interval schemes.Tick, passed time.Duration) (err error) {
	d := p.duration(interval, passed)
	switch {
	case p.scheme != nil && timer < len(p.handles):
		p.handles[timer], err = p.scheme.Start(interval, schemes.ID(timer))
	case p.scheme != nil:
		_, err = p.scheme.Start(interval, schemes.ID(timer))
	case timer < p.parts[1].n:
		p.started[timer], err = p.timers.AfterFunc(d, noop)
	default:
		defer p.lock(timer).Unlock()
		if p.failed.Load() == nil {
			p.started[timer], err = p.timers.AfterFunc(d, func() { p.expire(timer) })
		}
	}
	return err
}

func (p *population) lock(timer int) *sync.Mutex {
	lock := &p.locks[timer%len(p.locks)]
	lock.Lock()
	return lock
}

func (p *population) expire(timer int) {
	p.ended.Add(1)
	if err := p.start(timer, p.parts[0].interval(), 0); err != nil {
		p.failed.CompareAndSwap(nil, &err)
	}
}

// end ends a life of a timer that does not expire, and begins another one, of which a time has passed.
func (p *population) end(timer int, passed time.Duration) error {
	interval := p.parts[1].interval()
	p.ended.Add(1)
	switch {
	case rand.Float64() < p.restart:
		return p.reset(timer, interval, passed)
	case p.scheme != nil:
		p.scheme.Stop(p.handles[timer])
	default:
		p.started[timer].Stop()
	}
	return p.start(timer, interval, passed)
}

// reset restarts a timer that does not expire.
func (p *population) reset(timer int, interval schemes.Tick, passed time.Duration) (err error) {
	switch r, ok := p.scheme.(schemes.Restarter); {
	case p.scheme == nil:
		p.started[timer].Reset(p.duration(interval, passed))
		return nil
	case !ok:
		p.scheme.Stop(p.handles[timer])
	default:
		p.handles[timer], err = r.Restart(p.handles[timer], interval)
		if !errors.Is(err, schemes.ErrHandle) { // else it has expired
			return err
		}
	}
	return p.start(timer, interval, passed)
}

// tick lets a loop catch up with the clock.
func (p *population) tick(since time.Duration) {
	for passed := schemes.Tick(since / p.Tick); p.scheme != nil && p.now < passed; p.now++ {
		if p.scheme.PerTick() > 0 {
			p.scheme.Expire(func(id schemes.ID) {
				if int(id) >= len(p.handles) {
					p.expire(int(id))
				}
			})
		}
	}
}

// drive lets the timers run and makes the stops and restarts that are due, until some parts of the time are measured.
func (p *population) drive(ctx context.Context, parts int) error {
	wakes := newRequests(p.pause)
	defer wakes.Close()
	begun, from := time.Now(), loadWarm
	var before reading
	var within, begin time.Duration
	for done := 0; len(p.shares) < parts; {
		since := time.Since(begun)
		if since >= from {
			now := reading{time.Now(), run.CPUTime(), p.ended.Load()}
			if took := now.at.Sub(before.at).Seconds(); !before.at.IsZero() {
				p.shares = append(p.shares, (now.cpu-before.cpu).Seconds()/took)
				p.within = append(p.within, (within-begin).Seconds()/took)
				p.rates = append(p.rates, float64(now.ops-before.ops)/took)
			}
			before, begin, from = now, within, since+p.time()
		}
		p.tick(since)
		cpu, due := run.CPUTime(), p.ends*since.Seconds()
		for most := done + 1 + int(10*p.ends*p.pause.Seconds()); done < min(int(due), most); done++ {
			late := time.Duration((due - float64(done)) / p.ends * 1e9)
			if err := p.end(p.turn(done), late); err != nil {
				return err
			}
		}
		within += run.CPUTime() - cpu
		if err := p.failed.Load(); err != nil || ctx.Err() != nil {
			if err == nil {
				return ctx.Err()
			}
			return *err
		}
		if p.scheme != nil || p.ends == 0 {
			time.Sleep(min(p.pause-since%p.pause, max(from-since, 0)))
		} else if err := wakes.wait(); err != nil {
			return err
		}
	}
	return nil
}
