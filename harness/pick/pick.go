package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// BudgetFor returns the time of a race of n timers: 20 seconds for up to a million, and ten more for each further million that
// races, as filling takes most of it.
func BudgetFor(n int) time.Duration {
	const least, perMillion, million = 20 * time.Second, 10 * time.Second, 1_000_000
	return least + perMillion*time.Duration(max(min(n, mostRaced), million)-million)/million
}

// Recommendation is the result of a pick.
type Recommendation struct {
	Workload Workload      `json:"workload"`
	Limits   Limits        `json:"limits,omitzero"`
	Budget   time.Duration `json:"budget_ns"`
	Partial  bool          `json:"partial"` // the race was interrupted
	Outcome                // the ranking
	Rejected []Rejected    `json:"rejected,omitempty"` // before the race
}

var (
	// ErrLimits is wrapped by the error of Pick if no candidate keeps the limits.
	ErrLimits = errors.New("pick: no candidate keeps the limits")

	// ErrUnfit is wrapped by the error of Pick if no candidate can run.
	ErrUnfit = errors.New("pick: no scheme fits")
)

// Pick recommends a scheme for the workload of a race, whose budget is BudgetFor if it is 0. An interrupted pick
// returns what it has, with the context's error. Errors about the request wrap workload.ErrSpec or ErrUnfit.
func Pick(ctx context.Context, race Race, progress run.Progress) (r Recommendation, err error) {
	w, limits := race.Workload, race.Limits
	race.Budget = cmp.Or(race.Budget, BudgetFor(w.N))
	r.Workload, r.Limits, r.Budget = w, limits, race.Budget
	if w.NoPhase && limits.Tail > 0 {
		return r, workload.Invalid("the limit of a tick's time needs the ticks on which timers expire together, " +
			"which the numbers of a trace do not have (use a preset or a distribution)")
	}
	if w.Step > 1 && limits.Tail > 0 {
		return r, workload.Invalid("the limit of a tick's time needs a clock that passes tick by tick, which here passes %d at once",
			w.Step)
	}
	in, out := candidates(w, limits, 0)
	if len(in) == 0 {
		return r, unfitError(out, w, limits)
	}
	r.Rejected = out
	r.Outcome, err = race.Run(ctx, in, progress)
	r.Partial = ctx.Err() != nil
	if err == nil && !slices.ContainsFunc(r.Results, func(c Result) bool { return c.Dropped == "" }) {
		err = fmt.Errorf("%w (%d were measured)", ErrLimits, len(r.Results))
	}
	known := func(c Result) bool { return c.Raced || c.Predicted > 0 || c.Dropped != "" }
	if err == nil && !slices.ContainsFunc(r.Results, known) {
		err = workload.Invalid("a budget of %v is too short to time one candidate (use 1s or more)", r.Budget)
	}
	return r, err
}

// unfitError says why no candidate can run.
func unfitError(out []Rejected, w Workload, l Limits) error {
	if len(out) == 0 {
		var names []string
		for _, info := range (Limits{}).Eligible() {
			names = append(names, info.Name)
		}
		return fmt.Errorf("%w: %s cannot be picked (have %s)",
			ErrUnfit, strings.Join(l.Only, ", "), strings.Join(names, ", "))
	}
	least := slices.MinFunc(out, func(a, b Rejected) int {
		return cmp.Compare(memory(a.Subject, w.N), memory(b.Subject, w.N))
	})
	if bytes := memory(least.Subject, w.N); l.Memory > 0 && bytes > l.Memory {
		return fmt.Errorf("%w: %d timers need about %s with any scheme, the limit is %s",
			ErrUnfit, w.N, units.FormatBytes(float64(bytes)), units.FormatBytes(float64(l.Memory)))
	}
	return fmt.Errorf("%w: %v: %s", ErrUnfit, least.Subject, least.Why)
}
