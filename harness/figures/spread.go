package figures

import (
	"sort"

	"gonum.org/v1/plot/vg"
)

// spread places intervals of the given sizes, centred as near to want as it gets, so that none
// overlap, their order is kept and all lie within lo and hi. The sum of the squared moves is the
// least possible. Sizes that do not fit are shrunk together, and then touch.
//
// Measured from where each would lie if all were packed from lo upwards, the centres need only
// not descend: that is isotonic regression, solved by pooling neighbours that do.
func spread(want, size []vg.Length, lo, hi vg.Length) []vg.Length {
	n := len(want)
	order := make([]int, n)
	total := vg.Length(0)
	for i := range order {
		order[i] = i
		total += size[i]
	}
	sort.SliceStable(order, func(a, b int) bool { return want[order[a]] < want[order[b]] })
	shrink := vg.Length(1)
	if total > hi-lo {
		shrink = (hi - lo) / total
	}
	packed := make([]vg.Length, n) // centre of the k-th in order when packed from 0
	used := vg.Length(0)
	for k, i := range order {
		packed[k] = used + size[i]*shrink/2
		used += size[i] * shrink
	}
	shift := make([]vg.Length, n)
	for k, i := range order {
		shift[k] = want[i] - packed[k]
	}
	out := make([]vg.Length, n)
	for k, s := range ascending(shift) {
		out[order[k]] = packed[k] + min(max(s, lo), hi-used)
	}
	return out
}

// ascending returns the sequence nearest to v, by squares, that never descends.
func ascending(v []vg.Length) []vg.Length {
	type pool struct {
		sum vg.Length
		n   int
	}
	var pools []pool
	for _, x := range v {
		p := pool{x, 1}
		for len(pools) > 0 {
			q := pools[len(pools)-1]
			if q.sum*vg.Length(p.n) <= p.sum*vg.Length(q.n) {
				break
			}
			p = pool{p.sum + q.sum, p.n + q.n}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	var out []vg.Length
	for _, p := range pools {
		for range p.n {
			out = append(out, p.sum/vg.Length(p.n))
		}
	}
	return out
}
