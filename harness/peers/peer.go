package peers

import (
	"fmt"
	"math"
	"time"

	"timerlab/schemes"
)

// Peer is a third party's timers behind the interface of a scheme. The number in its Info
// is that of the scheme most similar to it.
//
// A peer with a Tick reads package time: PerTick sleeps for it, on the fake clock of a
// testing/synctest bubble; outside a bubble it panics, and only Start, Stop and Close can be
// used. Close, a method of these schemes alone, ends all their goroutines, so that the
// bubble can end. For the others PerTick is the clock: a tick costs what the adapter and
// the peer do on it.
type Peer struct {
	Info     schemes.Info
	Tick     time.Duration // of a real clock; 0: the clock is virtual
	Source   string        // module@version, std for the standard library, ours for the baseline
	Settings string        // the configuration, in words
}

// Peers lists the peers, the baseline first. BubbleNull is not one of them.
var Peers = []*Peer{
	ValueHeap,
	ContainerHeap,
	GoogleBTree,
	TidwallBTree,
	GoTimers,
	RussellLuo,
	Antlabs,
	GoTimewheel,
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
func virtualPeer(p Peer, open func(schemes.Config) (schemes.Scheme, error)) *Peer {
	p.Info.Number = 3
	p.Info.New = open
	p.Info.Range = func(schemes.Config) schemes.Tick { return math.MaxUint64 }
	return peer(p)
}

const endOfClock = math.MaxUint64

// checkCapacity returns an error for a Config with a capacity above most.
func checkCapacity(name string, cfg schemes.Config, most int) error {
	if cfg.Capacity < 0 || cfg.Capacity > most {
		return fmt.Errorf("%s: capacity %d (allowed 0 to %d): %w", name, cfg.Capacity, most, schemes.ErrConfig)
	}
	return nil
}

// badInterval returns the error for an interval that is refused at now, which may be the
// end of the clock; longest is the peer's range.
func badInterval(name string, interval schemes.Tick, now, longest uint64) error {
	if now == endOfClock {
		return fmt.Errorf("%s: interval %d (the clock is at its last tick): %w", name, interval, schemes.ErrInterval)
	}
	last := min(longest, endOfClock-now)
	return fmt.Errorf("%s: interval %d (allowed 1 to %d): %w", name, interval, last, schemes.ErrInterval)
}
