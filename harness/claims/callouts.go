package claims

import (
	"errors"

	"timerlab/schemes"
)

// BSD's callouts, a form of scheme 6.

var calloutChecks = checks{
	// The check steps through a tick on which all timers are visited, and then on to their expiry.
	"B-3": {counted: func(l *lab) {
		for _, n := range []int{1_000, 10_000, 100_000} {
			most, late := lockedOut(l, n)
			l.counted(stepsOfBSD, most, "timers visited in one step at most, all n = %d in one slot", n).as(AtMost)
			l.counted(0, late, "timers that do not expire on their tick, n = %d", n)
		}
	}},
}

// stepsOfBSD is after how many timers BSD's callouts let others in.
const stepsOfBSD = 100

// stepper is a scheme whose tick can be made in steps.
type stepper interface {
	counting
	Step(most int) (due int, complete bool)
}

// lockedOut puts n timers into one slot, makes ticks in steps until all are due, and returns the
// most timers that a step visits, and how many expire on another tick than theirs.
func lockedOut(l *lab, n int) (most, late float64) {
	s, ok := l.new("hashunsorted-bounded", withSlots(hashM)).(stepper)
	if !ok {
		l.check(errors.New("claims: hashunsorted-bounded makes no steps"))
	}
	const revolutions = 2
	for id := range n {
		l.start(s, revolutions*hashM, schemes.ID(id))
	}
	for tick := 1; tick <= revolutions*hashM; tick++ {
		due := 0
		for complete := false; !complete; {
			before := s.Counts().Visits
			var moved int
			moved, complete = s.Step(stepsOfBSD)
			most, due = max(most, float64(s.Counts().Visits-before)), due+moved
		}
		if tick < revolutions*hashM {
			late += float64(due)
		} else {
			late += float64(n - due)
		}
	}
	return most, late
}
