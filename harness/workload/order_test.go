package workload

import (
	"cmp"
	"slices"
	"testing"

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
