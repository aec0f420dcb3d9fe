package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"timerlab/harness/results"
)

// Cell is one combination that is measured: a subject, a workload and an operation.
type Cell struct {
	Name   string // the benchmark's, without "Benchmark"
	Rounds int    // samples
	Group  int    // cells of a group run in turn, so that a ratio of two spans little time

	// Sample makes the sample of a round. After an error none of it counts.
	Sample func(ctx context.Context, round int) ([]results.Result, error)
}

// Sink takes what is measured; results.Raw is one. An error ends the measuring.
type Sink interface {
	Stream(workload string, hash uint64) error // the hash of a stream of operations
	Round(round int) error                     // rows that follow are of this round
	Result(results.Result) error
	Skip(name, why string) error
	Fail(name string, err error) error
}

// Progress is called before each sample: done of total samples are made. The total is
// 0 while it is not known.
type Progress func(done, total int, what string)

// Done reports whether the sample of a cell in a round exists already.
type Done func(name string, round int) bool

// Runner measures cells in interleaved rounds.
type Runner struct {
	Cells []Cell
	Seed  uint64                // of the order in each round
	Done  Done                  // nil: no sample exists
	Begin func(round int) error // called when a round begins; nil: nothing
}

// Tally counts samples. Those that failed are reported to the sink.
type Tally struct{ Made, Failed int }

// Run makes one sample of every cell in each round, until ctx is done.
func (r Runner) Run(ctx context.Context, sink Sink, progress Progress) (t Tally, err error) {
	total := 0
	rounds := make([][]Cell, r.rounds())
	for round := range rounds {
		rounds[round] = r.round(round)
		total += len(rounds[round])
	}
	for round, cells := range rounds {
		if len(cells) == 0 {
			continue
		}
		if err := r.begin(round, sink); err != nil {
			return t, err
		}
		for _, c := range cells {
			if err := ctx.Err(); err != nil {
				return t, err
			}
			progress(t.Made, total, fmt.Sprintf("round %d, %s", round+1, c.Name))
			t.Made++
			ok, err := c.sample(ctx, sink, round)
			if !ok {
				t.Failed++
			}
			if err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// rounds returns the largest number of rounds of any cell.
func (r Runner) rounds() int {
	most := 0
	for _, c := range r.Cells {
		most = max(most, c.Rounds)
	}
	return most
}

// round returns the cells that are still to be measured in a round, in their order.
func (r Runner) round(round int) []Cell {
	groups := make([]int, len(r.Cells))
	for i, c := range r.Cells {
		groups[i] = c.Group
	}
	var cells []Cell
	for _, i := range Order(r.Seed, round, groups) {
		if c := r.Cells[i]; round < c.Rounds && (r.Done == nil || !r.Done(c.Name, round)) {
			cells = append(cells, c)
		}
	}
	return cells
}

func (r Runner) begin(round int, sink Sink) error {
	if err := sink.Round(round); err != nil || r.Begin == nil {
		return err
	}
	return r.Begin(round)
}

// sample passes a sample of the cell to the sink, and reports whether it is one.
func (c Cell) sample(ctx context.Context, sink Sink, round int) (ok bool, err error) {
	rows, err := c.Sample(ctx, round)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return true, err // interrupted, which is no failure
	case err != nil:
		return false, sink.Fail(c.Name, err)
	}
	for _, row := range rows {
		if err := sink.Result(row); err != nil {
			return true, err
		}
	}
	return true, nil
}

// Order returns the order of a round, by indexes of groups: a random order of the
// groups, and of the members within each. It is a function of the seed and the round.
func Order(seed uint64, round int, groups []int) []int {
	random := rand.New(rand.NewPCG(seed, uint64(round)))
	rank := map[int]uint64{}
	for _, g := range groups {
		if _, ok := rank[g]; !ok {
			rank[g] = random.Uint64()
		}
	}
	order := random.Perm(len(groups))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[groups[a]], rank[groups[b]]) })
	return order
}
