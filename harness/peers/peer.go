package peers

import (
	"fmt"
	"math"
	"time"

	"timerlab/schemes"
)

// Peer is a third party's timers behind the interface of a scheme. Info.Number is the most
// similar scheme.
//
// A peer with a Tick reads package time: PerTick sleeps for it, on the fake clock of a
// testing/synctest bubble; outside a bubble it panics, and only Start, Stop and Close can be
// used. Close, a method of these schemes alone, ends all their goroutines, so that the
// bubble can end. For the others PerTick is the clock: a tick costs what the adapter and
// the peer do on it.
type Peer struct {
	Info     schemes.Info
	Tick     time.Duration // of a real clock; 0: the clock is virtual
	Late     schemes.Tick  // ticks by which every timer that is started on a tick expires late
	Source   string        // module@version, std for the standard library, ours for a yardstick
	Settings string        // the configuration, in words
}

// Peers lists the peers, after two yardsticks of ours.
var Peers = []*Peer{
	ValueHeap,
	Lean,
	ContainerHeap,
	GoogleBTree,
	GoTimers,
	RussellLuo,
	Antlabs,
	GoZero,
}

// peer fills in what follows from the rest.
func peer(p Peer) *Peer {
	p.Info.Kind = map[int]schemes.Kind{3: schemes.Tree, 6: schemes.HashedWheel, 7: schemes.Hierarchy}[p.Info.Number]
	clock := "virtual"
	if p.Tick > 0 {
		clock = "real"
	}
	p.Info.Doc = fmt.Sprintf("%s, %s clock, from %s: %s.\n", p.Info.Title, clock, p.Source, p.Settings)
	return &p
}

// virtualPeer completes a peer that is similar to scheme 3, without a clock of its own: it
// accepts any interval.
func virtualPeer(p Peer, open func(name string, cfg schemes.Config) (schemes.Scheme, error)) *Peer {
	name := p.Info.Name
	p.Info.Number = 3
	p.Info.New = func(cfg schemes.Config) (schemes.Scheme, error) { return open(name, cfg) }
	p.Info.Range = func(schemes.Config) schemes.Tick { return math.MaxUint64 }
	return peer(p)
}
