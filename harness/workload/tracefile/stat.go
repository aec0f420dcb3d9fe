package tracefile

import (
	"io"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/schemes"
)

// Stat is what a trace comes to.
type Stat struct {
	*Trace
	Fates     [3]int // lives that ended, by Fate
	Intervals *Quantiles
	Stays     *Quantiles // of the lives that ended
	Longest   schemes.Tick
	stays     float64
}

// Quantiles are those of a set of ticks, to three digits.
type Quantiles struct {
	h           *hdrhistogram.Histogram
	least, most schemes.Tick
}

// highest is the most ticks that quantiles tell apart.
const highest = 1 << 53

func newQuantiles() *Quantiles {
	return &Quantiles{h: hdrhistogram.New(1, highest, 3), least: math.MaxUint64}
}

func (q *Quantiles) add(t schemes.Tick) {
	q.least, q.most = min(q.least, t), max(q.most, t)
	_ = q.h.RecordValue(int64(min(max(t, 1), highest))) // which is within its range
}

// At returns the quantile of a percentage; from 100 on the largest value, exactly.
func (q *Quantiles) At(percent float64) schemes.Tick {
	if percent >= 100 {
		return q.most
	}
	return min(max(schemes.Tick(q.h.ValueAtQuantile(percent)), q.least), q.most)
}

// Mean returns the mean, to three digits.
func (q *Quantiles) Mean() float64 { return q.h.Mean() }

// NewStat reads a trace to its end, and hands each life to visit, if that is not nil.
// O(operations), and O(n) memory.
func NewStat(t *Trace, visit func(Life)) (*Stat, error) {
	s := &Stat{Trace: t, Intervals: newQuantiles(), Stays: newQuantiles()}
	for {
		l, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		s.add(l)
		if visit != nil {
			visit(l)
		}
	}
	if t.Started == 0 {
		return nil, ErrEmpty
	}
	return s, nil
}

func (s *Stat) add(l Life) {
	s.Fates[l.Fate]++
	s.Intervals.add(l.Interval)
	s.Stays.add(l.Stay)
	s.Longest = max(s.Longest, l.Interval)
	s.stays += float64(l.Stay)
}

// Ended returns the lives that ended within the trace.
func (s *Stat) Ended() int { return s.Fates[Expired] + s.Fates[Stopped] + s.Fates[Restarted] }

// Share returns which part of the lives that ended had this fate.
func (s *Stat) Share(f Fate) float64 { return float64(s.Fates[f]) / float64(s.Ended()) }

// Length returns the ticks from the first operation to the last.
func (s *Stat) Length() schemes.Tick { return s.Now - s.First }

// N returns n, the mean number of timers outstanding: the time of all of them
// together over the length of the trace.
func (s *Stat) N() float64 {
	if s.Length() == 0 {
		return float64(s.Outstanding)
	}
	ages := 0.0
	s.Left(func(l Life) { ages += float64(l.Stay) })
	return (s.stays + ages) / float64(s.Length())
}

// Rate returns λ, the lives begun in a tick.
func (s *Stat) Rate() float64 { return float64(s.Started) / math.Max(1, float64(s.Length())) }

// Residence returns R, the mean time that a timer stays, in ticks, by Little's law:
// n/λ. Timers that began and ended outside the trace count with what is within.
func (s *Stat) Residence() float64 { return s.N() / s.Rate() }
