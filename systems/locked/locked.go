// Package locked is the simplest facility: any scheme of the registry under one lock, with one
// worker that sleeps until the earliest timer or, stepping, wakes up for every tick. Use it
// for a scheme and sizes of your own choice, or to measure how long a scheme blocks other
// clients of the lock.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions. A
// duration beyond the scheme's range is an error.
package locked

import (
	"time"

	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Options configure a facility. The Tick must be set.
type Options struct {
	systems.Options
	Stepping bool // the worker wakes up for every tick

	// OnUnlock is called under the lock with the time for which that was held. If it is nil,
	// that time is not measured.
	OnUnlock func(op Operation, held time.Duration)
}

// Operation is what the lock was held for.
type Operation = engine.Operation

// The operations.
const (
	Start = engine.Starting
	Stop  = engine.Stopping
	Reset = engine.Resetting
	Tick  = engine.Ticking // all ticks that the worker passes at once, and Expire
)

// Facility implements systems.Facility.
type Facility struct{ *engine.Facility }

// New starts a facility with any scheme of the registry but the variants that trade precision.
// It returns an error wrapping schemes.ErrConfig if the scheme rejects cfg or is such a
// variant, or if the Tick is not positive.
func New(info *schemes.Info, cfg schemes.Config, o Options) (Facility, error) {
	f, err := engine.Open(info, cfg, o.Options, engine.Mode{Stepping: o.Stepping, OnUnlock: o.OnUnlock})
	return Facility{f}, err
}
