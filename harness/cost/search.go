package cost

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// What START passes in an ordered list, of scheme 2 or 5.

// PassedFromHead returns the share of an ordered list that a start passes when it searches from the head: the
// probability that a random outstanding timer expires before a new one. Without stops it is E[min(J1, J2)]/E[J], or 1
// minus the Gini coefficient of the intervals. Searched from the rear it is 1 minus this.
//
// An outstanding timer is of a life (J, S) with a probability in proportion to its share and to S, and of an age
// uniform below S; it has J - age to go. Against a new timer of interval K it expires first at S of its ages if J <=
// K, at S - (J - K) if that is above 0, else at none. Sums over K come from running sums over the lives by interval,
// so it takes O(lives · log lives).
func PassedFromHead(lives []workload.Life) float64 {
	interval := func(l workload.Life) schemes.Tick { return l.Interval }
	shares := newTail(lives, interval, func(l workload.Life) float64 { return l.Share })
	intervals := newTail(lives, interval, func(l workload.Life) float64 { return l.Share * float64(l.Interval) })
	passed := 0.0
	for _, old := range lives {
		some, full := old.Interval-old.Stay, old.Interval
		first := float64(old.Stay) * shares.from(full)
		first += intervals.from(some) - intervals.from(full) - float64(some)*(shares.from(some)-shares.from(full))
		passed += old.Share * first
	}
	return passed / (workload.NumbersOf(1, lives).MeanStay * Weight(lives))
}

// Compares5 returns how many timers a START of scheme 5 is compared with, n timers outstanding besides it: the timers
// of its slot that it passes, and the one at which the search ends unless it reaches the slot's end. p·n/M and at
// most one more, where p is PassedFromHead and M the slots.
//
// A timer of life (J, S) that is met at a random tick has r ticks to go, J - S < r <= J, each with the probability
// 1/E[S]. In the slot of a new timer of interval K are the timers with r = K mod M; up to K they are passed, beyond
// it they end the search. In O(lives · log lives · longest interval / M).
func Compares5(lives []workload.Life, n, slots int) float64 {
	share := func(l workload.Life) float64 { return l.Share }
	starts := newTail(lives, func(l workload.Life) schemes.Tick { return l.Interval }, share)
	ends := newTail(lives, func(l workload.Life) schemes.Tick { return l.Interval - l.Stay }, share)
	toGo := func(r schemes.Tick) float64 { return starts.from(r) - ends.from(r) }
	longest, step := starts.at[len(starts.at)-1], schemes.Tick(slots)
	sum, stay := 0.0, workload.NumbersOf(1, lives).MeanStay*Weight(lives)
	for _, l := range lives {
		passed, beyond := 0.0, 0.0
		for r := (l.Interval-1)%step + 1; r <= longest; r += step {
			if r <= l.Interval {
				passed += toGo(r)
			} else {
				beyond += toGo(r)
			}
		}
		others := float64(n)
		sum += l.Share * (others*passed/stay + 1 - math.Pow(1-beyond/stay, others))
	}
	return sum / Weight(lives)
}

// tail holds how much of a quantity lies at a tick or later.
type tail struct {
	at   []schemes.Tick // ascending
	sums []float64      // the quantity at at[i] and later
}

func newTail(lives []workload.Life, at func(workload.Life) schemes.Tick, of func(workload.Life) float64) tail {
	sorted := slices.Clone(lives)
	slices.SortFunc(sorted, func(a, b workload.Life) int { return cmp.Compare(at(a), at(b)) })
	t := tail{make([]schemes.Tick, len(lives)), make([]float64, len(lives)+1)}
	for i := len(sorted) - 1; i >= 0; i-- {
		t.at[i], t.sums[i] = at(sorted[i]), t.sums[i+1]+of(sorted[i])
	}
	return t
}

func (t tail) from(tick schemes.Tick) float64 {
	i, _ := slices.BinarySearch(t.at, tick)
	return t.sums[i]
}
