package facilitytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"timerlab/systems"
	"timerlab/systems/std"
)

// broken is a facility with one fault.
type broken struct {
	systems.Facility
	after func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error)
	close func(f systems.Facility) (int, error)
}

func (b broken) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if b.after != nil && action != nil {
		return b.after(b.Facility, d, action)
	}
	return b.Facility.AfterFunc(d, action)
}

func (b broken) Close() (int, error) {
	if b.close != nil {
		return b.close(b.Facility)
	}
	return b.Facility.Close()
}

// faulty is a timer with one fault.
type faulty struct {
	systems.Timer
	stop  func(t systems.Timer) bool
	reset func(t systems.Timer, d time.Duration) bool

	tryReset func(t systems.Timer, d time.Duration) (bool, error)
}

func (t faulty) Stop() bool {
	if t.stop != nil {
		return t.stop(t.Timer)
	}
	return t.Timer.Stop()
}

func (t faulty) Reset(d time.Duration) bool {
	if t.reset != nil {
		return t.reset(t.Timer, d)
	}
	return t.Timer.Reset(d)
}

func (t faulty) TryReset(d time.Duration) (bool, error) {
	if t.tryReset != nil {
		return t.tryReset(t.Timer, d)
	}
	return t.Reset(d), nil
}

func timers(fault faulty) func(systems.Facility, time.Duration, func()) (systems.Timer, error) {
	return func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
		t, err := f.AfterFunc(d, action)
		if err != nil {
			return nil, err
		}
		fault.Timer = t
		return fault, nil
	}
}

// Each fault violates its rule.
func TestBrokenFacilities(t *testing.T) {
	for name, c := range map[string]struct {
		fault broken
		rule  string
	}{
		"early": {broken{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			return f.AfterFunc(d-d/1000, action)
		}}, "durations"},
		"late": {broken{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			return f.AfterFunc(d+2*time.Millisecond, action)
		}}, "durations"},
		"runs twice": {broken{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			return f.AfterFunc(d, func() { action(); action() })
		}}, "many"},
		"never runs": {broken{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			return f.AfterFunc(d, func() {})
		}}, "stop"},
		"loses the far ones": {broken{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			if d > 1<<62 {
				d = time.Second
			}
			return f.AfterFunc(d, action)
		}}, "centuries"},
		"stops what has run":   {broken{after: timers(faulty{stop: func(t systems.Timer) bool { t.Stop(); return true }})}, "stop"},
		"stops nothing":        {broken{after: timers(faulty{stop: func(systems.Timer) bool { return true }})}, "stop"},
		"does not reset":       {broken{after: timers(faulty{reset: func(t systems.Timer, _ time.Duration) bool { return false }})}, "reset"},
		"reset is always true": {broken{after: timers(faulty{reset: func(t systems.Timer, d time.Duration) bool { t.Reset(d); return true }})}, "reset"},
		"close counts none":    {broken{close: func(f systems.Facility) (int, error) { _, err := f.Close(); return 0, err }}, "close"},
		"close does nothing":   {broken{close: func(systems.Facility) (int, error) { return 2, nil }}, "close"},
		"starts after close": {broken{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			t, err := f.AfterFunc(d, action)
			if err != nil {
				return faulty{stop: func(systems.Timer) bool { return false }, reset: func(systems.Timer, time.Duration) bool { return false }}, nil
			}
			return t, err
		}}, "close"},
		"close does not wait": {broken{close: func(f systems.Facility) (int, error) { go f.Close(); return 0, nil }}, "close waits"},
	} {
		t.Run(name, func(t *testing.T) {
			k := Kind{Name: name, Tick: time.Millisecond, New: func(o systems.Options) (f systems.Facility, err error) {
				b := c.fault
				b.Facility, err = std.New(o)
				return b, err
			}}
			assert.Contains(t, Violations(t, k), c.rule)
		})
	}
}

// A facility that loses one of a thousand does not balance.
func TestBrokenRace(t *testing.T) {
	k := Kind{New: func(o systems.Options) (systems.Facility, error) {
		f, err := std.New(o)
		return broken{Facility: f, close: func(f systems.Facility) (int, error) { n, err := f.Close(); return n + 1, err }}, err
	}}
	assert.ErrorContains(t, race(k, 8000), "started, but")
}
