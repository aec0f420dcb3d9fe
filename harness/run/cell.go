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

	// Limit is the CPU time after which Serve abandons a sample and the cell is skipped; 0: none.
	Limit time.Duration

	// Sample makes the sample of a round. After an error none of it counts.
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

// Run makes one sample of every cell in each round, until ctx is done. It returns how many it made, and how many of them
// failed and were reported to the sink. Before each it waits until no neighbour computes, as long as waiting takes at
// most a fifth of the time.
func (r Runner) Run(ctx context.Context, sink Sink, progress Progress) (made, failed int, err error) {
	const lostShare, firstSlack = 0.2, 200 * time.Millisecond
	core := Quiet{Busy: r.Busy, Slack: firstSlack, Share: lostShare}
	isDone := func(name string, round int) bool { return r.Done != nil && r.Done(name, round) }
	rounds, done, total, groups := 0, 0, 0, []int{}
	for _, c := range r.Cells {
		rounds, groups = max(rounds, c.Rounds), append(groups, c.Group)
		total += c.Rounds
		for round := range c.Rounds {
			if isDone(c.Name, round) {
				done++
			}
		}
	}
	skipped := map[string]bool{}
	for round := range rounds {
		if r.Rounds != nil && !slices.Contains(r.Rounds, round) {
			continue
		}
		order := slices.DeleteFunc(Order(r.Seed, round, groups), func(i int) bool {
			return round >= r.Cells[i].Rounds || isDone(r.Cells[i].Name, round)
		})
		if len(order) == 0 {
			continue
		}
		err := sink.Round(round)
		if err == nil && r.Begin != nil {
			err = r.Begin(round)
		}
		if err != nil {
			return made, failed, err
		}
		for _, i := range order {
			c := r.Cells[i]
			if err := ctx.Err(); err != nil {
				return made, failed, err
			}
			done++
			if skipped[c.Name] {
				continue
			}
			progress(done-1, total, fmt.Sprintf("round %d, %s", round+1, c.Name))
			made++
			core.Wait(ctx)
			rows, err := c.Sample(ctx, round)
			switch {
			case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()): // interrupted, which is no failure
				return made, failed, err
			case errors.Is(err, ErrTime):
				skipped[c.Name] = true
				err = sink.Skip(c.Name, results.Reason{Kind: results.TooSlow, Text: err.Error()})
			case err != nil:
				failed++
				err = sink.Fail(c.Name, err)
			default:
				err = sink.Result(rows...)
			}
			if err != nil {
				return made, failed, err
			}
		}
	}
	return made, failed, nil
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
