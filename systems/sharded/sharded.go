package sharded

import (
	"cmp"
	"fmt"
	"runtime"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// DefaultTick is selected by an Options.Tick of 0.
const DefaultTick = time.Millisecond

// MostShards is the largest number of wheels of a service.
const MostShards = 1 << 12

// wheelsPerProc is the default number of wheels for each processor. Timers are stopped and reset
// on any processor, and cache lines written by two of them bounce between their caches. With
// one wheel for each, two processors that replace one of ten thousand timers take more than
// twice as long as with two (one-wheel-*.txt in results). More than two would spread many
// timers over more memory.
const wheelsPerProc = 2

// Options configure a service. Zero values select the defaults.
type Options struct {
	systems.Options
	Shards int // number of wheels; 0 selects two for each of GOMAXPROCS
}

// levels make a range of all durations, in ticks of 1 ns or longer.
var levels = []int{256, 256, 256, 256, 256, 256, 256, 128}

// New starts a service. If an option is negative, or Shards is above MostShards, it returns an
// error wrapping schemes.ErrConfig.
func New(o Options) (systems.Facility, error) {
	o.Tick = cmp.Or(o.Tick, DefaultTick)
	o.Shards = cmp.Or(o.Shards, min(wheelsPerProc*runtime.GOMAXPROCS(0), MostShards))
	if o.Shards < 0 || o.Shards > MostShards {
		return nil, fmt.Errorf("%w: Shards %d (must be 0 to %d)", schemes.ErrConfig, o.Shards, MostShards)
	}
	return engine.Open(engine.Design{
		Scheme: &hierarchical.Chunked, Config: schemes.Config{Levels: levels}, Shards: o.Shards, Grow: true,
	}, o.Options)
}
