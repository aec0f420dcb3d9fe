package workload

import "timerlab/schemes"

// Life is one kind of lifetime of a workload: what a timer asks for, how long it
// stays, and the share of lifetimes that are so. A timer that is stopped or
// restarted stays less than its interval.
type Life struct {
	Interval schemes.Tick
	Stay     schemes.Tick
	Share    float64
	Restarts bool // if it does not expire: it is restarted, rather than stopped
}

// Expires reports whether the timer expires, rather than being stopped or
// restarted.
func (l Life) Expires() bool { return l.Stay == l.Interval }

// Lives returns the kinds of lifetime from which the workload's are drawn, with
// shares that sum to 1: the intervals of each fate, ascending. It is nil for a
// Spec that Check refuses.
func (s Spec) Lives() []Life {
	p, err := s.plan()
	if err != nil {
		return nil
	}
	var lives []Life
	for f := expires; f < fates; f++ {
		if p.share[f] == 0 {
			continue
		}
		share := float64(p.share[f]) / (whole * Points)
		for _, interval := range p.intervals {
			stay, _ := p.end(interval, f)
			lives = append(lives, Life{interval, stay, share, f == restarts})
		}
	}
	return lives
}
