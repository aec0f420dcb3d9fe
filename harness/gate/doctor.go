package gate

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Diagnosis says whether a machine can carry a verdict on a change of times by a tenth.
type Diagnosis struct {
	Findings []Finding
}

// Finding is one property of the machine.
type Finding struct {
	Property, Found, Limit string // Limit "": nothing is asked of it
	Fails                  bool   // the machine carries no verdict
	Advice                 string // what to do about it, or ""
}

// verdictOn is the change that a machine is asked to carry a verdict on. The noise band may be half of it, since
// Check lets a time grow by twice the band.
const verdictOn = 0.1

// Diagnose judges a machine by some runs of the same code, each of which was a process of its own, and by the host's
// settings. wanted is how many runs were begun: those that did not end in time are missing.
func Diagnose(runs []*results.Table, wanted int, host Host) *Diagnosis {
	d := &Diagnosis{}
	if len(runs) < 2 {
		d.add(Finding{Property: "processes that measured in time", Found: fmt.Sprintf("%d of %d", len(runs), wanted),
			Limit: "≥ 2", Fails: true, Advice: "stop what else computes, or ask a machine that is not as busy"})
	} else {
		d.noise(runs)
		d.between(runs)
		d.fixedLoop(runs)
	}
	d.host(host)
	return d
}

func (d *Diagnosis) add(f Finding) { d.Findings = append(d.Findings, f) }

// limited adds a property that must not exceed a limit.
func (d *Diagnosis) limited(property string, share, limit float64, advice string) {
	f := Finding{Property: property, Found: results.FormatPercent(share), Limit: "≤ " + results.FormatPercent(limit)}
	if f.Fails = !(share <= limit); f.Fails {
		f.Advice = advice
	}
	d.add(f)
}

// noise compares subjects with themselves within a process.
func (d *Diagnosis) noise(runs []*results.Table) {
	widest := 0.0
	for _, t := range runs {
		band, _ := t.NoiseBand(nil)
		widest = max(widest, band)
	}
	d.limited("noise band: a scheme under two names in one process", widest, verdictOn/2,
		"something else computes now and then: measure more rounds, or when it is quiet")
}

// between compares the same cells in two processes, which may differ in the layout of memory.
func (d *Diagnosis) between(runs []*results.Table) {
	furthest := 0.0
	for _, k := range runs[0].Keys {
		if !isControl(k) {
			furthest = max(furthest, spread(runs, k))
		}
	}
	d.limited("the same cell in two processes, the furthest", furthest, verdictOn,
		"measure in several processes and pool their files")
}

// spread returns by what share the largest of the runs' medians of a cell exceeds the smallest.
func spread(runs []*results.Table, k results.Key) float64 {
	low, high := math.Inf(1), 0.0
	for _, t := range runs {
		if m, err := t.Median(k, results.NsPerOp); err == nil {
			low, high = min(low, m.Median), max(high, m.Median)
		}
	}
	return max(0, high/low-1)
}

// fixedLoop looks at the noise probe, in which no scheme takes part.
func (d *Diagnosis) fixedLoop(runs []*results.Table) {
	spin := results.Key{Op: results.SpinName}
	const busy = "something else computes on this core, or its clock varies: stop it, or fix the frequency"
	d.limited("the fixed loop in two processes", spread(runs, spin), verdictOn, busy)
	var rounds []float64
	for _, t := range runs {
		rounds = append(rounds, t.Samples(spin, results.NsPerOp)...)
	}
	if len(rounds) > 0 {
		d.add(Finding{Property: "the fixed loop, slowest round over fastest",
			Found: "+" + results.FormatPercent(slices.Max(rounds)/slices.Min(rounds)-1)})
	}
}

// Host is what the system says of the machine. What it does not say is "unknown", or below 0.
type Host struct {
	Clock    run.ClockQuality
	Governor string  // of the processor's frequency
	Pages    string  // whether large arrays get huge pages
	Load     string  // when the examination began
	Steal    float64 // share of the processors' time that the hypervisor took meanwhile
}

