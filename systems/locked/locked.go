package locked

import (
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Options of a facility.
type Options struct {
	systems.Options
	Stepping bool // the worker wakes for every tick

	// Held is told how long the lock was held, under the lock. nil: nobody asks, and no
	// clock is read.
	Held func(by Operation, held time.Duration)
}

// Operation is what holds the lock.
type Operation = engine.Operation

// Operations.
const (
	Start = engine.Starting
	Stop  = engine.Stopping
	Reset = engine.Resetting
	Tick  = engine.Ticking // and Expire, once for every turn of the worker
)

// Facility implements systems.Facility.
type Facility struct{ *engine.Single }

// New starts a facility with a scheme that can tell what the worker needs to know: all but
// the variants that trade precision. A Tick of 0 or less, and what the scheme refuses, is an
// error wrapping schemes.ErrConfig.
func New(info *schemes.Info, cfg schemes.Config, o Options) (Facility, error) {
	s, err := info.New(cfg)
	if err != nil {
		return Facility{}, err
	}
	exact, ok := s.(engine.Scheme)
	if _, rounds := s.(schemes.Bounder); !ok || rounds {
		return Facility{}, fmt.Errorf("%w: scheme %s, allowed those that are exact", schemes.ErrConfig, info.Name)
	}
	f, err := engine.NewSingle(exact, o.Options, engine.Mode{Stepping: o.Stepping, Held: o.Held})
	return Facility{f}, err
}
