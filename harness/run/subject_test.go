package run

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

func TestNamesHaveTheirKeysInOrder(t *testing.T) {
	hash := NewSubject(seven[5], 4096, 3)
	wheels := NewSubject(seven[6], 4096, 3)
	spec := workload.Spec{N: 100_000, T: 10_000, Dist: workload.Exp}
	assert.Equal(t, "scheme=hashunsorted/n=100k/M=4096/T=10k/dist=exp/stop=0", Name(spec, hash))
	assert.Equal(t, "scheme=hierarchical/n=100k/M=4096/m=2048x1024x1024/T=10k/dist=exp/stop=0", Name(spec, wheels))
	spec.Stop, spec.StopAt, spec.Restart, spec.RestartAt, spec.Arrivals = 0.9, 0.05, 0.1, 0.5, workload.Poisson
	assert.Equal(t, "scheme=hashunsorted/n=100k/M=4096/T=10k/dist=exp/stop=0.9/after=0.05/restart=0.1/restart-after=0.5/arrivals=poisson", Name(spec, hash))
}

// Without a number of levels, scheme 7 has one, not its default wheels, which have nothing to do with M.
func TestSubjects(t *testing.T) {
	assert.Equal(t, []int{8}, NewSubject(seven[6], 8, 0).Levels)
	assert.Equal(t, []int{60, 60}, NewSubject(seven[6], 121, 2).Levels)
	e := NewSubject(seven[6], 1000, 4)
	assert.Equal(t, schemes.Config{Capacity: 9, Slots: 1000, Levels: []int{250, 250, 250, 250}}, e.Config(9))
	assert.Nil(t, NewSubject(seven[5], 1000, 4).Levels)

	controls := Controls(e)
	assert.Equal(t, []Subject{{Label: "null", Info: &drive.Null, Slots: 1000},
		{Label: "hierarchical-again", Info: e.Info, Slots: 1000, Levels: e.Levels}}, controls)
	assert.Equal(t, "hierarchical", e.Label, "the original keeps its name")
}

func TestParseKeyReadsNames(t *testing.T) {
	tiny := rapid.Just(0.00001) // in exponent notation it would end in what the format takes for GOMAXPROCS
	percent := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 100).Draw(t, "percent")) / 100 })
	rapid.Check(t, func(t *rapid.T) {
		e := NewSubject(rapid.SampledFrom(seven).Draw(t, "scheme"), rapid.IntRange(1, math.MaxInt32).Draw(t, "M"), rapid.IntRange(1, 8).Draw(t, "m"))
		if rapid.Bool().Draw(t, "again") {
			e.Label += units.Again
		}
		s := workload.Spec{
			N: rapid.IntRange(1, workload.MaxOps).Draw(t, "n"), T: schemes.Tick(rapid.IntRange(1, math.MaxInt32).Draw(t, "T")),
			Dist: rapid.SampledFrom(workload.Dists).Draw(t, "dist"),
			Stop: percent.Draw(t, "stop"), StopAt: rapid.OneOf(percent, tiny).Draw(t, "stopat"),
			Restart: percent.Draw(t, "restart"), RestartAt: percent.Draw(t, "restartat"),
			Arrivals: rapid.SampledFrom([]workload.Arrivals{workload.Hold, workload.Poisson}).Draw(t, "arrivals"),
		}
		op := rapid.SampledFrom([]string{"Start", "Stop", "PerTick", "Lifetime", "PerTickLatency", "Memory"}).Draw(t, "op")
		text := op + "/" + Name(s, e)
		assert.NotContains(t, text, " ")
		key := results.ParseKey(text)
		assert.Equal(t, text, key.String())
		assert.Equal(t, []string{op, e.Label, workload.Stops{Share: s.Stop, At: s.StopAt}.String()}, []string{key.Op, key.Scheme, key.Stop})
		assert.Equal(t, key, results.ParseKey(text+"-2"), "with go test's GOMAXPROCS")
	})
}

func TestParseKeyOfOtherNames(t *testing.T) {
	assert.Equal(t, results.Key{Op: "Spin"}, results.ParseKey(units.SpinName))
	assert.Equal(t, results.Key{Op: "Spin"}, results.ParseKey(units.SpinName+"-16"))
	assert.Equal(t, results.Key{Op: "Start", Scheme: "x", Rest: "/colour=red/plain"}, results.ParseKey("Start/scheme=x/colour=red/plain"))
}
