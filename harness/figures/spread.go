package figures

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
)

// spread places intervals of the given sizes, centred near to want, so that none overlap, their order
// is kept and all lie within lo and hi. Sizes that do not fit are shrunk together, and then touch.
//
// It packs twice: pushing up what overlaps, and pushing down. Halfway between, neighbours overlap as
// little as in each, and a crowd is centred on where it is wanted.
func spread(want, size []vg.Length, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(want))
	total := vg.Length(0)
	for i := range order {
		order[i] = i
		total += size[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
	shrink := min(1, (hi-lo)/max(total, 1e-9))
	out := make([]vg.Length, len(want))
	end, above := lo, total*shrink
	for _, i := range order {
		half := size[i] * shrink / 2
		out[i] = min(max(want[i], end+half), hi-above+half)
		end, above = out[i]+half, above-2*half
	}
	end, below := hi, total*shrink
	for _, i := range slices.Backward(order) {
		half := size[i] * shrink / 2
		down := max(min(want[i], end-half), lo+below-half)
		end, below = down-half, below-2*half
		out[i] = (out[i] + down) / 2
	}
	return out
}
