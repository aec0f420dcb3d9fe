package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/schemes"
)

func parse(t *testing.T, fragment string) *Player {
	t.Helper()
	p, err := Open(fragment)
	require.NoError(t, err)
	return p
}

// A link says only what differs from the lesson, and is read as it was written.
func TestLinks(t *testing.T) {
	for _, fragment := range []string{
		"v=1&lesson=1", "v=1&lesson=7", "v=1&lesson=7&t=100", "v=1&lesson=0&schemes=ordered,tree-bst&n=40&T=300&t=17&step=3",
		"v=1&lesson=9&edit=0:start:3045&t=2129", "v=1&lesson=2&edit=7:stop:3,7:restart:4:20,9:start:5&t=9",
		"v=1&lesson=11&workload=pareto&stop=0.5@0.25&seed=77", "v=1&lesson=0&m=3&levels=8x4x4&now=1000&ticks=50",
	} {
		s, err := Parse(fragment)
		require.NoError(t, err)
		assert.Equal(t, fragment, s.String())
	}
	assert.Equal(t, "v=1&lesson=1", parse(t, "").State.String())
}

// A wrong link names the value and what is allowed, and leaves the lesson as it is.
func TestWrongLinks(t *testing.T) {
	for fragment, want := range map[string]string{
		"v=2":                                `unknown version "2"`,
		"v=1&n=x":                            `invalid n "x" (use a whole number from 0 to 10000)`,
		"n=-1":                               `invalid n "-1"`,
		"lesson=99":                          `invalid lesson "99" (use a whole number from 0 to 14)`,
		"schemes=nope":                       `unknown scheme "nope"`,
		"schemes=tree,tree":                  `duplicate scheme "tree"`,
		"levels=0x4":                         `levels: invalid radices "0x4"`,
		"levels=70000":                       `levels: 70000 is out of range (use at most 16 wheels of at most 65536 slots)`,
		"stop=2@1":                           `stop: invalid share of timers "2@1"`,
		"edit=5:start":                       `invalid edit "5:start"`,
		"edit=5:start:3,4:start:3":           `ticks must not decrease`,
		"edit=500:stop:0":                    `edit 500:stop:0 is after the last tick, 12`,
		"colour=red":                         `unknown part "colour=red" of a link (have lesson, schemes,`,
		"v=1&M, m=3":                         `unknown part "M, m=3" of a link (have lesson, schemes,`,
		"n=10000&ticks=1000000":              `too many for a page`,
		"lesson=2&n=5000&T=5000&ticks=50000": `unordered would take about 2.5e+08 steps`,
		"lesson=2&workload=const:3":          `const:3`,
	} {
		p, err := Open(fragment)
		assert.ErrorContains(t, err, want, fragment)
		assert.NotNil(t, p, fragment)
	}
	s, _ := Parse("v=1&lesson=2&workload=const:3")
	assert.Equal(t, "v=1&lesson=2", s.String())
}

// The player counts what the harness counts, and its expiries are the trace's.
func TestCountsAreTheHarness(t *testing.T) {
	for _, info := range harness.Schemes {
		for seed := range 3 {
			p := parse(t, fmt.Sprintf("lesson=0&schemes=%s&n=40&T=60&M=512&m=3&workload=uniform&stop=0.3@0.5&seed=%d&ticks=500",
				info.Name, seed+1))
			p.Seek(500, WholeTick)
			got := p.Frame().Lanes[0]

			trace, err := p.State.Spec().Trace()
			require.NoError(t, err)
			scheme, err := info.New(p.State.Config(info))
			require.NoError(t, err)
			d := drive.New(scheme, trace)
			require.NoError(t, d.Fill())
			before := d.Counts()
			require.NoError(t, d.Run(nil))
			require.NoError(t, d.Verify())
			assert.Equal(t, d.Counts().Sub(before), got.Total, info.Name)
			if _, coarse := scheme.(schemes.Bounder); !coarse {
				assert.Equal(t, trace.Want, got.Outcome, info.Name)
			}
		}
	}
}

