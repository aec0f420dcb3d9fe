package load

import (
	"cmp"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"timerlab/harness/results"
)

// Costs are what the timers of a workload cost in a program.
type Costs struct {
	Turns  int    // of all services
	Std    Cost   // with time.AfterFunc, which programs use by default
	Others []Cost // with what may replace it, first what needs no library
	Loop   Cost   // in a loop of one goroutine, with the scheme that was picked
}

// All returns all costs, of time.AfterFunc first and of the loop last.
func (c Costs) All() []Cost { return slices.Concat([]Cost{c.Std}, c.Others, []Cost{c.Loop}) }

// Cost is what the timers cost with one service, at the workload's own rate.
type Cost struct {
	Name      string  `json:"name"`
	BytesLow  int64   `json:"bytes_low"` // for all timers, in the turns: the least
	BytesHigh int64   `json:"bytes_high"`
	Woken     Share   `json:"woken"`           // in a program that wakes up for its operations only
	Awake     *Share  `json:"awake,omitempty"` // in one that wakes up each millisecond anyway; nil: not measured
	Kept      float64 `json:"kept_up"`         // timers ended / timers that should have ended; below 1 if a goroutine falls behind

	// Hopeless is true if the service cannot keep up with the workload: the shares are what a part of it needs, scaled up.
	Hopeless bool `json:"cannot_keep_up,omitempty"`
}

// Share is a share of a core: the median of the parts of the time, the least, the most, and all, in turn. Of Go's timers, if some
// are stopped, it is the mean: the runtime removes them at once when they are a quarter of its heap, in some parts only.
type Share struct {
	CPU   float64   `json:"cpu"`
	Low   float64   `json:"cpu_low"`
	High  float64   `json:"cpu_high"`
	Parts []float64 `json:"parts"`

	mean bool
}

// NewShare returns the share of these parts of the time.
func NewShare(parts ...float64) Share {
	return Share{results.Median(parts), slices.Min(parts), slices.Max(parts), parts, false}
}

// meanShare is NewShare with the mean.
func meanShare(parts ...float64) Share {
	s := NewShare(parts...)
	s.CPU, s.mean = floats.Sum(parts)/float64(len(parts)), true
	return s
}

// over returns how much more a share is than another one, in the same parts of the time.
func (s Share) over(other Share) Share {
	parts := floats.SubTo(make([]float64, len(s.Parts)), s.Parts, other.Parts)
	if s.mean || other.mean {
		return meanShare(parts...)
	}
	return NewShare(parts...)
}

// clear returns the share if it is above 0 in all parts, else 0. By noise alone, all five parts are above 0
// once in 32 times, if they are independent.
func (s Share) clear() float64 {
	if s.Low > 0 {
		return s.CPU
	}
	return 0
}

// usage is the memory of a service, and what it takes by the way in which the driver wakes up.
type usage struct {
	bytes        []int64       // in each turn
	woken, awake spent         // "
	fill         time.Duration // that filling took in the fastest turn
	needs        float64       // of a core, by a trial; 0: none
	hopeless     bool          // it cannot keep up with the workload, and needs as much or more
}

// spent is what a service takes in each part of its time.
type spent []part

// part has how many lives ended in how many seconds, and two shares of a core: of the process, and of the driver's
// operations alone.
type part struct{ lives, seconds, share, within float64 }

