package workload

import (
	"math"

	"timerlab/schemes"
)

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

// Life is one kind of lifetime of a workload: the interval that a timer requests, how
// long it stays, and the share of lifetimes of this kind. A timer that is stopped or
// restarted stays less than its interval.
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
	Rate      float64      `json:"rate_per_tick"` // λ, lifetimes begun a tick: n/R
	Residence float64      `json:"mean_ticks"`    // R, the mean stay, in ticks; the paper's T
	Interval  float64      `json:"mean_interval_ticks"`
	Longest   schemes.Tick `json:"longest_interval_ticks"`
	Stopped   float64      `json:"stopped"` // share of lifetimes
	Restarted float64      `json:"restarted"`
	Expired   float64      `json:"expired"`
}

// Numbers returns the paper's numbers of the demand. The longest interval is the longest that a program
// may request, up to MaxTicks. Of a distribution without one, such as exp, it is what one of 2^53
// intervals exceeds.
func (d Demand) Numbers() Numbers {
	n := NumbersOf(d.N, d.Lives())
	for _, c := range d.strata() {
		n.Longest = max(n.Longest, inTicks(c.Interval.at(1-0x1p-53), d.Tick))
	}
	return n
}

// NumbersOf returns the numbers of n timers with some lives, whose shares sum to 1.
func NumbersOf(timers int, lives []Life) Numbers {
	n := Numbers{N: timers}
	ended := [fates]*float64{&n.Expired, &n.Stopped, &n.Restarted}
	for _, l := range lives {
		n.Residence += l.Share * float64(l.Stay)
		n.Interval += l.Share * float64(l.Interval)
		n.Longest = max(n.Longest, l.Interval)
		*ended[l.Fate()] += l.Share
	}
	n.Rate = float64(timers) / n.Residence
	return n
}

// Little returns n from λ (timers begun a second) and R (seconds that one stays), by Little's
// law. Where n or λ is 0, it is not given. n = λ·R must hold within 1 %, the accuracy of such
// figures when they are typed.
func Little(n, rate, residence float64) (float64, error) {
	for _, v := range []float64{n, rate, residence} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return 0, badSpec("%v (use a number above 0)", v)
		}
	}
	switch {
	case n == 0 && rate == 0:
		return 0, badSpec("neither n nor rate given (use one of them: n = rate × residence)")
	case n == 0:
		return rate * residence, nil
	case rate > 0 && math.Abs(rate*residence-n) > 0.01*n:
		return 0, badSpec("n = %.6g, but rate × residence = %.6g/s × %.6gs = %.6g (Little's law; "+
			"use two of them, or three that agree)", n, rate, residence, rate*residence)
	}
	return n, nil
}
