package claims

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
)

// judgeLines makes the runs of lines and returns their comparisons.
func judgeLines(t *testing.T, text string) []*Point {
	t.Helper()
	lines, err := parseLines(text)
	require.NoError(t, err)
	c, err := count(func(c *counter) {
		for _, l := range lines {
			c.line(l)
		}
	})
	require.NoError(t, err)
	return c.points
}

// A line with the formula of another fails, though its own holds.
func TestSwappedFormulas(t *testing.T) {
	for line, other := range map[string]string{
		"passed/others of ordered where n=200 T=1000 dist=uniform warm=4T each=8T = p":                                          "1-p",
		"visits/ticks of hashunsorted where M=256 n=500 T=64 = visits":                                                          "n/M",
		"instructions/ticks of hashunsorted where M=256 n=500 T=64 dist=const warm=T = 4+6*visits+9*expiries":                   "4+15*n/M",
		"migrations/started of simplewheel-tegas where M=64 n=200 T=51 dist=const arrivals=poisson warm=8M each=16M = overflow": "far",
		"deviation visits of hashunsorted where oneslot M=64 n=128 T=8M = sqrt(M-1)":                                            "sqrt(M/n)",
	} {
		formula := line[strings.LastIndex(line, " ")+1:]
		for text, want := range map[string]Verdict{line: Holds, strings.TrimSuffix(line, formula) + other: Fails} {
			points := judgeLines(t, text+" ± 0.01 because rounding")
			require.Len(t, points, 1)
			assert.Equal(t, want, points[0].Verdict(), text)
		}
	}
}

func TestSentences(t *testing.T) {
	points := judgeLines(t, `worst visits of hashunsorted where oneslot M=16 n=20 T=32 = n;
		compares/ended of hashsorted where M=1 n=20 T=10 stop=0.5@0.05 each=40 over ordered = 1;
		starting/started of ordered where n=20,10 T=n each=2T over where n=5 ≥ 1/2;
		migrations/ended of hierarchical where m=8x8x8 n=20 T=20 each=64 over wasted/ended of hashunsorted where M=4 ≤ 1`)
	var texts []string
	for _, p := range points {
		texts = append(texts, p.What)
	}
	assert.Equal(t, []string{
		"the most of a tick: visits, hashunsorted, all in one slot, n = 20, T = 32, M = 16; predicted: n",
		"comparisons per timer, hashsorted, n = 20, T = 10, M = 1, 50 % stopped at 5 %; over ordered",
		"comparisons of STARTs per START, ordered, n = 20, T = n; over n = 5",
		"comparisons of STARTs per START, ordered, n = 10, T = n; over n = 5",
		"migrations per timer, hierarchical, n = 20, T = 20, m = 8x8x8; over visits that expire nothing per timer, hashunsorted, M = 4",
	}, texts)
	assert.Equal(t, isExact, points[1].Why, "of the same operations")
	assert.Contains(t, points[4].Why, "batches")
	assert.Equal(t, "≥ 0.5", points[2].Prediction())
}

func TestExpressions(t *testing.T) {
	e, err := newExperiment(map[string]string{"scheme": "hashunsorted", "n": "100", "T": "4M", "M": "25", "warm": "2J", "each": "0.5T"})
	require.NoError(t, err)
	assert.Equal(t, schemes.Tick(50), e.each)
	assert.InDelta(t, 200, float64(e.warm), 2)
	for text, want := range map[string]float64{
		"2/3": 2. / 3, "n/M+n/(2*T)": 4.5, "pow(1-1/T,2)": 0.9801, "sqrt(M)": 5, "log2(n-36)": 6,
		"1.3*(4+15*n/M)": 83.2,
	} {
		x, err := parseExpression(text)
		require.NoError(t, err)
		assert.InDelta(t, want, x.of(e), 1e-6, text)
	}
}

func TestBadLines(t *testing.T) {
	for text, want := range map[string]string{
		"visits of unordered where n=1":                                  "no relation",
		"visits/ticks of unordered where n=1 =":                          "no relation",
		"visits/ticks of unordered where n=x T=1 = 1":                    `invalid count "x"`,
		"visits/nothing of unordered where n=1 = 1":                      `unknown quantity "visits/nothing"`,
		"visits of unordered where n=1 = 1":                              `unknown quantity "visits"`,
		"worst visits/ticks of unordered where n=1 = 1":                  `unknown quantity "worst visits/ticks"`,
		"unordered where n=1 = 1":                                        "nothing is measured",
		"visits/ticks of unordered where k=1 = 1":                        `unknown word "k" of a run (have oneslot, n, `,
		"visits/ticks of unorderd where n=1 = 1":                         "unorderd",
		"visits/ticks of unordered ordered where n=1 = 1":                "several words",
		"visits/ticks of unordered where n=1 = 2*none":                   `unknown name "none"`,
		"visits/ticks of unordered where n=1 = sin(n)":                   `unknown function "sin"`,
		"visits/ticks of unordered where n=1 = n[1]":                     "invalid expression",
		"visits/ticks of unordered where n=1 = 1 ± 2":                    "a slack without a reason",
		"visits/ticks of unordered where n=1 dist=a = 1":                 "a",
		"visits/ticks of hashunsorted where n=1 over where M=x = 1":      `invalid count "x"`,
		"Start of tree where T=4k ≥ 1":                                   "divided by no other",
		"Start of tree where size=4 over ordered ≥ 1":                    `unknown word "size" of a cell (have n, `,
		"Start of tree over ordered > 1":                                 "no relation",
		"Start of tree over ordered ≥ n":                                 "is no number",
		"worst Start of tree over ordered ≥ 1":                           `unknown word "worst" before a time`,
		"Start of tree where n over ordered ≥ 1":                         "with values",
		"Start of tree over ordered ≥ 1 ± 0.1 because half":              "a slack of a time",
		"visits/ticks of unordered where n=1 = 1; Start of a over b > 1": `line "Start of a over b > 1"`,
	} {
		_, err := parseLines(text)
		assert.ErrorContains(t, err, want, text)
	}
}

