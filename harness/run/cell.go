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

// Progress is called before each sample: done of total samples are made. The total is 0 while it is not known.
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

// Passes is how many a lifetime has unless there is less time: the least of three is rarely disturbed.
const Passes = 3

// blockCells is about how many cells a block has. The passes of a cell are as far apart as its block takes, seconds, so
// that a disturbance of a second leaves one undisturbed. An interrupt loses the passes of one block.
const blockCells = 100

// Run makes one sample of every cell in each round, until ctx is done. It returns how many it made, and how many of them
// failed and were reported to the sink. A round goes block by block: one pass of all cells of a block, then the next.
// Before each pass it waits until no neighbour computes, as long as waiting takes at most a fifth of the time.
func (r Runner) Run(ctx context.Context, sink Sink, progress Progress) (made, failed int, err error) {
	const lostShare, firstSlack = 0.2, 200 * time.Millisecond
	w := &running{Runner: r, sink: sink, progress: progress, skipped: map[string]bool{},
		core: Quiet{Busy: r.Busy, Slack: firstSlack, Share: lostShare}}
	rounds := 0
	for _, c := range r.Cells {
		rounds, w.groups = max(rounds, c.Rounds), append(w.groups, c.Group)
		w.total += c.Rounds * c.passes()
		for round := range c.Rounds {
			if w.isDone(c, round) {
				w.done += c.passes()
			}
		}
	}
	for round := range rounds {
		if r.Rounds != nil && !slices.Contains(r.Rounds, round) {
			continue
		}
		order := slices.DeleteFunc(Order(r.Seed, round, w.groups), func(i int) bool {
			return round >= r.Cells[i].Rounds || w.isDone(r.Cells[i], round)
		})
		if len(order) == 0 {
			continue
		}
		err := sink.Round(round)
		if err == nil && r.Begin != nil {
			err = r.Begin(round)
		}
		for len(order) > 0 && err == nil {
			n := min(blockCells, len(order))
			for n < len(order) && w.groups[order[n]] == w.groups[order[n-1]] {
				n++
			}
			err = w.block(ctx, round, order[:n])
			order = order[n:]
		}
		if err != nil {
			return w.made, w.failed, err
		}
	}
	return w.made, w.failed, nil
}

func (c Cell) passes() int { return max(1, c.Passes) }

// running is a Runner under way.
type running struct {
	Runner
	sink         Sink
	progress     Progress
	core         Quiet
	groups       []int // of the cells
	done, total  int   // passes
	made, failed int   // samples
	skipped      map[string]bool
}

func (w *running) isDone(c Cell, round int) bool { return w.Done != nil && w.Done(c.Name, round) }

// block makes the samples of some cells in a round, pass by pass, each in another order of the groups and within them.
func (w *running) block(ctx context.Context, round int, order []int) error {
	ended, groups, most := map[int]bool{}, make([]int, len(order)), 0
	for i, cell := range order {
		groups[i], most = w.groups[cell], max(most, w.Cells[cell].passes())
	}
	for pass := range most {
		for _, i := range Order(w.Seed, round+pass<<16, groups) {
			c := w.Cells[order[i]]
			if err := ctx.Err(); err != nil {
				return err
			}
			if pass >= c.passes() {
				continue
			}
			w.done++
			if w.skipped[c.Name] || ended[i] {
				continue
			}
			w.progress(w.done-1, w.total, fmt.Sprintf("round %d, %s", round+1, c.Name))
			if pass == 0 {
				w.made++
			}
			w.core.Wait(ctx)
			rows, err := c.Sample(ctx, round)
			switch {
			case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()): // interrupted, which is no failure
				return err
			case errors.Is(err, ErrTime):
				w.skipped[c.Name] = true
				err = w.sink.Skip(c.Name, results.Reason{Kind: results.TooSlow, Text: err.Error()})
			case err != nil:
				w.failed++
				ended[i] = true
				err = w.sink.Fail(c.Name, err)
			case pass == c.passes()-1:
				err = w.sink.Result(rows...)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
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
