// Package cost holds the paper's cost formulas, and the refined ones, each
// defined once. Costs are in the paper's terms: counts of elementary steps per
// timer or per tick, and c6 and c7, what scheme 6 pays for a visit and scheme 7
// for a migration, in whatever unit they are given.
//
// A workload enters as its lives: the kinds of lifetime that its timers have,
// with their shares (workload.Spec.Lives). Every formula assumes that the clock
// stands at a random phase of the wheels when a timer starts.
package cost

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// sum returns the sum of a quantity over some lives, weighted by their shares.
func sum(lives []workload.Life, of func(workload.Life) float64) float64 {
	total := 0.0
	for _, l := range lives {
		total += l.Share * of(l)
	}
	return total
}

// MeanStay returns T, the mean time that a timer stays, in ticks.
func MeanStay(lives []workload.Life) float64 {
	return sum(lives, func(l workload.Life) float64 { return float64(l.Stay) })
}

// Weight returns the share of timers that some lives are of.
func Weight(lives []workload.Life) float64 {
	return sum(lives, func(workload.Life) float64 { return 1 })
}

// Expiring returns the share of timers that expire.
func Expiring(lives []workload.Life) float64 {
	return sum(lives, func(l workload.Life) float64 {
		if l.Expires() {
			return 1
		}
		return 0
	})
}

// Beyond returns the lives whose intervals are longer than this number of ticks.
func Beyond(lives []workload.Life, ticks schemes.Tick) []workload.Life {
	return slices.DeleteFunc(slices.Clone(lives), func(l workload.Life) bool { return l.Interval <= ticks })
}

// HeldPerLive returns how many records a scheme holds for each live timer if it
// discards stopped ones only when they would have been due: E[J]/E[S].
func HeldPerLive(lives []workload.Life) float64 {
	return sum(lives, func(l workload.Life) float64 { return float64(l.Interval) }) / MeanStay(lives)
}

// Visits6 returns how often scheme 6 with M slots visits a timer on average, the
// visit that expires it included: for a timer of interval J that stays S, the
// ticks t <= S with t = J mod M, which are ceil(J/M) - ceil((J-S)/M).
func Visits6(lives []workload.Life, slots int) float64 {
	m := schemes.Tick(slots)
	return sum(lives, func(l workload.Life) float64 {
		left := l.Interval - l.Stay
		return float64((l.Interval+m-1)/m - (left+m-1)/m)
	})
}

// Wasted6 returns the visits of Visits6 that do not expire the timer: what
// scheme 6 pays for having fewer slots than the intervals have ticks. For
// intervals up to M it is 0.
func Wasted6(lives []workload.Life, slots int) float64 {
	return Visits6(lives, slots) - Expiring(lives)
}

// Migrations7 returns how often scheme 7 migrates a timer on average. With w(l)
// the ticks that a slot of level l lasts, a timer waits on level l or above if a
// multiple of w(l) lies between its start and its expiry; it comes down to level
// l-1 when it passes the last such multiple, r ticks before its expiry, unless
// its digit on level l-1 is 0, that is, r < w(l-1). r is uniform on 0 to w(l)-1,
// and must be below the interval J and, as the timer must still be there, at
// least J-S. Moves straight to the due list are no migrations.
func Migrations7(lives []workload.Life, radices []int) float64 {
	sum := 0.0
	for _, d := range Descents7(lives, radices) {
		sum += d.Share
	}
	return sum
}

// Descent is how often a timer comes down from one level of scheme 7, on average, and the ticks that a
// slot of that level lasts: timers come down when the clock passes a multiple of them.
type Descent struct {
	Width schemes.Tick
	Share float64
}

// Descents7 returns the terms of Migrations7, of the lowest level first.
func Descents7(lives []workload.Life, radices []int) (all []Descent) {
	below, weight := schemes.Tick(1), schemes.Tick(1)
	for _, radix := range radices[:len(radices)-1] {
		below, weight = weight, weight*schemes.Tick(radix)
		d := Descent{Width: weight}
		for _, l := range lives {
			first := max(below, l.Interval-l.Stay)
			if last := min(weight, l.Interval); last > first {
				d.Share += l.Share * float64(last-first) / float64(weight)
			}
		}
		all = append(all, d)
	}
	return all
}

