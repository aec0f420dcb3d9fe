package workload

import (
	"fmt"
	"math/bits"

	"timerlab/schemes"
)

// Kind is what an operation does. The values are in the order in which the operations of one tick are applied.
type Kind uint8

const (
	Stop    Kind = iota // stop the timer; it is outstanding
	Restart             // stop the timer and start it with a fresh interval; it is outstanding
	Start               // start the timer; it is not outstanding
)

// String returns the operation's name in a trace file: stop, restart or start.
func (k Kind) String() string { return valueName("Kind", uint8(k), kinds...) }

var kinds = []string{"stop", "restart", "start"}

func valueName(typ string, value uint8, names ...string) string {
	if int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", typ, value)
}

// Op is one operation of a client on one of its timers. It takes 24 bytes.
type Op struct {
	Tick     schemes.Tick // since the clock's start; applied after this tick's PerTick and Expire
	Interval schemes.Tick // of a Start or Restart, at least 1; 0 for a Stop
	Timer    uint32       // the client's number of the timer, below Trace.Timers; its schemes.ID
	Kind     Kind
}

// Outcome is the result of a run of a trace, the same for every exact scheme. A
// restart counts as one stop and one start, so that Started = Stopped + Expired
// + Outstanding.
type Outcome struct {
	Started     uint64 // lifetimes begun, the prefill's included
	Stopped     uint64 // lifetimes ended by a stop or a restart
	Expired     uint64 // lifetimes ended by expiry, on the last tick too
	Outstanding uint64 // timers left after the operations of the last tick
	Checksum    uint64 // sum, modulo 2^64, of Mix(tick, id) over all expiries, in any order
}

// Mix hashes an expiry, by its tick since the clock's start and its timer, for Outcome.Checksum: two ids at one tick,
// or one id at two ticks, have different hashes. It takes three multiplications, about 2 ns. The function is the
// output step of SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014;
// constants: variant 13 of Stafford).
func Mix(tick schemes.Tick, id schemes.ID) uint64 {
	return mix(uint64(tick)*golden + uint64(id))
}

// Trace is a workload ready to run: Ops[:Prefill] bring a scheme to its steady state at tick 0, the rest happen on
// ticks 1 to Ticks. Operations are ordered by tick, then by Kind, then pseudo-randomly.
type Trace struct {
	Spec    Spec         // what the trace was made from
	Ops     []Op         // in the order in which they are applied
	Prefill int          // number of operations at tick 0: the first ones, all of them Starts
	Timers  int          // client numbers used: 0 to Timers-1
	From    schemes.Tick // the tick before the run's first; 0 but for pieces of a Stream
	Ticks   schemes.Tick // the run's last tick: its expiries count, and its operations are applied
	Longest schemes.Tick // the longest interval of any operation; a scheme's range must reach it
	Steps   bool         // the clock passes the ticks between two operations at once: see Mixture.Step
	Want    Outcome      // the outcome of a correct run
	Hash    uint64       // of Ticks and of every field of Ops, in order; equal hashes mean the same stream
}

func (t *Trace) begin(op Op) {
	t.Want.Started++
	t.Longest = max(t.Longest, op.Interval)
	t.Ops = append(t.Ops, op)
}

// finish puts the operations in order and completes the outcome.
func (t *Trace) finish() *Trace {
	t.Want.Outstanding = t.Want.Started - t.Want.Stopped - t.Want.Expired
	t.Ops = order(t.Ops, t.Ticks, t.Spec.Seed)
	return t
}

// Lifetimes returns the number of lifetimes that ended within the run, by expiry, stop or restart.
func (t *Trace) Lifetimes() uint64 { return t.Want.Stopped + t.Want.Expired }

// Count returns the number of operations of one kind, the prefill included. O(Ops).
func (t *Trace) Count(k Kind) int {
	n := 0
	for i := range t.Ops {
		if t.Ops[i].Kind == k {
			n++
		}
	}
	return n
}

func hash(ops []Op, ticks schemes.Tick) uint64 {
	h := mix(golden + uint64(ticks))
	for i := range ops {
		op := &ops[i]
		h = mix(h ^ uint64(op.Tick))
		h = mix(h ^ uint64(op.Interval))
		h = mix(h ^ (uint64(op.Timer)<<2 | uint64(op.Kind)))
	}
	return h
}

// order returns the operations sorted by tick and Kind. It shuffles operations that are equal in both. The result
// depends on the seed and on the initial order of the operations, which must be the same for the same Spec.
func order(ops []Op, last schemes.Tick, seed uint64) []Op {
	ops = sortOps(ops, last)
	for rest := ops; len(rest) > 0; {
		key, n := rest[0].key(), 1
		for n < len(rest) && rest[n].key() == key {
			n++
		}
		r := newRandom(seed, forOrder, key)
		for i := n - 1; i > 0; i-- { // all orders are equally likely (Fisher and Yates)
			j := r.below(uint64(i + 1))
			rest[i], rest[j] = rest[j], rest[i]
		}
		rest = rest[n:]
	}
	return ops
}

// key orders operations by tick, then by Kind.
func (op *Op) key() uint64 { return uint64(op.Tick)<<2 | uint64(op.Kind) }

const digitBits = 11

// sortOps is a stable sort by key: a radix sort from the lowest digit, O(n) per digit, in
// ops and a second slice as long, and returns one of these. Two digits are enough for runs of up
// to a million ticks, which makes it several times faster than slices.SortStableFunc.
func sortOps(ops []Op, last schemes.Tick) []Op {
	to := make([]Op, len(ops))
	width := bits.Len64(uint64(last)<<2 | uint64(Start))
	for shift := 0; shift < width; shift += digitBits {
		var place [1 << digitBits]int // of the next operation with this digit
		digit := func(op *Op) uint64 { return op.key() >> shift % (1 << digitBits) }
		for i := range ops {
			place[digit(&ops[i])]++
		}
		sum := 0
		for d, n := range place {
			place[d] = sum
			sum += n
		}
		for i := range ops {
			d := digit(&ops[i])
			to[place[d]] = ops[i]
			place[d]++
		}
		ops, to = to, ops
	}
	return ops
}
