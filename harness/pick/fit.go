package pick

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// timing is what the lives of a run took on average, in steps and in ns.
type timing struct {
	steps Steps
	ns    float64
}

// unitCosts fits timings. The cost of a tick comes from the smallest working set, if there is
// one: an empty tick touches the same few words whatever waits, and only small sets have
// enough ticks per life to measure it.
func unitCosts(timings []timing, smaller []UnitCosts) (u UnitCosts) {
	tick := 0.0
	rest := slices.Clone(timings)
	if len(smaller) > 0 {
		tick = smaller[0].Steps[stepTick]
		for i := range rest {
			rest[i].ns -= min(tick*rest[i].steps[stepTick], rest[i].ns/2)
			rest[i].steps[stepTick] = 0
		}
	}
	u.Steps = fit(rest)
	u.Steps[stepTick] += tick
	// Spread, empty ticks and batches may be missing from all timings.
	u.Timed[stepSpread], u.Timed[stepTick], u.Timed[stepBatch] = true, true, true
	var errors []float64
	for _, t := range timings {
		for k, steps := range t.steps {
			u.Timed[k] = u.Timed[k] || steps > negligible
		}
		errors = append(errors, math.Abs(t.steps.times(u.Steps)/t.ns-1))
	}
	u.Error = median(errors)
	return u
}

// times returns what the steps take at these unit costs.
func (s Steps) times(costs Steps) (ns float64) { return floats.Dot(s[:], costs[:]) }

const (
	mostSweeps  = 100_000 // over all unit costs: milliseconds
	convergence = 1e-12   // change of a prediction at which fit ends
)

// fit returns the ns of each step, none below 0, with the least sum of squared relative
// errors of the predicted timings. It minimises over one unit cost after another, on the
// normal equations: the problem is convex, so this converges to the minimum. A step that no
// timing has costs nothing.
func fit(timings []timing) (costs Steps) {
	var gram [numSteps]Steps
	var target Steps
	for _, t := range timings {
		for i, x := range t.steps {
			target[i] += x / t.ns
			floats.AddScaled(gram[i][:], x/(t.ns*t.ns), t.steps[:])
		}
	}
	for range mostSweeps {
		change := 0.0
		for i, row := range gram {
			if row[i] == 0 {
				continue
			}
			next := max(0, costs[i]+(target[i]-row.times(costs))/row[i])
			change = max(change, math.Abs(next-costs[i])*math.Sqrt(row[i]))
			costs[i] = next
		}
		if change < convergence {
			break
		}
	}
	return costs
}
