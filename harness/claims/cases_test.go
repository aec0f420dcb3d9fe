package claims

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 6 by key comes to the outcome of a trace, and refuses keys of timers that are gone.
func TestByKey(t *testing.T) {
	spec := workload.Spec{N: 100, T: 50, Dist: workload.Uniform(), Stop: 0.5, StopAt: 0.5, Ticks: 500}
	trace, err := spec.Trace()
	require.NoError(t, err)
	s, err := byKeySubject(16).Info.New(schemes.Config{Slots: 16})
	require.NoError(t, err)
	d := drive.New(s, trace)
	require.NoError(t, d.Fill())
	require.NoError(t, d.Run(nil))
	require.NoError(t, d.Verify())
	h, err := s.Start(1, 1<<40)
	require.NoError(t, err)
	assert.True(t, s.Stop(h))
	assert.False(t, s.Stop(h))
	assert.False(t, s.Stop(0))
	_, err = s.Start(0, 1)
	assert.ErrorIs(t, err, schemes.ErrInterval)
}

// A batch of the cells for operations holds as many starts as its laps need, or n is so small that
// only ticks are read.
func TestLapsAreLong(t *testing.T) {
	for _, g := range Cases([]int{1_000}, 5_000, 1) {
		if g.Mode == run.Lifetimes || g.Spec.N < 100 {
			continue
		}
		starts := float64(g.Spec.Every) * g.Spec.Rate()
		assert.GreaterOrEqual(t, starts, 0.5*lapStarts, "%+v", g.Spec)
		if g.Spec.Stop > 0 {
			trace, err := g.Spec.Trace()
			require.NoError(t, err)
			laps := float64(trace.Ticks / g.Spec.Every)
			assert.GreaterOrEqual(t, float64(trace.Count(workload.Stop))/laps, 0.9*lapStarts, "%+v", g.Spec)
			for _, s := range g.Subjects {
				assert.LessOrEqual(t, trace.Longest, s.Info.Range(s.Config(0)), s.Label)
			}
		}
	}
}

// A line with the formula of another fails, though its own holds.
func TestSwappedFormulas(t *testing.T) {
	for line, other := range map[string]string{
		"passed/others of ordered n=200 T=1000 dist=uniform warm=4T each=8T = p":                                          "1-p",
		"visits/ticks of hashunsorted M=256 n=500 T=64 = visits":                                                          "n/M",
		"instructions/ticks of hashunsorted M=256 n=500 T=64 dist=const warm=T = 4+6visits+9expiries":                     "4+15n/M",
		"migrations/started of simplewheel-tegas M=64 n=200 T=51 dist=const arrivals=poisson warm=8M each=16M = overflow": "halfway",
		"empty/ticks of simplewheel n=50 T=100 M=1024 warm=T each=8T = (1-1/T)^n":                                         "1-(1-1/T)^n",
	} {
		for _, swapped := range []bool{false, true} {
			text, want := line, Holds
			if swapped {
				text, want = line[:strings.LastIndex(line, " ")+1]+other, Fails
			}
			c, err := parseCount(text + " ± 0.01 rounding")
			require.NoError(t, err)
			l, err := attempt(func(l *lab) { l.compare(c) })
			require.NoError(t, err)
			require.Len(t, l.points, 1)
			assert.Equal(t, want, l.points[0].Verdict(), text)
		}
	}
}

func TestBadComparisons(t *testing.T) {
	for text, want := range map[string]string{
		"Start a/b":                    "2 words",
		"Start a/b few > 1":            "use a relation",
		"Start a/b few ≥ x":            "use a relation",
		"Start a few ≥ 1":              "stroke",
		"Start a/b unknown ≥ 1":        "known set",
		"Start a/b few more words ≥ 1": "known set",
	} {
		_, err := parseComparison(text)
		assert.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"visits of unordered n=1":                    "no relation",
		"visits/ticks of unordered n=1 =":            "no relation",
		"visits/ticks of unordered n=x T=1 = 1":      "invalid syntax",
		"visits/nothing of unordered n=1 = 1":        `unknown quantity "visits/nothing"`,
		"visits of unordered n=1 = 1":                `unknown quantity "visits"`,
		"n=1 = 1":                                    "nothing is counted",
		"visits/ticks of unordered k=1 = 1":          `unknown word "k=1"`,
		"visits/ticks of unordered n=1 = 2·none":     `unknown formula "none"`,
		"visits/ticks of unordered n=1 dist=a = 1":   "a",
		"visits/ticks of unordered n=1 over M=x = 1": "invalid syntax",
	} {
		_, err := parseCount(text)
		assert.ErrorContains(t, err, want, text)
	}
	assert.Panics(t, func() { parseClaims("ID: X-1\nTimes: nothing") })
}
