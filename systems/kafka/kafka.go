package kafka

import (
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Facility is Kafka's timer. It implements systems.Facility.
type Facility struct{ *engine.Single }

// Kafka's defaults.
const (
	DefaultTick  = engine.LevelTick
	DefaultSlots = engine.LevelSlots
)

// New starts a facility with wheels of so many slots; 0 means 20, and a Tick of 0
// 1 ms. What is negative is an error wrapping schemes.ErrConfig.
func New(slots int, o systems.Options) (Facility, error) {
	f, err := engine.Levels(slots, o, engine.Mode{})
	return Facility{f}, err
}
