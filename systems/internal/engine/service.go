// Package engine runs timer schemes on the real clock. It is what package sharded and package locked have in common:
// one or several schemes, each under a lock, with goroutines that wait for due timers and run the actions.
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
	Scheme *schemes.Info
	Config schemes.Config
	Shards int // schemes, each with a lock; 0 is 1

	// Slack is the most by which a timer may count its duration from later than its start. If it is
	// not 0, not every start reads the clock. The scheme must accept all durations.
	Slack time.Duration
}

// Scheme is what a service requires of a scheme.
type Scheme interface {
	schemes.Scheme
	schemes.Restarter
	schemes.Identifier
	schemes.Nexter
	schemes.Advancer
}

// Service implements systems.Service.
type Service struct {
	design   Design
	options  systems.Options
	began    time.Duration // since epoch
	reach    schemes.Tick  // of the scheme: its longest interval
	slots    int           // of the scheme
	lastTick schemes.Tick  // that ends: the clock has 292 years
	closed   atomic.Bool

	// postpones reports whether a Reset to a later time may leave a timer where it is in the scheme. The
	// scheme must accept all durations, and a start must not search among all timers.
	postpones bool

	dropped sync.Once
	ending  Ending
	shards  []*shard
	near    []atomic.Uint32 // the index of the shard that goroutines with a hash use
}

// nearPerShard is how many hashes of goroutines there are at least for each shard.
const nearPerShard = 16

// Open starts a service. It returns an error wrapping schemes.ErrConfig if there is no scheme, if the
// tick is not positive, or if the scheme is not exact or lacks what a service requires.
func Open(d Design, o systems.Options) (systems.Service, error) {
	if o.Tick <= 0 {
		return nil, fmt.Errorf("%w: Tick %v (must be above 0)", schemes.ErrConfig, o.Tick)
	}
	if d.Scheme == nil {
		return nil, fmt.Errorf("%w: no scheme", schemes.ErrConfig)
	}
	d.Shards = max(d.Shards, 1)
	d.Config.Now = 0 // the service's clock counts from its opening
	v := &Service{design: d, options: o, began: sinceEpoch(), reach: d.Scheme.Range(d.Config)}
	v.lastTick = schemes.Tick(math.MaxInt64 / o.Tick)
	for _, radix := range append([]int{d.Config.Slots}, d.Config.Levels...) {
		v.slots += radix
	}
	wheels := d.Scheme.Kind == schemes.HashedWheel && !d.Scheme.Sorted || d.Scheme.Kind == schemes.Hierarchy
	v.postpones = wheels && v.reach >= v.lastTick
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
		s := &shard{service: v, alarmAt: math.MaxInt64}
		s.setScheme(exact)
		s.expire = s.handedOut
		v.shards = append(v.shards, s)
	}
	return v, nil
}

// epoch is the zero of the clock of all services.
var epoch = time.Now()

// sinceEpoch reads the clock without reading anything of a service. The processor ends all loads before a
// reading of the clock; so where it comes before the loads of a Timer, and not after them, a Reset does not wait for
// its Timer, and takes half the time among a million.
func sinceEpoch() time.Duration { return time.Since(epoch) }

// clock returns the time since the service began.
func (v *Service) clock() time.Duration { return sinceEpoch() - v.began }

// AfterFunc implements systems.Service.
func (v *Service) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	t := &Timer{action: action}
	s := v.lockShard()
	t.shard = s
	from, err := s.startNew(t, d)
	s.mu.Unlock()
	CheckClock(from)
	if err != nil {
		return nil, fmt.Errorf("AfterFunc(%v): %w", d, err)
	}
	return t, nil
}

// lockShard locks a shard for a start: the one of the goroutine, so that its timers are in few shards, which its
// processor has in its cache. Where goroutines meet at a lock, one of them moves on to the next shard and stays
// there. So does a goroutine whose shard has many more timers than another one.
func (v *Service) lockShard() *shard {
	if len(v.shards) == 1 {
		v.shards[0].mu.Lock()
		return v.shards[0]
	}
	near := &v.near[goroutineHash()&uint32(len(v.near)-1)]
	at := near.Load()
	for range v.shards {
		s := v.shards[at]
		if s.mu.TryLock() {
			if s.taken++; s.taken%balanceEvery != 0 {
				return s
			}
			s.mu.Unlock()
			at = v.balanced(at)
			near.Store(at)
			break
		}
		at = (at + 1) % uint32(len(v.shards))
		near.Store(at)
	}
	s := v.shards[at]
	s.mu.Lock()
	return s
}

// A scheme moves all that is due on a tick at once, under the lock, which takes about 10 ns a timer. So
// no shard has many more timers than another, whatever their deadlines are, and whatever Resets make of
// them. Of timers that no one stops, a shard has 10,000 more than its share at most.
const (
	mostAhead    = 4096 // timers that a shard may have more than another one
	balanceEvery = 256  // starts of a shard between two comparisons
)

// balanced returns the index of the shard with the fewest timers, if the given one has many more. It
// leaves out those whose locks are taken, but waits for one if they are more than half: then goroutines that
// do not run hold them, and one that does would start all timers of its time slice in one shard.
func (v *Service) balanced(at uint32) uint32 {
	least, limit, taken := at, math.MaxInt, 0
	for i := range uint32(len(v.shards)) {
		s := v.shards[(at+i)%uint32(len(v.shards))] // the given one first
		if !s.mu.TryLock() {
			if taken++; taken != len(v.shards)/2 {
				continue
			}
			s.mu.Lock()
		}
		if n := s.pending; i == 0 {
			limit = n - mostAhead
		} else if n < limit {
			least, limit = (at+i)%uint32(len(v.shards)), n
		}
		s.mu.Unlock()
	}
	return least
}

// goroutineHash returns a hash of the goroutine: of where its stack is. That is a hint only: a
// stack moves when it grows.
func goroutineHash() uint32 {
	const stackBits, factor = 13, 2654435769 // log2 of the bytes of a usual stack; 2^32 / the golden ratio
	var here byte
	return uint32(uintptr(unsafe.Pointer(&here))>>stackBits) * factor >> 16
}

// Close implements systems.Service.
func (v *Service) Close() (unexpired int, err error) { return v.CloseContext(context.Background()) }

// CloseContext implements systems.Service.
func (v *Service) CloseContext(ctx context.Context) (unexpired int, err error) {
	v.dropped.Do(func() {
		v.closed.Store(true) // from here on, no shard begins an action
		for _, s := range v.shards {
			unexpired += s.drop()
		}
	})
	return unexpired, v.ending.Wait(ctx, v.busy, func() {
		for _, s := range v.shards {
			s.alive.Wait()
		}
	})
}

// busy returns how many actions run, or calls of Execute if these are more: one may run the action.
func (v *Service) busy() (n int) {
	for _, s := range v.shards {
		s.mu.Lock()
		n += max(s.running, s.executing)
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
