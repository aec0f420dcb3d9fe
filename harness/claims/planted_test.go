package claims

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// hasty finds the head's expiry sooner than it is.
type hasty struct {
	counting
	schemes.Advancer
}

func (h hasty) Next() (wait schemes.Tick, ok bool) {
	wait, ok = h.counting.(schemes.Nexter).Next()
	return (wait + 1) / 2, ok
}

// marked keeps the mark of a slot that its last timer has left.
type marked struct{ counting }

func (m marked) Counts() schemes.Counts {
	c := m.counting.Counts()
	c.EmptySlots = 0
	return c
}

// What the hardware of the paper would do for nothing is counted.
func TestPlantedInterrupts(t *testing.T) {
	for _, test := range []struct {
		scheme, id string
		wrap       func(schemes.Scheme) schemes.Scheme
	}{
		{"ordered", "S2-7", func(s schemes.Scheme) schemes.Scheme { return hasty{s.(counting), s.(schemes.Advancer)} }},
		{"hashunsorted", "A-2", func(s schemes.Scheme) schemes.Scheme { return marked{s.(counting)} }},
	} {
		inRegistry(t, test.scheme, test.wrap, func() {
			c, err := Find(test.id)
			require.NoError(t, err)
			all, err := JudgeAll(context.Background(), []Claim{c}, nil, func(int) {})
			require.NoError(t, err)
			assert.Equal(t, Fails, all[0].Verdict, test.id)
		})
	}
}

// Slots that hold arrays are not the paper's: they do not decide on its bound.
func TestTheBoundIsOfLinkedSlots(t *testing.T) {
	for form, want := range map[choice.Form]Verdict{choice.Linked: Fails, choice.Chunked: Undecided} {
		cell := choice.Cell{Winner: 6,
			Regime: &choice.Regime{Form: form, Ratio: results.Estimate{Median: 1, N: 6}},
			Cell:   results.Cell{Slots: 256, Levels: []int{128, 128}, Spec: workload.Spec{T: 1 << 20}}}
		c := &choice.Choice{Cells: []choice.Cell{cell}}
		all := &timings{}
		boundDecides(all, c)
		var points []Point
		for _, p := range all.points {
			points = append(points, *p)
		}
		assert.Equal(t, want, judge(points), form)
	}
}
