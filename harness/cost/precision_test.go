package cost_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// period is the product of the radices.
func period(radices []int) schemes.Tick {
	p := schemes.Tick(1)
	for _, radix := range radices {
		p *= schemes.Tick(radix)
	}
	return p
}

// byInterval returns the weight of the lowest level whose revolution, less what
// rounding may add, is as long as the interval.
func byInterval(interval schemes.Tick, radices []int, added func(schemes.Tick) schemes.Tick) schemes.Tick {
	w := schemes.Tick(1)
	for _, radix := range radices {
		if interval+added(w) <= w*schemes.Tick(radix) {
			return w
		}
		w *= schemes.Tick(radix)
	}
	return w / schemes.Tick(radices[len(radices)-1])
}

// byDigit returns the weight of the highest digit in which two ticks differ.
func byDigit(now, expiry schemes.Tick, radices []int) schemes.Tick {
	w, highest := schemes.Tick(1), schemes.Tick(1)
	for l, radix := range radices {
		r := schemes.Tick(radix)
		if now%r != expiry%r || l == len(radices)-1 && now != expiry {
			highest = w
		}
		now, expiry, w = now/r, expiry/r, w*r
	}
	return highest
}

// Every formula is compared with its definition, timer by timer, over all clocks of
// a period: the mean size of the error, and the worst early and late.
func TestErrors(t *testing.T) {
	none := func(schemes.Tick) schemes.Tick { return 0 }
	half := func(w schemes.Tick) schemes.Tick { return w / 2 }
	nearly := func(w schemes.Tick) schemes.Tick { return w - 1 }
	for name, form := range map[string]struct {
		due   func(now, interval schemes.Tick, radices []int) schemes.Tick
		mean  func(schemes.Tick, []int) float64
		worst func(schemes.Tick, []int) (early, late schemes.Tick)
		most  func(schemes.Tick) schemes.Tick // what the longest interval leaves of the period
	}{
		"nearest": {func(now, interval schemes.Tick, radices []int) schemes.Tick {
			w := byInterval(interval, radices, half)
			return (now + interval + w/2) / w * w
		}, cost.Nearest.Mean, cost.Nearest.Worst, half},
		"up": {func(now, interval schemes.Tick, radices []int) schemes.Tick {
			w := byInterval(interval, radices, nearly)
			return (now + interval + w - 1) / w * w
		}, cost.Up.Mean, cost.Up.Worst, nearly},
		"down": {func(now, interval schemes.Tick, radices []int) schemes.Tick {
			w := byInterval(interval, radices, none)
			return (now + interval) / w * w
		}, cost.Down.Mean, cost.Down.Worst, none},
		"digit": {func(now, interval schemes.Tick, radices []int) schemes.Tick {
			w := byDigit(now, now+interval, radices)
			return (now + interval) / w * w
		}, cost.MeanDigit, cost.WorstDigit, none},
	} {
		for _, radices := range [][]int{{3, 4, 5}, {2, 2, 2, 2}, {6, 5}, {7}} {
			p := period(radices)
			top := p / schemes.Tick(radices[len(radices)-1])
			for interval := schemes.Tick(1); interval+form.most(top) <= p; interval++ {
				what := fmt.Sprintf("%s, %v, interval %d", name, radices, interval)
				sum := 0.0
				var early, late schemes.Tick
				for now := p; now < 2*p; now++ {
					due, exact := form.due(now, interval, radices), now+interval
					early, late = max(early, exact-min(due, exact)), max(late, due-min(due, exact))
					sum += float64(max(due, exact) - min(due, exact))
				}
				wantEarly, wantLate := form.worst(interval, radices)
				assert.Equal(t, [2]schemes.Tick{early, late}, [2]schemes.Tick{wantEarly, wantLate}, what)
				assert.InDelta(t, sum/float64(p), form.mean(interval, radices), 1e-9, what)
			}
		}
	}
}

func TestWorstTruncation(t *testing.T) {
	worst, p := 0.0, period([]int{3, 4, 5})
	for interval := schemes.Tick(1); interval < p; interval++ {
		w := schemes.Tick(1)
		for _, radix := range []schemes.Tick{3, 4} {
			if interval >= w*radix {
				w *= radix
			}
		}
		worst = max(worst, float64(interval%w)/float64(interval))
	}
	assert.InDelta(t, worst, cost.WorstTruncation([]int{3, 4, 5}), 1e-12)
}

// The figures of the analysis of the paper: 4 wheels of 64, exponential, level
// by interval.
func TestMigrationsByInterval(t *testing.T) {
	for T, want := range map[schemes.Tick]float64{64: 0.37, 256: 0.77, 1024: 0.94, 4096: 1.33, 65536: 1.93, 1 << 20: 2.73} {
		lives := workload.Spec{N: 1, T: T, Dist: workload.Exp()}.Lives()
		assert.InDelta(t, want, cost.MigrationsByInterval(lives, []int{64, 64, 64, 64}), 0.02, "T = %d", T)
	}
}

func TestResidualWithin(t *testing.T) {
	lives := []workload.Life{{Interval: 4, Stay: 4, Share: 0.5}, {Interval: 10, Stay: 10, Share: 0.5}}
	assert.InDelta(t, 2./14, cost.ResidualWithin(lives, 1), 1e-12, "one tick of each, of 14")
	assert.InDelta(t, 8./14, cost.ResidualWithin(lives, 4), 1e-12)
	assert.InDelta(t, 1, cost.ResidualWithin(lives, 10), 1e-12)
}

func TestHeldPerLive(t *testing.T) {
	spec := workload.Spec{N: 1, T: 1000, Dist: workload.Exp(), Stop: 0.9, StopAt: 0.05}
	assert.InDelta(t, 1/(0.1+0.9*0.05), cost.HeldPerLive(spec.Lives()), 0.01)
}

func TestBeyond(t *testing.T) {
	lives := workload.Spec{N: 1, T: 1000, Dist: workload.Uniform()}.Lives()
	assert.InDelta(t, 0.25, cost.Weight(cost.Beyond(lives, 1500)), 0.001)
	assert.InDelta(t, 1, cost.Weight(lives), 1e-12)
}
