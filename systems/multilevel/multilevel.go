// Package multilevel is the hierarchical wheel that articles explain first: the wheels of
// package kafka and a worker that wakes up for every tick, empty or not. Compared with package
// kafka it shows what sleeping until the earliest timer saves.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
package multilevel

import (
	"cmp"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
	"timerlab/systems/kafka"
)

// Facility implements systems.Facility.
type Facility struct{ *engine.Facility }

// New starts a facility, with the defaults and errors of kafka.New.
func New(slots int, o systems.Options) (Facility, error) {
	o.Tick = cmp.Or(o.Tick, kafka.DefaultTick)
	cfg := schemes.Config{Levels: []int{cmp.Or(slots, kafka.DefaultSlots)}}
	f, err := engine.Open(&hierarchical.OnDemand, cfg, o, engine.Mode{Stepping: true})
	return Facility{f}, err
}
