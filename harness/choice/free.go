package choice

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// FreeSet is the key of the cells of workloads on which schemes 6 and 7 have many sizes and forms.
const FreeSet = "/set=free"

// Config is a scheme and its sizes: M of scheme 6, or the wheels of scheme 7.
type Config struct {
	Scheme string
	Slots  int
	Levels []int
}

// Advice is what a user may do who knows n, and perhaps the mean interval J, and measures nothing.
type Advice int

// Advice that is scored. It was written down before the cells of FreeSet were measured, with one number open: see
// Free.ArraysFrom.
const (
	Lists           Advice = iota // scheme 7, four wheels of 1024, lists
	Arrays                        // the same, arrays
	ListsThenArrays               // Lists below some n, Arrays from there
	Ahead                         // Arrays that migrate ahead of time
	SixThenSeven                  // scheme 6, lists, M the least power of two from 4 J, if that is at most 8 n; else ListsThenArrays
	NumAdvice
)

// String returns the advice in words.
func (a Advice) String() string {
	return [...]string{"7, lists", "7, arrays", "7, lists, then arrays", "7 ahead, arrays", "6, lists, where 4 J ≤ M ≤ 8 n"}[a]
}

// config returns what the advice names for n timers, arrays at ListsThenArrays from some n.
func (a Advice) config(n int, J float64, arraysFrom int) Config {
	if slots := 1 << bits.Len(uint(4*J-1)); a == SixThenSeven && slots <= slotsPerTimer*n {
		return Config{Scheme: hashunsorted.Info.Name, Slots: slots}
	}
	info := &hierarchical.Info
	switch {
	case a == Ahead:
		info = &hierarchical.AheadChunked
	case a == Arrays, a != Lists && n >= arraysFrom:
		info = &hierarchical.Chunked
	}
	return Config{Scheme: info.Name, Levels: []int{1024, 1024, 1024, 1024}}
}

// Advised returns what any advice names for n timers: every workload has these.
func Advised(n int, J float64) (all []Config) {
	for a := range NumAdvice {
		if c := a.config(n, J, 0); !slices.ContainsFunc(all, func(other Config) bool { return other.Scheme == c.Scheme }) {
			all = append(all, c)
		}
	}
	return all
}

// Free says what advice costs where sizes are free: by its regret, the time over that of the best configuration that was
// measured on the same workload, less 1. The best is chosen by the even rounds and compared in the odd ones, and the
// reverse: else the luckiest would win.
type Free struct {
	Workloads int
	Configs   int   // the fewest on a workload
	Timers    []int // n

	// ArraysFrom is the n from which ListsThenArrays takes arrays, NoArrays if at none: the one with the least mean regret. A
	// workload is scored with the n that the other half of the workloads chooses.
	ArraysFrom int

	workloads []freeWorkload
}

// NoArrays is the ArraysFrom of lists at all n.
const NoArrays = math.MaxInt

// NoArrays reports whether lists cost less at all n.
func (f *Free) NoArrays() bool { return f.ArraysFrom == NoArrays }

// FreeScore is the regret of an advice.
type FreeScore struct {
	Mean  results.Estimate // over workloads, resampled
	Worst float64
	At    workload.Spec // where it is
}

// freeWorkload is a workload of FreeSet.
type freeWorkload struct {
	workload.Spec
	J       float64
	configs []results.Key
	half    int                // 0 or 1
	regrets [NumAdvice]float64 // NaN: not measured
}

// JudgeFree judges a table's cells of FreeSet; nil if there are none in six rounds or more.
func JudgeFree(t *results.Table) *Free {
	all := freeWorkloads(t)
	if len(all) == 0 {
		return nil
	}
	f := &Free{Workloads: len(all), Configs: math.MaxInt}
	for _, w := range all {
		f.Configs = min(f.Configs, len(w.configs))
		if !slices.Contains(f.Timers, w.N) {
			f.Timers = append(f.Timers, w.N)
		}
	}
	f.ArraysFrom = arraysFrom(t, all, f.Timers)
	for i, w := range all {
		others := slices.DeleteFunc(slices.Clone(all), func(other freeWorkload) bool { return other.half == w.half })
		from := arraysFrom(t, others, f.Timers)
		for a := range w.regrets {
			all[i].regrets[a] = regret(t, w, Advice(a).config(w.N, w.J, from))
		}
	}
	f.workloads = all
	return f
}

