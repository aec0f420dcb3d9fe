package tracefile

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Stat describes a trace that was read to its end.
type Stat struct {
	Tick   time.Duration     // length of a tick; 0 if the trace does not say
	Header map[string]string // of a trace in the text format
	Kernel bool              // it is Linux's

	First       schemes.Tick // tick of the first operation
	Now         schemes.Tick // tick of the last one
	Operations  int
	Started     int    // lifetimes that began, by a start or a restart
	Outstanding int    // timers at the end
	Peak        int    // the most timers outstanding at once
	Fates       [3]int // lifetimes that ended, by Fate
	Intervals   *quantiles
	Stays       *quantiles   // both of the lifetimes that ended
	Longest     schemes.Tick // of the intervals requested, and of those in Lives

	// Lives are what a workload.Mixture needs: the lives of all timers, or of many drawn at random.
	// Timers outstanding at the end count as restarted there, so that n, λ and R are those of the
	// trace. Shares sum to 1. There are none if no timer ends.
	Lives []workload.Life

	Unknown int  // ends of timers that began before the trace did; Linux's only
	Unended int  // timers that started again without an end in the trace; Linux's only
	Lost    int  // events that the kernel reports as lost, at least
	Cut     bool // the last line is incomplete, and was left out

	visit  func(Life)
	stays  float64    // sum, with the ages of those outstanding at the end
	random *rand.Rand // draws Lives
	drawn  int        // lives that might have been drawn
}

// began notes that a lifetime began.
func (s *Stat) began() {
	s.Started++
	s.Outstanding++
	s.Peak = max(s.Peak, s.Outstanding)
}

// ended notes how a lifetime ended.
func (s *Stat) ended(l Life) {
	s.Fates[l.Fate]++
	s.Intervals.add(l.Interval)
	s.Stays.add(l.Stay)
	s.stays += float64(l.Stay)
	s.Longest = max(s.Longest, l.Interval) // that of a workload may be shorter
	s.draw(l.workload())
	if s.visit != nil {
		s.visit(l)
	}
}

// left notes a timer that is outstanding at the end.
func (s *Stat) left(start, interval schemes.Tick) {
	age := s.Now - start
	s.stays += float64(age)
	s.draw(Life{Interval: min(interval, workload.MaxTicks), Stay: age, Fate: workload.Restarted}.workload())
}

// Ended returns the number of lifetimes that ended within the trace.
func (s *Stat) Ended() int { return s.Fates[0] + s.Fates[1] + s.Fates[2] }

// Share returns the share of the lifetimes that ended which had this fate.
func (s *Stat) Share(f workload.Fate) float64 { return float64(s.Fates[f]) / float64(s.Ended()) }

// length returns the ticks from the first operation to the last.
func (s *Stat) length() schemes.Tick { return s.Now - s.First }

// N returns n, the mean number of timers outstanding: the sum of their stays over the
// length of the trace.
func (s *Stat) N() float64 {
	if s.length() == 0 {
		return float64(s.Outstanding)
	}
	return s.stays / float64(s.length())
}

// rate returns λ, the lifetimes begun per tick.
func (s *Stat) rate() float64 { return float64(s.Started) / math.Max(1, float64(s.length())) }

// meanStay returns T, the mean time that a timer stays, in ticks, by Little's law:
// n/λ. Timers that began or ended outside the trace count with the part within.
func (s *Stat) meanStay() float64 { return s.N() / s.rate() }

// Missing says what is missing from the trace.
func (s *Stat) Missing() (parts []string) {
	if s.Unknown > 0 {
		parts = append(parts, counted(s.Unknown, "end", "without a start in the trace"))
	}
	if s.Unended > 0 {
		parts = append(parts, counted(s.Unended, "end", "of timers that start again"))
	}
	if s.Lost > 0 {
		parts = append(parts, counted(s.Lost, "event", "or more lost by the kernel"))
	}
	if s.Cut {
		parts = append(parts, "the last line, which is incomplete")
	}
	for _, key := range slices.Sorted(maps.Keys(s.Header)) { // what a recorder left out
		if strings.HasPrefix(key, "dropped ") || strings.HasSuffix(key, " left out") {
			parts = append(parts, key+": "+s.Header[key])
		}
	}
	return parts
}

// quantiles are those of a set of ticks, to three digits.
type quantiles struct {
	h    *hdrhistogram.Histogram
	most schemes.Tick
}

// highest is the most ticks that quantiles distinguish.
const highest = 1 << 53

func newQuantiles() *quantiles {
	return &quantiles{h: hdrhistogram.New(1, highest, 3)}
}

func (q *quantiles) add(t schemes.Tick) {
	q.most = max(q.most, t)
	_ = q.h.RecordValue(int64(min(max(t, 1), highest))) // which is within its range
}

// At returns the quantile of a percentage; from 100 on the largest value, exactly.
func (q *quantiles) At(percent float64) schemes.Tick {
	if percent >= 100 {
		return q.most
	}
	return min(schemes.Tick(q.h.ValueAtQuantile(percent)), q.most)
}

// mostDrawn is the number of lifetimes that a Stat keeps, a random sample.
const mostDrawn = 1 << 18

// draw keeps a lifetime, with the same probability as each before it.
func (s *Stat) draw(l workload.Life) {
	s.Longest = max(s.Longest, l.Interval)
	s.drawn++
	if len(s.Lives) < mostDrawn {
		s.Lives = append(s.Lives, l)
	} else if at := s.random.IntN(s.drawn); at < mostDrawn {
		s.Lives[at] = l
	}
}

// finish sets the shares of Lives.
func (s *Stat) finish() {
	if s.Ended() == 0 {
		s.Lives = nil
	}
	for i := range s.Lives {
		s.Lives[i].Share = 1 / float64(len(s.Lives))
	}
}

// workload returns the lifetime as workloads have it: it stays as long as its interval if
// and only if it expires.
func (l Life) workload() workload.Life {
	stay := max(l.Stay, 1)
	interval := max(l.Interval, stay) // the kernel's may expire late
	if l.Fate == workload.Expired {
		interval = stay
	} else if interval == stay { // it ended on the tick of its deadline
		interval++
	}
	return workload.Life{Interval: interval, Stay: stay, Restarts: l.Fate == workload.Restarted}
}
