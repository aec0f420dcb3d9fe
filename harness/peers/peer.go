package peers

import (
	"fmt"
	"math"
	"time"

	"timerlab/schemes"
)

// Clock is what advances a peer's time.
type Clock uint8

const (
	// Virtual: PerTick is the clock. Stepping over a tick costs what the adapter
	// and the peer do on it.
	Virtual Clock = iota

	// Real: the peer reads package time. PerTick sleeps one tick, on the fake
	// clock of a testing/synctest bubble; outside a bubble it panics, and only
	// Start, Stop and Close can be used. Close, a method of these schemes alone, ends
	// all their goroutines, so that the bubble can end.
	Real
)

// String returns virtual or real.
func (c Clock) String() string {
	switch c {
	case Virtual:
		return "virtual"
	case Real:
		return "real"
	}
	return fmt.Sprintf("Clock(%d)", uint8(c))
}

// Peer is a third party's timers behind the interface of a scheme. The number in its Info
// is that of the scheme most similar to it.
type Peer struct {
	Info     schemes.Info
	Clock    Clock
	Tick     time.Duration // of a real clock: what PerTick sleeps
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

// Find returns the peer of this name in Peers, or nil.
func Find(name string) *Peer {
	for _, p := range Peers {
		if p.Info.Name == name {
			return p
		}
	}
	return nil
}

// peer fills in the Doc, which follows from the rest.
func peer(p Peer) *Peer {
	p.Info.Doc = fmt.Sprintf("%s, %s clock, from %s: %s.\n", p.Info.Title, p.Clock, p.Source, p.Settings)
	return &p
}

// wholeClock is the Range of a peer that accepts any interval.
func wholeClock(schemes.Config) schemes.Tick { return math.MaxUint64 }

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