// MigrationsIn returns what Migrations7 is in a run of some ticks that begins at 0, in which the clock
// passes a whole number of multiples of each width.
func MigrationsIn(descents []Descent, ticks schemes.Tick) (sum float64) {
	for _, d := range descents {
		sum += d.Share * float64(ticks/d.Width*d.Width) / float64(ticks)
	}
	return sum
}

// PassedFromHead returns the share of an ordered list that a start passes when
// it searches from the head: the probability that a random outstanding timer
// expires before a new one. Without stops it is E[min(J1, J2)]/E[J], or 1 minus
// the Gini coefficient of the intervals. Searched from the rear it is 1 minus
// this.
//
// An outstanding timer is of a life (J, S) with a probability in proportion to
// its share and to S, and of an age uniform below S; it has J - age to go. Against
// a new timer of interval K it expires first at S of its ages if J <= K, at S - (J -
// K) if that is above 0, else at none. Sums over K come from running sums over the
// lives by interval, so it takes O(lives · log lives).
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
	return passed / (MeanStay(lives) * Weight(lives))
}

// Compares5 returns how many timers a START of scheme 5 is compared with, n timers
// outstanding besides it: those of its slot that it passes, and the one at which the
// search ends unless it reaches the slot's end. p·n/M and at most one more, where p is
// PassedFromHead and M the slots.
//
// A timer of life (J, S) that is met at a random tick has r ticks to go, J - S < r
// <= J, each with the probability 1/E[S]. In the slot of a new timer of interval K are
// those with r = K mod M; up to K they are passed, beyond it they end the search. In
// O(lives · log lives · longest interval / M).
func Compares5(lives []workload.Life, n, slots int) float64 {
	share := func(l workload.Life) float64 { return l.Share }
	starts := newTail(lives, func(l workload.Life) schemes.Tick { return l.Interval }, share)
	ends := newTail(lives, func(l workload.Life) schemes.Tick { return l.Interval - l.Stay }, share)
	toGo := func(r schemes.Tick) float64 { return starts.from(r) - ends.from(r) }
	longest, step := starts.at[len(starts.at)-1], schemes.Tick(slots)
	sum, stay := 0.0, MeanStay(lives)*Weight(lives)
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

// PaperPerTick returns the paper's mean cost of a tick of scheme 6 in VAX
// instructions, 4 + 15 n/M (section 7): 4 for the tick, and for each of n/M
// timers 6 for the visit and 9 for an expiry, if all expire within one scan. It
// is no upper bound: where intervals are below M, more than n/M expire a tick.
func PaperPerTick(n, slots int) float64 { return 4 + 15*float64(n)/float64(slots) }

// PerTick6 returns the cost of a tick of scheme 6 in the paper's instructions
// without that assumption: 4 + 6 visits + 9 expiries, with n/T timers starting a
// tick (Little's law).
func PerTick6(n, slots int, lives []workload.Life) float64 {
	rate := float64(n) / MeanStay(lives)
	return 4 + rate*(6*Visits6(lives, slots)+9*Expiring(lives))
}

// Steps estimates the records that a scheme touches, from above: by a start or a
// stop, and by a tick. It says whether a run is worth trying, not how long it takes.
type Steps struct{ Start, Tick float64 }

// Estimate returns the steps of a scheme with n timers outstanding, rate starts a
// tick and M slots, from the paper's table of costs. A scheme of an unknown kind is
// assumed to do as little as any.
func Estimate(info *schemes.Info, n, slots int, rate float64) Steps {
	size, m := float64(n), float64(slots)
	depth := math.Log2(size + 2)
	switch {
	case info.Kind == schemes.List && info.Sorted:
		return Steps{1 + size, 1 + rate}
	case info.Kind == schemes.List:
		return Steps{1, 1 + size}
	case info.Kind == schemes.Tree:
		return Steps{depth, 1 + rate*depth}
	case info.Kind == schemes.HashedWheel && info.Sorted:
		return Steps{1 + size/m, 1 + rate}
	case info.Kind == schemes.HashedWheel:
		return Steps{1, 1 + size/m + rate}
	}
	return Steps{1, 1 + 3*rate}
}

// MeanInterval returns the mean interval requested, in ticks.
func MeanInterval(lives []workload.Life) float64 {
	return sum(lives, func(l workload.Life) float64 { return float64(l.Interval) })
}
