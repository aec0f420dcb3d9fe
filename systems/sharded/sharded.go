package sharded

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// DefaultTick is selected by an Options.Tick of 0.
const DefaultTick = time.Millisecond

// MostShards is the largest number of wheels of a facility.
const MostShards = 1 << 12

// wheelsPerProc is the default number of wheels for each processor. Timers are stopped and reset
// on any processor, and cache lines written by two of them bounce between their caches. With
// one wheel for each, two processors that replace one of ten thousand timers take more than
// twice as long as with two (one-wheel-*.txt in results). More than two would spread many
// timers over more memory.
const wheelsPerProc = 2

// Options configure a facility. Zero values select the defaults.
type Options struct {
	Tick   time.Duration
	Shards int             // number of wheels; 0 selects two for each of GOMAXPROCS
	Panic  func(value any) // called with the value of a panicking action; nil ends the program
}

// Facility implements systems.Facility.
type Facility struct {
	began  time.Time
	shards []*shard
	near   sync.Pool // of *cursor: in effect, one for each processor
	spread atomic.Uint32
}

// cursor is the index of the wheel that a processor uses.
type cursor struct{ shard uint32 }

// shard is a wheel with its collector and its pool.
type shard struct {
	engine    *engine.Engine
	pool      *pool
	collector sync.WaitGroup
}

// levels make a range of all durations, in ticks of 1 ns or longer.
var levels = []int{256, 256, 256, 256, 256, 256, 256, 128}

// New starts a facility. If an option is negative, or Shards is above MostShards, it returns an
// error wrapping schemes.ErrConfig.
func New(o Options) (*Facility, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	o.Shards = cmp.Or(o.Shards, min(wheelsPerProc*runtime.GOMAXPROCS(0), MostShards))
	if o.Tick < 0 {
		return nil, fmt.Errorf("%w: Tick %v (must not be negative)", schemes.ErrConfig, o.Tick)
	}
	if o.Shards < 0 || o.Shards > MostShards {
		return nil, fmt.Errorf("%w: Shards %d (must be 0 to %d)", schemes.ErrConfig, o.Shards, MostShards)
	}
	f := &Facility{began: time.Now()}
	f.near.New = func() any { return &cursor{f.spread.Add(1) % uint32(o.Shards)} }
	for range o.Shards {
		s, err := newShard(f.began, o)
		if err != nil {
			f.Close()
			return nil, err
		}
		f.shards = append(f.shards, s)
	}
	return f, nil
}

func newShard(began time.Time, o Options) (*shard, error) {
	wheel, err := hierarchical.Chunked.New(schemes.Config{Levels: levels})
	if err != nil {
		return nil, err
	}
	s := &shard{
		engine: engine.New(wheel.(engine.Scheme), began, o.Tick, engine.Mode{}),
		pool:   newPool(max(o.Tick, time.Millisecond), o.Panic),
	}
	s.collector.Go(s.collect)
	return s, nil
}

// collect hands due actions to the pool until the facility is closed.
func (s *shard) collect() {
	for due, ok := s.engine.Take(); ok; due, ok = s.engine.Take() {
		s.pool.add(due)
		clear(due) // for the garbage collector
	}
}

// AfterFunc implements systems.Facility. If the lock of this processor's wheel is taken, the
// processor moves on to the next wheel.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	t, err := engine.NewTimer(action)
	if err != nil {
		return nil, err
	}
	deadline := engine.Deadline(f.began, d)
	here := f.near.Get().(*cursor)
	defer f.near.Put(here)
	for range f.shards {
		locked, err := f.shards[here.shard].engine.TryStart(t, deadline)
		if err != nil {
			return nil, err
		}
		if locked {
			return t, nil
		}
		here.shard = (here.shard + 1) % uint32(len(f.shards))
	}
	if err := f.shards[here.shard].engine.Start(t, deadline); err != nil {
		return nil, err
	}
	return t, nil
}

// Close implements systems.Facility.
func (f *Facility) Close() (unexpired int) {
	for _, s := range f.shards {
		pending, _ := s.engine.Close()
		unexpired += pending
	}
	for _, s := range f.shards {
		s.collector.Wait()
		unexpired += s.pool.close()
	}
	return unexpired
}

// Wakeups implements systems.Waker. It counts those of all collectors.
func (f *Facility) Wakeups() (n uint64) {
	for _, s := range f.shards {
		n += s.engine.Wakeups()
	}
	return n
}
