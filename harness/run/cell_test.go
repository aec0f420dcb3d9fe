package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/harness/results"
)

// An order is a permutation that keeps groups together, and depends on seed and round alone.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOf(rapid.IntRange(0, 5)).Draw(t, "groups")
		seed, round := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 100).Draw(t, "round")
		order := Order(seed, round, groups)
		assert.Equal(t, order, Order(seed, round, groups))
		assert.Len(t, order, len(groups))
		sorted := slices.Sorted(slices.Values(order))
		var inOrder []int
		for i := range sorted {
			assert.Equal(t, i, sorted[i])
			inOrder = append(inOrder, groups[order[i]])
		}
		together := slices.Compact(inOrder)
		distinct := slices.Compact(slices.Sorted(slices.Values(groups)))
		assert.Len(t, together, len(distinct))
	})
	rounds, seeds := map[int]bool{}, map[int]bool{}
	for k := range 50 {
		rounds[Order(1, k, make([]int, 10))[0]] = true
		seeds[Order(uint64(k), 1, make([]int, 10))[0]] = true
	}
	assert.Greater(t, len(rounds), 5, "rounds differ")
	assert.Greater(t, len(seeds), 5, "seeds differ")
}

// counted returns a cell that counts its samples.
func counted(name string, rounds int, samples map[string]int) Cell {
	return Cell{Name: name, Rounds: rounds, Sample: func(context.Context, int) ([]results.Result, error) {
		samples[name]++
		if name == "bad" {
			return nil, errors.New("three\nlines")
		}
		return []results.Result{{Name: name, Iters: 1}, {Name: name + "2", Iters: 2}}, nil
	}}
}

// Cells may need different numbers of rounds; what is done is not done again. Progress is over all rounds, of which a
// process may measure one.
func TestRunnerRounds(t *testing.T) {
	samples := map[string]int{}
	begun, shown := []int{}, []int{}
	r := Runner{
		Cells: []Cell{counted("a", 3, samples), counted("b", 1, samples), counted("bad", 2, samples)},
		Done:  func(name string, round int) bool { return name == "a" && round == 1 },
		Begin: func(round int) error { begun = append(begun, round); return nil },
		Busy:  func() bool { return false },
	}
	sink := newSink(0)
	made, failed, err := r.Run(t.Context(), sink, func(done, total int, _ string) {
		assert.Equal(t, 6, total)
		shown = append(shown, done)
	})
	require.NoError(t, err)
	assert.Equal(t, [2]int{5, 2}, [2]int{made, failed})
	assert.Equal(t, map[string]int{"a": 2, "b": 1, "bad": 2}, samples)
	assert.Equal(t, []int{0, 1, 2}, begun)
	assert.Equal(t, []int{1, 2, 3, 4, 5}, shown)
	assert.Equal(t, 2, strings.Count(strings.Join(sink.lines, " "), "a2"), "every row of a sample")

	r.Rounds = []int{2}
	made, _, err = r.Run(t.Context(), newSink(0), func(done, total int, _ string) { assert.Equal(t, [2]int{1, 6}, [2]int{done, total}) })
	require.NoError(t, err)
	assert.Equal(t, 1, made)
}

// The passes of a block of cells take turns, each cell once before any twice, and a block ends before the next begins: an
// interrupt loses one block.
func TestPassesTakeTurns(t *testing.T) {
	var r Runner
	for i := range 3 * blockCells {
		r.Cells = append(r.Cells, Cell{Name: fmt.Sprint(i), Rounds: 1, Group: i / 2, Passes: i % 2 * 2})
	}
	made := map[string]int{}
	for i, turn := range r.turns(0) {
		assert.Equal(t, made[turn.Name], turn.pass)
		made[turn.Name]++
		assert.LessOrEqual(t, len(made), blockCells*(1+i/(blockCells*3/2)), "block by block")
		assert.Equal(t, i%(blockCells*3/2) < blockCells, turn.pass == 0, "%d", i)
	}
	assert.Len(t, made, 3*blockCells)
	assert.Equal(t, 2, made["1"])
}
