package pick

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/measure"
)

// Model knows what each step of each scheme costs on this machine.
type Model struct {
	Schemes map[string][]Price // by a scheme's name; ascending in bytes
}

// Price is what steps cost while a scheme, its slots and the client's handles take so
// many bytes.
type Price struct {
	Bytes float64
	Steps Steps   // ns each
	Error float64 // median of |predicted/timed - 1| over the timings from which they were found
}

// Predict returns the ns of a timer's life, or false for a scheme without prices. Prices
// between two working sets lie on a line over the logarithm of the bytes; beyond the ends
// they stay. O(levels · lives).
func (m *Model) Predict(c Candidate, w Workload) (ns float64, ok bool) {
	if m == nil || len(m.Schemes[c.Info.Name]) == 0 {
		return 0, false
	}
	prices, steps := m.at(c.Info.Name, c.bytes(w.N)), c.steps(w)
	for k := range steps {
		ns += steps[k] * prices[k]
	}
	return ns, true
}

// bytes returns the working set, the client's handles included.
func (c Candidate) bytes(n int) float64 { return float64(c.Memory(n) + int64(measure.HandleBytes*n)) }

func (m *Model) at(family string, bytes float64) (p Steps) {
	known := m.Schemes[family]
	i, _ := slices.BinarySearchFunc(known, bytes, func(p Price, b float64) int { return cmp.Compare(p.Bytes, b) })
	switch {
	case i == 0:
		return known[0].Steps
	case i == len(known):
		return known[i-1].Steps
	}
	lo, hi := known[i-1], known[i]
	part := math.Log(bytes/lo.Bytes) / math.Log(hi.Bytes/lo.Bytes)
	for k := range p {
		p[k] = lo.Steps[k] + part*(hi.Steps[k]-lo.Steps[k])
	}
	return p
}

// unlikely is how many times the best prediction another one must be for its candidate
// not to race: two predictions that are off by a third, in opposite directions, are wrong
// by twice their ratio. The sweep in results tells what the best ones were predicted at.
const unlikely = 2

// Prune divides candidates into those that may win, the cheapest by prediction first, and
// those that are predicted to be too slow. Of whom nothing is known may win.
func (m *Model) Prune(all []Candidate, w Workload) (in []Candidate, out []LeftOut) {
	order, times := m.sorted(all, w)
	for i, c := range order {
		if ns := times[i]; ns > unlikely*times[0] && !math.IsInf(ns, 1) {
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
	return max(0, missing) * m.at(c.Info.Name, c.bytes(w.N))[moves]
}
