package gate

import (
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Diagnosis says what differences of times a machine decides.
type Diagnosis struct {
	Resolution float64         // the difference, as a share, that Rounds decide in 80 of 100 cells
	Rounds     int             // measured, a process each
	Needed     int             // rounds that decide VerdictOn; 0: more than MostRounds
	Promise    results.Promise // of the intervals of equal cells
	Loop       float64         // by what share the slowest time of a fixed loop exceeds the fastest
	WallOver   float64         // wall time over CPU time, the median: above 1 the process waited for a core
}

// VerdictOn is the difference that a machine is asked to decide: one on which a reader acts.
const VerdictOn = 0.1

// MostRounds are the most that Diagnose asks for: the main job takes a quarter of an hour for as many.
const MostRounds = 100

// Diagnose judges a machine by the A/A pairs of some rounds, each of which was a process.
func Diagnose(t *results.Table) Diagnosis {
	lifetimes := t.Controls(func(k results.Key) bool { return k.Op == units.LifetimeOp })
	loop := results.Summarize(t.Samples(results.Key{Op: units.SpinName}, units.NsPerOp))
	var waits []float64
	for _, k := range t.Keys {
		waits = append(waits, t.Samples(k, units.WallOverCPU)...)
	}
	d := Diagnosis{
		Resolution: t.Resolution(lifetimes, units.NsPerOp), Rounds: loop.N,
		Needed:  t.RoundsFor(lifetimes, units.NsPerOp, VerdictOn, MostRounds),
		Promise: t.Promise(lifetimes, units.NsPerOp), Loop: loop.Hi/loop.Lo - 1, WallOver: results.Median(waits),
	}
	if d.OK() && (d.Needed == 0 || d.Needed > d.Rounds) {
		d.Needed = d.Rounds // what was measured is surer than what is drawn from it
	}
	return d
}

// OK reports whether the machine decides VerdictOn in as many rounds as were measured.
func (d Diagnosis) OK() bool { return d.Resolution <= VerdictOn }
