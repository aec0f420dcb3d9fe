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

// Every formula is compared with the due times, timer by timer, over all clocks of a period: the worst error early
// and late. The schemes' tests hold the schemes to the same due times.
func TestErrors(t *testing.T) {
	for name, form := range map[string]cost.Form{"nearest": {Rounding: cost.Nearest}, "up": {Rounding: cost.Up},
		"down": {Rounding: cost.Down}, "digit": {Rounding: cost.Down, ByDigit: true}} {
		for _, radices := range [][]int{{3, 4, 5}, {2, 2, 2, 2}, {6, 5}, {7}} {
			p := period(radices)
			_, most := form.Rounding(p / schemes.Tick(radices[len(radices)-1])) // the longest interval leaves this
			for interval := schemes.Tick(1); interval+most <= p; interval++ {
				what := fmt.Sprintf("%s, %v, interval %d", name, radices, interval)
				var early, late schemes.Tick
				for now := p; now < 2*p; now++ {
					due, exact := form.Due(now, interval, radices), now+interval
					early, late = max(early, exact-min(due, exact)), max(late, due-min(due, exact))
				}
				wantEarly, wantLate := form.Worst(interval, radices)
				assert.Equal(t, [2]schemes.Tick{early, late}, [2]schemes.Tick{wantEarly, wantLate}, what)
			}
		}
	}
}

// The paper's example: 1 min 30 s is rounded to 1 or 2 min without migrations, and exact with one.
func TestDue(t *testing.T) {
	for _, test := range []struct {
		form                 cost.Form
		start, interval, due schemes.Tick
	}{
		{cost.Form{Rounding: cost.Down}, 0, 90, 60}, {cost.Form{Rounding: cost.Up}, 0, 90, 120},
		{cost.Form{Rounding: cost.Nearest}, 5, 90, 120}, {cost.Form{Rounding: cost.Nearest, Once: true}, 5, 90, 95},
		{cost.Form{Rounding: cost.Down}, 0, 3700, 3600}, {cost.Form{Rounding: cost.Down, Once: true}, 0, 3700, 3660},
		{cost.Form{Rounding: cost.Down, ByDigit: true}, 59, 2, 60},
		{cost.Form{Rounding: cost.Down, ByDigit: true, Once: true}, 3590, 15, 3600},
	} {
		assert.Equal(t, test.due, test.form.Due(test.start, test.interval, []int{60, 60, 24}), "%+v", test)
	}
}

// 23 ticks are truncated to 12, the weight of the third wheel.
func TestWorstTruncation(t *testing.T) {
	assert.InDelta(t, 11./23, cost.WorstTruncation([]int{3, 4, 5}), 1e-12)
}

func TestResidualWithin(t *testing.T) {
	lives := []workload.Life{{Interval: 4, Stay: 4, Share: 0.5}, {Interval: 10, Stay: 10, Share: 0.5}}
	assert.InDelta(t, 2./14, cost.ResidualWithin(lives, 1), 1e-12, "one tick of each, of 14")
	assert.InDelta(t, 8./14, cost.ResidualWithin(lives, 4), 1e-12)
	assert.InDelta(t, 1, cost.ResidualWithin(lives, 10), 1e-12)
}

func TestBeyond(t *testing.T) {
	lives := workload.Spec{N: 1, T: 1000, Dist: workload.Uniform}.Lives()
	assert.InDelta(t, 0.25, cost.Weight(cost.Beyond(lives, 1500)), 0.001)
	assert.InDelta(t, 1, cost.Weight(lives), 1e-12)
}