// These statements of the paper and of articles, and parts of claims, hold by construction: no scheme can break them
// without a bug. The others of claims.txt that are left out for that are tests of the schemes: V-1, V-2 and Z-4 of package
// hierarchical's range and example, A-2 and V-10 of the conformance suite's marks and order of expiry, M-10 of its rule on
// order, S2-7 of its rule next, H-14 of its rule counts-visits.
func TestByConstruction(t *testing.T) {
	for id, lines := range map[string]string{
		"S1-1": `visits/ticks of unordered where n=10,100 T=100 warm=200 each=400 = n;
			compares/ended of unordered where n=100 T=100 stop=0.5@0.5 warm=200 each=400 = 0;
			links/ended of unordered where n=100 T=100 stop=0.5@0.5 warm=200 each=400 = 2`,
		"S1-4": `visits/ended of unordered where n=100 T=1,8 dist=const stop=1@0.05 warm=40 each=64T = T`,
		"D-7":  `held/outstanding of hashunsorted-lazy where M=256 n=100 T=8 dist=const stop=1@0.01 warm=1600 each=8 ≥ 90`,
		"H-3": `worst wasted of hashsorted where M=256 n=500 T=1024 ≤ 1;
			worst wasted of hashsorted where oneslot M=256 n=500 T=2048 ≤ 1`,
		"H-7, H-9": `visits/ticks of hashunsorted where oneslot M=256 n=500 T=2048 = n/M;
			deviation visits of hashunsorted where oneslot M=256 n=500 T=2048 = sqrt(M-1) ± 0.001 because sums are rounded`,
		"D-4": `migrations/started of simplewheel where M=256 n=100 T=201,51 dist=const arrivals=poisson warm=8M each=16M = 0`,
		"S4-1": `compares/ended of simplewheel where M=256 n=100 T=60 dist=uniform stop=0.5@0.5 warm=256 each=256 = 0;
			wasted/ended of simplewheel where M=256 n=100 T=60 dist=uniform stop=0.5@0.5 warm=256 each=256 = 0`,
		"H-4": `compares/ended of hashsorted where M=1 n=100 T=100 stop=0.9@0.05 warm=400 each=400 over ordered = 1;
			visits/ended of hashsorted where M=1 n=100 T=100 stop=0.9@0.05 warm=400 each=400 over ordered = 1;
			visits/ended of hashunsorted where M=1 n=100 T=100 stop=0.9@0.05 warm=400 each=400 over unordered = 1`,
		"H-6, B-3x": `worst visits of hashunsorted where oneslot M=256 n=500,1000 T=2048 = n;
			compares/ended of hashunsorted where M=256 n=500 T=2048 stop=0.5@0.5 = 0;
			links/ended of hashunsorted where M=256 n=500 T=2048 stop=0.5@0.5 = 2`,
		"V-5": `migrations/ended of hierarchical where m=128x128 n=100 T=1800 warm=16384 each=16384 ≤ m`,
		"R-2": `starting/started of ordered where n=100 T=1000 warm=T each=2T ≥ 0.25*n`,
		"R-4": `visits/ended of hashunsorted where M=1024 n=100 T=20 dist=uniform stop=0.9@0.05 warm=256 each=256 over
			simplewheel ≥ 1`,
		"R-5": `starting/started of hashsorted where oneslot M=256 n=500 T=2048 ≥ 0.25*n`,
		"Z-7": `compares/started of ordered-rear where n=100 T=300 dist=const restart=0.9@0.3 warm=2048 each=600 = 1;
			compares/started of simplewheel where M=1024 n=100 T=300 dist=const restart=0.9@0.3 warm=2048 each=600 = 0`,
	} {
		for _, p := range judgeLines(t, lines) {
			assert.Equal(t, Holds, p.Verdict(), "%s: %s: %s, measured %s", id, p.What, p.Prediction(), p.Measured)
		}
	}
	bytesOf := func(name string) int64 {
		info, err := harness.Find(name)
		require.NoError(t, err)
		return info.Bytes(1000, schemes.Config{})
	}
	c, err := count(func(c *counter) {
		s := c.new("hashunsorted", schemes.Config{Now: 10, Slots: 256}) // H-1
		c.start(s, 3*256+20, 77)
		s.View(func(p schemes.Place) bool {
			assert.Equal(t, [2]uint64{30, 4}, [2]uint64{uint64(p.Slot), uint64(p.Key)}, "slot, and rounds with the last")
			return true
		})
		for _, name := range []string{"unordered", "ordered"} { // the least memory
			assert.LessOrEqual(t, bytesOf(name), bytesOf("tree"))
			c.start(c.new(name, schemes.Config{}), 1, 1)
		}
		s = c.new("hierarchical", schemes.Config{Levels: []int{4, 8, 4}}) // V-3, Z-5: an array moves once a revolution below
		for deadline := schemes.Tick(4); deadline < 4*8*4; deadline += 4 {
			c.start(s, deadline, schemes.ID(deadline))
		}
		moves := 0
		for range 4*8*4 - 1 {
			before := s.Counts()
			if s.PerTick(); s.Counts().Sub(before).Visits > 0 {
				moves++
			}
		}
		assert.Equal(t, 31, moves, "ticks of 127")
	})
	require.NoError(t, err)
	require.Empty(t, c.points)
}
