package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// Diagnosis says whether a machine can carry a verdict on a change of times.
type Diagnosis struct {
	Findings []Finding
}

// Finding is one property of the machine.
type Finding struct {
	Property, Found, Bound string // Bound "": nothing is asked of it
	Fails                  bool   // the machine carries no verdict
	Advice                 string // what to do about it, or ""
}

const (
	maxRefused     = 0.05 // share of two runs, as the machine was slower in one
	maxFalseAlarms = 0.01 // share of times, as the gate's level
	maxDetectable  = 0.20 // slowdown, as the gate's own test plants
	detectedShare  = 0.9  // share of the times in which a slowdown must be seen
	leastRuns      = 4
)

// Diagnose judges a machine by runs of the same code, each of which was a process of its
// own, with the gate that a change would have to pass, and by the host's settings.
func Diagnose(runs []*results.Table, host Host) (*Diagnosis, error) {
	d := &Diagnosis{}
	if len(runs) < leastRuns {
		d.add(Finding{
			Property: "runs", Found: fmt.Sprint(len(runs)), Bound: fmt.Sprintf("≥ %d", leastRuns), Fails: true,
		})
		return d, nil
	}
	pairs, err := d.pairs(runs)
	if err != nil {
		return nil, err
	}
	d.falseAlarms(pairs)
	d.detectable(pairs)
	d.twins(runs)
	d.neighbours(runs)
	d.Findings = append(d.Findings, host.findings()...)
	return d, nil
}

func (d *Diagnosis) add(f Finding) { d.Findings = append(d.Findings, f) }

// OK reports whether the machine can carry a verdict.
func (d *Diagnosis) OK() bool {
	return !slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Fails })
}

// Sentence is the verdict on the machine.
func (d *Diagnosis) Sentence() string {
	if d.OK() {
		return fmt.Sprintf("This machine can carry a verdict: two runs of the same code pass a gate of %s.",
			results.FormatPercent(allowedGrowth))
	}
	var why []string
	for _, f := range d.Findings {
		if f.Fails {
			why = append(why, fmt.Sprintf("%s: %s (%s)", f.Property, f.Found, f.Bound))
		}
	}
	return "This machine cannot carry a verdict on times: " + strings.Join(why, "; ") + "."
}

// Page lists the findings.
func (d *Diagnosis) Page(made string) *report.Page {
	p := &report.Page{Title: "Doctor", Findings: d.Sentence(), Made: made}
	t := report.NewTable("property", "found", "bound", "verdict", "advice")
	for _, f := range d.Findings {
		verdict := report.Cell{Text: "-"}
		switch {
		case f.Fails:
			verdict = report.Cell{Text: "fails", Best: true} // bold
		case f.Bound != "" && f.Advice == "":
			verdict.Text = "met"
		case f.Advice != "":
			verdict.Text = "noted"
		}
		t.Add(f.Property, f.Found, cmp.Or(f.Bound, "-"), verdict, f.Advice)
	}
	p.Add(report.Section{Title: "The machine", Tables: []*report.Table{t}})
	return p
}

// repeatedTime is one time in two runs of the same code.
type repeatedTime struct {
	was, is []float64
	limit   float64
}

