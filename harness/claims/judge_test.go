package claims

import (
	"context"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
)

// judgedOnCounts is every claim, or with -short those that take the least time, judged on its
// counts, once for all tests.
var judgedOnCounts = sync.OnceValues(func() ([]Result, error) {
	list := slices.Clone(All)
	if testing.Short() {
		list = slices.DeleteFunc(list, func(c Claim) bool { return !slices.Contains(quick, c.ID) })
	}
	return JudgeAll(context.Background(), list, nil, func(int) {})
})

// quick are claims of every kind whose counted runs take milliseconds.
var quick = strings.Fields(`M-10 M-11 S1-1 S1-3 S1-4 S2-3 S2-4 S3-7 D-4 S4-1 H-1 H-6 H-11 V-1 V-2 V-3 V-4 V-7 V-10
	R-1 R-4 R-6 Z-1 Z-2 Z-4 Z-5 Z-7 Z-8 A-2 A-6 D-7 B-3 S2-7c Z-2c Z-3 Z-5c`)

func judgedClaims(t *testing.T) []Result {
	t.Helper()
	all, err := judgedOnCounts()
	require.NoError(t, err)
	if !testing.Short() {
		require.Len(t, all, len(All))
	}
	return all
}

// fails lists the claims that fail by their counts, on every machine. Those that
// need times are undecided without them; all others hold.
var fails = []string{"S2-2", "S2-3", "S3-9", "H-7", "Z-1", "Z-8"}

func TestVerdicts(t *testing.T) {
	for _, r := range judgedClaims(t) {
		want := Holds
		switch {
		case slices.Contains(fails, r.ID):
			want = Fails
		case r.timed != nil:
			want = Undecided
		}
		assert.Equal(t, want, r.Verdict, "%s: %s", r.ID, describe(r))
	}
}

// describe lists the comparisons that do not hold.
func describe(r Result) string {
	var b strings.Builder
	for _, p := range r.Points {
		if p.Verdict() != Holds {
			b.WriteString("\n\t" + p.What + ": predicted " + p.Prediction() + ", measured " + p.Measured.String())
		}
	}
	return b.String()
}

// Every prediction decides: moved beyond the measured interval and its slack, to the
// side that its relation excludes, the comparison and with it the claim fail; moved
// onto the measurement, a comparison that failed holds.
func TestShiftedPredictionsTurnTheVerdict(t *testing.T) {
	for _, r := range judgedClaims(t) {
		for i := range r.Points {
			assertTurns(t, r, i)
		}
	}
}

func assertTurns(t *testing.T, r Result, i int) {
	t.Helper()
	p := r.Points[i]
	if p.Relation == Report || p.Open != "" {
		return // it decides nothing, whatever it measures
	}
	below, above := p, p
	below.Predicted = p.Measured.Lo - p.Slack - nudge(p)
	above.Predicted = p.Measured.Hi + p.Slack + nudge(p)
	excluded := []Point{above}
	switch p.Relation {
	case AtMost:
		excluded = []Point{below}
	case Equal:
		excluded = []Point{below, above}
	}
	for _, shifted := range excluded {
		assert.Equal(t, Fails, shifted.Verdict(), "%s: %s", r.ID, p.What)
		points := slices.Clone(r.Points)
		points[i] = shifted
		assert.Equal(t, Fails, judge(points), "%s: %s", r.ID, p.What)
	}
	if p.Verdict() == Fails {
		p.Predicted = map[Relation]float64{Equal: p.Measured.Mean, AtMost: p.Measured.Hi, AtLeast: p.Measured.Lo}[p.Relation]
		assert.Equal(t, Holds, p.Verdict(), "%s: %s, on the measurement", r.ID, p.What)
	}
}

// nudge is a little against p's numbers.
func nudge(p Point) float64 { return 1e-6 * (1 + math.Abs(p.Measured.Mean)) }

