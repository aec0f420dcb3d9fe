package netty

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Netty's defaults, and the largest number of new timers that a tick moves into the wheel.
const (
	DefaultTick  = 100 * time.Millisecond
	DefaultSlots = 512
	MostMoved    = 100_000
)

// Options configure a facility.
type Options struct {
	systems.Options     // a Tick of 0 selects DefaultTick
	Slots           int // M, rounded up to a power of two; 0 selects DefaultSlots
	MaxPending      int // limit of pending timers, those stopped since the last tick included; 0 is no limit
}

// ErrPending is wrapped by the error of AfterFunc if MaxPending timers are pending.
var ErrPending = errors.New("too many pending timers")

// Facility implements systems.Facility.
type Facility struct {
	Options
	wheel   schemes.Scheme
	pending atomic.Int64
	started sync.Once
	began   time.Time // of tick 0
	closed  atomic.Bool
	closing sync.RWMutex  // orders each Reset before or after Close
	wake    chan struct{} // closed by Close
	wakeups atomic.Uint64
	worker  sync.WaitGroup
	running sync.WaitGroup // actions
	starts  queue
	stops   queue

	// The worker's.
	now       schemes.Tick
	entries   engine.Table[*entry] // in the wheel, by ID
	backlog   []*entry             // taken from starts, not yet in the wheel
	removed   []*entry             // taken from stops
	due       []*entry
	at        int // index of the first entry in due that has not begun
	unexpired int
}

// New returns a facility, whose worker starts with the first timer. If an option is negative or
// Slots is above schemes.MaxSlots, it returns an error wrapping schemes.ErrConfig.
func New(o Options) (*Facility, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	o.Slots = cmp.Or(o.Slots, DefaultSlots)
	if o.Tick < 0 || o.Slots < 0 || o.MaxPending < 0 {
		return nil, fmt.Errorf("%w: Tick %v, Slots %d, MaxPending %d (must not be negative)",
			schemes.ErrConfig, o.Tick, o.Slots, o.MaxPending)
	}
	if o.Slots > schemes.MaxSlots {
		return nil, fmt.Errorf("%w: Slots %d (must be at most %d)", schemes.ErrConfig, o.Slots, schemes.MaxSlots)
	}
	o.Slots = 1 << bits.Len(uint(o.Slots-1))
	wheel, err := hashunsorted.Info.New(schemes.Config{Slots: o.Slots})
	if err != nil {
		return nil, err
	}
	return &Facility{Options: o, wheel: wheel, wake: make(chan struct{})}, nil
}

// AfterFunc implements systems.Facility. Its error may also wrap ErrPending.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrAction)
	}
	if f.closed.Load() {
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	if n := f.pending.Add(1); f.MaxPending > 0 && n > int64(f.MaxPending) {
		f.pending.Add(-1)
		return nil, fmt.Errorf("AfterFunc: %w: %d (at most %d)", ErrPending, n, f.MaxPending)
	}
	e, err := f.start(d, action)
	if err != nil {
		f.pending.Add(-1)
		return nil, err
	}
	return &timer{facility: f, action: action, entry: e}, nil
}

// start queues a new entry, which pending already counts.
func (f *Facility) start(d time.Duration, action func()) (*entry, error) {
	f.started.Do(func() {
		f.began = time.Now()
		f.worker.Add(1)
		engine.RunForever(f.work, f.worker.Done)
	})
	e := &entry{action: action, deadline: engine.Deadline(f.began, d)}
	e.starting.entry = e
	f.starts.push(&e.starting)
	if f.closed.Load() && e.become(dropped) { // Close has missed it
		return nil, fmt.Errorf("AfterFunc: %w", systems.ErrClosed)
	}
	return e, nil
}

// Close implements systems.Facility.
func (f *Facility) Close() (unexpired int) {
	f.closing.Lock()
	first := f.closed.CompareAndSwap(false, true)
	f.closing.Unlock()
	if first {
		close(f.wake)
	}
	f.started.Do(func() {}) // the worker will not be started; a concurrent start drops its timer
	f.worker.Wait()
	f.running.Wait()
	if !first {
		return 0
	}
	return f.unexpired
}

// Wakeups implements systems.Waker.
func (f *Facility) Wakeups() uint64 { return f.wakeups.Load() }

// timer implements systems.Timer.
type timer struct {
	facility *Facility
	action   func()
	mu       sync.Mutex
	entry    *entry // of the last start
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

// Reset implements systems.Timer. Netty has none: this one is a stop and a start. It ignores
// MaxPending if the timer is pending; otherwise it does nothing if MaxPending timers are.
func (t *timer) Reset(d time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.facility
	f.closing.RLock()
	defer f.closing.RUnlock()
	if f.closed.Load() {
		return false
	}
	wasPending := t.stop()
	if n := f.pending.Add(1); !wasPending && f.MaxPending > 0 && n > int64(f.MaxPending) {
		f.pending.Add(-1)
		return false
	}
	t.entry, _ = f.start(d, t.action) // it fails only after Close
	return wasPending
}
