package pick

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes/hashunsorted"
)

// Flip is where, by the model, the pick stops to be the right one.
type Flip struct {
	Axis   string  // "T": all times, "n": timers, "M": slots
	Factor float64 // times the workload's; of M, the number of slots
	Better Candidate
	Ratio  float64 // the better one's time over the pick's; 0: the pick cannot serve any more
	Why    string  // it cannot
	Good   bool    // along M: from here on the better one is as good as the pick
}

const (
	tenth      = 0.1  // of its time that another one must save to be called better: a pick within a tenth of the best is a good one
	mostMargin = 0.5  // of the pick's time: a model that errs by more tells nothing of flip points
	farthest   = 4096 // times: beyond that it is another program
	perDouble  = 2    // points for each doubling
	thinLives  = 4096 // lives that a prediction needs
)

// Flips returns the nearest points on both sides at which another candidate, at sizes of
// its own, would clearly win. Predictions are scaled so that those that raced have the
// time that they were seen to take. Without a prediction of the pick, or with a model that
// is too far off, it is false: nothing is known.
func (m *Model) Flips(picked Result, o Outcome, w Workload, l Limits) (all []Flip, known bool) {
	if _, ok := m.Predict(picked.Candidate, w); !ok || o.Margin() > mostMargin {
		return nil, false
	}
	f := flips{m, picked, w.thinned(), l, anchors(o), o.Margin()}
	for _, axis := range []string{"T", "n"} {
		for _, sign := range []float64{-1, 1} {
			if at, ok := f.along(axis, sign); ok {
				all = append(all, at)
			}
		}
	}
	return append(all, f.alongSlots()...), true
}

type flips struct {
	model   *Model
	picked  Result
	w       Workload
	limits  Limits
	anchors map[string]float64
	margin  float64 // see Margin
}

// Margin is by which part of the pick's time another candidate must be predicted to be
// faster to be called better: a tenth, or the model's error if that is more.
func (o Outcome) Margin() float64 { return max(tenth, o.Model) }

// anchors returns the times over what was predicted, by candidate and by scheme: of a
// scheme, those of its best.
func anchors(o Outcome) map[string]float64 {
	of := map[string]float64{}
	for _, r := range slices.Backward(o.Results) {
		if r.Predicted > 0 && r.Life.Median > 0 {
			ratio := r.Life.Median / r.Predicted
			of[r.Candidate.String()], of[r.Info.Name] = ratio, ratio
		}
	}
	return of
}

// cost returns the predicted ns of a life; of whom nothing is known it is endless.
func (f flips) cost(c Candidate, w Workload) float64 {
	ns, ok := f.model.Predict(c, w)
	if !ok {
		return math.Inf(1)
	}
	for _, name := range []string{c.String(), c.Info.Name} {
		if a, ok := f.anchors[name]; ok {
			return a * ns
		}
	}
	return ns
}

// along goes away from the workload until the pick has lost.
func (f flips) along(axis string, sign float64) (Flip, bool) {
	for k := 1.0; k <= perDouble*math.Log2(farthest); k++ {
		factor := math.Exp2(sign * k / perDouble)
		w := f.w.Scaled(factor, 1)
		if axis == "n" {
			w = f.w.Scaled(1, factor)
		}
		if w.Residence < 2 || w.N < 10 || w.N > workload.MaxOps || w.Longest >= workload.MaxTicks {
			break
		}
		if why := unfit(f.picked.Candidate, w, f.limits); why != "" {
			return Flip{Axis: axis, Factor: factor, Why: why}, true
		}
		if better, ratio := f.best(w); ratio < 1-f.margin {
			return Flip{Axis: axis, Factor: factor, Better: better, Ratio: ratio}, true
		}
	}
	return Flip{}, false
}

// best returns who is predicted to be the fastest, and its time over the pick's.
func (f flips) best(w Workload) (best Candidate, ratio float64) {
	in, _ := Candidates(w, f.limits)
	ratio = math.Inf(1)
	own := f.cost(f.picked.Candidate, w)
	for _, c := range in {
		if r := f.cost(c, w) / own; r < ratio {
			best, ratio = c, r
		}
	}
	return best, ratio
}

// alongSlots looks for the M from which, and up to which, a hashed wheel is as good as
// the pick: one of the pick's own kind, or the chunked one.
func (f flips) alongSlots() (all []Flip) {
	hashed := Candidate{Info: &hashunsorted.Chunked}
	if f.picked.Info.Number == 5 || f.picked.Info.Number == 6 {
		hashed = f.picked.Candidate
	}
	own := f.cost(f.picked.Candidate, f.w)
	inside := false
	for slots := 16; slots <= mostSlots; slots *= 2 {
		hashed.Slots = slots
		ratio := f.cost(hashed, f.w) / own
		good := ratio <= 1/(1-f.margin) && unfit(hashed, f.w, f.limits) == ""
		if good != inside {
			all = append(all, Flip{Axis: "M", Factor: float64(slots), Better: hashed, Ratio: ratio, Good: good})
		}
		inside = good
	}
	return all
}

// thinned returns a workload of no more lives than a prediction needs, each the mean of
// neighbours of one fate.
func (w Workload) thinned() Workload {
	step := (len(w.Lives) + thinLives - 1) / thinLives
	if step <= 1 {
		return w
	}
	var lives []workload.Life
	for _, fate := range [][2]bool{{true, false}, {false, false}, {false, true}} {
		same := slices.DeleteFunc(slices.Clone(w.Lives), func(l workload.Life) bool { return l.Expires() != fate[0] || l.Restarts != fate[1] })
		slices.SortFunc(same, func(a, b workload.Life) int {
			return cmp.Or(cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Stay, b.Stay))
		})
		for group := range slices.Chunk(same, step) {
			lives = append(lives, meanOf(group))
		}
	}
	return Workload{Numbers: w.Numbers, Lives: lives, Script: w.Script, passed: w.passed}
}

// meanOf returns one life for several of the same fate.
func meanOf(group []workload.Life) workload.Life {
	interval, stay, share := 0.0, 0.0, 0.0
	for _, l := range group {
		interval += l.Share * float64(l.Interval)
		stay += l.Share * float64(l.Stay)
		share += l.Share
	}
	mean := workload.Life{Interval: stretch(1, interval/share), Stay: stretch(1, stay/share), Share: share, Restarts: group[0].Restarts}
	if !group[0].Expires() && mean.Stay >= mean.Interval {
		mean.Interval = mean.Stay + 1
	}
	return mean
}
