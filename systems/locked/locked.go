// Package locked has services of one scheme under one lock: any scheme of the registry, such as package pick's choice.
// Their workers pass ticks and run actions. One worker runs what is due, one action after the other; while timers that
// are due wait for longer than 1 ms, the workers double each ms. With Options.Execute, all actions are handed out when
// due.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
package locked

import (
	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// New starts a service with any scheme of the registry but the variants that trade precision. Use it for a scheme and
// sizes of your own choice. It returns an error wrapping schemes.ErrConfig if info is nil, if the scheme rejects cfg
// or is such a variant, or if the Tick is not positive. The clock of cfg has no effect.
//
// Durations of up to one tick less than the scheme's range are accepted at any time. While the
// worker sleeps, the scheme's clock stands still; a start that would be out of range advances it.
// (In tokio, short sleeps were lost in a wheel after 12 days: tokio-rs/tokio#8334.)
//
// The worker wakes up for timers that are due, or were before a Reset postponed them, and before that at
// most once for each 256 timers that wait, however far away they are.
func New(info *schemes.Info, cfg schemes.Config, o systems.Options) (systems.Service, error) {
	v, err := engine.Open(engine.Design{Scheme: info, Config: cfg}, o)
	if err != nil {
		return nil, err // not a nil *Service
	}
	return v, nil
}
