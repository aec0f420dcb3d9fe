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
func (f Fate) String() string { return [...]string{"expired", "stopped", "restarted"}[f] }

// Life is one kind of lifetime of a workload: the interval that a timer requests, how
// long it stays, and the share of lifetimes of this kind. A timer that is stopped or
// restarted stays less than its interval.
type Life struct {
	Interval schemes.Tick
	Stay     schemes.Tick
	Share    float64
	Restarts bool // if it does not expire: whether it is restarted, not stopped
}

// Expires reports whether the timer expires, rather than being stopped or
// restarted.
func (l Life) Expires() bool { return l.Stay == l.Interval }

// Fate returns how the lifetime ends.
func (l Life) Fate() Fate {
	switch {
	case l.Expires():
		return Expired
	case l.Restarts:
		return Restarted
	}
	return Stopped
}

// after returns what is left of the lifetime at an age below its stay.
func (l Life) after(age schemes.Tick) Life {
	l.Interval, l.Stay = l.Interval-age, l.Stay-age
	return l
}

// Lives returns the kinds of lifetime from which those of the workload are drawn, with
// shares that sum to 1: the intervals of each fate, ascending. It is nil for an invalid
// Spec.
func (s Spec) Lives() []Life {
	p, err := s.plan()
	if err != nil {
		return nil
	}
	var lives []Life
	for f := Expired; f < fates; f++ {
		if p.share[f] == 0 {
			continue
		}
		share := float64(p.share[f]) / (whole * Points)
		for _, interval := range p.intervals {
			l := p.life(interval, f)
			l.Share = share
			lives = append(lives, l)
		}
	}
	return lives
}
