package report

import (
	"cmp"

	"timerlab/harness/results"
)

// Target is a bound that was set before anything was measured. The median decides.
type Target struct {
	What  string
	Bound float64 // 0: the value is shown without a verdict
	Least bool    // the bound is the least, not the most
	Asked string  // the bound in words; "" means the relation and Show(Bound)
	Show  func(float64) string
	Value func(*results.Table) (results.Estimate, error)
}

// Targets is the table of the targets whose values were measured.
func Targets(t *results.Table, targets []Target) *Table {
	out := NewTable("target", "bound", "measured", "verdict")
	for _, one := range targets {
		if e, err := one.Value(t); err == nil {
			out.Add(one.What, one.bound(), Interval(e, one.Show), one.verdict(e.Median))
		}
	}
	return out
}

func (t Target) bound() string {
	relation := "≤ "
	if t.Least {
		relation = "≥ "
	}
	if t.Bound == 0 {
		return "-"
	}
	return cmp.Or(t.Asked, relation+t.Show(t.Bound))
}

func (t Target) verdict(median float64) Cell {
	switch {
	case t.Bound == 0:
		return Cell{}
	case t.Least && median < t.Bound, !t.Least && median > t.Bound:
		return Cell{Text: "missed", Best: true} // bold
	}
	return Cell{Text: "met"}
}
