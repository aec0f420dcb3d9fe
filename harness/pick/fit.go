package pick

import "math"

// timing is what the lives of a run took on average, in steps and in ns.
type timing struct {
	steps Steps
	ns    float64
}

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
			for k, y := range t.steps {
				gram[i][k] += x * y / (t.ns * t.ns)
			}
		}
	}
	for range mostSweeps {
		change := 0.0
		for i := range costs {
			if gram[i][i] == 0 {
				continue
			}
			gradient := target[i]
			for k, ns := range costs {
				gradient -= gram[i][k] * ns
			}
			next := max(0, costs[i]+gradient/gram[i][i])
			change = max(change, math.Abs(next-costs[i])*math.Sqrt(gram[i][i]))
			costs[i] = next
		}
		if change < convergence {
			break
		}
	}
	return costs
}
