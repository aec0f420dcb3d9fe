// Package engine runs timer schemes on the real clock. It is what all services but std have in
// common: one or several schemes, each under a lock, with goroutines that wait for due timers
// and run the actions. A Design describes a service.
package engine

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"timerlab/schemes"
	"timerlab/systems"
)

// Design is how services differ.
type Design struct {
	Scheme   *schemes.Info
	Config   schemes.Config
	Shards   int  // schemes, each with a lock; 0 is 1
	Workers  int  // that run actions at the same time, for each shard; 0 is 1
	Grow     bool // workers are added while due timers wait
	Stepping bool // wake up for every tick, not only when a timer may be due
	Lazy     bool // stopped timers stay in the scheme until their deadline

	// Slack is the most by which a timer may count its duration from later than its start. If it is
	// not 0, not every start reads the clock. The scheme's range must be that of the clock.
	Slack time.Duration

	// If MostMoved is not 0, starts and stops go into a queue, and each tick moves at most this
	// number of timers from it into the scheme.
	MostMoved  int
	MaxPending int // limit of pending timers; 0 is no limit
}

// Scheme is what a service requires of a scheme.
type Scheme interface {
	schemes.Scheme
	schemes.Restarter
	schemes.Identifier
	schemes.Nexter
	schemes.Advancer
}

// Service implements systems.Facility.
type Service struct {
	design   Design
	options  systems.Options
	began    time.Time
	reach    schemes.Tick // of the scheme: its longest interval
	lastTick schemes.Tick // that ends: the clock has 292 years
	closed   atomic.Bool
	dropped  sync.Once
	shards   []*shard
	inbox    *inbox          // nil: starts go straight to a shard
	near     []atomic.Uint32 // the index of the shard that goroutines with a hash use
	turns    atomic.Uint64   // crowds that every shard has taken
}

// nearPerShard is how many hashes of goroutines there are at least for each shard.
const nearPerShard = 16

// Open starts a service. It returns an error wrapping schemes.ErrConfig if the tick is not
// positive, or if the scheme is not exact or lacks what a service requires.
func Open(d Design, o systems.Options) (systems.Facility, error) {
	if o.Tick <= 0 {
		return nil, fmt.Errorf("%w: Tick %v (must be above 0)", schemes.ErrConfig, o.Tick)
	}
	d.Shards, d.Workers = max(d.Shards, 1), max(d.Workers, 1)
	d.Grow = d.Grow && o.Execute == nil
	v := &Service{design: d, options: o, began: time.Now(), reach: d.Scheme.Range(d.Config)}
	v.lastTick = schemes.Tick(math.MaxInt64 / o.Tick)
	v.near = make([]atomic.Uint32, 1<<bits.Len(uint(nearPerShard*d.Shards-1)))
	for i := range v.near {
		v.near[i].Store(uint32(i % d.Shards))
	}
	for range d.Shards {
		scheme, err := d.Scheme.New(d.Config)
		if err != nil {
			return nil, err
		}
		exact, ok := scheme.(Scheme)
		if _, rounds := scheme.(schemes.Bounder); !ok || rounds {
			return nil, fmt.Errorf("%w: scheme %s (must be exact)", schemes.ErrConfig, d.Scheme.Name)
		}
		v.shards = append(v.shards, newShard(v, exact))
	}
	if d.MostMoved > 0 {
		v.inbox = &inbox{service: v}
	}
	return v, nil
}

// clock returns the time since the service began.
func (v *Service) clock() time.Duration { return time.Since(v.began) }

// unlockedTime is clock where a shard does not read it under its lock.
func (v *Service) unlockedTime() time.Duration {
	if v.design.Slack > 0 {
		return 0
	}
	return v.clock()
}

// AfterFunc implements systems.Facility.
func (v *Service) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	if v.inbox != nil {
		return v.inbox.afterFunc(d, action)
	}
	t := &Timer{action: action}
	before := v.unlockedTime()
	s := v.lockShard()
	t.shard = s
	_, err := s.reset(t, before, d)
	s.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("AfterFunc(%v): %w", d, err)
	}
	return t, nil
}

// lockShard locks a shard for a start: the one of the goroutine, so that its timers are in few
// shards, which its processor has in its cache. Where goroutines meet at a lock, one of them moves
// on to the next shard and stays there. So does a goroutine whose shard is crowded.
func (v *Service) lockShard() *shard {
	if len(v.shards) == 1 {
		v.shards[0].mu.Lock()
		return v.shards[0]
	}
	near := &v.near[goroutineHash()&uint32(len(v.near)-1)]
	at := near.Load()
	crowded, turns := 0, v.turns.Load()
	for range v.shards {
		if s := v.shards[at]; s.mu.TryLock() {
			if !s.crowded() {
				return s
			}
			s.mu.Unlock()
			crowded++
		}
		at = (at + 1) % uint32(len(v.shards))
		near.Store(at)
	}
	if crowded == len(v.shards) { // all have had their turn
		v.turns.CompareAndSwap(turns, turns+1)
	}
	s := v.shards[at]
	s.mu.Lock()
	return s
}

// goroutineHash returns a hash of the goroutine: of where its stack is. That is a hint only: a
// stack moves when it grows.
func goroutineHash() uint32 {
	const stackBits, factor = 13, 2654435769 // log2 of the bytes of a usual stack; 2^32 / the golden ratio
	var here byte
	return uint32(uintptr(unsafe.Pointer(&here))>>stackBits) * factor >> 16
}

// Close implements systems.Facility.
func (v *Service) Close() (unexpired int, err error) { return v.CloseContext(context.Background()) }

// CloseContext implements systems.Facility.
func (v *Service) CloseContext(ctx context.Context) (unexpired int, err error) {
	v.dropped.Do(func() {
		if v.inbox != nil {
			v.inbox.closing.Lock()
			defer v.inbox.closing.Unlock()
		}
		v.closed.Store(true) // from here on, no shard begins an action
		for _, s := range v.shards {
			unexpired += s.drop()
		}
	})
	return unexpired, Wait(ctx, v.running, func() {
		for _, s := range v.shards {
			s.alive.Wait()
		}
	})
}

func (v *Service) running() (n int) {
	for _, s := range v.shards {
		s.mu.Lock()
		n += s.running
		s.mu.Unlock()
	}
	return n
}

// end returns the time at which a tick ends; math.MaxInt64 if that is never.
func (v *Service) end(k schemes.Tick) time.Duration {
	if k > v.lastTick {
		return math.MaxInt64
	}
	return time.Duration(k) * v.options.Tick
}

// dueOn returns the first tick that ends at a deadline or later.
func (v *Service) dueOn(deadline time.Duration) schemes.Tick {
	due := schemes.Tick(deadline / v.options.Tick)
	if deadline%v.options.Tick > 0 {
		due++
	}
	return due
}

// after returns the time d after now, at most 292 years.
func after(now, d time.Duration) time.Duration { return now + min(max(d, 0), math.MaxInt64-now) }
