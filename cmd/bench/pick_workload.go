package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"timerlab/harness/pick"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// picture is the workload as it is understood.
type picture struct {
	pick.Workload
	from    string
	tick    time.Duration
	slots   int      // that the program uses today
	assumed []string // fields
}

// picture reads the workload from where it is told.
func (j *pickJob) picture(stdin io.Reader) (w picture, err error) {
	told := j.n > 0 || j.rate > 0 || j.residence != "" || j.interval != "" || j.stop != "" || j.restart != ""
	switch {
	case j.preset != "" && j.trace != "", told && (j.preset != "" || j.trace != ""):
		return w, usagef("--preset, --trace and flags that tell a workload: allowed one of them")
	case j.preset != "":
		w, err = j.fromPreset()
	case j.trace != "":
		w, err = j.fromTrace(stdin)
	case told:
		w, err = j.fromFlags()
	default:
		return w, usagef("which workload? allowed --preset, --trace, or -n and --interval (bench pick --help)")
	}
	if err == nil && j.longest != "" {
		err = j.spanning(&w)
	}
	return w, asUsage(err)
}

// spanning makes room for the longest interval that the user wants.
func (j *pickJob) spanning(w *picture) error {
	s, err := workload.ParseSeconds(j.longest)
	if err != nil {
		return usagef("--longest %v", err)
	}
	ticks := math.Ceil(s / w.tick.Seconds())
	if ticks < float64(w.Longest) || ticks > float64(workload.MaxTicks) {
		return usagef("--longest %s is %.4g ticks, allowed %d, the longest that occurs, to %d", j.longest, ticks, w.Longest, workload.MaxTicks)
	}
	w.Workload = w.Spanning(schemes.Tick(ticks))
	return nil
}

func (j *pickJob) fromPreset() (w picture, err error) {
	p, err := workload.FindPreset(j.preset)
	if err != nil {
		return w, err
	}
	switch {
	case j.tick > 0 && p.Script != nil:
		return w, usagef("--tick %v: preset %s is told in ticks, allowed with one that is not", j.tick, p.Name)
	case j.tick > 0:
		p.Tick = j.tick
	}
	w = picture{Workload: pick.NewWorkload(p.N, p.Lives()), from: fmt.Sprintf("preset %s: %s", p.Name, p.About), tick: p.Tick, slots: p.Slots, assumed: p.Assumed()}
	w.Script = p.Script
	return w, p.Check()
}

func (j *pickJob) fromTrace(stdin io.Reader) (w picture, err error) {
	s, err := readTrace(stdin, j.trace, int(j.hz), j.seed)
	if err != nil {
		return w, err
	}
	if len(s.Lives) == 0 {
		return w, fmt.Errorf("%s: no timer ends within the trace, so what they do is not known", j.trace)
	}
	if s.Longest > workload.MaxTicks {
		return w, fmt.Errorf("%s: an interval of %d ticks, allowed %d", j.trace, s.Longest, workload.MaxTicks)
	}
	tick := s.Tick
	if j.tick > 0 {
		tick = j.tick
	}
	if tick == 0 {
		return w, usagef("%s does not tell how long a tick is, want --tick", j.trace)
	}
	n := max(1, int(math.Round(s.N())))
	w = picture{Workload: pick.NewWorkload(n, s.Lives), from: "trace " + j.trace, tick: tick}
	if open := float64(s.Outstanding) / float64(s.Started); open > 0.01 {
		w.assumed = append(w.assumed, fmt.Sprintf("that the %.2g %% of timers that are outstanding at the trace's end expire", 100*open))
	}
	if missing := s.Missing(); len(missing) > 0 {
		w.assumed = append(w.assumed, "that nothing but this is missing: "+strings.Join(missing, "; "))
	}
	return w, nil
}

func (j *pickJob) fromFlags() (w picture, err error) {
	if j.interval == "" {
		return w, usagef("no --interval, want a distribution such as 30s")
	}
	c, err := workload.ParseClass(j.interval, j.stop, j.restart)
	if err != nil {
		return w, err
	}
	tick := j.tick
	if tick == 0 {
		tick = time.Millisecond
	}
	d := workload.Demand{N: 1, Tick: tick, Classes: []workload.Class{c}}
	if err := d.Check(); err != nil {
		return w, err
	}
	lives := d.Lives()
	one := workload.NumbersOf(1, lives)
	if d.N, err = j.timers(one.Residence * tick.Seconds()); err != nil {
		return w, err
	}
	w = picture{Workload: pick.NewWorkload(d.N, lives), from: "from flags", tick: tick}
	if j.tick == 0 {
		w.assumed = append(w.assumed, "tick")
	}
	return w, d.Check()
}

// timers returns n by Little's law, where the distributions say how long a timer stays.
func (j *pickJob) timers(stays float64) (int, error) {
	if j.residence != "" {
		told, err := workload.ParseSeconds(j.residence)
		if err != nil {
			return 0, usagef("--residence %v", err)
		}
		if math.Abs(told-stays) > 0.01*stays {
			return 0, usagef("--residence %s, but with these intervals, stops and restarts a timer stays %.4gs on average; want one of them", j.residence, stays)
		}
	}
	n, _, _, err := workload.Little(float64(j.n), j.rate, stays)
	if err != nil {
		return 0, err
	}
	if n < 1 || n > workload.MaxOps {
		return 0, usagef("n = rate × residence = %.4g/s × %.4gs = %.4g timers, allowed 1 to %d", j.rate, stays, n, workload.MaxOps)
	}
	return int(math.Round(n)), nil
}

// inTime writes ticks, and what they last.
func (w picture) inTime(ticks float64) string {
	return fmt.Sprintf("%.4g ticks, %v", ticks, roundDuration(time.Duration(min(ticks*float64(w.tick), math.MaxInt64/2))))
}

// aSecond returns how many times a second something happens that happens so often a
// tick.
func (w picture) aSecond(aTick float64) float64 {
	return aTick * float64(time.Second) / float64(w.tick)
}
