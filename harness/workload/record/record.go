// Package record records what the timers of a service do, as a trace that package
// tracefile reads. A service calls it next to its own timers; see the example.
//
// A call takes 50 to 80 ns and never waits for the writing. Calls that do not fit into
// its memory are dropped and counted; the trace's last lines report them. Expiries are
// not recorded: a timer expires when its interval has passed.
package record

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

// Timer names a recorded timer; the zero Timer names none.
type Timer uint64

// Options of a Recorder. The zero value of a field means the default.
type Options struct {
	Tick   time.Duration // of the trace; 1 ms by default
	Source string        // of the trace, for its header
	Every  time.Duration // how often the recorded calls are written; 10 ms by default

	// Memory is the approximate bytes for waiting calls and outstanding timers; 64 MiB by
	// default, for 167,772 timers outstanding at a time and half a million calls between two
	// writes. Starts beyond them are dropped.
	Memory int
}

const (
	leastMemory = 64 << 10
	callBytes   = 2 * 24 // a call is in a shard's buffer, or in the one being written
	timerBytes  = 200    // an outstanding timer has a record on a wheel and an entry in a map
)

// Recorder writes a trace. Its methods may be called by any goroutine at any time.
type Recorder struct {
	began         time.Time
	tick          time.Duration
	shards        []shard
	stop, stopped chan struct{}
	once          sync.Once
	err           atomic.Pointer[error] // the first of all writing

	// The rest belongs to the goroutine that writes.
	trace   *tracefile.Writer
	waiting []call // recorded after the last cut
	most    int    // timers outstanding

	droppedCalls, droppedStarts, lateStops, badStarts uint64 // not in the trace
}

type call struct {
	at       time.Duration // since the beginning
	timer    Timer
	interval time.Duration // of a start or restart; 0 for a stop
}

// restarts is a flag in call.timer.
const restarts = 1 << 63

// shard collects the calls about some of the timers, so that goroutines seldom contend.
// Calls about one timer stay in order, however coarse the clock is.
type shard struct {
	mu      sync.Mutex
	calls   []call
	started uint64
	dropped uint64
	_       [64]byte // against false sharing with the next shard
}

// New begins a trace, which Close ends. The error names the option that is invalid.
func New(w io.Writer, o Options) (*Recorder, error) {
	o.Tick, o.Every = cmp.Or(o.Tick, time.Millisecond), cmp.Or(o.Every, 10*time.Millisecond)
	o.Memory = cmp.Or(o.Memory, 64<<20)
	switch {
	case o.Tick < 0:
		return nil, fmt.Errorf("record: invalid Tick %v (use 1ns or more)", o.Tick)
	case o.Memory < leastMemory:
		return nil, fmt.Errorf("record: invalid Memory %d (use %d bytes or more)", o.Memory, leastMemory)
	case o.Every < 0:
		return nil, fmt.Errorf("record: invalid Every %v (use 1ns or more)", o.Every)
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

// Start records that a timer starts, and names it.
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

// Reset records that a timer is restarted, or started again if it is not outstanding.
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

// add appends a call if there is room. It reads the time while the shard is locked: a
// call added after a cut is later than it.
func (s *shard) add(began time.Time, t Timer, d time.Duration) {
	if len(s.calls) == cap(s.calls) {
		s.dropped++
		return
	}
	s.calls = append(s.calls, call{time.Since(began), t, d})
}

// Err returns the first error of all writing so far. What is recorded after an error is lost.
func (r *Recorder) Err() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close writes the rest of the trace and what was dropped, and returns the first error of
// all writing. Later calls are lost. Close may be called again.
func (r *Recorder) Close() error {
	r.once.Do(func() { close(r.stop) })
	<-r.stopped
	return r.Err()
}

// write writes the recorded calls at each interval, until Close. spare is a buffer as
// large as a shard's.
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
			r.writeCalls(math.MaxInt64)
			for _, missing := range []struct {
				name string
				n    uint64
				why  string
			}{
				{"dropped calls", r.droppedCalls, "which came faster than they were written"},
				{"dropped starts", r.droppedStarts, fmt.Sprintf("while %d timers were outstanding", r.most)},
				{"stops left out", r.lateStops, "of timers whose interval had passed or whose start was dropped"},
				{"starts left out", r.badStarts, "of timers that were outstanding"},
			} {
				if missing.n > 0 {
					r.trace.Header(missing.name, fmt.Sprintf("%d, %s", missing.n, missing.why))
				}
			}
			r.flushTrace()
			return
		}
	}
}

// flushTrace hands what the trace buffers to the caller's writer.
func (r *Recorder) flushTrace() {
	if err := r.trace.Flush(); err != nil {
		r.err.CompareAndSwap(nil, &err)
	}
}

// cut writes all calls from before now.
func (r *Recorder) cut(spare []call) []call {
	now := time.Since(r.began)
	for k := range r.shards {
		s := &r.shards[k]
		s.mu.Lock()
		s.calls, spare = spare[:0], s.calls
		r.droppedCalls += s.dropped
		s.dropped = 0
		s.mu.Unlock()
		r.waiting = append(r.waiting, spare...)
	}
	r.writeCalls(now)
	r.flushTrace()
	return spare
}

// writeCalls writes the waiting calls from before a time, in order.
func (r *Recorder) writeCalls(before time.Duration) {
	slices.SortStableFunc(r.waiting, func(a, b call) int { return cmp.Compare(a.at, b.at) })
	n := 0
	for ; n < len(r.waiting) && r.waiting[n].at < before; n++ {
		c := r.waiting[n]
		at, timer := schemes.Tick(c.at/r.tick), uint64(c.timer&^restarts)
		// From the tick on which the interval begins to the first that does not come before its end, so that
		// a stop before the end comes before the expiry.
		rest := c.interval%r.tick + c.at%r.tick
		interval := min(schemes.Tick(c.interval/r.tick+(rest+r.tick-1)/r.tick), workload.MaxTicks)
		switch {
		case c.interval == 0:
			if !r.trace.Write(at, workload.Stop, timer, 0) {
				r.lateStops++
			}
		case c.timer&restarts != 0 && r.trace.Write(at, workload.Restart, timer, interval):
		case r.trace.Outstanding() >= r.most:
			r.droppedStarts++
		case !r.trace.Write(at, workload.Start, timer, interval):
			r.badStarts++
		}
	}
	r.waiting = slices.Delete(r.waiting, 0, n)
}
