package pick

import (
	"cmp"
	"math"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Result is what the race found about a candidate.
type Result struct {
	run.Subject
	Rank      int              `json:"rank"`                   // 1: the best, and what ties with it; 0: it did not race, or dropped out
	Raced     bool             `json:"raced"`                  // with Outcome.Timers; else only smaller copies, if anything
	Predicted float64          `json:"predicted_ns,omitempty"` // per timer, from smaller copies of the workload; 0: it ran on none
	Life      results.Estimate `json:"ns_per_timer"`           // start, restart or stop, ticks, expiry
	Ratio     results.Estimate `json:"vs_best"`                // round by round
	Early     float64          `json:"early,omitempty"`        // share of its interval by which a timer may be early, at worst
	Late      float64          `json:"late,omitempty"`         // the same of being late
	CPU       float64          `json:"cpu"`                    // share of one
	Bytes     int64            `json:"bytes"`                  // the most that it held
	Ticks     TickTimes        `json:"ticks,omitzero"`
	PerTimer  PerTimer         `json:"counts_per_timer"`
	Dropped   string           `json:"dropped,omitempty"` // why it left the race
	rounds    map[int]float64  // ns of a life, by round
}

// PerTimer are the counts of a timer's life.
type PerTimer struct {
	Compares   float64 `json:"compares"`
	Visits     float64 `json:"visits"`
	Migrations float64 `json:"migrations"`
}

// TickTimes are percentiles of PerTick.
type TickTimes struct {
	Count int           `json:"count"` // enoughTicks or more
	P50   time.Duration `json:"p50_ns"`
	P999  time.Duration `json:"p99_9_ns"`
	Low   time.Duration `json:"p99_9_low_ns"` // the 95 % interval of P999
	High  time.Duration `json:"p99_9_high_ns"`
}

// Outcome is what a race found.
type Outcome struct {
	Results []Result   `json:"results"` // the best first; what did not race by its prediction; what dropped out last
	Rounds  int        `json:"rounds"`
	Timers  int        `json:"timers"`            // that raced: those of the workload, or a copy of it
	Sure    bool       `json:"sure"`              // nothing that raced is more than a tenth faster than the first
	Hurried bool       `json:"hurried,omitempty"` // the steady state was not awaited, for lack of time
	Seconds float64    `json:"seconds"`
	Failed  []Rejected `json:"failed,omitempty"` // with a wrong outcome
}

// SameCost is the ratio up to which two candidates cost the same: a tenth is more than a program's own layout in memory
// changes, and what a pick promises.
const SameCost = 1.10

// rank sorts the results, and sets their ranks and their ratios to the best: no candidate is faster than that by its whole
// interval. A candidate ties with the best if by the whole interval of their ratio it takes at most SameCost times as long,
// but may be as fast. The merits of candidates order a tie.
func (o *Outcome) rank() (first Result) {
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.class(), b.class()), cmp.Compare(a.Life.Median, b.Life.Median), cmp.Compare(a.Predicted, b.Predicted))
	})
	best := 0
	for faster, tries := 0, 0; faster >= 0 && tries < len(o.Results); tries++ {
		best, faster = faster, -1
		for i := range o.Results {
			r := &o.Results[i]
			if r.Rank = 0; r.class() > 0 {
				continue
			}
			r.Ratio = results.Summarize(ratios(r.rounds, o.Results[best].rounds))
			known := r.Ratio.N > 0 && r.Ratio.Bounded()
			r.Rank = 2
			if i == best || known && r.Ratio.Lo <= 1 && r.Ratio.Hi <= SameCost {
				r.Rank = 1
			}
			if known && r.Ratio.Hi < 1 && (faster < 0 || r.Ratio.Median < o.Results[faster].Ratio.Median) {
				faster = i
			}
		}
	}
	if len(o.Results) > 0 {
		first = o.Results[best]
	}
	o.sort(true)
	if o.Sure = o.isSure(); !o.Sure {
		o.sort(false)
		o.Sure = o.isSure()
	}
	for i := range o.Results {
		if r := &o.Results[i]; r.Rank > 1 {
			r.Rank = i + 1
		}
	}
	return first
}

// sort sorts ranked results. Of a tie, the first asks least of the workload and of memory if asking matters, else it is the best.
func (o *Outcome) sort(asking bool) {
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		asks := 0
		if asking && a.Rank == 1 && b.Rank == 1 {
			asks = slices.Compare(a.merits(), b.merits())
		}
		return cmp.Or(cmp.Compare(uint(a.Rank-1), uint(b.Rank-1)), asks, // 0 is last
			cmp.Compare(min(1, b.Ratio.N), min(1, a.Ratio.N)), cmp.Compare(a.Ratio.Median, b.Ratio.Median))
	})
}

// isSure reports whether the intervals decide that nothing that raced takes less than 1/SameCost of the first's time.
func (o Outcome) isSure() bool {
	if len(o.Winners()) == 0 {
		return false
	}
	return !slices.ContainsFunc(o.Results, func(r Result) bool {
		if r.Rank == 0 {
			return false
		}
		e := results.Summarize(ratios(r.rounds, o.Results[0].rounds))
		return !e.Bounded() || e.Lo < 1/SameCost
	})
}

// Exact reports whether no timer of the workload is early or late.
func (r Result) Exact() bool { return r.Early+r.Late == 0 }

// class is 0 of a candidate that raced to the end, 1 of one that did not race, and 2 of one that dropped out.
func (r Result) class() int {
	switch {
	case r.Dropped != "":
		return 2
	case len(r.rounds) == 0:
		return 1
	}
	return 0
}

// merits order candidates that tie, the least first: by how far timers are off; by whether they cost so much more than the best
// that less memory is no reason to choose them; by what they ask of the workload; and by their bytes, as a power of two.
func (r Result) merits() []float64 {
	const third = (SameCost - 1) / 3 // of what a tie may cost
	dearer, asks := 0.0, 0.0
	if r.Ratio.Median > 1+third {
		dearer = 1
	}
	// Some intervals may make it slow or are beyond its range: one START of a sorted list passes up to n timers, PER_TICK of an
	// unsorted one visits all n, that of ordered-durations looks at a list for each interval, and the simple wheel has a slot for
	// each tick of the longest interval.
	if r.Info.Sorted || r.Info.Kind == schemes.List || r.Info.Kind == schemes.Wheel {
		asks = 1
	}
	return []float64{r.Early + r.Late, dearer, asks, math.Round(math.Log2(float64(max(r.Bytes, 1))))}
}

// Winners returns the best candidate and all that tie with it.
func (o Outcome) Winners() []Result {
	return slices.DeleteFunc(slices.Clone(o.Results), func(r Result) bool { return r.Rank != 1 })
}

// Unraced returns how many candidates did not race, and the least prediction of them as a multiple of the first's; 0 if it
// has none.
func (o Outcome) Unraced() (n int, least float64) {
	for _, r := range o.Results {
		if r.Raced || r.Dropped != "" {
			continue
		}
		n++
		if first := o.Results[0]; first.Predicted > 0 && r.Predicted > 0 && (least == 0 || r.Predicted/first.Predicted < least) {
			least = r.Predicted / first.Predicted
		}
	}
	return n, least
}

// ratios returns the ratios of two candidates in the rounds that both have, the least first.
func ratios(over, under map[int]float64) (all []float64) {
	for round, ns := range over {
		if other, ok := under[round]; ok {
			all = append(all, ns/other)
		}
	}
	slices.Sort(all)
	return all
}
