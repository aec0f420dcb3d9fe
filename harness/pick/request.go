package pick

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

// Request describes a workload as its user does. The zero value of a field means that it is
// not given. A preset's n and tick are replaced by those given.
type Request struct {
	Preset   string
	N        uint64        // timers outstanding
	Rate     float64       // timers started a second, restarts included
	Mean     string        // how long a timer stays
	Interval string        // a distribution, as workload.ParseClass reads it
	Stop     string        // "
	Restart  string        // "
	Tick     time.Duration // default 1 ms
}

// badRequest makes an error that wraps workload.ErrSpec.
func badRequest(format string, args ...any) error {
	return fmt.Errorf("%w: %s", workload.ErrSpec, fmt.Sprintf(format, args...))
}

// Workload returns the workload that is requested. Its errors wrap workload.ErrSpec, ErrDist
// or ErrPreset.
func (r Request) Workload() (w Workload, err error) {
	p, err := r.demand()
	if err != nil {
		return w, err
	}
	sized, changed := r.N > 0 || r.Rate > 0 || r.Mean != "", []string(nil)
	if sized {
		changed = append(changed, "n")
	}
	if r.Tick > 0 {
		p.Tick, changed = r.Tick, append(changed, "tick")
	}
	if p.Script != nil && len(changed) > 0 {
		return w, badRequest("preset %s has fixed phases, so its %s cannot be changed",
			p.Name, strings.Join(changed, " and "))
	}
	if err := p.Check(); err != nil {
		return w, err
	}
	if sized || r.Preset == "" {
		if p.N, err = r.timers(p.Numbers().Residence * p.Tick.Seconds()); err != nil {
			return w, err
		}
	}
	w = FromPreset(p)
	w.Assumed = slices.DeleteFunc(w.Assumed, func(field string) bool { return slices.Contains(changed, field) })
	switch {
	case p.Name == "":
		w.Source = p.Classes[0].String()
	case len(changed) > 0:
		w.Source += ", with another " + strings.Join(changed, " and ")
	}
	return w, nil
}

// demand returns the preset, or one of the requested class.
func (r Request) demand() (p workload.Preset, err error) {
	class := r.Interval != "" || r.Stop != "" || r.Restart != ""
	switch {
	case r.Preset != "" && class:
		return p, badRequest("preset %s has its own intervals, stops and restarts (change n or tick only)", r.Preset)
	case r.Preset != "":
		return workload.FindPreset(r.Preset)
	case r.Interval == "":
		return p, badRequest("no interval (use a distribution such as 30s)")
	}
	c, err := workload.ParseClass(r.Interval, r.Stop, r.Restart)
	p.Demand = workload.Demand{N: 1, Tick: time.Millisecond, Classes: []workload.Class{c}}
	p.Notes = []workload.Note{{Fields: []string{"tick"}}}
	return p, err
}

// FromPreset returns the workload of a preset.
func FromPreset(p workload.Preset) Workload {
	w := NewWorkload(p.N, p.Lives())
	w.Script, w.Slots, w.Tick, w.Assumed = p.Script, p.Slots, p.Tick, p.Assumed()
	w.Source = fmt.Sprintf("preset %s: %s", p.Name, p.About)
	return w
}

// timers returns n by Little's law, where a timer stays this number of seconds.
func (r Request) timers(stays float64) (int, error) {
	if r.Mean != "" {
		mean, err := workload.ParseSeconds(r.Mean)
		if err != nil {
			return 0, badRequest("mean: %v", err)
		}
		if math.Abs(mean-stays) > 0.01*stays {
			return 0, badRequest("mean %s, but with these intervals, stops and restarts "+
				"a timer stays %.4gs on average (use one of them)", r.Mean, stays)
		}
	}
	n, err := workload.Little(float64(r.N), r.Rate, stays)
	if err == nil && !(n >= 1 && n <= workload.MaxOps) {
		err = badRequest("n = rate × mean = %.4g/s × %.4gs = %.4g timers (use 1 to %d)",
			n/stays, stays, n, workload.MaxOps)
	}
	return int(math.Round(n)), err
}

// FromTrace returns the workload of a trace. A tick of 0 means the trace's own.
func FromTrace(name string, s *tracefile.Stat, tick time.Duration) (w Workload, err error) {
	tick = cmp.Or(tick, s.Tick)
	switch {
	case len(s.Lives) == 0:
		return w, fmt.Errorf("%s: no timer ends within the trace", name)
	case s.Longest > workload.MaxTicks:
		return w, fmt.Errorf("%s: an interval of %d ticks (at most %d)", name, s.Longest, workload.MaxTicks)
	case tick == 0:
		return w, badRequest("%s does not say how long a tick is (give the tick)", name)
	}
	w = NewWorkload(max(1, int(math.Round(s.N()))), s.Lives)
	w.Tick, w.Source = tick, "trace "+name
	if share := float64(s.Outstanding) / float64(s.Started); share > 0.01 {
		w.Assumed = append(w.Assumed, fmt.Sprintf("the %.2g %% of timers left at the trace's end expire", 100*share))
	}
	if missing := s.Missing(); len(missing) > 0 {
		w.Assumed = append(w.Assumed, "nothing is missing but "+strings.Join(missing, ", "))
	}
	return w, nil
}

// SpanSeconds returns the workload with room for intervals of this many seconds.
func (w Workload) SpanSeconds(seconds float64) (Workload, error) {
	ticks := math.Ceil(seconds / w.Tick.Seconds())
	if ticks < float64(w.Longest) || ticks > float64(workload.MaxTicks) {
		return w, badRequest("a longest interval of %.4g ticks (use %d, the longest that occurs, to %d)",
			ticks, w.Longest, workload.MaxTicks)
	}
	return w.Spanning(schemes.Tick(ticks)), nil
}