// Observe begins to observe the host; the function that it returns ends that. root is the folder of proc, "/".
func Observe(root string) (end func() Host) {
	machine := results.ThisMachine()
	h := Host{Clock: run.MeasureClock(), Governor: machine.Get("governor"), Pages: machine.Get("thp"),
		Load: results.SystemLoad(), Steal: -1}
	stolen, total := processorTimes(root)
	return func() Host {
		if more, all := processorTimes(root); all > total {
			h.Steal = float64(more-stolen) / float64(all-total)
		}
		return h
	}
}

// processorTimes returns the time stolen by the hypervisor and all time of the processors, in the system's ticks, or
// zeros.
func processorTimes(root string) (stolen, total uint64) {
	text, _ := os.ReadFile(filepath.Join(root, "proc/stat"))
	first, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(first) // cpu user nice system idle iowait irq softirq steal guest …
	const steal = 8
	if len(fields) <= steal {
		return 0, 0
	}
	for i, f := range fields[1 : steal+1] {
		v, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return 0, 0
		}
		total += v
		if i+1 == steal {
			stolen = v
		}
	}
	return stolen, total
}

// host adds the settings. Only stolen time fails a machine by itself: what the others do to times shows in the runs.
func (d *Diagnosis) host(h Host) {
	advise := func(when bool, text string) string {
		if when {
			return text
		}
		return ""
	}
	if h.Steal < 0 {
		d.add(Finding{Property: "time stolen by the hypervisor", Found: "unknown"})
	} else {
		d.limited("time stolen by the hypervisor", h.Steal, 0.01, "the host has other guests: measure at another time or place")
	}
	d.add(Finding{Property: "frequency governor", Found: h.Governor,
		Advice: advise(h.Governor != "performance" && h.Governor != "unknown", "set it to performance while measuring")})
	d.add(Finding{Property: "huge pages", Found: h.Pages, Advice: advise(strings.Contains(h.Pages, "[never]"),
		"large schemes are slower than elsewhere: allow huge pages (madvise)")})
	d.add(Finding{Property: "clock", Found: fmt.Sprintf("a reading costs %s and resolves %s",
		results.FormatDuration(h.Clock.Cost), results.FormatDuration(h.Clock.Resolution)),
		Advice: advise(h.Clock.Cost > time.Microsecond, "use the clock source tsc, if the machine has it")})
	d.add(Finding{Property: "load at the start", Found: h.Load})
}

// OK reports whether the machine can carry a verdict.
func (d *Diagnosis) OK() bool {
	return !slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Fails })
}

// Sentence is the verdict on the machine.
func (d *Diagnosis) Sentence() string {
	if d.OK() {
		return fmt.Sprintf("This machine can carry a verdict on %s.", results.FormatPercent(verdictOn))
	}
	var why []string
	for _, f := range d.Findings {
		if f.Fails {
			why = append(why, fmt.Sprintf("%s: %s (%s)", f.Property, f.Found, f.Limit))
		}
	}
	return fmt.Sprintf("This machine cannot carry a verdict on %s: %s.", results.FormatPercent(verdictOn),
		strings.Join(why, "; "))
}

// Page lists the findings.
func (d *Diagnosis) Page(made string) *report.Page {
	p := &report.Page{Title: "Doctor", Findings: d.Sentence(), Made: made}
	t := report.NewTable("property", "found", "limit", "verdict", "advice")
	for _, f := range d.Findings {
		verdict := report.Cell{Text: "-"}
		switch {
		case f.Fails:
			verdict = report.Cell{Text: "fails", Best: true} // bold
		case f.Limit != "":
			verdict.Text = "met"
		}
		t.Add(f.Property, f.Found, cmp.Or(f.Limit, "-"), verdict, f.Advice)
	}
	p.Add(report.Section{Title: "The machine", Tables: []*report.Table{t}})
	return p
}