// CostOfTick returns the counts of a run with the given number of slots, and ignores the reader's edits.
func TestCostOfTick(t *testing.T) {
	paper, refined, counted, err := parse(t, "lesson=7&edit=3:start:5").State.CostOfTick(32)
	require.NoError(t, err)
	laws := parse(t, "lesson=7&M=32&t=100").Frame().Lanes[0].Formulas
	assert.Equal(t, []float64{laws[1].Value, laws[2].Value, laws[2].Counted}, []float64{paper, refined, counted})
}

// Going back step by step passes the moments of going forward, in reverse.
func TestBackwardIsForward(t *testing.T) {
	fragments := []string{"lesson=2&edit=7:stop:3,7:restart:4:20,9:start:5", "lesson=0&workload=uniform&stop=0.3@0.5"}
	for i := range Lessons {
		fragments = append(fragments, fmt.Sprintf("lesson=%d&ticks=100", i+1))
	}
	for _, fragment := range fragments {
		p := parse(t, fragment)
		p.Seek(0, WholeTick)
		var seen []Frame
		for range 60 {
			seen = append(seen, p.Frame())
			p.ForwardStep()
		}
		for _, want := range slices.Backward(seen) {
			p.BackStep()
			require.Equal(t, fmt.Sprint(want), fmt.Sprint(p.Frame()), fragment) // as text, which has equal NaNs
		}
	}
}

// What is said is of the schemes that run, the first if there are more than two, and before the first step of a tick is the
// end of the tick before. Where two do not expire the same timers it is said of each, and both are marked.
func TestSentence(t *testing.T) {
	p := parse(t, "lesson=7&schemes=simplewheel,hashunsorted&t=14&step=0")
	assert.Equal(t, "Tick 13. 1 operation. Timer 1 expires. Scheme 6, unsorted slots: 4 visits, 2 links.", p.Frame().Sentence)
	assert.Positive(t, p.History()[13].Expired)
	p = parse(t, "lesson=14&t=27")
	assert.Equal(t, "Tick 27. Scheme 7, without migration, rounded up: nothing expires, 1 empty slot. "+
		"Scheme 7, hierarchical wheels: timer 0 expires, 1 visit, 1 link.", p.Frame().Sentence)
	assert.Positive(t, p.History()[27].Expired)
}

// An edit in the past drops what was edited later. One that its moment refuses has no effect, and Open says why
// of those in a link.
func TestEdits(t *testing.T) {
	p := parse(t, "lesson=2&edit=7:stop:3,9:start:5&t=8")
	require.NoError(t, p.Edit(Op{Kind: 2, Interval: 4}))
	assert.Equal(t, "v=1&lesson=2&edit=7:stop:3,8:start:4&t=8", p.State.String())
	assert.ErrorContains(t, p.Edit(Op{Timer: 99}), "timer 99 is not outstanding on tick 8")
	for edits, want := range map[string]string{
		"5:stop:9999": "edit 5:stop:9999 has no effect: timer 9999 is not outstanding on tick 5", "0:restart:2:0": "interval 0",
		"3:start:0": "interval 0 is out of range", "7:stop:3,7:stop:3": "timer 3 is not outstanding on tick 7",
	} {
		_, err := Open("lesson=2&edit=" + edits)
		assert.ErrorContains(t, err, want)
	}
	parse(t, "lesson=2&edit=0:start:4,0:start:9,7:stop:3,7:restart:4:20,9:start:5") // all have an effect
}

