package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// series are made samples whose spread is known.
var series = []struct {
	name string
	seen int // of 100 changes of 10 %, at least
	draw func(r *rand.Rand) float64
}{
	{"noise of 3 %", 97, func(r *rand.Rand) float64 { return math.Exp(0.03 * r.NormFloat64()) }},
	{"two levels 8 % apart", 97, func(r *rand.Rand) float64 {
		return (1 + 0.08*float64(r.IntN(2))) * math.Exp(0.01*r.NormFloat64())
	}},
	{"one round in ten disturbed", 60, func(r *rand.Rand) float64 {
		v := math.Exp(0.03 * r.NormFloat64())
		if r.IntN(10) == 0 {
			v *= 1 + r.Float64()
		}
		return v
	}},
}

// Power of a comparison at ten rounds, with 20 rows: how often a list of equal rows has a
// change, and how often a row that changed by 10 % is one. The README has the numbers.
func TestFalseAlarmsAndPower(t *testing.T) {
	const lists, rows, rounds = 400, 20, 10
	for _, s := range series {
		random := rand.New(rand.NewPCG(7, 8))
		sample := func(factor float64) []float64 {
			values := make([]float64, rounds)
			for i := range values {
				values[i] = factor * s.draw(random)
			}
			return values
		}
		alarms, seen := 0, 0
		for range lists {
			p := make([]float64, rows)
			for i := range p {
				p[i] = differ(sample(10), sample(10), false).P
			}
			for _, adjusted := range holm(p) {
				if adjusted < alpha {
					alarms++
					break
				}
			}
			p[0] = differ(sample(10), sample(11), false).P
			if holm(p)[0] < alpha {
				seen++
			}
		}
		t.Logf("%s: %d of %d lists of equal rows have a change; a change of 10 %% is seen in %d", s.name, alarms, lists,
			seen)
		assert.LessOrEqual(t, alarms, lists/20+8, "5 %% and chance: %s", s.name)
		assert.GreaterOrEqual(t, 100*seen, lists*s.seen, s.name)
	}
}
