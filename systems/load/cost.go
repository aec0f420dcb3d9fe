package load

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"timerlab/harness/results"
)

// Costs are what the timers of a workload cost in a program.
type Costs struct {
	Std    Cost   // with time.AfterFunc, which programs use by default
	Others []Cost // with services that may replace it
	Loop   Cost   // in a loop of one goroutine, with the scheme that was picked
}

// All returns all costs, of time.AfterFunc first and of the loop last.
func (c Costs) All() []Cost { return append(append([]Cost{c.Std}, c.Others...), c.Loop) }

// Cost is what the timers cost with one service, at the workload's own rate.
type Cost struct {
	Name  string  `json:"name"`
	Bytes int64   `json:"bytes"`           // for all timers; 0: too few were pending to tell
	Woken Share   `json:"woken"`           // in a program that wakes up for its operations only
	Awake *Share  `json:"awake,omitempty"` // in one that wakes up each millisecond anyway; nil: not measured
	Kept  float64 `json:"kept_up"`         // timers ended / timers that should have ended; below 1 if a goroutine falls behind
	Ticks float64 `json:"ticks_cpu"`       // share of a core of a loop's ticks alone, if a longer tick would do; else 0
}

// Share is a share of a core: the median of the parts of the time, the least, the most, and all, in turn.
type Share struct {
	CPU   float64   `json:"cpu"`
	Low   float64   `json:"cpu_low"`
	High  float64   `json:"cpu_high"`
	Parts []float64 `json:"parts"`
}

// NewShare returns the share of these parts of the time.
func NewShare(parts ...float64) Share {
	return Share{results.Median(parts), slices.Min(parts), slices.Max(parts), parts}
}

// over returns how much more a share is than another one, in the same parts of the time.
func (s Share) over(other Share) Share {
	return NewShare(floats.SubTo(make([]float64, len(s.Parts)), s.Parts, other.Parts)...)
}

// clear returns the share if it is above 0 in all parts, else 0. By noise alone, all five parts are above 0
// once in 32 times, if they are independent.
func (s Share) clear() float64 {
	if s.Low > 0 {
		return s.CPU
	}
	return 0
}

// usage is how many timers a service has, the bytes of each, and what it takes by the way in which the driver wakes up.
type usage struct {
	timers       int
	bytes        float64
	woken, awake spent
}

// spent is what a service takes in each part of its time.
type spent []part

// part has how many lives ended in how many seconds, and two shares of a core: of the process, and of the driver's
// operations alone.
type part struct{ lives, seconds, share, within float64 }

// above returns the share of a core, in each part, above the share without timers, at a rate of lives: what was measured
// times a factor, or more if the driver fell behind. It then woke up less often than without timers, but there it had all
// operations to make.
func (u spent) above(idle spent, rate, factor float64) (shares []float64) {
	for i, p := range u {
		scale := factor
		if p.lives > enoughLives {
			scale = rate * p.seconds / p.lives
		}
		shares = append(shares, max(0, scale*(p.share-idle[i].share), scale*p.within-factor*idle[i].within))
	}
	return shares
}

// kept returns the number of lives that ended over the number that a rate asks for.
func (u spent) kept(rate float64) float64 {
	lives, should := 0., 0.
	for _, p := range u {
		lives, should = lives+p.lives, should+rate*p.seconds
	}
	if lives <= enoughLives {
		return 1
	}
	return lives / should
}