// pairs returns every time in every two runs, and what the gate would allow it.
func (d *Diagnosis) pairs(runs []*results.Table) (all []repeatedTime, err error) {
	refused, why := 0, ""
	for i, base := range runs {
		for _, now := range runs[i+1:] {
			c := checking{base: base, now: now, gate: Gate{Time: allowedGrowth}}
			if why = c.otherTimes(); why != "" {
				refused++
				continue
			}
			for _, k := range base.Keys {
				limit, known := c.limit(k)
				was, is := base.Samples(k, results.NsPerOp), now.Samples(k, results.NsPerOp)
				if known && !isControl(k) && min(len(was), len(is)) >= results.LeastRounds {
					all = append(all, repeatedTime{was, is, limit})
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("compare: no two runs with an A/A pair and %d rounds that can be compared (%s)",
			results.LeastRounds, cmp.Or(why, "too few rounds, or no pair"))
	}
	pairs := len(runs) * (len(runs) - 1) / 2
	d.add(Finding{
		Property: fmt.Sprintf("two runs that the gate does not compare, of %d", pairs), Found: shareOf(refused, pairs),
		Bound: "≤ " + results.FormatPercent(maxRefused), Fails: float64(refused) > maxRefused*float64(pairs),
	})
	return all, nil
}

// alarmShare returns the share of times that the gate finds slower if the second run is
// slowed by a factor.
func alarmShare(pairs []repeatedTime, factor float64) float64 {
	n := 0
	for _, p := range pairs {
		slowed := floats.ScaleTo(make([]float64, len(p.is)), factor, p.is)
		if isSlower(differ(p.was, slowed, false), p.limit) {
			n++
		}
	}
	return float64(n) / float64(len(pairs))
}

// falseAlarms counts the times that the gate finds slower though the code is the same.
func (d *Diagnosis) falseAlarms(pairs []repeatedTime) {
	share := alarmShare(pairs, 1)
	d.add(Finding{
		Property: fmt.Sprintf("false alarms, two runs of the same code, %d times", len(pairs)),
		Found:    results.FormatPercent(share), Bound: "≤ " + results.FormatPercent(maxFalseAlarms),
		Fails: share > maxFalseAlarms,
	})
}

// detectable finds the smallest slowdown that the gate sees nearly always.
func (d *Diagnosis) detectable(pairs []repeatedTime) {
	f := Finding{
		Property: fmt.Sprintf("smallest slowdown seen in %s of the times", results.FormatPercent(detectedShare)),
		Found:    "above 100 %", Bound: "≤ " + results.FormatPercent(maxDetectable), Fails: true,
	}
	for _, share := range []float64{0.11, 0.12, 0.13, 0.15, 0.175, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1} {
		if alarmShare(pairs, 1+share) >= detectedShare {
			f.Found, f.Fails = results.FormatPercent(share), share > maxDetectable
			break
		}
	}
	d.add(f)
}

// twins compares each scheme with itself within a run: what is left is the order of the
// two, and where their memory lies.
func (d *Diagnosis) twins(runs []*results.Table) {
	n, differs, widest := 0, 0, 0.0
	for _, t := range runs {
		for _, k := range t.Keys {
			first, ok := k.Twin()
			was, is := t.Samples(first, results.NsPerOp), t.Samples(k, results.NsPerOp)
			if !ok || len(was) == 0 || len(is) == 0 {
				continue
			}
			n++
			if differ(was, is, false).P < alpha {
				differs++
			}
		}
		band, _ := t.NoiseBand(nil)
		widest = max(widest, band)
	}
	d.add(Finding{
		Property: fmt.Sprintf("one scheme under two names differs at p < %v, %d pairs", alpha, n),
		Found:    fmt.Sprintf("%s; widest noise band of a run %s", shareOf(differs, n), results.FormatPercent(widest)),
	})
}

// neighbours looks at the noise probe, in which no scheme takes part.
func (d *Diagnosis) neighbours(runs []*results.Table) {
	var spins []float64
	for _, t := range runs {
		spins = append(spins, t.Samples(results.Key{Op: results.SpinName}, results.NsPerOp)...)
	}
	if len(spins) == 0 {
		return
	}
	least, disturbed := slices.Min(spins), 0
	for _, v := range spins {
		if v > (1+allowedGrowth)*least {
			disturbed++
		}
	}
	f := Finding{
		Property: fmt.Sprintf("rounds in which a fixed loop took %s longer than at best",
			results.FormatPercent(allowedGrowth)),
		Found: fmt.Sprintf("%s; by %s at most", shareOf(disturbed, len(spins)),
			results.FormatPercent(slices.Max(spins)/least-1)),
	}
	if disturbed*20 > len(spins) {
		f.Advice = "something else computes on this core: stop it, or measure when it is quiet"
	}
	d.add(f)
}

func shareOf(n, of int) string { return results.FormatPercent(float64(n) / float64(of)) }
