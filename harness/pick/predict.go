package pick

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/schemes"
)

const (
	copyTicks  = 1 << 19 // at most, of what a copy runs or is timed for: a millisecond if all are empty
	copyStays  = 1       // of a timer at most, for a copy to run into the steady state: most of the order in memory is gone
	copyRounds = 2       // of a candidate through a copy, the least of which counts: none is left out for one reading
	farBehind  = 2       // times what the first costs on a copy: no cache has made up for that in the race
	copyShare  = 0.4     // of the budget, after which no further copy is run: the race needs the rest
)

// copies are the timers of the copies of the workload that predict costs, and how many candidates of each scheme run through
// them. With the first, hardly any cache is full; with the second, those of a core are, and with the third, all. That changes
// costs far more between schemes than between the sizes of one.
var copies = []struct{ timers, ofEach int }{{32_000, math.MaxInt}, {128_000, 3}, {512_000, 1}}

// predict returns the candidates in the order of their predicted costs: those of a life on copies of the workload.
func (s *race) predict(ctx context.Context) ([]*candidate, error) {
	queue := s.all
	for i, size := range copies {
		n := min(size.timers, s.Workload.N)
		if i > 0 && (n < 2*copies[i-1].timers || s.passed() > time.Duration(copyShare*float64(s.Budget))) {
			break // the last one was as good, or must do
		}
		if i > 0 {
			queue = ofSchemes(queue, size.ofEach, farBehind)
		}
		err := s.predictBy(ctx, queue, n)
		if queue = s.inOrder(); err != nil {
			return queue, err
		}
	}
	return queue, nil
}

// ofSchemes returns the first few candidates of each scheme, in the order of the queue. It leaves out those that cost more than
// the given multiple of what the first of the queue costs.
func ofSchemes(queue []*candidate, each int, within float64) (kept []*candidate) {
	seen := map[string]int{}
	for _, c := range queue {
		if seen[c.Info.Name]++; seen[c.Info.Name] <= each && c.Predicted <= within*queue[0].Predicted {
			kept = append(kept, c)
		}
	}
	return kept
}

// predictBy predicts what candidates cost by a copy of n timers. Those that do not run through it cost as much more than on
// the copy before as others of their scheme, on median, or as all.
func (s *race) predictBy(ctx context.Context, queue []*candidate, n int) error {
	w := s.Workload.copyOf(n)
	warm, _ := w.warmUps()
	if warm = min(warm, copyTicks); w.Phases == nil {
		warm = min(warm, schemes.Tick(copyStays*w.MeanStay)+1)
	}
	on, err := s.newCourse(n, warm, w.ticksFor(float64(max(n, pieceLives)), copyTicks), 1)
	if err != nil {
		return err
	}
	err = s.measure(ctx, "copy of", queue, on, 1, func(round int) bool { return round == copyRounds })
	grown, all := map[string][]float64{}, []float64(nil)
	for _, c := range queue {
		before := c.Predicted
		if rounds := slices.Collect(maps.Values(c.rounds)); len(rounds) > 0 {
			c.Predicted = s.predicted(c, on, slices.Min(rounds))
		}
		if before > 0 && c.Predicted > 0 {
			grown[c.Info.Name] = append(grown[c.Info.Name], c.Predicted/before)
			all = append(all, c.Predicted/before)
		}
		c.forget()
	}
	for _, c := range s.all {
		if like := grown[c.Info.Name]; len(all) > 0 && !slices.Contains(queue, c) {
			if len(like) == 0 {
				like = all
			}
			c.Predicted *= results.Median(like)
		}
	}
	return err
}

// inOrder returns the candidates that have a predicted cost, the least first.
func (s *race) inOrder() []*candidate {
	queue := slices.DeleteFunc(slices.Clone(s.all), func(c *candidate) bool { return c.Dropped != "" || c.Predicted == 0 })
	slices.SortStableFunc(queue, func(a, b *candidate) int { return cmp.Compare(a.Predicted, b.Predicted) })
	return queue
}

// predicted returns what a life costs with all timers, from what it costs on a copy. A copy has fewer lives a tick, so that more
// of an empty tick falls to each: that part is counted at the workload's rate. A list that is searched grows with the number of
// timers. And a copy may be too short for some wheels to advance: a migration is taken to cost half of all else in a life, as it
// costs at most as much.
func (s *race) predicted(c *candidate, on *course, ns float64) float64 {
	const compareNs = 2 // with a record in the cache: the least that a search costs
	if s.Workload.N > on.N {
		empty := s.emptyTick(c)
		ns = max(ns-empty/on.Rate, 0) + empty/s.Workload.Rate
		if c.Info.Sorted {
			ns += max(0, c.PerTimer.Compares-1) * (float64(s.Workload.N)/float64(on.N) - 1) * compareNs
		}
	}
	return ns * (1 + on.unseen(c.Subject, on.timed())/2)
}

// emptyTick returns the ns that a tick takes without timers: hardly any if the clock steps over it.
func (s *race) emptyTick(c *candidate) float64 {
	const ticks = 1 << 14
	scheme, err := c.Info.New(c.Config(0))
	if err != nil || s.Cost != nil || s.Workload.Step > 1 {
		return 0
	}
	if held, ok := scheme.(schemes.Releaser); ok {
		defer held.Release()
	}
	began := s.clocks.CPU()
	for range ticks {
		scheme.PerTick()
	}
	return float64(s.clocks.CPU()-began) / ticks
}
