package tracefile

import (
	"io"
	"maps"
	"math/rand/v2"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// mostDrawn is the number of ended lifetimes that Draw keeps, a random sample.
const mostDrawn = 1 << 16

// Draw reads a trace to its end and returns what a workload.Mixture of it needs: lives
// drawn at random from those that ended, and those of the timers that are outstanding at
// the end, as if these expired: without them the longest ones would be missing. Shares
// sum to 1. There are no lives if no timer ends.
func Draw(r io.Reader, hz int, seed uint64) (*Stat, []workload.Life, error) {
	random := rand.New(rand.NewPCG(seed, 7))
	var lives []workload.Life
	ended := 0
	left := map[schemes.Tick]int{} // by interval
	s, err := Read(r, Options{
		Hz: hz,
		Ended: func(l Life) {
			ended++
			if len(lives) < mostDrawn {
				lives = append(lives, l.workload())
			} else if at := random.IntN(ended); at < mostDrawn {
				lives[at] = l.workload()
			}
		},
		Left: func(l Life) { left[min(max(l.Interval, 1), workload.MaxTicks)]++ },
	})
	if err != nil || ended == 0 {
		return s, nil, err
	}
	all := float64(ended + s.Outstanding)
	for i := range lives {
		lives[i].Share = float64(ended) / float64(len(lives)) / all
	}
	for _, interval := range slices.Sorted(maps.Keys(left)) {
		lives = append(lives, workload.Life{Interval: interval, Stay: interval, Share: float64(left[interval]) / all})
	}
	return s, lives, nil
}

// workload returns the lifetime as workloads have it: it stays as long as its interval if
// and only if it expires.
func (l Life) workload() workload.Life {
	stay := max(l.Stay, 1)
	interval := max(l.Interval, stay) // the kernel's may expire late
	if l.Fate == workload.Expired {
		interval = stay
	} else if interval == stay { // it ended on the tick of its deadline
		interval++
	}
	return workload.Life{Interval: interval, Stay: stay, Restarts: l.Fate == workload.Restarted}
}
