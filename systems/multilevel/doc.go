// Package multilevel is the hierarchical wheel that articles explain first: the wheels of
// package kafka and a worker that wakes up for every tick, empty or not. Compared with package
// kafka it shows what sleeping until the earliest timer saves.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
package multilevel
