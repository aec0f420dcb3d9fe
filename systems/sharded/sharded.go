// Package sharded is the facility that we would use: a hierarchical wheel with chunked
// slots for each processor, each under a lock of its own and with a worker of its own,
// which sleeps until the earliest timer, so that empty ticks cost nothing. A start takes a
// wheel at random, so that processors seldom meet at a lock; a Reset to a later time only
// changes the timer's record.
//
// An action is late by at most a tick, and what scheduling and the actions before it, of
// its own wheel, add.
package sharded

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// DefaultTick is what an Options.Tick of 0 means.
const DefaultTick = time.Millisecond

// MostShards bounds the wheels of a facility.
const MostShards = 1 << 12

// Options of a facility.
type Options struct {
	engine.Options
	Shards int // wheels; 0: one for each processor that Go uses
}

// Facility implements systems.Facility.
type Facility struct{ shards []*engine.Single }

// New starts a facility. What is negative, and more than MostShards, is an error wrapping
// schemes.ErrConfig.
func New(o Options) (*Facility, error) {
	if o.Tick == 0 {
		o.Tick = DefaultTick
	}
	if o.Shards == 0 {
		o.Shards = min(runtime.GOMAXPROCS(0), MostShards)
	}
	if o.Shards < 0 || o.Shards > MostShards {
		return nil, fmt.Errorf("%w: %d shards, allowed 0 to %d", schemes.ErrConfig, o.Shards, MostShards)
	}
	f := &Facility{}
	for range o.Shards {
		s, err := engine.NewSingle(&hierarchical.Chunked, schemes.Config{Levels: levels}, o.Options, false)
		if err != nil {
			f.Close()
			return nil, err
		}
		f.shards = append(f.shards, s)
	}
	return f, nil
}

// levels span what a time.Duration can hold, of ticks from 1 ns: wheels of 256 slots.
var levels = []int{256, 256, 256, 256, 256, 256, 256, 128}

// AfterFunc implements systems.Facility.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	return f.shards[rand.IntN(len(f.shards))].AfterFunc(d, action)
}

// Close implements systems.Facility.
func (f *Facility) Close() (unexpired int) {
	for _, s := range f.shards {
		unexpired += s.Close()
	}
	return unexpired
}