// Lesson 13 says how many timers migrate when the wheels wrap, and lesson 4 how far a timer climbs at most: one that is
// due before all others.
func TestNumbersOfLessons(t *testing.T) {
	lanes := parse(t, "lesson=13&t=64").Frame().Lanes
	assert.Contains(t, Lessons[12].Reveal, fmt.Sprintf("%d of 24 migrate on one tick, and %d ahead of time",
		lanes[0].OfTick.Migrations, lanes[1].OfTick.Migrations))
	p := parse(t, "lesson=4")
	before := p.Frame().Lanes[0].Total
	require.NoError(t, p.Edit(Op{Kind: 2, Interval: 1}))
	assert.Equal(t, uint64(4), p.Frame().Lanes[0].Total.Sub(before).Compares)
	assert.Contains(t, Lessons[3].Text, "four steps up")
}

func TestLessons(t *testing.T) {
	require.Len(t, Lessons, 14)
	for i, l := range Lessons {
		p := parse(t, fmt.Sprintf("lesson=%d", i+1))
		prompt, ok := p.Ask()
		assert.True(t, ok, l.Title)
		assert.NotContains(t, []string{l.Title, l.State, l.Text, l.Reveal, prompt.Text}, "", l.Title)
		assert.LessOrEqual(t, len(strings.Fields(l.Text)), 150, l.Title)
		before, _, found := strings.Cut(l.Text, `<p class="do">`)
		assert.True(t, found && len(strings.Fields(before)) <= 60, "%s: %d words before there is anything to do", l.Title, len(strings.Fields(before)))
		for _, f := range p.Frame().Lanes {
			assert.Empty(t, f.Refused, l.Title)
		}
		values, wrong := splitFragment(l.State, fields)
		assert.Empty(t, append(wrong, p.State.set(fields, values)...), l.Title)
		right, verdict, err := prompt.Answer(prompt.answers[0])
		require.NoError(t, err)
		assert.True(t, right)
		t.Log(i+1, l.Title, prompt.Text, verdict)
	}
}

// A question is asked only if its answer is clear: no scheme is second by less than 15 %, and no other timer has
// the deadline of the one that is compared. Where two are right, the verdict has both.
func TestOnlyClearQuestions(t *testing.T) {
	prompt, ok := parse(t, "lesson=12").Ask()
	require.True(t, ok)
	right, verdict, err := prompt.Answer("simplewheel")
	require.NoError(t, err)
	assert.True(t, right)
	assert.Contains(t, verdict, "The code says scheme 4, simple wheel, or scheme 6, unsorted slots.")
	_, ok = parse(t, "lesson=8&schemes=hashunsorted,simplewheel").Ask()
	assert.False(t, ok, "only one scheme runs")
	_, ok = parse(t, "lesson=8&T=40").Ask()
	assert.False(t, ok, "432 steps against 475")
	_, ok = parse(t, "lesson=4&schemes=ordered&n=0&edit=1:start:120&t=1").Ask()
	assert.False(t, ok, "the other timer has the same deadline")
	_, ok = parse(t, "lesson=4&schemes=ordered&n=0&edit=1:start:119&t=1").Ask()
	assert.True(t, ok)
}

// The command measures the same workload, or there is none.
func TestCommand(t *testing.T) {
	for fragment, want := range map[string]string{
		"lesson=7":  "bench run -n 20 -M 8 -m 2 -T 40 --schemes hashunsorted",
		"lesson=11": "bench run -n 30 -M 20 -m 4 -T 45 --workload uniform --stop 0.9@0.05 --schemes hashunsorted,hierarchical",
		"lesson=0&schemes=hierarchical&levels=8x8":       "bench run -n 12 -M 16 -m 2 -T 20 --schemes hierarchical",
		"lesson=0&schemes=hierarchical-ahead&levels=8x8": "",
		"lesson=0&schemes=hierarchical-ahead&M=16":       "bench run -n 12 -M 16 -m 2 -T 20 --schemes hierarchical-ahead",
		"lesson=9":                 "",
		"lesson=2&edit=3:start:4":  "",
		"lesson=11&levels=8x8x8x8": "",
	} {
		assert.Equal(t, want, parse(t, fragment).State.Command(), fragment)
	}
}
