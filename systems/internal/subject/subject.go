// Package subject has what packages bench and load both measure: Go's own timers, the services that may
// replace them, and no timers at all.
package subject

import (
	"time"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

// Service is a timer service under the name that results have.
type Service struct {
	Name string
	Open func() (Timers, error)

	// Reuse is true if a client keeps its timer and starts it again by Reset when it has been stopped or has run, instead
	// of calling AfterFunc for another one.
	Reuse bool
}

// Timers is what is measured of an open service. Go's own timers have it, too.
type Timers interface {
	AfterFunc(d time.Duration, f func()) (systems.Timer, error)
	Close() (unexpired int, err error)
}

var (
	GoTimers = Service{Name: "time.AfterFunc", Open: openPlain}
	Reused   = Service{Name: "reused", Open: openPlain, Reuse: true} // a *time.Timer
	Sharded  = Service{Name: "sharded", Open: openSharded}
	Owned    = Service{Name: "sharded-owned", Open: openOwned, Reuse: true}
	Nothing  = Service{Name: "nothing", Open: func() (Timers, error) { return none{}, nil }}
)

func openPlain() (Timers, error)   { return Plain{}, nil }
func openSharded() (Timers, error) { return sharded.New(sharded.Options{}) }

func openOwned() (Timers, error) {
	s, err := sharded.New(sharded.Options{})
	return owned{s}, err
}

// owned gives timers that their clients own: a client starts one again by Start.
type owned struct{ *sharded.Service }

func (s owned) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	t := new(sharded.Timer)
	s.Init(t, f)
	return t, t.Start(d)
}

// Plain is time.AfterFunc without anything around it.
type Plain struct{}

func (Plain) AfterFunc(d time.Duration, f func()) (systems.Timer, error) {
	return time.AfterFunc(d, f), nil
}

// Close does nothing: clients stop their timers.
func (Plain) Close() (int, error) { return 0, nil }

// none starts no timers. It is its own timer, which pretends to be pending.
type none struct{ Plain }

func (none) AfterFunc(time.Duration, func()) (systems.Timer, error) { return none{}, nil }
func (none) Stop() bool                                             { return true }
func (none) Reset(time.Duration) bool                               { return true }
