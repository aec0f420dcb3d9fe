package player

import (
	"fmt"
	"math"

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
}

// formulas returns the formulas of a scheme, whose values come from package cost. There
// are none for variants, for a run that the reader has edited, and without a workload.
func (p *Player) formulas(l *lane) (all []Formula) {
	s := &p.State
	if s.N == 0 || len(s.Edits) > 0 || !l.info.IsBase() || l.refused != "" {
		return nil
	}
	lives := s.Spec().Lives()
	c := l.counts().Sub(l.ready)
	perTick := func(count uint64) float64 { return ratio(count, uint64(p.tick)) }
	ended := l.digest.Stopped + l.digest.Expired
	begun := l.digest.Started - uint64(p.input.prefill)
	add := func(what, text string, value, counted float64) {
		all = append(all, Formula{what, text, value, counted})
	}
	n, rate := float64(s.N), float64(s.N)/cost.MeanStay(lives)
	switch l.info.Kind {
	case schemes.List:
		if !l.info.Sorted {
			add("visits per tick", "n", n, perTick(c.Visits))
			break
		}
		passed := cost.PassedFromHead(lives)
		add("compares per START", fmt.Sprintf("%.2f · n", passed), passed*n, ratio(c.Compares, begun))
	case schemes.Tree:
		add("compares per timer, at most", "3 log₂ n", 3*math.Log2(n+1), ratio(c.Compares, begun))
	case schemes.Wheel:
		add("visits per tick", "n/T × share that expires", rate*cost.Expiring(lives), perTick(c.Visits))
	case schemes.HashedWheel:
		all = p.hashed(l, lives, c)
	case schemes.Hierarchy:
		add("migrations per timer", "Σ over levels, below m", cost.Migrations7(lives, s.Radices()), ratio(c.Migrations, ended))
	}
	return all
}

// hashed returns the formulas of schemes 5 and 6.
func (p *Player) hashed(l *lane, lives []workload.Life, c schemes.Counts) []Formula {
	s := &p.State
	begun, ended := l.digest.Started-uint64(p.input.prefill), l.digest.Stopped+l.digest.Expired
	if l.info.Sorted {
		return []Formula{{"compares per START", "about p · n/M, and one more",
			cost.Compares5(lives, s.N-1, s.Slots), ratio(c.Compares, begun)}}
	}
	expired := float64(l.digest.Expired)
	counted := math.NaN()
	if p.tick > 0 {
		counted = 4 + (6*float64(c.Visits)+9*expired)/float64(p.tick)
	}
	return []Formula{
		{"visits per timer", "⌈J/M⌉ − ⌈(J−S)/M⌉", cost.Visits6(lives, s.Slots), ratio(c.Visits, ended)},
		{"instructions per tick, as in the paper", "4 + 15 n/M", cost.PaperPerTick(s.N, s.Slots), counted},
		{"the same, refined", "4 + 6 visits + 9 expiries", cost.PerTick6(s.N, s.Slots, lives), counted},
	}
}

func ratio(a, b uint64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}
