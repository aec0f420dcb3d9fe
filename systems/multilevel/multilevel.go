package multilevel

import (
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Facility implements systems.Facility.
type Facility struct{ *engine.Single }

// New starts a facility with wheels of so many slots; 0 means 20, and a Tick of 0
// 1 ms. What is negative is an error wrapping schemes.ErrConfig.
func New(slots int, o systems.Options) (Facility, error) {
	f, err := engine.Levels(slots, o, engine.Mode{Stepping: true})
	return Facility{f}, err
}
