package kafka

import (
	"cmp"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Facility is Kafka's timer. It implements systems.Facility.
type Facility struct{ *engine.Facility }

// Kafka's defaults.
const (
	DefaultTick  = time.Millisecond
	DefaultSlots = 20
)

// New starts a facility. Each of its wheels has the given number of slots; 0 selects
// DefaultSlots, and a Tick of 0 DefaultTick. If either is negative, New returns an error
// wrapping schemes.ErrConfig.
func New(slots int, o systems.Options) (Facility, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	cfg := schemes.Config{Levels: []int{cmp.Or(slots, DefaultSlots)}}
	f, err := engine.Open(&hierarchical.OnDemand, cfg, o, engine.Mode{})
	return Facility{f}, err
}
