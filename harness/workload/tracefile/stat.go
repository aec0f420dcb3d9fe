package tracefile

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile/follow"
	"timerlab/schemes"
)

// Stat describes a trace that was read to its end.
type Stat struct {
	Tick   time.Duration // length of a tick; 0 if the trace does not say
	Header map[string]string
	Kernel bool // a trace of Linux

	First       schemes.Tick // tick of the first operation
	Now         schemes.Tick // tick of the last one
	Operations  int
	Started     int          // lifetimes that began, by a start or a restart
	Outstanding int          // timers at the end
	Peak        int          // the most timers outstanding at once
	Fates       [3]int       // lifetimes that ended, by Fate
	Longest     schemes.Tick // the longest interval requested, or in Lives

	// Lives are what a workload.Mixture needs: the lives of all timers, or of many drawn at random.
	// Timers outstanding at the end count as restarted there, so that n, λ and T agree with the
	// trace. Shares sum to 1. There are none if no timer ends.
	Lives []workload.Life

	Cut      bool // the last line is incomplete, and was left out
	Late     int  // stops of timers that were not outstanding, which were left out; none in Linux's traces
	Unpaired int  // starts without an end and ends without a start; Linux's only
	Lost     int  // events that the kernel reports as lost, at least

	visit  follow.Ended
	stays  float64    // sum, with the ages of those outstanding at the end
	random *rand.Rand // draws Lives
	drawn  int        // lives that might have been drawn
}

// ended notes a lifetime, from a start or restart to its end.
func (s *Stat) ended(start, interval, stay schemes.Tick, fate workload.Fate) {
	s.Fates[fate]++
	s.draw(interval, stay, fate)
	if s.visit != nil {
		s.visit(start, interval, stay, fate)
	}
}

// left notes a timer that is outstanding at the end.
func (s *Stat) left(start, interval schemes.Tick) {
	s.draw(min(interval, workload.MaxTicks), s.Now-start, workload.Restarted)
}

// mostDrawn is the number of lifetimes that a Stat keeps, a random sample.
const mostDrawn = 1 << 18

// draw keeps a lifetime, with the same probability as each before it. In a workload, a timer stays for a tick at least,
// and expires if and only if it stays as long as its interval. The kernel's timers may expire late.
func (s *Stat) draw(interval, stay schemes.Tick, fate workload.Fate) {
	s.stays += float64(stay)
	stay = max(stay, 1)
	kept := workload.Life{Interval: max(interval, stay), Stay: stay, Restarts: fate == workload.Restarted}
	if fate == workload.Expired {
		kept.Interval = stay
	} else if kept.Interval == stay { // it ended on the tick of its deadline
		kept.Interval++
	}
	s.Longest = max(s.Longest, interval, kept.Interval)
	s.drawn++
	if len(s.Lives) < mostDrawn {
		s.Lives = append(s.Lives, kept)
	} else if at := s.random.IntN(s.drawn); at < mostDrawn {
		s.Lives[at] = kept
	}
}

// Ended returns the number of lifetimes that ended within the trace.
func (s *Stat) Ended() int { return s.Fates[0] + s.Fates[1] + s.Fates[2] }

// Share returns the share of this fate among the lifetimes that ended.
func (s *Stat) Share(f workload.Fate) float64 { return float64(s.Fates[f]) / float64(s.Ended()) }

// length returns the ticks from the first operation to the last.
func (s *Stat) length() float64 { return float64(s.Now - s.First) }

// N returns n, the mean number of timers outstanding: the sum of their stays over the length of the trace.
func (s *Stat) N() float64 {
	if s.length() == 0 {
		return float64(s.Outstanding)
	}
	return s.stays / s.length()
}

// rate returns λ, the lifetimes begun per tick.
func (s *Stat) rate() float64 { return float64(s.Started) / math.Max(1, s.length()) }

// meanStay returns T, the mean time that a timer stays, in ticks, by Little's law:
// n/λ. Timers that end after the trace count with the part within.
func (s *Stat) meanStay() float64 { return s.N() / s.rate() }

// Missing says what is missing from the trace.
func (s *Stat) Missing() (parts []string) {
	if s.Late > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d stops, of timers that were not outstanding", s.Late, s.Late+s.Fates[workload.Stopped]))
	}
	if s.Unpaired > 0 {
		parts = append(parts, fmt.Sprintf("%d starts or ends of a timer", s.Unpaired))
	}
	if s.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%d events or more lost by the kernel", s.Lost))
	}
	if s.Cut {
		parts = append(parts, "the last line, which is incomplete")
	}
	for _, key := range slices.Sorted(maps.Keys(s.Header)) { // what a recorder left out
		if strings.HasPrefix(key, "dropped ") {
			parts = append(parts, key+": "+s.Header[key])
		}
	}
	return parts
}

//go:embed stat.tmpl
var statText string

var statTemplate = template.Must(template.New("stat").Funcs(template.FuncMap{
	"number": number, "ticks": (*Stat).ticks, "quantiles": (*Stat).quantiles, "join": strings.Join,
	"length": (*Stat).length, "rate": (*Stat).rate, "stay": (*Stat).meanStay,
	"perSecond": func(perTick float64, tick time.Duration) float64 { return perTick / tick.Seconds() },
	"percent":   func(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) },
}).Parse(statText))

// WriteText writes ratios and quantiles.
func (s *Stat) WriteText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	return errors.Join(statTemplate.Execute(w, s), w.Flush())
}

// quantiles returns quantiles of the intervals or stays of the lives that were drawn.
func (s *Stat) quantiles(stays bool) (all []float64) {
	var ticks []schemes.Tick
	for _, l := range s.Lives {
		if ticks = append(ticks, l.Interval); stays {
			ticks[len(ticks)-1] = l.Stay
		}
	}
	slices.Sort(ticks)
	for _, share := range []float64{0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
		all = append(all, float64(ticks[int(share*float64(len(ticks)))]))
	}
	return all
}

// ticks writes a number of ticks, and the time if the length of a tick is known.
func (s *Stat) ticks(n float64) string {
	text := number(n) + " ticks"
	if s.Tick > 0 && n*float64(s.Tick) < float64(1<<62) {
		text += fmt.Sprintf(" (%v)", time.Duration(n*float64(s.Tick)).Round(s.Tick))
	}
	return text
}

// number writes a whole or large number in full, others with four digits.
func number(v float64) string {
	if v < 1e15 && (v >= 1e4 || v == math.Trunc(v)) {
		return workload.Count(math.Round(v)).String()
	}
	return fmt.Sprintf("%.4g", v)
}
