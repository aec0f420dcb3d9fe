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
