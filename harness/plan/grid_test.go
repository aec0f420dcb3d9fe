package plan

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

var small = Grid{
	N: 1000, Slots: []int{256, 1024}, Levels: []int{2, 4}, Turns: 1,
	Means: []schemes.Tick{64, 128, 256, 600, 1400, 4096},
}

// A grid takes its two kinds of cells on different intervals, T, stops and seeds, and what it judges reaches its
// steady state.
func TestGrid(t *testing.T) {
	steps, judging := small.Steps(), small.Judging()
	assert.NotEqual(t, steps.Dist, judging.Dist)
	assert.NotEqual(t, steps.Seed, judging.Seed)
	hierarchies := 0
	for _, c := range judging.Groups() {
		assert.NotContains(t, steps.Means, c.Spec.T)
		assert.GreaterOrEqual(t, c.Spec.Ticks, c.Spec.T*10, "ten thousand lifetimes")
		assert.LessOrEqual(t, c.Spec.Ticks, c.Spec.T*32)
		for _, s := range c.Subjects {
			if len(s.Levels) > 0 && !strings.Contains(s.Info.Name, "ahead") { // whose wheels turn in half the time
				hierarchies++
				assert.True(t, steadyIn(cost.Descents7(c.Spec.Lives(), s.Levels), c.Spec.Ticks), run.Name(c.Spec, s))
			}
		}
	}
	assert.Greater(t, hierarchies, 30, "of 48")
	both := small
	both.Chunked, both.Levels = math.Inf(1), []int{2}
	var labels []string
	for _, s := range both.Steps().Groups()[0].Subjects {
		labels = append(labels, s.Label)
	}
	assert.Equal(t, []string{"null", "hashunsorted-again", "hashunsorted", "hierarchical", "hashunsorted-chunked-again",
		"hashunsorted-chunked", "hierarchical-chunked"}, labels)
}

// Every pair of values of two factors occurs, in far fewer cells than all. Cells of the same workload have one length,
// whatever their M: their operations are one stream.
func TestSparse(t *testing.T) {
	s := Sparse{
		Grids: []Grid{small, {N: 2000, Levels: small.Levels, Turns: 1}}, Slots: []int{64, 256, 1024},
		Parts: []float64{0.5, 1, 2, 8}, Stops: []workload.Stops{{}, {Share: 0.9, At: 0.05}},
		Dists: []workload.Dist{workload.Exp, workload.Const},
	}
	groups := s.Groups(1)
	assert.Less(t, len(groups), 2*3*4*2*2/3)
	assert.Equal(t, groups, s.Groups(1))
	assert.NotEqual(t, groups, s.Groups(2))
	pairs, lengths := map[string]bool{}, map[workload.Spec]schemes.Tick{}
	for _, c := range groups {
		slots := c.Subjects[0].Slots
		values := []string{fmt.Sprint("n", c.Spec.N), fmt.Sprint("M", slots), fmt.Sprint("T/M", float64(c.Spec.T)/float64(slots)),
			fmt.Sprint("stop", c.Spec.Stop), c.Spec.Dist.String()}
		for i := range values {
			for j := range i {
				pairs[values[j]+" "+values[i]] = true
			}
		}
		spec := c.Spec
		spec.Ticks = 0
		assert.Contains(t, []schemes.Tick{0, c.Spec.Ticks}, lengths[spec])
		lengths[spec] = c.Spec.Ticks
	}
	assert.Len(t, pairs, 2*3+2*4+2*2+2*2+3*4+3*2+3*2+4*2+4*2+2*2)
}

// Each n has its workloads, on which each value occurs as often as the others; each workload has at least eight
// configurations that reach its intervals, those that advice names among them; the same seed draws the same.
func TestFree(t *testing.T) {
	few := freeGrid
	few.Timers, few.Workloads = few.Timers[:2], 6
	assert.Equal(t, few.Groups(1), few.Groups(1))
	assert.NotEqual(t, few.Groups(1), few.Groups(2))
	groups := freeGrid.Groups(1)
	values, forms := map[string]int{}, map[string]int{}
	for _, g := range groups {
		n := fmt.Sprint(g.Spec.N)
		for _, value := range []string{"", " T " + fmt.Sprint(g.Spec.T), " stop " + fmt.Sprint(g.Spec.Stop), " " + g.Spec.Dist.String()} {
			values[n+value]++
		}
		assert.GreaterOrEqual(t, len(g.Subjects), 8, g.Spec)
		lives, names := g.Spec.Lives(), map[string]bool{}
		numbers := workload.NumbersOf(g.Spec.N, lives)
		for i, s := range g.Subjects {
			assert.False(t, names[s.String()], s)
			names[s.String()] = true
			forms[s.Info.Name]++
			assert.LessOrEqual(t, numbers.Longest, s.Info.Range(s.Config(0)), s)
			advised := i < len(choice.Advised(g.Spec.N, numbers.Interval))
			assert.True(t, advised || almostSteady(cost.Descents7(lives, s.Levels), g.Spec.Ticks), s)
			assert.LessOrEqual(t, s.Slots, max(8*g.Spec.N, 2*3*65_536), s)
		}
		assert.True(t, names["hierarchical 1024x1024x1024x1024"] && names["hierarchical-chunked 1024x1024x1024x1024"])
	}
	for _, n := range freeGrid.Timers {
		assert.Equal(t, freeGrid.Workloads, values[fmt.Sprint(n)])
	}
	for value, often := range values {
		assert.GreaterOrEqual(t, often, 4, value)
	}
	assert.Len(t, forms, 6)
	for form, often := range forms {
		assert.Greater(t, often, len(groups)/4, form)
	}
	assert.Greater(t, len(groups)*8, 1_400, "cells")
}
