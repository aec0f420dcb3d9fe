package choice

import (
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

// Advice is what a user may do who measures nothing, but knows how many timers there are, about, their mean interval J, and
// how many are stopped.
type Advice int

// Advice that is scored.
const (
	Lists  Advice = iota // scheme 7, four wheels of 1024, lists
	Arrays               // the same, arrays
	Ahead                // Arrays that migrate ahead of time
	Six                  // scheme 6, lists, M the least power of two from 4 J, if that is at most 8 n; else Lists
	Answer               // one of Arrays, Six and Lists, by its Row
	NumAdvice
)

// Where the Answer takes arrays or scheme 6. The numbers come from 72 workloads of a Zen 5 (bench-20261129T003546Z.txt, now in the history) and from
// lists and arrays of the same sizes on a Zen 4 (bench-20261126T044921Z.txt). What is measured later judges them.
const (
	beyondCaches  = 1_000_000 // timers whose records are in no cache: a list waits for each, an array is read in order
	manyTimers    = 50_000    // timers whose records are not in the nearest caches
	crowded       = 50        // timers for each tick of J, from which on the arrays of that many are long enough to be read in order
	mostlyStopped = 0.9       // of the timers: an array must look for what a list just unlinks
)

// Row returns the row of the Answer for a workload with a mean interval of J ticks.
func Row(w workload.Spec, J float64) Advice {
	switch {
	case w.Stop < mostlyStopped && (w.N >= beyondCaches || w.N >= manyTimers && float64(w.N) > crowded*J):
		return Arrays
	case w.Dist == workload.Const && sixSlots(J) <= slotsPerTimer*w.N:
		return Six
	}
	return Lists
}

// sixSlots returns M of scheme 6.
func sixSlots(J float64) int { return 1 << bits.Len(uint(4*J-1)) }

// String returns the advice in words.
func (a Advice) String() string {
	return [...]string{"7, lists", "7, arrays", "7 ahead, arrays", "6, lists, where 4 J ≤ M ≤ 8 n, else 7", "the answer"}[a]
}

// config returns what the advice names for a workload with a mean interval of J ticks.
func (a Advice) config(w workload.Spec, J float64) Config {
	if a == Answer {
		a = Row(w, J)
	}
	if slots := sixSlots(J); a == Six && slots <= slotsPerTimer*w.N {
		return Config{Scheme: hashunsorted.Info.Name, Slots: slots}
	}
	info := &hierarchical.Info
	switch a {
	case Ahead:
		info = &hierarchical.AheadChunked
	case Arrays:
		info = &hierarchical.Chunked
	}
	return Config{Scheme: info.Name, Levels: []int{1024, 1024, 1024, 1024}}
}

// Advised returns what any advice names for n timers with a mean interval of J ticks: every workload has these.
func Advised(n int, J float64) (all []Config) {
	for a := range Answer {
		if c := a.config(workload.Spec{N: n}, J); !slices.ContainsFunc(all, func(other Config) bool { return other.Scheme == c.Scheme }) {
			all = append(all, c)
		}
	}
	return all
}

// Free says what advice costs where sizes are free: by its regret, the time over that of the best configuration that was
// measured on the same workload, less 1. The best is chosen by the even rounds and compared in the odd ones, and the
// reverse: else the luckiest would win.
type Free struct {
	Configs   int   // the fewest on a workload
	Timers    []int // n
	Workloads []FreeWorkload
}

// FreeScore is the regret of an advice.
type FreeScore struct {
	Mean  results.Estimate // over workloads, resampled
	Worst float64
	At    workload.Spec // where it is
}

// FreeWorkload is a workload of FreeSet.
type FreeWorkload struct {
	workload.Spec
	Row Advice // of the Answer

	configs []results.Key
	regrets [NumAdvice]float64 // NaN: not measured
}

// JudgeFree judges a table's cells of FreeSet; nil if there are none in six rounds or more.
func JudgeFree(t *results.Table) *Free {
	f, index := &Free{Configs: math.MaxInt}, map[workload.Spec]int{}
	for _, k := range t.Keys {
		if k.Rest != FreeSet || len(t.Samples(k, units.NsPerOp)) < 6 {
			continue
		}
		spec := t.Cell(k).Spec
		i, ok := index[spec]
		if !ok {
			i, index[spec] = len(f.Workloads), len(f.Workloads)
			f.Workloads = append(f.Workloads, FreeWorkload{Spec: spec})
		}
		f.Workloads[i].configs = append(f.Workloads[i].configs, k)
	}
	for i := range f.Workloads {
		w := &f.Workloads[i]
		J := workload.NumbersOf(1, w.Lives()).Interval
		w.Row = Row(w.Spec, J)
		for a := range NumAdvice {
			w.regrets[a] = regret(t, w.configs, a.config(w.Spec, J))
		}
		f.Configs = min(f.Configs, len(w.configs))
		if !slices.Contains(f.Timers, w.N) {
			f.Timers = append(f.Timers, w.N)
		}
	}
	if len(f.Workloads) == 0 {
		return nil
	}
	slices.Sort(f.Timers)
	return f
}

// Score returns what an advice costs on some workloads.
func (f *Free) Score(a Advice, in func(FreeWorkload) bool) (s FreeScore) {
	var regrets []float64
	for _, w := range f.Workloads {
		if r := w.regrets[a]; in(w) && !math.IsNaN(r) {
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

// Any is every workload.
func Any(FreeWorkload) bool { return true }

// regret returns the regret of a configuration among those of a workload, the mean over both directions; NaN if it was not
// measured.
func regret(t *results.Table, configs []results.Key, c Config) float64 {
	at := slices.IndexFunc(configs, func(k results.Key) bool {
		levels := t.Cell(k).Levels
		return k.Scheme == c.Scheme && (len(levels) == 0 && t.Cell(k).Slots == c.Slots || len(levels) > 0 && slices.Equal(levels, c.Levels))
	})
	if at < 0 {
		return math.NaN()
	}
	var times [2][]float64 // the medians of even and of odd rounds, by configuration
	for _, k := range configs {
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
