package demand

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// FitTo returns the demand of n timers that is most like some lives: the interval, and the
// times of stops and of restarts, each as a few constants if few make up nearly all, else
// as the one of const, uniform, exp and lognormal whose distribution function is nearest.
// Stops and restarts are drawn independently of the interval, which may not be so in the
// lives. off is the largest difference between the distribution functions of the demand and of
// the lives (Kolmogorov and Smirnov's), by "interval", "stop" and "restart".
// O(lives · log lives).
func FitTo(n int, tick time.Duration, lives []workload.Life) (d Demand, off map[string]float64) {
	var samples [workload.Restarted + 1]sample // of stays, by fate; those that expire give all intervals instead
	for _, l := range lives {
		samples[workload.Expired].add(l.Interval, l.Share)
		if f := l.Fate(); f != workload.Expired {
			samples[f].add(l.Stay, l.Share)
		}
	}
	off = map[string]float64{}
	c := Class{Share: 1}
	dists := [workload.Restarted + 1]*Dist{&c.Interval, &c.Stop.After, &c.Restart.After}
	for fate, name := range []string{"interval", "stop", "restart"} {
		if s := &samples[fate]; len(s.ticks) > 0 {
			*dists[fate], off[name] = s.fit(tick)
		}
	}
	all, stopped, restarted := samples[workload.Expired].weight(), samples[workload.Stopped].weight(), samples[workload.Restarted].weight()
	if stopped > 0 { // a restart that comes first wins over a stop, and mostly does where there are both
		c.Stop.Share = min(1, stopped/(all-restarted))
	}
	if c.Restart.Share = restarted / all; c.Restart.Share >= 0.995 { // nearly all
		c.Restart.Share = 1
	}
	return Demand{n, tick, []Class{c}}, off
}

// sample is times in ticks, and how often each occurred.
type sample struct{ ticks, weights []float64 }

func (s *sample) add(t schemes.Tick, weight float64) {
	s.ticks, s.weights = append(s.ticks, float64(t)), append(s.weights, weight)
}

func (s *sample) weight() float64 { return floats.Sum(s.weights) }

const (
	mostAtoms = 8    // constants that a person would still read
	nearlyAll = 0.99 // share of the timers that the constants must cover
)

// fit returns the distribution nearest to the sample, which it sorts, and their distance.
func (s *sample) fit(tick time.Duration) (best Dist, off float64) {
	stat.SortWeighted(s.ticks, s.weights)
	texts := []string{s.atoms(tick)}
	if texts[0] == "" {
		at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, s.ticks, s.weights) }
		write := func(ticks float64) string { return formatTicks(ticks, tick) }
		half, quarter := at(0.5), at(0.75)
		texts = []string{"const:" + write(half), "exp:" + write(stat.Mean(s.ticks, s.weights))}
		if lo, hi := at(0.005), at(0.995); lo < hi {
			texts = append(texts, "uniform:"+write(lo)+","+write(hi))
		}
		if half < quarter {
			texts = append(texts, "lognormal:"+write(half)+","+write(quarter))
		}
	}
	off = math.Inf(1)
	for _, text := range texts {
		d, err := workload.Parse[Dist](text)
		if err != nil { // of uniform and lognormal, if the two times are the same as written
			continue
		}
		ceilings := make([]float64, points) // of equally likely quantiles: timers are rounded up
		for i := range ceilings {
			ceilings[i] = math.Ceil(d.at((float64(i)+0.5)/points)/tick.Seconds() - 1e-9)
		}
		slices.Sort(ceilings)
		if o := stat.KolmogorovSmirnov(s.ticks, s.weights, ceilings, nil); o < off {
			best, off = d, o
		}
	}
	return best, math.Round(off*1e9) / 1e9 // without what rounding leaves of 0
}

func (s *sample) atoms(tick time.Duration) string {
	weights := map[float64]float64{}
	for i, t := range s.ticks {
		weights[t] += s.weights[i]
	}
	common := slices.SortedFunc(maps.Keys(weights), func(a, b float64) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	all, sum, n := s.weight(), 0.0, 0
	for n < min(len(common), mostAtoms) && sum < nearlyAll*all {
		sum += weights[common[n]]
		n++
	}
	switch {
	case sum < nearlyAll*all:
		return ""
	case n == 1:
		return "const:" + formatTicks(common[0], tick)
	}
	text, left := "", 1.0
	for _, t := range common[1:n] {
		if share := math.Round(1e4*weights[t]/sum) / 1e4; share > 0 {
			left -= share
			text += fmt.Sprintf("+%.4g*const:%s", share, formatTicks(t, tick))
		}
	}
	return fmt.Sprintf("mix:%.4f*const:%s%s", left, formatTicks(common[0], tick), text)
}

// formatTicks writes ticks as a duration, exact to the nanosecond below a century.
func formatTicks(ticks float64, tick time.Duration) string {
	ns := math.Max(1, math.Round(ticks*float64(tick)))
	if ns < 1<<62 {
		return time.Duration(ns).String()
	}
	return fmt.Sprintf("%.6gy", math.Min(ns/float64(365.25*24*time.Hour), longest/(365.25*86400)))
}
