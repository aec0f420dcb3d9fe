// Package kafka is the timer of Apache Kafka's purgatory (SystemTimer and TimingWheel as of
// Kafka 3): hierarchical wheels of 20 slots each, the lowest with slots of 1 ms, whose higher
// levels are made when an interval needs them. One worker, the reaper, sleeps until the
// earliest non-empty slot is due, so empty ticks cost nothing.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
//
// Differences from Kafka:
//
//   - Kafka finds the earliest slot with a delay queue, a heap of slots; here the scheme
//     returns it (schemes.Nexter).
//   - Kafka rounds the time of the start and the deadline down, so a timer may be early by up
//     to a tick; here none is early.
//   - Kafka's starts share a read lock and then lock their slot, and only the reaper takes the
//     write lock; here there is one lock.
//   - Kafka's reaper also wakes up every 200 ms to check for shutdown; this one does not.
//   - Kafka's executor is one thread; here it is the worker, or Options.Execute.
//   - Cancelling by removing a timer's entry, and the counter of tasks, are left out.
package kafka

import (
	"cmp"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Facility is Kafka's timer. It implements systems.Facility.
type Facility struct{ *engine.Facility }

// Kafka's defaults.
const (
	DefaultTick  = time.Millisecond
	DefaultSlots = 20
)

// New starts a facility. Each of its wheels has the given number of slots; 0 selects
// DefaultSlots, and a Tick of 0 DefaultTick. If either is negative, New returns an error
// wrapping schemes.ErrConfig.
func New(slots int, o systems.Options) (Facility, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	cfg := schemes.Config{Levels: []int{cmp.Or(slots, DefaultSlots)}}
	f, err := engine.Open(&hierarchical.OnDemand, cfg, o, engine.Mode{})
	return Facility{f}, err
}