// arraysFrom returns the n from which arrays cost the least on some workloads.
func arraysFrom(t *results.Table, workloads []freeWorkload, timers []int) (from int) {
	best := math.Inf(1)
	for _, n := range append(slices.Clone(timers), NoArrays) {
		var regrets []float64
		for _, w := range workloads {
			if r := regret(t, w, ListsThenArrays.config(w.N, w.J, n)); !math.IsNaN(r) {
				regrets = append(regrets, r)
			}
		}
		if mean := stat.Mean(regrets, nil); mean < best {
			best, from = mean, n
		}
	}
	return from
}

// Score returns what an advice costs on workloads with n from some number of timers to another, which is the last.
func (f *Free) Score(a Advice, from, to int) (s FreeScore) {
	var regrets []float64
	for _, w := range f.workloads {
		if r := w.regrets[a]; from <= w.N && w.N <= to && !math.IsNaN(r) {
			if regrets = append(regrets, r); len(regrets) == 1 || r > s.Worst {
				s.Worst, s.At = r, w.Spec
			}
		}
	}
	if len(regrets) > 0 {
		s.Mean = results.Bootstrap(regrets, 1000, func(regrets []float64) float64 { return stat.Mean(regrets, nil) })
	}
	return s
}

// freeWorkloads returns the workloads of FreeSet by n, of each in two halves by a hash of the names: by T and stops the halves
// would differ in them.
func freeWorkloads(t *results.Table) (all []freeWorkload) {
	index := map[workload.Spec]int{}
	for _, k := range t.Keys {
		if k.Rest != FreeSet || len(t.Samples(k, units.NsPerOp)) < 6 {
			continue
		}
		spec := t.Cell(k).Spec
		i, ok := index[spec]
		if !ok {
			i, index[spec] = len(all), len(all)
			all = append(all, freeWorkload{Spec: spec, J: workload.NumbersOf(1, spec.Lives()).Interval})
		}
		all[i].configs = append(all[i].configs, k)
	}
	hash := func(w freeWorkload) uint32 { return crc32.ChecksumIEEE(fmt.Appendf(nil, "%+v", w.Spec)) }
	slices.SortStableFunc(all, func(a, b freeWorkload) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(hash(a), hash(b))) })
	for i := range all {
		all[i].half = i % 2
	}
	return all
}

// regret returns the regret of a configuration on a workload, the mean over both directions; NaN if it was not measured.
func regret(t *results.Table, w freeWorkload, c Config) float64 {
	at := slices.IndexFunc(w.configs, func(k results.Key) bool {
		levels := t.Cell(k).Levels
		return k.Scheme == c.Scheme && (len(levels) == 0 && t.Cell(k).Slots == c.Slots || len(levels) > 0 && slices.Equal(levels, c.Levels))
	})
	if at < 0 {
		return math.NaN()
	}
	var times [2][]float64 // the medians of even and of odd rounds, by configuration
	for _, k := range w.configs {
		var halves [2][]float64
		for round, ns := range t.ByRound(k, units.NsPerOp) {
			halves[round%2] = append(halves[round%2], ns)
		}
		for half, values := range halves {
			times[half] = append(times[half], results.Median(values))
		}
	}
	sum := 0.0
	for half, chosenBy := range [][]float64{times[1], times[0]} {
		best := slices.Index(chosenBy, slices.Min(chosenBy))
		sum += times[half][at]/times[half][best] - 1
	}
	return sum / 2
}
