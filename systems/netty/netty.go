// Package netty is Netty's HashedWheelTimer (as of Netty 4.1): a hashed wheel with rounds, by
// default 512 slots of 100 ms, which only its one worker accesses. Starts and stops go into a
// queue. On every tick the worker takes the queue, removes the stopped timers, moves at most
// 100,000 new ones into the wheel, so that the length of a tick is bounded, and runs what is due.
// From the first start on it wakes up for every tick, empty or not. The number of pending timers
// can be limited.
//
// An action runs at most a tick late, plus a tick for every 100,000 starts queued before it in
// the same tick, plus the delays of scheduling and of earlier actions. A slow action delays all
// others, unless Options.Execute runs actions elsewhere (netty/netty#11724 asked for that).
//
// Differences from Netty:
//
//   - Netty's worker empties the queues only between actions, so that stopped timers pile up
//     behind a slow one. Here the queue is emptied on every tick, also while an action runs.
//   - Netty's Timeouts cannot be restarted. Here a Reset changes the timer in the queue; it
//     counts once for the limit.
//   - For long, Netty counted a timer cancelled after it had entered the wheel twice as no longer
//     pending (netty/netty#14959), which weakened its limit (netty/netty#5647). Here it counts once.
//   - In Netty a timer of no duration waits for a tick.
//   - The warning about too many instances and the rounding of sleeps on Windows are left out.
package netty

import (
	"cmp"
	"fmt"
	"math/bits"
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

// Options configure a service.
type Options struct {
	systems.Options     // a Tick of 0 selects DefaultTick
	Slots           int // M, rounded up to a power of two; 0 selects DefaultSlots

	// MaxPending limits the pending timers, those stopped since the last tick included; 0 is
	// no limit. AfterFunc beyond it returns an error wrapping systems.ErrPending.
	MaxPending int
}

// New starts a service, which first wakes up after the first start. If an option is negative or
// Slots is above schemes.MaxSlots, it returns an error wrapping schemes.ErrConfig.
func New(o Options) (systems.Facility, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	o.Slots = cmp.Or(o.Slots, DefaultSlots)
	if o.Slots < 0 || o.MaxPending < 0 {
		return nil, fmt.Errorf("%w: Slots %d, MaxPending %d (must not be negative)",
			schemes.ErrConfig, o.Slots, o.MaxPending)
	}
	if o.Slots > schemes.MaxSlots {
		return nil, fmt.Errorf("%w: Slots %d (must be at most %d)", schemes.ErrConfig, o.Slots, schemes.MaxSlots)
	}
	return engine.Open(engine.Design{
		Scheme: &hashunsorted.Info, Config: schemes.Config{Slots: 1 << bits.Len(uint(o.Slots-1))},
		Stepping: true, MostMoved: MostMoved, MaxPending: o.MaxPending,
	}, o.Options)
}
