package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Host is what the system says of the machine. What it does not say is "unknown", or
// below 0.
type Host struct {
	Clock    run.ClockQuality
	Source   string  // of the clock
	Governor string  // of the processor's frequency
	Pages    string  // whether large arrays get huge pages
	Load     string  // when the examination began
	Steal    float64 // share of the processors' time that the hypervisor took meanwhile
}

// Observe begins to observe the host; the function that it returns ends that. root is
// the folder of proc and sys, "/".
func Observe(root string) (end func() Host) {
	machine := results.ThisMachine()
	h := Host{
		Clock: run.MeasureClock(), Source: "unknown", Governor: machine.Get("governor"), Pages: machine.Get("thp"),
		Load: results.SystemLoad(), Steal: -1,
	}
	const source = "sys/devices/system/clocksource/clocksource0/current_clocksource"
	if text, err := os.ReadFile(filepath.Join(root, source)); err == nil {
		h.Source = strings.TrimSpace(string(text))
	}
	stolen, total := processorTimes(root)
	return func() Host {
		if more, all := processorTimes(root); all > total {
			h.Steal = float64(more-stolen) / float64(all-total)
		}
		return h
	}
}

// processorTimes returns the time stolen by the hypervisor and all time of the
// processors, in the system's ticks, or zeros.
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

const (
	slowClock = time.Microsecond
	maxSteal  = 0.01
)

// findings judges the settings. None of them fails a machine: what they do to times shows
// in the runs.
func (h Host) findings() []Finding {
	advise := func(when bool, text string) string {
		if when {
			return text
		}
		return ""
	}
	steal := "unknown"
	if h.Steal >= 0 {
		steal = results.FormatPercent(h.Steal)
	}
	return []Finding{
		{Property: "clock", Found: fmt.Sprintf("%s; a reading costs %s and resolves %s", h.Source,
			results.FormatDuration(h.Clock.Cost), results.FormatDuration(h.Clock.Resolution)),
			Bound:  "≤ " + results.FormatDuration(slowClock),
			Advice: advise(h.Clock.Cost > slowClock, "use the clock source tsc, if the machine has it")},
		{Property: "frequency governor", Found: h.Governor, Advice: advise(h.Governor != "performance" &&
			h.Governor != "unknown", "set it to performance while measuring")},
		{Property: "huge pages", Found: h.Pages, Advice: advise(strings.Contains(h.Pages, "[never]"),
			"large schemes are slower than elsewhere: allow huge pages (madvise)")},
		{Property: "time stolen by the hypervisor", Found: steal, Bound: "≤ " + results.FormatPercent(maxSteal),
			Advice: advise(h.Steal > maxSteal, "the host has other guests: measure at another time or place")},
		{Property: "load at the start", Found: h.Load},
	}
}
