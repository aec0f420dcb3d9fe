package cost

import (
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// The terms of what a lifetime costs in scheme 6 or 7.
const (
	PerTimer   = iota // each timer: START, and STOP or expiry
	PerStop           // the share that is stopped
	PerStep           // a visit that does not expire the timer in scheme 6, a migration in scheme 7
	PerMixed          // such a visit in a slot where other timers expire
	PerBusy           // a tick with an expiry
	PerTick           // a tick
	PerHead           // a doubling of the slot heads of scheme 6 in use beyond the first-level cache
	PerOdd            // each timer, where a radix is not a power of two: START divides
	PerOddStep        // a migration there
	NumTerms
)

// Terms names the terms, in a few words.
var Terms = [NumTerms]string{
	"timer", "stop", "wasted visit of 6, migration of 7", "wasted visit in a slot with expiries", "tick with expiries",
	"tick", "doubling of slot heads beyond the first cache", "timer, radices not powers of two",
	"migration, radices not powers of two",
}

// Load is what a lifetime asks of a scheme, term by term.
type Load [NumTerms]float64

// Costs are in ns for one of each term.
type Costs [NumTerms]float64

// Of returns the cost of a load.
func (c Costs) Of(l Load) (ns float64) {
	for i := range c {
		ns += c[i] * l[i]
	}
	return ns
}

// Model predicts the time of a lifetime, without the harness's, in schemes 6 and 7: its costs of the
// loads that its Site returns.
type Model struct {
	Six, Seven Costs
	Site
}

// Site is where costs are those of a Model.
type Site struct {
	N     int     // timers outstanding
	Heads float64 // slot heads that the first-level cache holds
}

// Load6 returns the load of a lifetime in scheme 6 with its visits that do not expire the timer.
func (s Site) Load6(lives []workload.Life, slots int, wasted float64) Load {
	l := s.load(lives, wasted)
	l[PerHead] = math.Log2(1 + math.Min(float64(slots), MeanInterval(lives))/s.Heads)
	// Of the timers in a slot that the clock reaches, a share wasted/(expired+wasted) stays. Where
	// both kinds mix, no branch on the record is predicted, and the list is relinked.
	if expired := Expiring(lives); wasted > 0 {
		l[PerMixed] = expired * wasted / (expired + wasted)
	}
	return l
}

// Load7 returns the load of a lifetime in scheme 7 with its migrations.
func (s Site) Load7(lives []workload.Life, radices []int, migrations float64) Load {
	l := s.load(lives, migrations)
	for _, radix := range radices {
		if radix&(radix-1) != 0 {
			l[PerOdd], l[PerOddStep] = 1, migrations
		}
	}
	return l
}

// load returns the terms that both schemes have.
func (s Site) load(lives []workload.Life, steps float64) (l Load) {
	expired, ticks := Expiring(lives), MeanStay(lives)/float64(s.N)
	l[PerTimer], l[PerStop], l[PerStep], l[PerTick] = 1, 1-expired, steps, ticks
	// expired/ticks timers expire on a tick on average, and on a share exp(-expired/ticks) none.
	l[PerBusy] = ticks * -math.Expm1(-expired/ticks)
	return l
}

// SiteOf returns the site of n timers on a machine with this first-level data cache, in bytes. The
// schemes' own sizes say how large a slot head is: info is of the form of scheme 6 that is used.
func SiteOf(info *schemes.Info, n, cache int) Site {
	const slots = 1 << 20 // enough that the rounding of sizes does not matter
	bytes := func(slots int) int64 { return info.Bytes(0, schemes.Config{Slots: slots}) }
	return Site{n, float64(cache) * slots / float64(bytes(2*slots)-bytes(slots))}
}
