package claims

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// The choice between schemes 6 and 7 (section 6.2).

var (
	sixName   = hashunsorted.Info.Name
	sevenName = hierarchical.Info.Name
)

const lifetime, nsPerOp = results.LifetimeOp, results.NsPerOp

var choosingChecks = map[string]func(*lab){
	"V-6":  func(l *lab) { atPapersT(l, AtLeast, 1) },
	"V-6y": func(l *lab) { atPapersT(l, AtLeast, 1.5) },
	// The check counts both costs at the predicted T*. T* is a whole number of
	// ticks, so that the costs predicted there are not quite equal.
	"V-6x": func(l *lab) {
		for _, rule := range levelRules {
			exp := workload.Spec{Dist: workload.Exp()}
			for _, load := range []workload.Spec{exp, mostlyStopped(exp), {Dist: workload.Uniform()}} {
				for _, m := range []int{2, 4} {
					c := crossing{load, m, rule}
					for _, ratio := range []float64{0.5, 1, 2, 4} {
						T := c.predict(ratio)
						if math.IsNaN(T) {
							l.check(fmt.Errorf("claims: no crossover predicted for %v, c7/c6 = %g", c, ratio))
						}
						wasted6, migrations7 := c.steps(schemes.Tick(T))
						c.costs(l, schemes.Tick(T), ratio, wasted6/migrations7/ratio)
					}
				}
			}
		}
	},
}

// onChoice returns a check of the judged grid of schemes 6 and 7.
func onChoice(check func(*timings, *choice.Choice)) func(*timings) {
	return func(t *timings) {
		c, err := t.study()
		if err != nil {
			t.lacks("%v", err)
			return
		}
		for _, k := range t.Keys {
			if choice.InGrid(k) {
				t.note(k, nsPerOp)
			}
		}
		check(t, c)
	}
}

// boundDecides counts the cells of linked slots, the paper's, in which the bound names the slower scheme (V-6).
func boundDecides(t *timings, c *choice.Choice) {
	linked := slices.DeleteFunc(slices.Clone(c.Cells), func(cell choice.Cell) bool { return cell.Form != choice.Linked })
	s := choice.ScoreOf(choice.PapersBound, choice.Cell.Bound, linked)
	if s.Named == 0 {
		t.lacks("decided cells in which the bound says 7")
		return
	}
	const why = "a cell is decided if its interval leaves 1 out and its median the noise of the A/A pairs"
	t.add(Equal, 0, exact(float64(s.Named-s.Right)), why, "cells in which the bound says 7 and scheme 6 is faster, of "+
		"%d that are decided", s.Named)
}

// stepsCost compares the measured c7/c6 of linked slots with 20/6 and 6/20 (V-7).
func stepsCost(t *timings, c *choice.Choice) {
	const why = "interval: 95 %, of the rounds"
	for _, r := range c.Regimes {
		if r.Form != choice.Linked || r.Ratio.N == 0 {
			continue
		}
		at := fmt.Sprintf("%s slots, n = %s", r.Form, results.FormatCount(uint64(r.N)))
		t.add(AtMost, 20./6, valueOf(r.Ratio), why, "c7/c6, %s: a STOP and a START against a visit, 20 to 6", at)
		t.add(AtLeast, 6./20, valueOf(r.Ratio), why, "c7/c6, %s", at)
	}
	if len(t.evidence.points) == 0 {
		t.lacks("c7/c6 of linked slots, the paper's")
	}
}

// atPapersT counts what scheme 6 pays over what scheme 7 pays where the paper's expressions are equal.
func atPapersT(l *lab, r Relation, want float64) {
	for _, m := range []int{2, 4} {
		for _, ratio := range []float64{1, 2} {
			T := schemes.Tick(cost.PaperCrossover(ratio, crossingSlots, m))
			crossing{workload.Spec{Dist: workload.Exp()}, m, levelRules[0]}.costs(l, T, ratio, want).as(r)
		}
	}
}

// crossingSlots is M of the table of crossovers: in all wheels together.
const crossingSlots = 256

// crossing is a comparison of schemes 6 and 7 at equal slots.
type crossing struct {
	load workload.Spec // without N and T
	m    int
	rule levelRule
}

func (c crossing) spec(T schemes.Tick) workload.Spec {
	c.load.N, c.load.T = min(300, max(40, int(T))), T // enough timers end where T is short
	return c.load
}

func (c crossing) radices() []int { return subject(sevenName, crossingSlots, c.m).Levels }

func (c crossing) String() string {
	return fmt.Sprintf("%s intervals, %s, m = %d, %s", c.load.Dist, withStops(c.load.Stop > 0), c.m, c.rule.scheme)
}

// steps returns what a timer of mean stay T costs by formula: visits that scheme 6 wastes, and migrations.
func (c crossing) steps(T schemes.Tick) (wasted6, migrations7 float64) {
	lives := c.spec(T).Lives()
	return cost.Wasted6(lives, crossingSlots), c.rule.migrations(lives, c.radices())
}

// predict solves wasted visits = ratio · migrations for T.
func (c crossing) predict(ratio float64) float64 {
	return cost.Crossover(func(T schemes.Tick) float64 {
		wasted6, migrations7 := c.steps(T)
		return wasted6 - ratio*migrations7
	}, 6000)
}

// costs counts what scheme 6 pays over what scheme 7 pays at T, if a migration costs
// ratio times a visit, and compares it with want.
func (c crossing) costs(l *lab, T schemes.Tick, ratio, want float64) *Point {
	const turn = 64 * 64 // a revolution of the levels that matter
	each := (8*T + turn - 1) / turn * turn
	run := func(scheme string, cfg schemes.Config) tally {
		return l.run(experiment{scheme: scheme, cfg: cfg, spec: c.spec(T), warm: each, each: each})
	}
	six := run("hashunsorted", schemes.Config{Slots: crossingSlots}).per(wasted, ended)
	seven := run(c.rule.scheme, schemes.Config{Levels: c.radices()}).per(migrations, ended)
	return l.sampled(want, six.over(seven).times(1/ratio),
		"cost of 6 over cost of 7 at T = %d, c7/c6 = %g, %s", T, ratio, c)
}
