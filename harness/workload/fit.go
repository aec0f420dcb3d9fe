package workload

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/schemes"
)

// Fit is a demand that is like what was seen of a program.
type Fit struct {
	Demand
	Off map[string]float64 // of the distributions of "interval", "stop" and "restart": the largest difference between the share of timers below some time and that which was seen
}

// FitTo returns the demand of n timers that is most like some lives: the interval, and the
// times of stops and of restarts, each as a few constants if few make up nearly all, else
// as the one of const, uniform, exp and lognormal whose distribution function is nearest.
// Stops and restarts are drawn independently of the interval, which what was seen need
// not be. O(lives · log lives).
func FitTo(n int, tick time.Duration, lives []Life) (f Fit, err error) {
	interval, stop, restart := &sample{tick: tick}, &sample{tick: tick}, &sample{tick: tick}
	for _, l := range lives {
		interval.add(l.Interval, l.Share)
		switch {
		case l.Expires():
		case l.Restarts:
			restart.add(l.Stay, l.Share)
		default:
			stop.add(l.Stay, l.Share)
		}
	}
	f = Fit{Demand{N: n, Tick: tick}, map[string]float64{}}
	c := Class{Name: "fitted", Share: 1}
	fit := func(name string, s *sample, into *Durations) {
		if err == nil && s.weight > 0 {
			*into, f.Off[name], err = s.fit()
		}
	}
	fit("interval", interval, &c.Interval)
	fit("stop", stop, &c.Stop)
	fit("restart", restart, &c.Restart)
	if err != nil {
		return f, err
	}
	// A restart that comes first wins over a stop, and mostly does where there are both.
	if stop.weight > 0 {
		c.Stops = min(1, stop.weight/(interval.weight-restart.weight))
	}
	if share := restart.weight / interval.weight; share > 0 && share < 0.995 { // the others never are
		c.Restart, err = ParseDurations(fmt.Sprintf("mix:%s+%s", parts(c.Restart, share), parts(must("const:9999y"), 1-share)))
	}
	f.Classes = []Class{c}
	return f, err
}

// parts writes a distribution as a part of a mix.
func parts(d Durations, share float64) string {
	inner, mixed := strings.CutPrefix(d.String(), "mix:")
	if !mixed {
		return fmt.Sprintf("%.12g*%v", share, d)
	}
	var list []string
	for _, part := range splitMix(inner) {
		var w float64
		weight, dist, _ := strings.Cut(part, "*")
		_, _ = fmt.Sscan(weight, &w) // as it was written here
		list = append(list, fmt.Sprintf("%.12g*%s", w*share, dist))
	}
	return strings.Join(list, "+")
}

// sample is times that were seen.
type sample struct {
	tick   time.Duration
	seen   []weighted
	weight float64
}

type weighted struct {
	ticks  schemes.Tick
	weight float64
}

func (s *sample) add(t schemes.Tick, weight float64) {
	s.seen = append(s.seen, weighted{t, weight})
	s.weight += weight
}

const (
	mostAtoms = 8    // constants that a person would still read
	nearlyAll = 0.99 // of the timers, for them to stand for all
)

func (s *sample) fit() (best Durations, off float64, err error) {
	s.merge()
	var texts []string
	if atoms := s.atoms(); atoms != "" {
		texts = []string{atoms}
	} else {
		half, quarter := s.at(0.5), s.at(0.75)
		texts = append(texts, "const:"+s.write(half), "exp:"+s.write(s.mean()))
		if lo, hi := s.at(0.005), s.at(0.995); lo < hi {
			texts = append(texts, "uniform:"+s.write(lo)+","+s.write(hi))
		}
		if half < quarter {
			texts = append(texts, "lognormal:"+s.write(half)+","+s.write(quarter))
		}
	}
	off = math.Inf(1)
	for _, text := range texts {
		d, err := ParseDurations(text)
		if err != nil {
			return best, off, err
		}
		if o := s.distance(d); o < off {
			best, off = d, o
		}
	}
	return best, off, nil
}

// merge sorts, and makes one of those that are equal.
func (s *sample) merge() {
	slices.SortFunc(s.seen, func(a, b weighted) int { return cmp.Compare(a.ticks, b.ticks) })
	merged := s.seen[:0]
	for _, w := range s.seen {
		if k := len(merged); k > 0 && merged[k-1].ticks == w.ticks {
			merged[k-1].weight += w.weight
		} else {
			merged = append(merged, w)
		}
	}
	s.seen = merged
}

// atoms returns a mix of constants, or "" if it would take too many.
func (s *sample) atoms() string {
	common := slices.Clone(s.seen)
	slices.SortStableFunc(common, func(a, b weighted) int { return cmp.Compare(b.weight, a.weight) })
	common = common[:min(len(common), mostAtoms)]
	sum := 0.0
	for k, w := range common {
		if sum += w.weight; sum >= nearlyAll*s.weight {
			common = common[:k+1]
			break
		}
	}
	switch {
	case sum < nearlyAll*s.weight:
		return ""
	case len(common) == 1:
		return "const:" + s.write(float64(common[0].ticks))
	}
	var list []string
	left := 1.0
	for _, w := range common[1:] {
		share := math.Round(1e4*w.weight/sum) / 1e4
		left -= share
		if share > 0 {
			list = append(list, fmt.Sprintf("%.4g*const:%s", share, s.write(float64(w.ticks))))
		}
	}
	first := fmt.Sprintf("%.4f*const:%s", left, s.write(float64(common[0].ticks)))
	return "mix:" + strings.Join(append([]string{first}, list...), "+")
}

// write writes ticks as a duration that is exactly so many, to the nanosecond.
func (s *sample) write(ticks float64) string {
	ns := math.Max(1, math.Round(ticks*float64(s.tick)))
	if ns < 1<<62 {
		return time.Duration(ns).String()
	}
	return fmt.Sprintf("%.6gy", math.Min(ns/float64(365.25*24*time.Hour), longest/(365.25*86400)))
}

// at returns a quantile, in ticks.
func (s *sample) at(p float64) float64 {
	sum := 0.0
	for _, w := range s.seen {
		if sum += w.weight; sum >= p*s.weight {
			return float64(w.ticks)
		}
	}
	return float64(s.seen[len(s.seen)-1].ticks)
}

func (s *sample) mean() float64 {
	sum := 0.0
	for _, w := range s.seen {
		sum += w.weight * float64(w.ticks)
	}
	return sum / s.weight
}

// distance returns the largest difference of the distribution functions in whole ticks,
// as times are rounded up to them (Kolmogorov and Smirnov's).
func (s *sample) distance(d Durations) float64 {
	drawn := make([]float64, points)
	for i := range drawn {
		drawn[i] = math.Ceil(d.Quantile((float64(i)+0.5)/points)/s.tick.Seconds() - 1e-9)
	}
	slices.Sort(drawn)
	most, below := 0.0, 0.0
	for _, w := range s.seen {
		before, _ := slices.BinarySearch(drawn, float64(w.ticks))
		upTo, _ := slices.BinarySearch(drawn, float64(w.ticks)+0.5)
		most = max(most, math.Abs(float64(before)/points-below/s.weight))
		below += w.weight
		most = max(most, math.Abs(float64(upTo)/points-below/s.weight))
	}
	return most
}
