package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"timerlab/harness/pick"
	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
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

// mostDrawn is how many lives of a trace are kept, drawn at random, each as likely.
const mostDrawn = 1 << 16

func (j *pickJob) fromTrace(stdin io.Reader) (w picture, err error) {
	s, lives, err := drawLives(stdin, j.trace, int(j.hz), j.seed)
	if err != nil {
		return w, err
	}
	if len(lives) == 0 {
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
	w = picture{Workload: pick.NewWorkload(n, lives), from: "trace " + j.trace, tick: tick}
	if open := float64(s.Outstanding) / float64(s.Started); open > 0.01 {
		w.assumed = append(w.assumed, fmt.Sprintf("that the %.2g %% of timers that are outstanding at the trace's end expire", 100*open))
	}
	if text := left(s); strings.ContainsAny(text, ",;") {
		w.assumed = append(w.assumed, "that nothing else is missing: "+text)
	}
	return w, nil
}

// drawLives reads a trace, and draws some of its lives; none, if no timer ends in it.
func drawLives(stdin io.Reader, name string, hz int, seed uint64) (*tracefile.Stat, []workload.Life, error) {
	random := rand.New(rand.NewPCG(seed, 7))
	var lives []workload.Life
	seen := 0
	s, err := readTrace(stdin, name, hz, func(l tracefile.Life) {
		seen++
		at := len(lives)
		if at < mostDrawn {
			lives = append(lives, workload.Life{})
		} else if at = random.IntN(seen); at >= mostDrawn {
			return
		}
		lives[at] = lifeOf(l)
	})
	if err != nil || len(lives) == 0 {
		return s, nil, err
	}
	return s, withLeft(s, lives, seen), nil
}

// lifeOf returns a life as a workload has it, in which all that expire do so on time and
// no other stays as long.
func lifeOf(l tracefile.Life) workload.Life {
	stay := max(l.Stay, 1)
	interval := max(l.Interval, stay) // the kernel's may be late
	if l.Fate == tracefile.Expired {
		interval = stay
	} else if interval == stay { // it ended as it would have expired
		interval++
	}
	return workload.Life{Interval: interval, Stay: stay, Share: 1, Restarts: l.Fate == tracefile.Restarted}
}

// withLeft returns lives, which were drawn from so many that ended, with those of the
// timers that are outstanding at the trace's end, as if these expired: without them the
// longest ones would be missing. Their shares sum to 1.
func withLeft(s *tracefile.Stat, lives []workload.Life, ended int) []workload.Life {
	all := float64(ended + s.Outstanding)
	for i := range lives {
		lives[i].Share = float64(ended) / float64(len(lives)) / all
	}
	byInterval := map[schemes.Tick]int{}
	s.Left(func(l tracefile.Life) {
		byInterval[min(max(l.Interval, 1), workload.MaxTicks)]++
	})
	for _, interval := range slices.Sorted(maps.Keys(byInterval)) {
		lives = append(lives, workload.Life{Interval: interval, Stay: interval, Share: float64(byInterval[interval]) / all})
	}
	return lives
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
