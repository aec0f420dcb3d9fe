package engine

import (
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
)

// Kafka's defaults.
const (
	LevelTick  = time.Millisecond
	LevelSlots = 20
)

// Levels is Make of hierarchical wheels of so many slots each, whose higher levels are made
// when an interval needs them. 0 slots and a tick of 0 are the defaults.
func Levels(slots int, o systems.Options, m Mode) (*Single, error) {
	if slots == 0 {
		slots = LevelSlots
	}
	if o.Tick == 0 {
		o.Tick = LevelTick
	}
	return Make(&hierarchical.OnDemand, schemes.Config{Levels: []int{slots}}, o, m)
}
