package pick

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/harness/workload"
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
	var changed []string
	if r.N > 0 || r.Rate > 0 || r.Mean != "" {
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
	if r.Preset == "" || slices.Contains(changed, "n") {
		if p.N, err = r.timers(p.Numbers().Residence * p.Tick.Seconds()); err != nil {
			return w, err
		}
	}
	w = FromPreset(p)
	w.Assumed = slices.DeleteFunc(w.Assumed, func(field string) bool { return slices.Contains(changed, field) })
	switch {
	case r.Preset == "":
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
