package player

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Formula is what theory says about a scheme on this workload, and what was counted.
type Formula struct {
	What    string // what is counted, in words: "visits per tick"
	Text    string // the formula: "n"
	Value   float64
	Counted float64 // so far, since the prefill; NaN before anything happened

	count func(tally) float64
}

// tally is what has been counted on a scheme since the prefill.
type tally struct {
	schemes.Counts
	ticks, begun, ended, expired uint64
}

// formulas returns the formulas of a scheme. There are none for variants, for a run that
// the reader has edited, and without a workload.
func (p *Player) formulas(l *lane) []Formula {
	s := &p.State
	if s.N == 0 || len(s.Edits) > 0 || !l.Info.IsBase() || l.Refused != "" {
		return nil
	}
	all, known := p.laws[l.Info.Name]
	if !known { // they take some milliseconds and depend on the state alone
		all = p.lawsOf(l.Info)
		p.laws[l.Info.Name] = all
	}
	t := tally{l.counts().Sub(l.ready), uint64(p.tick), l.Outcome.Started - uint64(p.input.prefill),
		l.Outcome.Stopped + l.Outcome.Expired, l.Outcome.Expired}
	all = slices.Clone(all)
	for i := range all {
		all[i].Counted = all[i].count(t)
	}
	return all
}

// lawsOf returns the formulas of a scheme, whose values come from package cost.
func (p *Player) lawsOf(info *schemes.Info) []Formula {
	s := &p.State
	lives := s.Spec().Lives()
	n := float64(s.N)
	visitsPerTick := func(t tally) float64 { return ratio(t.Visits, t.ticks) }
	compares := func(t tally) float64 { return ratio(t.Compares, t.begun) }
	switch {
	case info.Kind == schemes.List && !info.Sorted:
		return []Formula{{"visits per tick", "n", n, 0, visitsPerTick}}
	case info.Kind == schemes.List:
		passed := cost.PassedFromHead(lives)
		return []Formula{{"comparisons per START", fmt.Sprintf("%.2f · n", passed), passed * n, 0, compares}}
	case info.Kind == schemes.Tree:
		return []Formula{{"comparisons per timer, at most", "3 log₂ n", 3 * math.Log2(n+1), 0, compares}}
	case info.Kind == schemes.Wheel:
		w := workload.NumbersOf(1, lives)
		rate := n / w.MeanStay * w.Expired
		return []Formula{{"visits per tick", "n/T × share that expires", rate, 0, visitsPerTick}}
	case info.Kind == schemes.HashedWheel && info.Sorted:
		value := cost.Compares5(lives, s.N-1, s.Slots)
		return []Formula{{"comparisons per START", "about p · n/M, and one", value, 0, compares}}
	case info.Kind == schemes.HashedWheel:
		instructions := func(t tally) float64 {
			return 4 + ratio(6*t.Visits+9*t.expired, t.ticks)
		}
		return []Formula{
			{"visits per timer", "⌈J/M⌉ − ⌈(J−S)/M⌉", cost.Visits6(lives, s.Slots), 0,
				func(t tally) float64 { return ratio(t.Visits, t.ended) }},
			{"instructions per tick, as in the paper", "4 + 15 n/M", cost.PaperPerTick(s.N, s.Slots), 0, instructions},
			{"the same, refined", "4 + 6 visits + 9 expiries", cost.PerTick6(s.N, s.Slots, lives), 0, instructions},
		}
	case info.Kind == schemes.Hierarchy:
		return []Formula{{"migrations per timer", "below m, by the digits", cost.Migrations7(lives, s.Radices(info)), 0,
			func(t tally) float64 { return ratio(t.Migrations, t.ended) }}}
	}
	return nil
}

func ratio(a, b uint64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}
