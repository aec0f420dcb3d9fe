package workload

import (
	"math/bits"

	"timerlab/schemes"
)

// order sorts operations by tick and Kind, and shuffles those equal in both. The
// result depends on the seed and on the initial order of the operations, which must be
// the same for the same Spec.
func order(ops []Op, last schemes.Tick, seed uint64) {
	sortOps(ops, last)
	for len(ops) > 0 {
		key, n := ops[0].key(), 1
		for n < len(ops) && ops[n].key() == key {
			n++
		}
		r := newRandom(seed, forOrder, key)
		shuffle(ops[:n], &r)
		ops = ops[n:]
	}
}

// key orders operations by tick, then by Kind.
func (op *Op) key() uint64 { return uint64(op.Tick)<<2 | uint64(op.Kind) }

// shuffle makes all orders of the operations equally likely (Fisher and Yates).
func shuffle(ops []Op, r *random) {
	for i := len(ops) - 1; i > 0; i-- {
		j := r.below(uint64(i + 1))
		ops[i], ops[j] = ops[j], ops[i]
	}
}

// sortOps is a stable sort by key: a radix sort from the lowest digit, of at most 11
// bits, that needs as much room again. O(n) per digit, and two digits are enough for
// runs of up to a million ticks: several times faster than slices.SortStableFunc.
func sortOps(ops []Op, last schemes.Tick) {
	width := bits.Len64(uint64(last)<<2 | uint64(Start))
	passes := (width + 10) / 11
	digit := (width + passes - 1) / passes
	from, to := ops, make([]Op, len(ops))
	for pass := range passes {
		sortDigit(from, to, uint(pass*digit), uint64(1)<<digit-1)
		from, to = to, from
	}
	if passes%2 == 1 {
		copy(ops, from)
	}
}

// sortDigit copies operations in the order of one digit of their keys.
func sortDigit(from, to []Op, shift uint, mask uint64) {
	var place [1 << 11]int
	for i := range from {
		place[from[i].key()>>shift&mask]++
	}
	sum := 0
	for d, n := range place {
		place[d] = sum
		sum += n
	}
	for i := range from {
		d := from[i].key() >> shift & mask
		to[place[d]] = from[i]
		place[d]++
	}
}