// A tolerance stays small against what is measured: a comparison that is passed by
// half or twice its prediction says little. Those that say "at most" or "at least"
// are bounds, and may.
func TestTolerancesAreTight(t *testing.T) {
	for _, r := range judgedClaims(t) {
		for _, p := range r.Points {
			if p.Relation != Equal || p.Predicted == 0 || strings.Contains(p.Why, "halfway") {
				continue
			}
			width := (p.Measured.Hi-p.Measured.Lo)/2 + p.Slack
			assert.LessOrEqual(t, width/math.Abs(p.Predicted), 0.5, "%s: %s", r.ID, p.What)
		}
	}
}

func TestListIsWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z][0-9]?-[0-9]+[cxyz]?$`)
	seen := map[string]bool{}
	for _, c := range All {
		assert.Regexp(t, form, c.ID)
		assert.False(t, seen[c.ID], c.ID)
		seen[c.ID] = true
		assert.Regexp(t, `[.?”]$`, c.Sentence, c.ID)
		assert.NotEmpty(t, c.Source, c.ID)
		assert.NotEmpty(t, c.Scheme, c.ID)
		assert.Equal(t, c.Judged() == ByArgument, c.counted == nil && c.timed == nil, c.ID)
		assert.Equal(t, c.Judged() == ByArgument, c.Argued != "", c.ID)
		assert.Contains(t, Groups, c.Whose, c.ID)
		if strings.ContainsAny(c.ID, "xyz") {
			assert.Equal(t, Ours, c.Whose, c.ID)
		}
		if slices.Contains(fails, c.ID) {
			assert.NotEmpty(t, c.Instead, "%s fails: what holds instead?", c.ID)
		}
	}
	for _, id := range strings.Fields(`M-8 M-9 M-10 M-11 S1-1 S1-3 S1-4 S2-1 S2-2 S2-3 S2-2x S2-4 S2-5 S2-7 S3-2 S3-3 S3-4 S3-5 S3-6 S3-7 S3-8 S3-9
		D-2 D-6 D-7 S4-1 S4-2 S4-3 H-1 H-2 H-3 H-4 H-5 H-6 H-7 H-7x H-9 H-10 H-11 H-12 H-12x H-13 H-14 B-1 B-4 B-7
		V-1 V-2 V-3 V-4 V-5 V-6 V-7 V-10 V-11 V-8x A-2 A-3 R-1 R-2 R-3 R-4 R-5 R-6 Z-2 Z-4 Z-5 Z-7 Z-1 Z-8 A-6 S2-7c Z-2c Z-3 Z-5c`) {
		assert.True(t, seen[id], "%s is not judged", id)
	}
}

// The intervals are as wide as the number of sampled comparisons takes.
func TestComparisonsAreCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("counts the comparisons of all claims")
	}
	count := 0
	for _, r := range judgedClaims(t) {
		for _, p := range r.Points {
			if p.Measured.Lo != p.Measured.Hi {
				count++
			}
		}
	}
	assert.LessOrEqual(t, count, comparisons)
	assert.Greater(t, count, comparisons/2, "else intervals are wider than they must be")
}

func TestPointVerdict(t *testing.T) {
	v := Value{10, 9, 11}
	for _, test := range []struct {
		relation         Relation
		predicted, slack float64
		want             Verdict
	}{
		{Equal, 10, 0, Holds}, {Equal, 11, 0, Holds}, {Equal, 11.1, 0, Fails}, {Equal, 11.1, 0.2, Holds}, {Equal, 8.9, 0, Fails},
		{AtMost, 11, 0, Holds}, {AtMost, 10, 0, Undecided}, {AtMost, 8.9, 0, Fails}, {AtMost, 8.9, 0.1, Undecided}, {AtMost, 8, 3, Holds},
		{AtLeast, 9, 0, Holds}, {AtLeast, 10, 0, Undecided}, {AtLeast, 11.1, 0, Fails}, {AtLeast, 12, 3, Holds},
		{Equal, math.NaN(), 0, Undecided},
	} {
		p := Point{Relation: test.relation, Predicted: test.predicted, Slack: test.slack, Measured: v}
		assert.Equal(t, test.want, p.Verdict(), "%+v", test)
	}
	assert.Equal(t, Undecided, Point{Relation: Equal, Measured: Value{1, math.Inf(-1), math.Inf(1)}}.Verdict(), "an interval without ends")
	assert.Equal(t, Undecided, judge(nil), "nothing compared")
	report := Point{Relation: Report, Predicted: 1, Measured: exact(9)}
	held := Point{Relation: AtMost, Predicted: 10, Measured: exact(9)}
	assert.Equal(t, Reported, judge([]Point{report}), "what cannot fail does not hold either")
	assert.Equal(t, Holds, judge([]Point{report, held}))
	held.Open = "short laps"
	assert.Equal(t, Undecided, judge([]Point{report, held}), "what decides nothing")
}

func TestFind(t *testing.T) {
	c, err := Find("h-9")
	require.NoError(t, err)
	assert.Equal(t, "H-9", c.ID)
	_, err = Find("H-99")
	assert.ErrorContains(t, err, `unknown claim "H-99" (have M-8, `)
}

func TestJSON(t *testing.T) {
	for _, r := range judgedClaims(t) {
		text, err := json.Marshal(r)
		require.NoError(t, err, r.ID)
		var back map[string]any
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, r.ID, back["id"])
		assert.Equal(t, string(r.Verdict), back["verdict"])
		assert.Len(t, back["comparisons"], len(r.Points))
	}
}

// inRegistry puts another scheme in the place of one while f runs.
func inRegistry(t *testing.T, name string, wrap func(schemes.Scheme) schemes.Scheme, f func()) {
	t.Helper()
	info, err := harness.Find(name)
	require.NoError(t, err)
	saved := *info
	defer func() { *info = saved }()
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := saved.New(cfg)
		if err != nil {
			return nil, err
		}
		return wrap(s), nil
	}
	f()
}

// busier is a scheme that does a twentieth more of everything than it needs.
type busier struct{ counting }

func (b busier) Counts() schemes.Counts {
	c := b.counting.Counts()
	c.Visits += c.Visits / 20
	c.Compares += c.Compares / 20
	c.Migrations += c.Migrations / 20
	return c
}

// A scheme that does 5 % too much turns the verdicts on its counts.
func TestPlantedWork(t *testing.T) {
	for scheme, ids := range map[string][]string{
		"hashunsorted": {"H-7x", "H-8", "H-6", "H-12x", "H-13", "H-14", "M-8", "B-3x", "V-6x"},
		"unordered":    {"S1-1", "S1-4"},
		"ordered":      {"S2-2x", "S2-1", "S2-5", "H-4"},
		"simplewheel":  {"S4-1"},
		"hierarchical": {"V-5x", "V-10", "V-6x"},
		"tree-bst":     {"S3-4", "S3-6"},
	} {
		if testing.Short() && scheme != "unordered" && scheme != "simplewheel" {
			continue // seconds each
		}
		inRegistry(t, scheme, func(s schemes.Scheme) schemes.Scheme { return busier{s.(counting)} }, func() {
			var list []Claim
			for _, id := range ids {
				c, err := Find(id)
				require.NoError(t, err)
				c.timed = nil
				list = append(list, c)
			}
			all, err := JudgeAll(context.Background(), list, nil, func(int) {})
			require.NoError(t, err)
			require.Len(t, all, len(ids))
			for _, r := range all {
				assert.Equal(t, Fails, r.Verdict, "%s with a busier %s", r.ID, scheme)
			}
		})
	}
}

// lossy forgets its last timer of every tick: its runs are errors, not verdicts.
type lossy struct{ counting }

func (l lossy) Expire(action func(schemes.ID)) {
	skipped := false
	l.counting.Expire(func(id schemes.ID) {
		if !skipped && id%97 == 3 {
			skipped = true
			return
		}
		action(id)
	})
}

func TestPlantedLoss(t *testing.T) {
	inRegistry(t, "hashunsorted", func(s schemes.Scheme) schemes.Scheme { return lossy{s.(counting)} }, func() {
		c, err := Find("H-7x")
		require.NoError(t, err)
		_, err = c.judge(newMeasuredTimes(nil))
		assert.ErrorContains(t, err, "outcome")
	})
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	kept, err := JudgeAll(ctx, All, nil, func(int) {})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, kept)
}
