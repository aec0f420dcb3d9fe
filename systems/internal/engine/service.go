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
	near    []near // of goroutines with a hash
}

// nearPerShard is how many hashes of goroutines there are at least for each shard.
const nearPerShard = 16

// Open starts a service. It returns an error wrapping schemes.ErrConfig if there is no scheme, if the
// tick is not positive, or if the scheme is not exact or lacks what a service requires.
func Open(d Design, o systems.Options) (*Service, error) {
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
	v.near = make([]near, 1<<bits.Len(uint(nearPerShard*d.Shards-1)))
	for range d.Shards {
		s := &shard{service: v, alarmAt: math.MaxInt64}
		s.expire, s.later = s.handedOut, s.lookAgainIn
		v.shards = append(v.shards, s)
	}
	scheme, err := d.Scheme.New(d.Config)
	if err != nil {
		return nil, err
	}
	exact, ok := scheme.(Scheme)
	if _, rounds := scheme.(schemes.Bounder); !ok || rounds {
		return nil, fmt.Errorf("%w: scheme %s (must be exact)", schemes.ErrConfig, d.Scheme.Name)
	}
	if d.Shards == 1 { // else each gets its own when it is needed
		v.shards[0].setScheme(exact)
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
	t.shard.p = unsafe.Pointer(s)
	from, err := s.startNew(t, d)
	s.mu.Unlock()
	CheckClock(from)
	if err != nil {
		return nil, fmt.Errorf("AfterFunc(%v): %w", d, err)
	}
	return t, nil
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
