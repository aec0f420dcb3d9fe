package load

import (
	"slices"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Resets holds the Costs of the timers of N connections, each of which is reset PerTimeout times in a timeout.
type Resets struct {
	N, PerTimeout int
	Costs
}

// Load returns the load: a connection is reset after equal times, give or take 20 %, a tick before its timeout at the latest.
func (r Resets) Load(timeout time.Duration) Load {
	l := Load{N: r.N, Tick: time.Millisecond, OneInterval: true}
	interval := schemes.Tick(timeout / l.Tick)
	for _, spread := range []float64{0.8, 0.9, 1, 1.1, 1.2} {
		stay := schemes.Tick(spread * float64(interval) / float64(r.PerTimeout))
		l.Lives = append(l.Lives, workload.Life{Interval: interval, Stay: max(1, min(stay, interval-1)), Share: 0.2, Restarts: true})
	}
	l.Rate = workload.NumbersOf(l.N, l.Lives).Rate * float64(time.Second/l.Tick)
	return l
}

// Share returns the share of a core that a service takes, in a program that is awake or in one that is woken.
func (r Resets) Share(service string, awake bool) Share {
	all := r.All()
	c := all[slices.IndexFunc(all, func(c Cost) bool { return c.Name == service })]
	if awake {
		return *c.Awake
	}
	return c.Woken
}

// BreakEven returns two numbers of resets in a timeout: up to the first, stored time takes more than time.AfterFunc in each of
// five turns, and from the second on it takes less. A number is 0 if there is none. All are of one N, in the order of
// PerTimeout.
func BreakEven(all []Resets, awake bool) (more, less int) {
	over := func(r Resets) Share { // of less than five turns, 0
		if r.Turns < loadTurns {
			return Share{}
		}
		return r.Share(storedTime.Name, awake).over(r.Share(goTimers.Name, awake))
	}
	for i := 0; i < len(all) && over(all[i]).Low > 0; i++ {
		more = all[i].PerTimeout
	}
	for i := len(all) - 1; i >= 0 && over(all[i]).High < 0; i-- {
		less = all[i].PerTimeout
	}
	return more, less
}
