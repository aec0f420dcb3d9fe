package sharded

import (
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

// DefaultTick is what an Options.Tick of 0 means.
const DefaultTick = time.Millisecond

// MostShards bounds the wheels of a facility.
const MostShards = 1 << 12

// wheels for each processor. Timers are stopped and reset on whatever processor, and what
// two of them write wanders between their caches. With one wheel each, two processors that
// stop a timer and start another, ten thousand pending, take more than twice as long as with
// two (one-wheel-*.txt beside the results). More would spread many timers over more memory.
const wheels = 2

// Options of a facility. What is 0 is the default.
type Options struct {
	Tick   time.Duration
	Shards int             // wheels; 0: two for each processor that Go uses
	Panic  func(value any) // is given what an action panics with; nil: that ends the program
}

// Facility implements systems.Facility.
type Facility struct {
	began  time.Time
	shards []*shard
	near   sync.Pool // of *place: each processor has its own
	spread atomic.Uint32
}

// place is a processor's wheel.
type place struct{ shard uint32 }

// shard is a wheel and who serves it.
type shard struct {
	engine *engine.Engine
	crew   *crew
	worker sync.WaitGroup
}

// levels span what a time.Duration can hold, of ticks from 1 ns: wheels of 256 slots.
var levels = []int{256, 256, 256, 256, 256, 256, 256, 128}

// New starts a facility. What is negative, and more than MostShards, is an error wrapping
// schemes.ErrConfig.
func New(o Options) (*Facility, error) {
	if o.Tick == 0 {
		o.Tick = DefaultTick
	}
	if o.Shards == 0 {
		o.Shards = min(wheels*runtime.GOMAXPROCS(0), MostShards)
	}
	if o.Tick < 0 || o.Shards < 0 || o.Shards > MostShards {
		return nil, fmt.Errorf("%w: Tick %v, Shards %d, allowed 0 and above, up to %d shards", schemes.ErrConfig, o.Tick, o.Shards, MostShards)
	}
	f := &Facility{began: time.Now()}
	f.near.New = func() any { return &place{f.spread.Add(1) % uint32(o.Shards)} }
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
		engine: engine.New(wheel.(engine.Scheme), began, o.Tick, false),
		crew:   newCrew(max(o.Tick, time.Millisecond), o.Panic),
	}
	s.worker.Go(s.work)
	return s, nil
}

// work hands what is due to the crew, until the facility is closed.
func (s *shard) work() {
	var due []func()
	for ok := true; ok; {
		due, ok = s.engine.Take(due[:0], false)
		s.crew.run(due)
		clear(due)
	}
}

// AfterFunc implements systems.Facility. A wheel whose lock is taken is left to who has it:
// the next one becomes this processor's.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	t, err := engine.NewTimer(action)
	if err != nil {
		return nil, err
	}
	deadline := engine.Deadline(f.began, d)
	here := f.near.Get().(*place)
	defer f.near.Put(here)
	for range f.shards {
		done, err := f.shards[here.shard].engine.TryAdopt(t, deadline)
		if err != nil {
			return nil, err
		}
		if done {
			return t, nil
		}
		here.shard = (here.shard + 1) % uint32(len(f.shards))
	}
	if err := f.shards[here.shard].engine.Adopt(t, deadline); err != nil {
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
		s.worker.Wait()
		unexpired += s.crew.close()
	}
	return unexpired
}

// Wakeups implements systems.Waker: of all workers.
func (f *Facility) Wakeups() (n uint64) {
	for _, s := range f.shards {
		n += s.engine.Wakeups()
	}
	return n
}
