package player

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/drive"
	"timerlab/schemes"
)

// A race counts what the harness counts of the same workload, over all knobs.
func TestRaceCountsAreTheHarness(t *testing.T) {
	for i, counted := 0, 0; counted < 30; i++ {
		a, b := harness.Schemes[i%7], harness.Schemes[(i+1+i/7)%len(harness.Schemes)]
		link := fmt.Sprintf("race=%s,%s&n=%d&M=%d&m=%d&T=%d&stop=%s&workload=%s&seed=%d", a.Name, b.Name, 100*(1+i%5), 64<<(i%3), 2+i%3,
			16+7*i, []string{"0", "0.5@0.5", "0.9@0.05"}[i%3], []string{"exp", "uniform", "const"}[i/3%3], i)
		r := Race{}
		require.NoError(t, r.Open(link))
		s := r.State
		d, share := r.Run(s.T)
		if r.heat != nil {
			s.Ticks = r.heat.State.Ticks
		}
		for share < 1 {
			d, share = r.Run(s.T)
		}
		if d.Refused != "" {
			assert.Contains(t, d.Refused, "but this scheme takes at most", link)
			continue
		}
		counted++
		for k, info := range s.Schemes {
			trace, err := s.Spec().Trace()
			require.NoError(t, err)
			scheme, err := info.New(s.Config(info))
			require.NoError(t, err)
			native := drive.New(scheme, trace)
			require.NoError(t, native.Fill())
			before := native.Counts()
			require.NoError(t, native.Run(nil))
			counts := native.Counts().Sub(before)
			assert.Equal(t, counts.Compares+counts.Visits, d.Looks[k], "%s: %s", link, info.Name)
			assert.Equal(t, trace.Lifetimes(), d.Ended[k], link)
		}
	}
}

// Schemes 6 and 7 cross where the wasted visits are as many as the migrations, which is where the notes say; with stops
// at a tenth of that.
func TestCrossing(t *testing.T) {
	find := func(link string) (r Race, at float64) {
		require.NoError(t, r.Open(link))
		assert.Empty(t, r.Sentence(true), "before anything is known")
		at, _, missing := r.Crossing()
		for ; missing > 0; at, _, missing = r.Crossing() {
			r.Run(missing)
		}
		return r, at
	}
	for link, want := range map[string]float64{"m=2": 320, "m=4": 363, "stop=0.9@0.05": 37} {
		r, at := find("race=hierarchical,hashunsorted&" + link)
		assert.InEpsilon(t, want, at, 0.03, link)
		assert.Contains(t, r.Sentence(true), "beyond, scheme 7 does less.")
		spec := r.State.Spec()
		spec.T = schemes.Tick(at)
		lives := spec.Lives()
		assert.InEpsilon(t, 1, cost.Wasted6(lives, r.State.Slots)/cost.Migrations7(lives, cost.Wheels(r.State.Slots, r.State.Wheels)), 0.06, link)
	}
	r, _ := find("race=unordered,hierarchical&M=64")
	assert.Contains(t, r.Sentence(true), "At each T counted scheme 7 does less.")
	r, _ = find("race=hierarchical,simplewheel&m=3&M=64") // which cannot run at large T
	assert.Contains(t, r.Sentence(true), "There is no count at T = 64: simplewheel: The longest interval is ")
	assert.Contains(t, r.Sentence(true), "At each T counted scheme 4 does less.")
	r, at := find("race=hashunsorted,hierarchical&M=1")
	assert.Zero(t, at)
	assert.Contains(t, r.Sentence(true), "At each T counted they do the same.")
	r, at = find("race=unordered,ordered&n=10000&M=4096")
	assert.Zero(t, at)
	assert.Contains(t, r.Sentence(true), "No T could be counted.")
}

// A race's link says what differs from the default. What is wrong in it is named, and left at the default.
func TestRaceLinks(t *testing.T) {
	for _, link := range []string{"v=1&race=hashunsorted,hierarchical", "v=1&race=tree,ordered&M=64&m=2&n=300&T=9&workload=const&stop=0.9@0.05&seed=7"} {
		r := Race{}
		require.NoError(t, r.Open(link))
		assert.Equal(t, link, r.String())
	}
	for part, want := range map[string]string{"M=x": `invalid M "x" (use a whole number from 1 to 65536)`, "race=tree": `invalid race "tree" (use two schemes)`,
		"race=tree,tree": `duplicate scheme "tree" (use each once)`, "T=0": `invalid T "0"`, "n=0": `invalid n "0" (use a whole number from 1 to 10000)`, "edit=5:stop:0": `unknown part "edit=5:stop:0" of a link (have race, M,`} {
		r := Race{}
		assert.ErrorContains(t, r.Open("race=hashunsorted,hierarchical&"+part), want)
		assert.Equal(t, "v=1&race=hashunsorted,hierarchical", r.String())
	}
	r := Race{}
	require.NoError(t, r.Open("race=hashunsorted,hierarchical&n=1&T=100000"))
	d, _ := r.Run(100_000)
	assert.Contains(t, d.Refused, "of n = 1 timers that stay T = 100000 ticks 10 end in")
}

// The flags stand at the mean stay. Where timers are stopped, that is less than the interval by which the measured rule goes.
func TestFlags(t *testing.T) {
	r := Race{}
	require.NoError(t, r.Open("race=hashunsorted,hierarchical"))
	assert.Equal(t, []Flag{{"the paper's bound", 1024}, {"measured time", 128}}, r.Flags(0.5))
	require.NoError(t, r.Open("race=hierarchical,hashunsorted&stop=0.9@0.05"))
	assert.InDelta(t, 128/6.9, r.Flags(0.5)[1].T, 0.2)
	require.NoError(t, r.Open("race=hashunsorted,tree"))
	assert.Empty(t, r.Flags(0.5))
}
