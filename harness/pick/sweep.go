package pick

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Terms are what all verdicts of a sweep have in common.
type Terms struct {
	Version int             `json:"version"`
	Machine results.Machine `json:"machine"`
	Seed    uint64          `json:"seed"`
	Budget  time.Duration   `json:"budget_ns"` // of a pick; 0: BudgetFor

	cost func(done schemes.Counts) float64
}

func (t Terms) equal(u Terms) bool {
	return t.Version == u.Version && t.Seed == u.Seed && t.Budget == u.Budget &&
		identity(t.Machine) == identity(u.Machine)
}

// identity is what costs depend on: of the code, its digests. The kernel's release and the governor change
// too often for how little they matter.
func identity(m results.Machine) (text string) {
	for _, kv := range m {
		if !slices.Contains([]string{"kernel", "governor", "ldflags", "commit"}, kv[0]) {
			text += kv[0] + "=" + kv[1] + "\n"
		}
	}
	return text
}

// SweepVersion is the version of the files of a sweep. Version 1 was made by a picker that predicted costs.
const SweepVersion = 2

// Sweep is a file of verdicts.
type Sweep struct {
	Terms
	Verdicts []Verdict `json:"verdicts"`
}

// ErrTerms is wrapped by the error about files that cannot be continued or joined.
var ErrTerms = errors.New("its picker, machine, Go version, code, seed or budget is another")

// ReadSweep reads the files of the parts of a sweep.
func ReadSweep(paths ...string) (s Sweep, err error) {
	for i, path := range paths {
		var part Sweep
		data, err := os.ReadFile(path)
		if err != nil {
			return s, err
		}
		if err = json.Unmarshal(data, &part); err == nil && part.Version != SweepVersion {
			err = fmt.Errorf("version %d is of another picker (must be %d)", part.Version, SweepVersion)
		}
		if err == nil && i > 0 && !part.Terms.equal(s.Terms) {
			err = ErrTerms
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", path, err)
		}
		s = Sweep{part.Terms, append(s.Verdicts, part.Verdicts...)}
	}
	return s, nil
}

// ContinueSweep returns the sweep of a file with these terms, or an empty one if there is none.
func ContinueSweep(path string, terms Terms) (s Sweep, err error) {
	terms.Version = SweepVersion
	s, err = ReadSweep(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Sweep{Terms: terms}, nil
	case err == nil && !s.Terms.equal(terms):
		err = fmt.Errorf("%s: %w", path, ErrTerms)
	}
	return s, err
}

// Judge adds the verdicts that are missing, and saves the sweep after each. A case that fails is left
// out, so that the others are judged; the errors are joined at the end.
func (s *Sweep) Judge(ctx context.Context, path string, cases []Case, progress run.Progress) error {
	var failed []error
	for i, c := range cases {
		if slices.ContainsFunc(s.Verdicts, func(v Verdict) bool { return v.Name == c.Name }) {
			continue
		}
		v, err := c.Judge(ctx, s.Terms, func(_, _ int, label string) { progress(i, len(cases), c.Name+", "+label) })
		if err != nil {
			failed = append(failed, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		s.Verdicts = append(s.Verdicts, v)
		data, err := json.MarshalIndent(s, "", "\t")
		if err == nil { // in one step, so that readers never find half of it
			err = maybe.WriteFile(path, append(data, '\n'), 0o644)
		}
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
	}
	return errors.Join(failed...)
}
