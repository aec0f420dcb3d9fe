package netty

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Netty's defaults, and how many new timers a tick moves into the wheel.
const (
	DefaultTick  = 100 * time.Millisecond
	DefaultSlots = 512
	MostMoved    = 100_000
)

// Options of a facility.
type Options struct {
	systems.Options     // a Tick of 0 is 100 ms
	Slots           int // M, rounded up to a power of two; 0: 512
	MaxPending      int // timers that may wait, those stopped since the last tick included; 0: any number
}

// ErrPending is wrapped by the error of AfterFunc when as many timers wait as may.
var ErrPending = errors.New("too many timers wait")

// Facility implements systems.Facility.
type Facility struct {
	Options
	wheel   schemes.Scheme
	pending atomic.Int64
	started sync.Once
	began   time.Time // of tick 0
	closed  atomic.Bool
	closing sync.RWMutex  // a Reset is before Close or after it
	wake    chan struct{} // closed by Close
	wakeups atomic.Uint64
	worker  sync.WaitGroup
	running sync.WaitGroup // actions
	starts  queue
	stops   queue

	// The worker's own.
	now       schemes.Tick
	entries   []*entry // in the wheel, by ID
	free      []uint32
	backlog   []*entry // taken from starts, not yet moved
	removed   []*entry // taken from stops
	due       []*entry // those from at on have not begun
	at        int
	unexpired int
}

// New returns a facility, whose worker begins with the first timer. What is negative, and
// more than schemes.MaxSlots, is an error wrapping schemes.ErrConfig.
func New(o Options) (*Facility, error) {
	if o.Tick == 0 {
		o.Tick = DefaultTick
	}
	if o.Slots == 0 {
		o.Slots = DefaultSlots
	}
	if o.Tick < 0 || o.Slots < 0 || o.MaxPending < 0 {
		return nil, fmt.Errorf("%w: Tick %v, Slots %d, MaxPending %d, allowed 0 and above", schemes.ErrConfig, o.Tick, o.Slots, o.MaxPending)
	}
	if o.Slots > schemes.MaxSlots {
		return nil, fmt.Errorf("%w: Slots %d, allowed at most %d", schemes.ErrConfig, o.Slots, schemes.MaxSlots)
	}
	o.Slots = 1 << bits.Len(uint(o.Slots-1))
	wheel, err := hashunsorted.Info.New(schemes.Config{Slots: o.Slots})
	if err != nil {
		return nil, err
	}
	return &Facility{Options: o, wheel: wheel, wake: make(chan struct{})}, nil
}

// entry is one waiting of a timer: each Reset makes a new one.
type entry struct {
	deadline time.Duration // since began
	action   func()
	state    atomic.Int32
	starting node           // in the queue of starts
	stopping node           // in the queue of stops
	handle   schemes.Handle // 0: not in the wheel; the worker's
	id       uint32         // the worker's
}

// States of an entry. Whoever changes it from waiting decides what becomes of it.
const (
	waiting = iota
	stopped
	begun
	dropped
)

func (e *entry) become(state int32) bool { return e.state.CompareAndSwap(waiting, state) }

// queue has many producers and one consumer: a stack that is taken as a whole.
type queue struct{ top atomic.Pointer[node] }

type node struct {
	next  *node
	entry *entry
}

func (q *queue) push(n *node) {
	for {
		n.next = q.top.Load()
		if q.top.CompareAndSwap(n.next, n) {
			return
		}
	}
}

// take appends all that is queued, the first first.
func (q *queue) take(into []*entry) []*entry {
	first := len(into)
	for n := q.top.Swap(nil); n != nil; {
		into = append(into, n.entry)
		n, n.next = n.next, nil // else one that waits would keep all that were ever queued before it
	}
	slices.Reverse(into[first:])
	return into
}

// timer implements systems.Timer.
type timer struct {
	facility *Facility
	action   func()
	mu       sync.Mutex
	entry    *entry
}

// AfterFunc implements systems.Facility. Beside ErrClosed, an error may wrap ErrPending.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	if f.closed.Load() {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	if n := f.pending.Add(1); f.MaxPending > 0 && n > int64(f.MaxPending) {
		f.pending.Add(-1)
		return nil, fmt.Errorf("AfterFunc: %w: %d, allowed %d", ErrPending, n, f.MaxPending)
	}
	e, err := f.start(d, action)
	if err != nil {
		f.pending.Add(-1)
		return nil, err
	}
	return &timer{facility: f, action: action, entry: e}, nil
}

// start queues an entry, for which there is place.
func (f *Facility) start(d time.Duration, action func()) (*entry, error) {
	f.started.Do(f.begin)
	e := &entry{action: action, deadline: engine.Deadline(f.began, d)}
	e.starting.entry = e
	f.starts.push(&e.starting)
	if f.closed.Load() && e.become(dropped) { // Close has not seen it
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	return e, nil
}

func (f *Facility) begin() {
	f.began = time.Now()
	f.worker.Add(1)
	engine.Keep(f.work, f.worker.Done)
}

// Stop implements systems.Timer.
func (t *timer) Stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stop()
}

func (t *timer) stop() bool {
	if !t.entry.become(stopped) {
		return false
	}
	t.entry.stopping.entry = t.entry
	t.facility.stops.push(&t.entry.stopping)
	return true
}

// Reset implements systems.Timer. Netty's has none: it is a stop and a start. That of a timer
// that waits always finds place; of another one, where as many wait as may, it does nothing.
func (t *timer) Reset(d time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.facility
	f.closing.RLock()
	defer f.closing.RUnlock()
	if f.closed.Load() {
		return false
	}
	waited := t.stop()
	if n := f.pending.Add(1); !waited && f.MaxPending > 0 && n > int64(f.MaxPending) {
		f.pending.Add(-1)
		return false
	}
	t.entry, _ = f.start(d, t.action) // it is not closed
	return waited
}
