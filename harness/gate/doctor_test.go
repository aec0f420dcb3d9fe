package gate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A machine decides a tenth or says how many rounds do.
func TestDiagnose(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	diagnose := func(spread float64) Diagnosis {
		r := raw{rounds: 7, noise: func() float64 { return math.Exp(spread * random.NormFloat64()) }, cells: []rawCell{
			{"Spin", 2, ""}, {"Lifetime/scheme=a/n=1k", 10, "\t1.5 wall/cpu"}, {"Lifetime/scheme=a-again/n=1k", 10, ""},
			{"Lifetime/scheme=a/n=2k", 10, ""}, {"Lifetime/scheme=a-again/n=2k", 10, ""},
			{"Start/scheme=a/n=1k", 10, ""}, {"Start/scheme=a-again/n=1k", 90, ""}}} // which is no lifetime
		return Diagnose(r.table(t))
	}
	for _, test := range []struct {
		spread float64 // of a time
		ok     bool
		needed [2]int
	}{{0.01, true, [2]int{6, 6}}, {0.05, false, [2]int{8, 20}}, {0.08, false, [2]int{10, 60}}, {1, false, [2]int{0, 0}}} {
		d := diagnose(test.spread)
		assert.Equal(t, test.ok, d.OK(), "%+v", d)
		assert.Equal(t, []int{7, 2}, []int{d.Rounds, d.Promise.Pairs})
		assert.Equal(t, 1.5, d.WallOver)
		assert.GreaterOrEqual(t, d.Needed, test.needed[0], "%+v", d)
		assert.LessOrEqual(t, d.Needed, test.needed[1], "%+v", d)
	}
	for range 50 { // near a tenth, what it needs does not contradict what it decides
		d := diagnose(0.035)
		assert.Equal(t, d.OK(), 0 < d.Needed && d.Needed <= d.Rounds, "%+v", d)
	}
}
