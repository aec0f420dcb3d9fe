package tracefile

import (
	"maps"
	"math/rand/v2"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// mostDrawn is the number of ended lifetimes that a Stat keeps, a random sample.
const mostDrawn = 1 << 16

// reservoir draws the lives of a Stat.
type reservoir struct {
	random *rand.Rand
	lives  []workload.Life
	left   map[schemes.Tick]int // timers outstanding at the end, by interval
}

func newReservoir(seed uint64) reservoir {
	return reservoir{random: rand.New(rand.NewPCG(seed, 7)), left: map[schemes.Tick]int{}}
}

// add draws the n-th lifetime that ended.
func (r *reservoir) add(l Life, n int) {
	if len(r.lives) < mostDrawn {
		r.lives = append(r.lives, l.workload())
	} else if at := r.random.IntN(n); at < mostDrawn {
		r.lives[at] = l.workload()
	}
}

// finish returns the lives, with those of the outstanding timers.
func (r *reservoir) finish(ended, outstanding int) []workload.Life {
	all := float64(ended + outstanding)
	for i := range r.lives {
		r.lives[i].Share = float64(ended) / float64(len(r.lives)) / all
	}
	for _, interval := range slices.Sorted(maps.Keys(r.left)) {
		share := float64(r.left[interval]) / all
		r.lives = append(r.lives, workload.Life{Interval: interval, Stay: interval, Share: share})
	}
	return r.lives
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
