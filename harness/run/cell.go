// Package run measures schemes. A Cell is what is measured, and a Runner measures cells in
// seeded, shuffled, interleaved rounds: the cells of a Plan in a process for each round, the cells of
// Children in a process for each sample.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"
)

// Cell is one combination that is measured: a subject, a workload and an operation.
type Cell struct {
	Name   string // the benchmark's, without "Benchmark"
	Rounds int    // samples
	Group  int    // cells of a group run in turn, so that a ratio of two spans little time
	Passes int    // of it in a round; 0: 1

	// Limit is the CPU time after which Serve abandons a sample and the cell is skipped; 0: none.
	Limit time.Duration

	// Sample makes a pass of a round and returns the sample of the passes that were made. After an error none counts.
	Sample func(ctx context.Context, round int) ([]results.Result, error)
}

// Sink takes what is measured; results.Raw is one. An error ends the measuring.
type Sink interface {
	Stream(workload string, hash uint64) error // the hash of a stream of operations
	Round(round int) error                     // rows that follow are of this round
	Result(sample ...results.Result) error
	Skip(name string, why results.Reason) error
	Fail(name string, err error) error
}

// Progress is called before the first pass of each sample: done of total samples are begun. The total is 0 while it is not known.
type Progress func(done, total int, what string)

// Runner measures cells in interleaved rounds.
type Runner struct {
	Cells  []Cell
	Rounds []int                             // the rounds that are measured here; nil: all. Progress is over all
	Seed   uint64                            // of the order in each round
	Done   func(name string, round int) bool // reports whether a cell has its sample of a round; nil: no sample exists
	Begin  func(round int) error             // called when a round begins; nil: nothing
	Busy   func() bool                       // whether a neighbour computes; nil: see neighbour
}

// Run makes one sample of every cell in each round, until ctx is done. It returns how many it made, and how many of them
// failed and were reported to the sink. Before each pass it waits until no neighbour computes, as long as waiting takes at
// most a tenth of the time.
func (r Runner) Run(ctx context.Context, sink Sink, progress Progress) (made, failed int, err error) {
	const lostShare, firstSlack = 0.1, 200 * time.Millisecond
	core := quietCore{busy: r.Busy, slack: firstSlack, share: lostShare, clock: drive.Clock}
	if r.Busy == nil {
		core.busy = neighbour(func() time.Duration { return probe(probeTurns) })
	}
	rounds, done, total := 0, 0, 0
	for _, c := range r.Cells {
		rounds = max(rounds, c.Rounds)
		total += c.Rounds
		for round := range c.Rounds {
			if r.isDone(c, round) {
				done++
			}
		}
	}
	skipped := map[string]bool{}
	for round := range rounds {
		if r.Rounds != nil && !slices.Contains(r.Rounds, round) {
			continue
		}
		turns, ended := r.turns(round), map[string]bool{}
		if len(turns) == 0 {
			continue
		}
		err := sink.Round(round)
		if err == nil && r.Begin != nil {
			err = r.Begin(round)
		}
		if err != nil {
			return made, failed, err
		}
		for _, t := range turns {
			c := t.Cell
			if err := ctx.Err(); err != nil {
				return made, failed, err
			}
			if t.pass == 0 {
				done++
			}
			if skipped[c.Name] || ended[c.Name] {
				continue
			}
			if t.pass == 0 {
				progress(done-1, total, fmt.Sprintf("round %d, %s", round+1, c.Name))
				made++
			}
			core.wait(ctx)
			rows, err := c.Sample(ctx, round)
			switch {
			case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()): // interrupted, which is no failure
				return made, failed, err
			case errors.Is(err, ErrTime):
				skipped[c.Name] = true
				err = sink.Skip(c.Name, results.Reason{Kind: results.TooSlow, Text: err.Error()})
			case err != nil:
				failed++
				ended[c.Name] = true
				err = sink.Fail(c.Name, err)
			case t.pass == c.passes()-1:
				err = sink.Result(rows...)
			}
			if err != nil {
				return made, failed, err
			}
		}
	}
	return made, failed, nil
}

func (r Runner) isDone(c Cell, round int) bool { return r.Done != nil && r.Done(c.Name, round) }

func (c Cell) passes() int { return max(1, c.Passes) }

// turn is one pass of a cell.
type turn struct {
	Cell
	pass int
}

// blockCells is about how many cells a block has. A cell's passes are as far apart as its block takes, seconds, so that a
// disturbance of a second leaves one undisturbed. An interrupt loses the passes of one block.
const blockCells = 300

// turns returns what a round has left to do, in order: one pass of all cells of a block, then the next pass, then the
// next block.
func (r Runner) turns(round int) (all []turn) {
	groups, most := []int{}, 0
	for _, c := range r.Cells {
		groups, most = append(groups, c.Group), max(most, c.passes())
	}
	order := slices.DeleteFunc(Order(r.Seed, round, groups), func(i int) bool {
		return round >= r.Cells[i].Rounds || r.isDone(r.Cells[i], round)
	})
	for block := range slices.Chunk(order, blockCells) {
		for pass := range most {
			for _, i := range block {
				if pass < r.Cells[i].passes() {
					all = append(all, turn{r.Cells[i], pass})
				}
			}
		}
	}
	return all
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
