package peers

import (
	"math"
	"time"

	"timerlab/schemes"
)

// Peer is a third party's timers behind the interface of a scheme. Info.Number is the most similar scheme.
//
// A peer with a Tick reads package time: PerTick sleeps for it, on the fake clock of a testing/synctest bubble;
// outside a bubble it panics, and only Start, Stop and Close can be used. Close, a method of these schemes
// alone, ends all their goroutines, so that the bubble can end. For the others PerTick is the clock: a tick
// costs what the wrapper and the peer do on it.
type Peer struct {
	Info schemes.Info
	Tick time.Duration // of a real clock; 0: the clock is virtual
}

// Peers lists the peers, after two yardsticks of ours.
var Peers = []*Peer{
	ValueHeap,
	Lean,
	ContainerHeap,
	GoogleBTree,
	GoTimers,
	RussellLuo,
	GoZero,
	GoFrame,
	Antlabs,
	GoTimewheel,
}

// virtualPeer returns a peer that is similar to scheme 3, without a clock of its own: it accepts any interval.
func virtualPeer(name, title string, open func(cfg schemes.Config) (schemes.Scheme, error)) *Peer {
	return &Peer{Info: schemes.Info{
		Number: 3, Name: name, Title: title, Kind: schemes.Tree,
		New:   open,
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	}}
}
