package pick

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// BreakEven is the nearest point on one side of the workload at which, by the model, the pick
// is not the right one any more.
type BreakEven struct {
	Axis   string      `json:"axis"`            // "T": all times are multiplied; "n": the timers
	Factor float64     `json:"factor"`          // of the workload's
	Better run.Subject `json:"better,omitzero"` // a candidate that is clearly faster there
	Value  float64     `json:"value"`           // n, or T in ticks
	Ratio  float64     `json:"ratio,omitempty"` // its time over the pick's
	Unfit  string      `json:"unfit,omitempty"` // why the pick cannot serve the workload there
}

// SlotRange is a range of M in which, by the model, a hashed wheel is as good as the pick.
type SlotRange struct {
	Scheme string `json:"scheme"`
	From   int    `json:"from"`         // powers of two
	To     int    `json:"to,omitempty"` // 0: there is no upper end
}

const (
	goodMargin    = 0.1  // a pick within a tenth of the best is good
	maxMargin     = 0.5  // a model with a larger error gives no break-even points
	maxFactor     = 4096 // beyond it is another program
	pointsPerTwo  = 2    // for each doubling
	leastSlotsTry = 16
)

// findBreakEven looks for the points at which another candidate, at sizes of its own, would
// clearly win.
func (r *Recommendation) findBreakEven(picked run.Subject) {
	r.Margin = max(goodMargin, r.ModelError)
	if _, ok := r.Model.Predict(picked, r.Workload); !ok || r.Margin > maxMargin {
		return
	}
	b := breakEven{r, picked, r.Workload.thinned(), r.corrections()}
	for _, axis := range []string{"T", "n"} {
		for _, direction := range []float64{-1, 1} {
			if at, ok := b.along(axis, direction); ok {
				r.BreakEven = append(r.BreakEven, at)
			}
		}
	}
	r.SlotRanges, r.Known = b.slotRanges(), true
}

// breakEven is a search for break-even points.
type breakEven struct {
	*Recommendation
	picked      run.Subject
	w           Workload
	corrections map[string]float64
}

// corrections returns measured over predicted times, by candidate and, from the best of its
// candidates, by scheme.
func (o Outcome) corrections() map[string]float64 {
	all := map[string]float64{}
	for _, r := range slices.Backward(o.Results) {
		if r.Predicted > 0 && r.Life.Median > 0 {
			all[r.Subject.String()] = r.Life.Median / r.Predicted
			all[r.Info.Name] = all[r.Subject.String()]
		}
	}
	return all
}

// cost returns the corrected prediction of a life, in ns; without a prediction it is infinite.
func (b breakEven) cost(c run.Subject, w Workload) float64 {
	ns, ok := b.Model.Predict(c, w)
	if !ok {
		return math.Inf(1)
	}
	return ns * cmp.Or(b.corrections[c.String()], b.corrections[c.Info.Name], 1)
}

// along goes away from the workload until the pick has lost.
func (b breakEven) along(axis string, direction float64) (at BreakEven, found bool) {
	for k := 1.0; k <= pointsPerTwo*math.Log2(maxFactor); k++ {
		at = BreakEven{Axis: axis, Factor: math.Exp2(direction * k / pointsPerTwo)}
		w := b.w.scaled(at.Factor, 1)
		at.Value = w.Residence
		if axis == "n" {
			w = b.w.scaled(1, at.Factor)
			at.Value = float64(w.N)
		}
		if w.Residence < 2 || w.N < 10 || w.N > workload.MaxOps || w.Longest >= workload.MaxTicks {
			break
		}
		if at.Unfit = unfit(b.picked, w, b.Limits); at.Unfit != "" {
			return at, true
		}
		if at.Better, at.Ratio = b.best(w); at.Ratio < 1-b.Margin {
			return at, true
		}
	}
	return at, false
}

// best returns the candidate with the least prediction, and its time over the pick's.
func (b breakEven) best(w Workload) (best run.Subject, ratio float64) {
	in, _ := Candidates(w, b.Limits)
	least := math.Inf(1)
	for _, c := range in {
		if ns := b.cost(c, w); ns < least {
			best, least = c, ns
		}
	}
	return best, least / b.cost(b.picked, w)
}

// slotRanges returns the M for which a hashed wheel is as good as the pick: the pick itself if
// it is one, or else the last of the registry.
func (b breakEven) slotRanges() (all []SlotRange) {
	hashed := b.picked
	for _, info := range b.Limits.Eligible() {
		if b.picked.Info.Kind != schemes.HashedWheel && info.Kind == schemes.HashedWheel {
			hashed = run.Subject{Info: info}
		}
	}
	if hashed.Info.Kind != schemes.HashedWheel {
		return nil
	}
	most, inside := b.cost(b.picked, b.w)/(1-b.Margin), false
	for hashed.Slots = leastSlotsTry; hashed.Slots <= mostSlots; hashed.Slots *= 2 {
		good := b.cost(hashed, b.w) <= most && unfit(hashed, b.w, b.Limits) == ""
		switch {
		case good && !inside:
			all = append(all, SlotRange{Scheme: hashed.Info.Name, From: hashed.Slots})
		case !good && inside:
			all[len(all)-1].To = hashed.Slots / 2
		}
		inside = good
	}
	return all
}

// scaled returns the workload with every time, and n, multiplied.
func (w Workload) scaled(times, timers float64) Workload {
	stretch := func(t schemes.Tick) schemes.Tick {
		return schemes.Tick(max(1, min(math.Round(float64(t)*times), float64(workload.MaxTicks))))
	}
	longest := stretch(w.Longest)
	w.Lives = slices.Clone(w.Lives)
	for i, l := range w.Lives {
		expires := l.Expires()
		l.Interval, l.Stay = stretch(l.Interval), stretch(l.Stay)
		if l.Expires() && !expires { // only by rounding
			l.Interval++
		}
		w.Lives[i] = l
	}
	w.Numbers = workload.NumbersOf(max(1, int(math.Round(float64(w.N)*timers))), w.Lives)
	return w.Spanning(longest)
}

// maxLives is how many lives a prediction needs at most.
const maxLives = 4096

// thinned returns the workload with at most maxLives lives, each for several neighbours that
// end in the same way.
func (w Workload) thinned() Workload {
	size := (len(w.Lives) + maxLives - 1) / maxLives
	if size <= 1 {
		return w
	}
	all := slices.SortedFunc(slices.Values(w.Lives), func(a, b workload.Life) int {
		return cmp.Or(cmp.Compare(a.Fate(), b.Fate()), cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Stay, b.Stay))
	})
	w.Lives = nil
	for group := range slices.Chunk(all, size) {
		life := group[len(group)/2]
		life.Share = cost.Weight(group)
		w.Lives = append(w.Lives, life)
	}
	return w
}