// above returns the share of a core, in each part, above the share without timers, at a rate of lives: what was measured
// times a factor, or more if the driver fell behind. It then woke up less often than without timers, but there it had all
// operations to make. It is never scaled by more than four times the factor: where fewer than a quarter of the lives ended,
// other programs had the processors.
func (u spent) above(idle spent, rate, factor float64) (shares []float64) {
	for i, p := range u {
		scale := factor
		if p.lives > enoughLives {
			scale = min(rate*p.seconds/p.lives, 4*factor)
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

const (
	worth      = 0.01  // of a core: less is no reason to change a program
	negligible = 0.001 // of a core: with less, nothing else is worth a word
	keptUp     = 0.95  // of the lives: with fewer, a goroutine is behind, as chance changes their number by less
	busy       = 0.5   // of a core: with less, it is behind for another reason

	nearly = 2. / 3 // of what a library saves: what saves this without one is advised first
)

// Saving is what one service saves over time.AfterFunc.
type Saving struct {
	Name  string
	CPU   Share // of a core
	Bytes int64 // at least; 0 if it is less than a tenth, or less than 1 MiB
}

// Worth reports whether the service clearly saves 1 % of a core.
func (s Saving) Worth() bool { return s.CPU.clear() >= worth }

// Change is what leaving time.AfterFunc is worth.
type Change struct {
	Costs
	Woken, Awake Saving // by the service to name first for a program that is woken, and for one that is awake
	Further      Saving // of what Advised takes, by a library if Advised needs none; zero if that is not worth it
	Least        Saving // by the service with the least memory
	Advised      Cost   // Woken's if that is worth it, else Std
	Depends      bool   // Woken's is worth it, but does not clearly save 1 % in a program that is awake anyway
	ByLoop       Share  // saved by the loop, of what Advised takes
	WorthLoop    bool   // ByLoop is clearly 1 % of a core or more. False if Depends, since a loop is always awake
}

// easy reports whether a program can have this without a library: to be done before its timers are changed.
func (c Cost) easy() bool { return c.Name == reused.Name || c.Name == storedTime.Name }

// NewChange decides what a change is worth. It names the service that clearly saves most; before one of a library, what
// needs none and is worth it, if it saves two thirds as much, or the library does not save more in each turn.
func NewChange(c Costs) Change {
	all := []Cost{c.Std}
	all = append(all, slices.DeleteFunc(slices.Clone(c.Others), func(s Cost) bool { return s.Hopeless })...)
	woken := func(s Cost) Share { return c.Std.Woken.over(s.Woken) }
	awake := func(s Cost) Share { return c.Std.Awake.over(*s.Awake) }
	saving := func(s Cost, cpu func(Cost) Share) Saving {
		bytes := c.Std.BytesLow - s.BytesHigh
		if bytes < max(1<<20, c.Std.BytesLow/10) || s.Hopeless {
			bytes = 0
		}
		return Saving{s.Name, cpu(s), bytes}
	}
	most := func(cpu func(Cost) Share) Cost {
		best, easy := c.Std, c.Std
		for _, s := range all {
			if cpu(s).clear() > cpu(best).clear() {
				best = s
			}
			if s.easy() && cpu(s).clear() > cpu(easy).clear() {
				easy = s
			}
		}
		saved := cpu(easy).clear()
		if saved >= worth && (saved >= nearly*cpu(best).CPU || cpu(best).over(cpu(easy)).clear() == 0) {
			return easy
		}
		return best
	}
	best, least := most(woken), slices.MinFunc(all, func(a, b Cost) int { return cmp.Compare(a.BytesHigh, b.BytesHigh) })
	h := Change{Costs: c, Advised: c.Std}
	h.Woken, h.Awake, h.Least = saving(best, woken), saving(most(awake), awake), saving(least, woken)
	if h.Woken.Worth() {
		h.Advised, h.Depends = best, awake(best).clear() < worth
	}
	for _, s := range all {
		further := Saving{Name: s.Name, CPU: h.Advised.Woken.over(s.Woken)}
		if h.Advised.easy() && further.Worth() && further.CPU.CPU > h.Further.CPU.CPU {
			h.Further = further
		}
	}
	h.ByLoop = h.Advised.Woken.over(c.Loop.Woken)
	h.WorthLoop = h.ByLoop.clear() >= worth && !h.Depends && !c.Loop.Behind()
	return h
}

// Shaky reports whether another run may take back what Woken saves: there were fewer than five turns, or in one of them it
// saved less than is worth a change, or than half of what is named.
func (h Change) Shaky() bool {
	saved := h.Woken.CPU
	return h.Turns < loadTurns || saved.Low < max(worth, saved.CPU/2)
}

// Negligible reports whether time.AfterFunc takes less than a thousandth of a core.
func (h Change) Negligible() bool { return h.Std.Woken.High < negligible }

// Behind reports whether one goroutine, which stops and restarts timers, cannot keep up.
func (c Cost) Behind() bool { return c.Kept < keptUp && c.Woken.CPU > busy }
