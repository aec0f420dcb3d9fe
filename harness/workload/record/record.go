// Package record writes down what the timers of a service do, as a trace that `bench
// trace` and `bench pick` read. A service calls it beside its own timers:
//
//	rec, err := record.New(file, record.Options{Tick: time.Millisecond})
//	...
//	c.timer = time.AfterFunc(timeout, c.close)
//	c.recorded = rec.Start(timeout)
//	...
//	c.timer.Reset(timeout)
//	rec.Reset(c.recorded, timeout)
//	...
//	if c.timer.Stop() {
//		rec.Stop(c.recorded)
//	}
//	...
//	err = rec.Close()
//
// A call takes some dozens of nanoseconds and never waits for the writing. What does
// not fit into its memory is dropped, and counted: the trace's last lines say how much.
// Expiries are not recorded: a timer expires when its interval has passed.
package record

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

// Timer names a timer that was recorded; the zero Timer names none.
type Timer uint64

// Options of a Recorder. The zero value is a tick of 1 ms and 64 MiB.
type Options struct {
	Tick   time.Duration // of the trace
	Source string        // what the trace says of where it comes from
	Memory int           // bytes, about, for calls that are not written yet and for timers outstanding
	Every  time.Duration // how often what was recorded is written; 0: 10 ms
}

const (
	defaultTick   = time.Millisecond
	defaultMemory = 64 << 20
	defaultEvery  = 10 * time.Millisecond
	leastMemory   = 64 << 10

	callBytes  = 2 * 24 // of a call: it is in a buffer, or in the one that is being written
	timerBytes = 200    // of a timer outstanding: its record on a wheel, and its entry in a map
)

// Recorder writes a trace. Its methods may be called by any goroutine at any time.
type Recorder struct {
	began  time.Time
	tick   time.Duration
	shards []shard

	stop    chan struct{}
	stopped chan struct{}
	once    sync.Once
	err     error

	// Of the goroutine that writes.
	trace  *tracefile.Writer
	held   []call // from behind the last cut
	most   int    // timers outstanding
	counts counts
}

// counts is what is not in the trace.
type counts struct{ full, many, late, unfit uint64 }

// call is one call of a service.
type call struct {
	at       time.Duration // since the beginning
	timer    Timer
	interval time.Duration // of a start or restart; 0: a stop
}

// restarts is a flag in call.timer.
const restarts = 1 << 63

// shard is where the calls about some of the timers go, so that goroutines seldom meet.
// Those about one timer stay in their order, however coarse the clock is.
type shard struct {
	mu      sync.Mutex
	calls   []call
	started uint64
	dropped uint64
	_       [64]byte // the next one is in another line of the cache
}

// New begins a trace. Call Close when it is to end. An error says which option is
// wrong.
func New(w io.Writer, o Options) (*Recorder, error) {
	if o.Tick == 0 {
		o.Tick = defaultTick
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.Every == 0 {
		o.Every = defaultEvery
	}
	switch {
	case o.Tick < 0:
		return nil, fmt.Errorf("record: Tick %v, allowed from 1ns", o.Tick)
	case o.Memory < leastMemory:
		return nil, fmt.Errorf("record: Memory %d, allowed from %d bytes", o.Memory, leastMemory)
	case o.Every < 0:
		return nil, fmt.Errorf("record: Every %v, allowed from 1ns", o.Every)
	}
	trace, err := tracefile.NewWriter(w, o.Tick, o.Source)
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		began: time.Now(), tick: o.Tick, trace: trace, most: o.Memory / 2 / timerBytes,
		shards: make([]shard, 4*runtime.GOMAXPROCS(0)),
		stop:   make(chan struct{}), stopped: make(chan struct{}),
	}
	room := max(16, o.Memory/2/callBytes/len(r.shards))
	for k := range r.shards {
		r.shards[k].calls = make([]call, 0, room)
	}
	go r.write(o.Every, make([]call, 0, room))
	return r, nil
}

// Start records that a timer starts, and names it. Safe for concurrent use; about 50
// ns.
func (r *Recorder) Start(d time.Duration) Timer {
	k := rand.Uint64N(uint64(len(r.shards)))
	s := &r.shards[k]
	s.mu.Lock()
	s.started++
	t := Timer(s.started*uint64(len(r.shards)) + k)
	s.add(r.began, t, max(d, 1))
	s.mu.Unlock()
	return t
}

