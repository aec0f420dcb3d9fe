package locked

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/ordered"
	"timerlab/systems"
)

// ErrTimeout is wrapped by the error for a duration other than the service's timeout.
var ErrTimeout = errors.New("wrong duration")

// fixedTimeout is a service for one duration.
type fixedTimeout struct {
	systems.Service
	timeout time.Duration
}

// FixedTimeout starts a service whose timers all have the same timeout, such as the idle connections of a server. A
// new timer is then always the last one: an ordered list that is searched from the rear (ordered-rear) finds its
// place at once, and every operation is O(1). AfterFunc with another duration returns an error wrapping ErrTimeout. A
// Reset to another duration is allowed, but walks past all timers with later deadlines.
//
// A Tick of 0 selects a hundredth of the timeout, at least 1 µs. If the timeout is not positive
// or the Tick is negative, FixedTimeout returns an error wrapping schemes.ErrConfig.
func FixedTimeout(timeout time.Duration, o systems.Options) (systems.Service, error) {
	if timeout <= 0 {
		return nil, fmt.Errorf("%w: timeout %v (must be above 0)", schemes.ErrConfig, timeout)
	}
	o.Tick = cmp.Or(o.Tick, max(timeout/100, time.Microsecond))
	f, err := New(&ordered.Rear, schemes.Config{}, o)
	if err != nil {
		return nil, err
	}
	return fixedTimeout{f, timeout}, nil
}

// AfterFunc implements systems.Service.
func (f fixedTimeout) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if d != f.timeout {
		return nil, fmt.Errorf("AfterFunc(%v): %w (must be %v)", d, ErrTimeout, f.timeout)
	}
	return f.Service.AfterFunc(d, action)
}
