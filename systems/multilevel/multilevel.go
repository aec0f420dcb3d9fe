// Package multilevel is the hierarchical wheel as articles explain it first: the wheels of
// package kafka, of 20 slots each, the lowest of 1 ms, and a worker that wakes for every
// tick, empty or not. It is the contrast to package kafka: what the delay queue saves.
//
// An action is late by at most a tick, and what the worker's scheduling and earlier actions
// add.
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
