package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Options say how to pick.
type Options struct {
	Limits
	Budget time.Duration // 0: BudgetFor
	Seed   uint64
}

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

	// ErrUnfit is wrapped by the error of Pick if no candidate can run.
	ErrUnfit = errors.New("pick: no scheme fits")
)

// Pick recommends a scheme for a workload. An interrupted pick returns what it has, with the
// context's error. Errors about the request wrap workload.ErrSpec or ErrUnfit.
func Pick(ctx context.Context, w Workload, o Options, progress run.Progress) (r Recommendation, err error) {
	r.Workload, r.Limits, r.Budget = w, o.Limits, cmp.Or(o.Budget, BudgetFor(w.N))
	in, out := candidates(w, o.Limits, 0)
	if len(in) == 0 {
		return r, unfitError(out, w, o.Limits)
	}
	r.Rejected = out
	race := Race{Workload: w, Limits: o.Limits, Budget: r.Budget, Seed: o.Seed}
	r.Outcome, err = race.Run(ctx, in, progress)
	r.Partial = ctx.Err() != nil
	switch {
	case err != nil || len(r.Winners()) > 0:
	case r.Needs > 0:
		err = fmt.Errorf("pick: a budget of %v is too short for any candidate (use at least %v)", r.Budget,
			(r.Needs + time.Second).Truncate(time.Second))
	case o.Memory > 0 || o.Tail > 0:
		err = fmt.Errorf("%w (%d were measured)", ErrLimits, len(in))
	default:
		err = fmt.Errorf("pick: a budget of %v is too short for any candidate", r.Budget)
	}
	return r, err
}

// unfitError says why no candidate can run.
func unfitError(out []Rejected, w Workload, l Limits) error {
	if len(out) == 0 {
		var names []string
		for _, info := range (Limits{Late: l.Late}).Eligible() {
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
			ErrUnfit, w.N, results.FormatBytes(float64(bytes)), results.FormatBytes(float64(l.Memory)))
	}
	return fmt.Errorf("%w: %v: %s", ErrUnfit, least.Subject, least.Why)
}
