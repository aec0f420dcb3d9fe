package cost

import (
	"math"
	"math/bits"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// What schemes 6 and 7 do for a timer while it waits, visits and migrations, and where that costs the same.

// Wheels returns the slots of each of m wheels that have a number of slots together, lowest first. If that is a power
// of two, so is every wheel: with 4096 slots, three wheels have 2048, 1024 and 1024. Else every wheel has the same
// number, rounded down. There are at least one wheel and one slot in each.
//
// The larger wheels are the lower ones. The range is the product, whatever the order. But a timer migrates where the
// clock passes a multiple of a level's width before the timer ends, and a width is the product of all wheels below:
// with the larger wheels first, every width is as large as it can be, and Migrations7 as small.
func Wheels(slots, m int) []int {
	m = max(m, 1)
	wheels := slices.Repeat([]int{max(slots/m, 1)}, m)
	if slots&(slots-1) != 0 || slots < m {
		return wheels
	}
	large := 1 << (bits.Len(uint(m)) - 1) // the largest power of two up to m: wheels are of slots/large, or half of that
	for i := range wheels {
		wheels[i] = slots / large
		if i >= 2*large-m {
			wheels[i] /= 2
		}
	}
	return wheels
}

// Levels returns the Config.Levels with which a scheme has these slots in m wheels: Wheels, or a half of a
// wheel for which the scheme holds two revolutions.
func Levels(info *schemes.Info, slots, m int) []int {
	levels := Wheels(slots, m)
	if !info.Kind.HasLevels() || info.Slots == nil {
		return levels
	}
	for l, held := range info.Slots(schemes.Config{Levels: levels}) {
		levels[l] = max(levels[l]*levels[l]/held, 1)
	}
	return levels
}

// Visits6 returns how often scheme 6 with M slots visits a timer on average, the visit that expires it included: for
// a timer of interval J that stays S, the ticks t <= S with t = J mod M, which are ceil(J/M) - ceil((J-S)/M).
func Visits6(lives []workload.Life, slots int) (visits float64) {
	m := schemes.Tick(slots)
	for _, l := range lives {
		left := l.Interval - l.Stay
		visits += l.Share * float64((l.Interval+m-1)/m-(left+m-1)/m)
	}
	return visits
}

// Wasted6 returns the visits of Visits6 that do not expire the timer: what scheme 6 pays for having fewer slots than
// the intervals have ticks. For intervals up to M it is 0.
func Wasted6(lives []workload.Life, slots int) float64 {
	return Visits6(lives, slots) - workload.NumbersOf(1, lives).Expired
}

// Migrations7 returns how often scheme 7 migrates a timer on average. With w(l) the ticks that a slot of level l
// lasts, a timer waits on level l or above if a multiple of w(l) lies between its start and its expiry; it comes down
// to level l-1 when it passes the last such multiple, r ticks before its expiry, unless its digit on level l-1 is 0,
// that is, r < w(l-1). r is uniform on 0 to w(l)-1, and must be below the interval J and, as the timer must still be
// there, at least J-S. Moves straight to the due list are no migrations.
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
	for l := 1; l < len(radices); l++ {
		below, width := schemes.Span(radices[:l-1]), schemes.Span(radices[:l])
		d := Descent{Width: width}
		for _, l := range lives {
			first := max(below, l.Interval-l.Stay)
			if last := min(width, l.Interval); last > first {
				d.Share += l.Share * float64(last-first) / float64(width)
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

// MigrationsAhead returns how many timers migrate on a tick at most, if all n may be in any slot and wheels
// that migrate ahead of time have these revolutions: ceil(n/w) for each level whose slots last w > 1 ticks.
func MigrationsAhead(n int, revolutions []int) float64 {
	sum := 0.0
	for l := 1; l < len(revolutions); l++ {
		sum += math.Ceil(float64(n) / float64(schemes.Span(revolutions[:l])))
	}
	return sum
}

// PaperCrossover returns the T at which the paper's expressions for a timer that stays T, c6 T/M of scheme 6 and at
// most c7 m of scheme 7, are equal (section 6.2): T* = m M c7/c6. ratio is c7/c6.
func PaperCrossover(ratio float64, slots, levels int) float64 {
	return ratio * float64(levels) * float64(slots)
}
