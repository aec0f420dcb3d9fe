package cost

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// What schemes 6 and 7 do for a timer while it waits, visits and migrations, and where that costs the same.

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
	ws := weights(radices)
	for i, width := range ws[1:] {
		d := Descent{Width: width}
		for _, l := range lives {
			first := max(ws[i], l.Interval-l.Stay)
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

// MigrationsByInterval is Migrations7 for levels that go by the interval: the lowest
// that reaches as far. From level l a timer comes down when the last multiple of
// w(l) before its expiry passes, r ticks before it; r is uniform below w(l). From
// level k below l it comes down as well if it waited there, which takes a digit
// other than 0 on level k: a share of 1 - 1/q(k). Each is a migration if r is not 0
// and the timer is still there, that is, r is more than J-S.
func MigrationsByInterval(lives []workload.Life, radices []int) float64 {
	ws := weights(radices)
	sum := 0.0
	for _, life := range lives {
		begun := false // from the level that the timer starts on downwards
		for l := len(ws) - 1; l > 0; l-- {
			waits := 1 - 1/float64(radices[l])
			if !begun {
				if life.Interval <= ws[l] {
					continue
				}
				begun, waits = true, 1
			}
			first, last := max(1, life.Interval-life.Stay), ws[l] // r from first to last-1
			if last > first {
				sum += life.Share * waits * float64(last-first) / float64(ws[l])
			}
		}
	}
	return sum
}

// weights returns the ticks that a slot lasts, level by level.
func weights(radices []int) []schemes.Tick {
	w := make([]schemes.Tick, len(radices))
	weight := schemes.Tick(1)
	for l, radix := range radices {
		w[l] = weight
		weight *= schemes.Tick(radix)
	}
	return w
}

// PaperCrossover returns the T at which the paper's expressions for a timer that stays T,
// c6 T/M of scheme 6 and at most c7 m of scheme 7, are equal (section 6.2): T* = m M c7/c6.
// ratio is c7/c6.
func PaperCrossover(ratio float64, slots, levels int) float64 {
	return ratio * float64(levels) * float64(slots)
}
