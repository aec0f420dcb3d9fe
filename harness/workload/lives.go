package workload

import "timerlab/schemes"

// Fate is how a lifetime ends.
type Fate uint8

const (
	Expired   Fate = iota // its interval passed
	Stopped               // the timer was stopped
	Restarted             // the timer was started again while it was outstanding
	fates
)

// String returns expired, stopped or restarted.
func (f Fate) String() string { return valueName("Fate", uint8(f), "expired", "stopped", "restarted") }

// Life is one kind of lifetime of a workload: the interval that a timer requests, how long it stays, and the share of
// lifetimes of this kind. A timer that is stopped or restarted stays less than its interval.
type Life struct {
	Interval schemes.Tick
	Stay     schemes.Tick
	Share    float64
	Restarts bool // if it does not expire: whether it is restarted, not stopped
}

// Fate returns how the lifetime ends.
func (l Life) Fate() Fate {
	switch {
	case l.Stay == l.Interval:
		return Expired
	case l.Restarts:
		return Restarted
	}
	return Stopped
}

// Numbers are the paper's numbers of a workload.
type Numbers struct {
	N         int          `json:"n"`
	Rate      float64      `json:"rate_per_tick"` // λ, lifetimes begun a tick: n/T
	MeanStay  float64      `json:"mean_ticks"`    // T, in ticks
	Interval  float64      `json:"mean_interval_ticks"`
	Longest   schemes.Tick `json:"longest_interval_ticks"`
	Stopped   float64      `json:"stopped"` // share of lifetimes
	Restarted float64      `json:"restarted"`
	Expired   float64      `json:"expired"`
}

// NumbersOf returns the numbers of n timers with some lives, whose shares sum to 1.
func NumbersOf(timers int, lives []Life) Numbers {
	n := Numbers{N: timers}
	ended := [fates]*float64{&n.Expired, &n.Stopped, &n.Restarted}
	for _, l := range lives {
		n.MeanStay += l.Share * float64(l.Stay)
		n.Interval += l.Share * float64(l.Interval)
		n.Longest = max(n.Longest, l.Interval)
		*ended[l.Fate()] += l.Share
	}
	n.Rate = float64(timers) / n.MeanStay
	return n
}
