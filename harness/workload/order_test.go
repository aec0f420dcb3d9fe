package workload

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func TestSortOpsIsAStableSort(t *testing.T) {
	for _, last := range []schemes.Tick{0, 1, 5, 500, 511, 512, 70_000, 1 << 20, 1<<20 + 1, 1 << 33, MaxTicks} {
		r := newRandom(uint64(last), forOrder, 0)
		ops := make([]Op, 3000)
		for i := range ops {
			ops[i] = Op{Tick: schemes.Tick(r.below(uint64(last) + 1)), Timer: uint32(i), Kind: Kind(r.below(3))}
		}
		want := slices.Clone(ops)
		slices.SortStableFunc(want, func(a, b Op) int {
			if a.Tick != b.Tick {
				return cmp.Compare(a.Tick, b.Tick)
			}
			return int(a.Kind) - int(b.Kind)
		})
		require.Equal(t, want, sortOps(ops, last), "last tick %d", last)
	}
}

// ascents counts the neighbours in ascending order. A random order of n has
// (n-1)/2 of them, with variance (n+1)/12.
func ascents(order []int) (excess, sd float64) {
	n := 0
	for i := 1; i < len(order); i++ {
		if order[i] > order[i-1] {
			n++
		}
	}
	return float64(n) - float64(len(order)-1)/2, math.Sqrt(float64(len(order)+1) / 12)
}

// Timers that start together and have the same fate stop together, but not in
// the order of their starts, and none of the orders is that of their numbers.
func TestOrderWithinATickIsRandom(t *testing.T) {
	trace, err := Spec{N: 50_000, T: 10, Ticks: 40, Stop: 1, StopAt: 0.5}.Trace()
	require.NoError(t, err)
	groups := map[uint64][]int{}
	rank := map[uint32]int{} // of the timer's last start among all
	for i, op := range trace.Ops {
		if op.Kind == Start {
			rank[op.Timer] = i
			groups[op.key()] = append(groups[op.key()], int(op.Timer))
		} else {
			groups[op.key()] = append(groups[op.key()], rank[op.Timer])
		}
	}
	assert.Len(t, groups, 81)
	for key, order := range groups {
		excess, sd := ascents(order)
		assert.Less(t, math.Abs(excess), 4.5*sd, "tick %d, %v", key>>2, Kind(key&3))
	}
}
