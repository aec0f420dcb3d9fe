package pick

import (
	"cmp"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Result is what the race found about a candidate.
type Result struct {
	run.Subject
	Rank     int              `json:"rank"`              // 1: the best, and what ties with it; 0: dropped out
	Life     results.Estimate `json:"ns_per_timer"`      // start, restart or stop, ticks, expiry
	Quartile float64          `json:"ns_lower_quartile"` // by which candidates leave the race
	Ratio    results.Estimate `json:"vs_best"`           // round by round
	CPU      float64          `json:"cpu"`               // share of one
	Bytes    int64            `json:"bytes"`             // the most that it held
	Ticks    TickTimes        `json:"ticks,omitzero"`
	PerTimer PerTimer         `json:"counts_per_timer"`
	Dropped  string           `json:"dropped,omitempty"` // why it left the race
	NoTime   bool             `json:"no_time,omitempty"` // not dropped for being slower

	roundNanos []float64 // a life, by round; 0: the round does not count
}

// candidate is a subject under way.
type candidate struct {
	Result
	probe, expected float64        // ns per life: the least cost, which may exclude it, and what orders the queue
	pace            float64        // ns a tick
	scheme          schemes.Scheme // that drive takes through the stream
	drive           *drive.Drive   // nil: it does not run
	filledAt        schemes.Tick
	steadyAt        schemes.Tick
	heap            int // bytes, without those outside Go's heap
	done            schemes.Counts
	counted         float64        // lives of done
	times           *run.Latencies // of PerTick
	wrong           bool           // it has another outcome than the trace
}

// cost returns the cost of the rounds so far; of a candidate without any, what its probe suggests.
func (c *candidate) cost() float64 { return cmp.Or(lowerQuartile(c.roundNanos), c.expected) }

// forget forgets the rounds so far.
func (c *candidate) forget() { c.roundNanos, c.counted, c.done = nil, 0, schemes.Counts{} }

// release ends its runs and gives its memory back at once, not while another candidate is timed.
func (c *candidate) release() {
	if s, ok := c.scheme.(schemes.Releaser); ok {
		s.Release()
	}
	c.scheme, c.drive = nil, nil
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

const (
	enoughTicks = 10_000 // for the percentile 99.9
	wantedTicks = 20_000
)

// Outcome is what a race found.
type Outcome struct {
	Results   []Result      `json:"results"` // the best first, what dropped out last
	Rounds    int           `json:"rounds"`
	Disturbed int           `json:"disturbed"`          // runs that other load had disturbed
	Hurried   bool          `json:"hurried,omitempty"`  // not all were in the steady state
	Needs     time.Duration `json:"needs_ns,omitempty"` // the budget for an interval, if it was too short
	Seconds   float64       `json:"seconds"`
	Failed    []Rejected    `json:"failed,omitempty"` // with a wrong outcome
}

// outcome ranks the candidates.
func (s *race) outcome() Outcome {
	o := Outcome{Rounds: s.rounds, Disturbed: s.disturbed, Hurried: s.hurried, Needs: s.needs, Failed: s.failed}
	o.Seconds = s.passed().Seconds()
	ran := slices.ContainsFunc(s.all, func(c *candidate) bool { return c.drive != nil && len(positive(c.roundNanos)) > 0 })
	for _, c := range s.all {
		switch {
		case !ran && c.Dropped == "" && c.probe > 0: // interrupted: there are probes only
			c.roundNanos = []float64{c.probe}
		case c.Dropped == "" && len(positive(c.roundNanos)) == 0:
			c.Dropped = "it has not run"
		}
		if c.Dropped == "" && s.Limits.Tail > 0 && c.Ticks.Count == 0 {
			c.Dropped, c.NoTime = "its ticks were not timed", true
		}
		c.Life, c.Quartile = results.Summarize(positive(c.roundNanos)), lowerQuartile(c.roundNanos)
		c.CPU = c.Life.Median * s.Workload.PerSecond(s.Workload.Rate) / 1e9
		if done, n := c.done, c.counted; n > 0 {
			c.PerTimer = PerTimer{float64(done.Compares) / n, float64(done.Visits) / n, float64(done.Migrations) / n}
		}
		c.release()
		o.Results = append(o.Results, c.Result)
	}
	o.rank()
	return o
}

// rank sorts the results by their ratio to the best, round by round, and sets it. No candidate is faster than
// the best by its whole interval. A candidate ties with the best if the interval of their ratio includes 1 and the
// median is at most sameCost; without an interval, or a round that both have, it does not tie. Candidates that tie
// come first, even where one that does not tie, because its ratio varies less, is faster than some of them.
func (o *Outcome) rank() {
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(min(len(a.Dropped), 1), min(len(b.Dropped), 1)), cmp.Compare(a.Quartile, b.Quartile))
	})
	best := 0
	for faster, tries := 0, 0; faster >= 0 && tries < len(o.Results); tries++ {
		best, faster = faster, -1
		for i := range o.Results {
			r := &o.Results[i]
			r.Ratio = results.Summarize(ratios(r.roundNanos, o.Results[best].roundNanos))
			known := r.Ratio.N > 0 && r.Ratio.Bounded()
			switch r.Rank = 2; { // after the tie
			case r.Dropped != "":
				r.Rank = 0
			case i == best || known && r.Ratio.Lo <= 1 && r.Ratio.Median <= sameCost:
				r.Rank = 1
			}
			isFaster := r.Rank > 0 && known && r.Ratio.Hi < 1
			if isFaster && (faster < 0 || r.Ratio.Median < o.Results[faster].Ratio.Median) {
				faster = i
			}
		}
	}
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		asks := 0 // within a tie, the candidate that asks least of the workload is first
		if a.Rank == 1 && b.Rank == 1 {
			asks = cmp.Or(cmp.Compare(a.asks(), b.asks()), cmp.Compare(a.octave(), b.octave()))
		}
		return cmp.Or(cmp.Compare(uint(a.Rank-1), uint(b.Rank-1)), asks, // 0 is last
			cmp.Compare(min(1, b.Ratio.N), min(1, a.Ratio.N)), cmp.Compare(a.Ratio.Median, b.Ratio.Median))
	})
	for i := range o.Results {
		if r := &o.Results[i]; r.Rank > 1 {
			r.Rank = i + 1
		}
	}
}

