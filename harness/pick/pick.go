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
	Budget      time.Duration // for the race and, if there is none yet, a calibration
	Calibration string        // CalibrationAuto, CalibrationNew, CalibrationNone or a file
	Seed        uint64
}

// Recommendation is the result of a pick.
type Recommendation struct {
	Workload   Workload    `json:"workload"`
	Limits     Limits      `json:"limits,omitzero"`
	Partial    bool        `json:"partial"` // the race was interrupted
	Outcome                // the ranking
	Rejected   []Rejected  `json:"rejected,omitempty"` // before the race
	Model      Calibrated  `json:"-"`
	NoModel    string      `json:"no_model_reason,omitempty"`
	Known      bool        `json:"break_even_known"` // whether there are no other points than these
	Margin     float64     `json:"break_even_margin"`
	BreakEven  []BreakEven `json:"break_even,omitempty"`
	SlotRanges []SlotRange `json:"slots_as_good,omitempty"`
}

var (
	// ErrLimits is wrapped by the error of Pick if no candidate keeps the limits.
	ErrLimits = errors.New("pick: no candidate keeps the limits")

	// ErrUnfit is wrapped by the error of Pick if no candidate can run.
	ErrUnfit = errors.New("pick: no scheme fits")
)

// Pick recommends a scheme for a workload. An interrupted pick returns what it has, with the
// context's error. Errors about the request wrap workload.ErrSpec, ErrUnfit or ErrCalibration.
func Pick(ctx context.Context, w Workload, o Options, progress run.Progress) (r Recommendation, err error) {
	began := time.Now()
	r.Workload, r.Limits = w, o.Limits
	in, out := Candidates(w, o.Limits)
	if len(in) == 0 {
		return r, unfitError(out, w, o.Limits)
	}
	trace, err := w.Trace(o.Seed)
	if err != nil {
		return r, err
	}
	if r.Model, err = FindModel(ctx, o.Calibration, o.Budget, progress); err != nil {
		return r, err
	}
	in, r.Rejected = r.Model.Prune(in, w, o.Limits)
	r.Rejected, r.NoModel = append(r.Rejected, out...), r.Model.Why
	race := Race{Workload: w, Trace: trace, Model: r.Model.CostModel, Limits: o.Limits, Seed: o.Seed}
	race.Budget = max(o.Budget-time.Since(began), o.Budget/4) // a slow calibration must leave something
	r.Outcome, err = race.Run(ctx, in, progress)
	r.Partial = ctx.Err() != nil
	if won := r.Winners(); len(won) > 0 {
		r.findBreakEven(won[0].Subject)
	} else if err == nil {
		err = fmt.Errorf("%w (%d were measured)", ErrLimits, len(in))
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
