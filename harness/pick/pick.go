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

// BudgetFor returns the time that a pick for n timers needs: up to two million a minute, less what
// timer services take.
func BudgetFor(n int) time.Duration {
	const most, minute = 2_000_000, 55 * time.Second
	return minute * time.Duration(max(n, most)) / most
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

	// ErrBudget is wrapped by the error of Pick if there was not even time to measure one candidate.
	ErrBudget = errors.New("pick: no time")

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
	in, out := candidates(w, limits, 0)
	if len(in) == 0 {
		return r, unfitError(out, w, limits)
	}
	r.Rejected = out
	r.Outcome, err = race.Run(ctx, in, progress)
	r.Partial = ctx.Err() != nil
	if err == nil && len(r.Winners()) == 0 {
		err = r.noWinner()
	}
	return r, err
}

// noWinner says why the race has none.
func (r Recommendation) noWinner() error {
	if r.Needs == 0 && (r.Limits.Memory > 0 || r.Limits.Tail > 0) {
		return fmt.Errorf("%w (%d were measured)", ErrLimits, len(r.Results))
	}
	least := (max(r.Needs, r.Budget) + time.Second).Truncate(time.Second)
	return fmt.Errorf("%w: a budget of %v is too short for any candidate (use at least %v)", ErrBudget, r.Budget, least)
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
