package pick

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/run"
)

// Model knows what each step of each scheme costs on this machine.
type Model struct {
	Schemes map[string][]Price // by a scheme's name; ascending in bytes
}

// Price is what steps cost while a scheme, its slots and the client's handles take so
// many bytes.
type Price struct {
	Bytes float64
	Steps Steps       // ns each
	Timed [kinds]bool // of which kinds there were timings
	Error float64     // median of |predicted/timed - 1| over the timings from which they were found
}

// Predict returns the ns of a timer's life, or false for a scheme that was not timed with
// all the kinds of steps that matter in it. Prices
// between two working sets lie on a line over the logarithm of the bytes; beyond the ends
// they stay. O(levels · lives).
func (m *Model) Predict(c Candidate, w Workload) (ns float64, ok bool) {
	if m == nil || len(m.Schemes[c.Info.Name]) == 0 {
		return 0, false
	}
	prices, timed := m.at(c.Info.Name, c.bytes(w.N))
	for k, steps := range c.steps(w) {
		if steps > few && !timed[k] {
			return 0, false
		}
		ns += steps * prices[k]
	}
	return ns, true
}

// few is a part of lives, or of other steps a life, that hardly matters.
const few = 0.05

// bytes returns the working set, the client's handles included.
func (c Candidate) bytes(n int) float64 { return float64(c.Memory(n) + int64(run.HandleBytes*n)) }

// at returns the prices at a working set, and which kinds of steps they are known of.
func (m *Model) at(scheme string, bytes float64) (prices Steps, timed [kinds]bool) {
	known := m.Schemes[scheme]
	i, _ := slices.BinarySearchFunc(known, bytes, func(p Price, b float64) int { return cmp.Compare(p.Bytes, b) })
	lo, hi := known[max(i-1, 0)], known[min(i, len(known)-1)]
	part := 0.0
	if hi.Bytes > lo.Bytes {
		part = math.Log(bytes/lo.Bytes) / math.Log(hi.Bytes/lo.Bytes)
	}
	for k := range prices {
		prices[k] = lo.Steps[k] + part*(hi.Steps[k]-lo.Steps[k])
		timed[k] = lo.Timed[k] && hi.Timed[k]
	}
	return prices, timed
}

// unlikely is how many times the best prediction another one must be for its candidate
// not to race: two predictions that are off by a third, in opposite directions, are wrong
// by twice their ratio. The sweep in results tells what the best ones were predicted at.
const unlikely = 2

// Prune divides candidates into those that may win, the cheapest by prediction first, and
// those that are predicted to be too slow. Of whom nothing is known may win, and with a
// limit of a tick's time, which is not predicted, also who is much slower. All may where
// phases are not left to chance: steps are means over all of them.
func (m *Model) Prune(all []Candidate, w Workload, l Limits) (in []Candidate, out []LeftOut) {
	order, times := m.sorted(all, w)
	most := float64(unlikely)
	if l.Tail > 0 {
		most = slowButSteady
	}
	for i, c := range order {
		if ns := times[i]; w.Script == nil && ns > most*times[0] && !math.IsInf(ns, 1) {
			out = append(out, LeftOut{c, fmt.Sprintf("predicted to take %.3g ns a life, %.2g times the least", ns, ns/times[0])})
		} else {
			in = append(in, c)
		}
	}
	return in, out
}

// sorted returns candidates by what they are predicted to take, those of whom nothing is
// known last, at infinity.
func (m *Model) sorted(all []Candidate, w Workload) (order []Candidate, times []float64) {
	of := make(map[string]float64, len(all))
	for _, c := range all {
		ns, ok := m.Predict(c, w)
		if !ok {
			ns = math.Inf(1)
		}
		of[c.String()] = ns
	}
	order = slices.Clone(all)
	slices.SortStableFunc(order, func(a, b Candidate) int { return cmp.Compare(of[a.String()], of[b.String()]) })
	for _, c := range order {
		times = append(times, of[c.String()])
	}
	return order, times
}

// Unseen returns the ns of a life that the migrations take which a run did not have, by
// the formula of their mean.
func (m *Model) Unseen(c Result, w Workload) float64 {
	if _, ok := m.Predict(c.Candidate, w); !ok {
		return 0
	}
	missing := c.moves(w) - float64(c.Counts.Migrations)/1000
	prices, _ := m.at(c.Info.Name, c.bytes(w.N))
	return max(0, missing) * prices[moves]
}