const sameCost = 1 + worthSaving

// asks returns what the candidate asks of the workload: 1 if some intervals may make it slow or are beyond
// its range, as one START of a sorted list passes up to n timers, PER_TICK of an unsorted one visits all n, and
// the simple wheel has a slot for each tick of the longest interval.
func (r Result) asks() int {
	if r.Info.Sorted || r.Info.Kind == schemes.List || r.Info.Kind == schemes.Wheel {
		return 1
	}
	return 0
}

// octave returns the bytes as a power of two, rounded: less is no reason to choose another candidate.
func (r Result) octave() int { return int(math.Round(math.Log2(float64(max(r.Bytes, 1))))) }

// Winners returns the best candidate and all that tie with it.
func (o Outcome) Winners() []Result {
	return slices.DeleteFunc(slices.Clone(o.Results), func(r Result) bool { return r.Rank != 1 })
}

// lowerQuartile returns the lower quartile of the rounds that count, the least of up to four; 0 if there are
// none. Candidates leave the race by it: a disturbance only makes a run longer, for seconds at
// a time, and often doubles it. It moves the median of a few rounds if it meets half of them,
// the quartile only if it meets three of four. The minimum of many runs is luck.
func lowerQuartile(lives []float64) float64 {
	counted := slices.Sorted(slices.Values(positive(lives)))
	if len(counted) == 0 {
		return 0
	}
	return stat.Quantile(0.25, stat.Empirical, counted, nil)
}

// positive returns the costs of the rounds that count.
func positive(lives []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(lives), func(ns float64) bool { return ns <= 0 })
}

// ratios returns the ratios of two lists in the rounds that both have.
func ratios(over, under []float64) (all []float64) {
	for i := range min(len(over), len(under)) {
		if over[i] > 0 && under[i] > 0 {
			all = append(all, over[i]/under[i])
		}
	}
	return all
}