// Reset records that a timer starts anew, whether it is outstanding or not.
func (r *Recorder) Reset(t Timer, d time.Duration) { r.record(t|restarts, max(d, 1)) }

// Stop records that a timer was stopped before it expired.
func (r *Recorder) Stop(t Timer) { r.record(t, 0) }

func (r *Recorder) record(t Timer, d time.Duration) {
	if t&^restarts == 0 {
		return
	}
	s := &r.shards[uint64(t&^restarts)%uint64(len(r.shards))]
	s.mu.Lock()
	s.add(r.began, t, d)
	s.mu.Unlock()
}

// add notes a call, unless there is no room. The time is read while the shard is
// locked: what comes after a cut is later than it.
func (s *shard) add(began time.Time, t Timer, d time.Duration) {
	if len(s.calls) == cap(s.calls) {
		s.dropped++
		return
	}
	s.calls = append(s.calls, call{time.Since(began), t, d})
}

// Close writes what was recorded, and what was dropped, and returns the first error of
// all writing. What is recorded afterwards is lost. It may be called again.
func (r *Recorder) Close() error {
	r.once.Do(func() { close(r.stop) })
	<-r.stopped
	return r.err
}

// write writes what was recorded every so often, until Close. spare is a buffer as large
// as a shard's.
func (r *Recorder) write(every time.Duration, spare []call) {
	defer close(r.stopped)
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			spare = r.cut(spare)
		case <-r.stop:
			r.cut(spare)
			r.flush(time.Duration(1<<63 - 1))
			r.footer()
			r.err = r.trace.Flush()
			return
		}
	}
}

// cut writes all calls from before now.
func (r *Recorder) cut(spare []call) []call {
	now := time.Since(r.began)
	for k := range r.shards {
		s := &r.shards[k]
		s.mu.Lock()
		s.calls, spare = spare[:0], s.calls
		r.counts.full += s.dropped
		s.dropped = 0
		s.mu.Unlock()
		r.held = append(r.held, spare...)
	}
	r.flush(now)
	return spare
}

// flush writes what is held from before a time, in order.
func (r *Recorder) flush(before time.Duration) {
	slices.SortStableFunc(r.held, func(a, b call) int { return int(a.at - b.at) })
	n, _ := slices.BinarySearchFunc(r.held, before, func(c call, t time.Duration) int { return int(c.at - t) })
	for _, c := range r.held[:n] {
		r.one(c)
	}
	r.held = append(r.held[:0], r.held[n:]...)
}

// one writes a call.
func (r *Recorder) one(c call) {
	at, timer := schemes.Tick(c.at/r.tick), uint64(c.timer&^restarts)
	interval := r.ticks(c.at, c.interval)
	switch {
	case c.interval == 0:
		if !r.trace.Stop(at, timer) {
			r.counts.late++
		}
	case c.timer&restarts != 0 && r.trace.Restart(at, timer, interval):
	case r.trace.Outstanding() >= r.most:
		r.counts.many++
	case !r.trace.Start(at, timer, interval):
		r.counts.unfit++
	}
}

// ticks returns an interval in ticks: from the tick on which it begins to the first that
// does not come before its end, so that a stop before the end comes before the expiry.
func (r *Recorder) ticks(at, interval time.Duration) schemes.Tick {
	within := at % r.tick
	ticks := interval / r.tick
	if rest := interval%r.tick + within; rest > 0 {
		ticks += (rest + r.tick - 1) / r.tick
	}
	return min(schemes.Tick(ticks), workload.MaxTicks)
}

// footer says what is not in the trace.
func (r *Recorder) footer() {
	if n := r.counts.full; n > 0 {
		r.trace.Header("dropped calls", fmt.Sprintf("%d, as they came faster than they were written", n))
	}
	if n := r.counts.many; n > 0 {
		r.trace.Header("dropped starts", fmt.Sprintf("%d, as %d timers were outstanding", n, r.most))
	}
	if n := r.counts.late; n > 0 {
		r.trace.Header("stops left out", fmt.Sprintf("%d, of timers whose interval had passed, or whose start was dropped", n))
	}
	if n := r.counts.unfit; n > 0 {
		r.trace.Header("starts left out", fmt.Sprintf("%d, of timers that were outstanding", n))
	}
}
