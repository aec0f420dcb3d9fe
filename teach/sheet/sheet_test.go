package sheet

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/teach/player"
)

func written(t *testing.T, seed string, key bool) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, Write(&b, seed, key))
	return b.String()
}

// A sheet has one question of each kind, the same each time, and another seed has others.
func TestSheetsDiffer(t *testing.T) {
	seen := map[string]string{}
	for i := range 12 {
		seed := fmt.Sprint("student-", i)
		sheet := written(t, seed, false)
		assert.Equal(t, sheet, written(t, seed, false))
		sheet = strings.Replace(sheet, seed, "", 1)
		assert.Empty(t, seen[sheet])
		seen[sheet] = seed

		kinds := map[player.Kind]bool{}
		for k := range Questions {
			task, err := newTask(seed, k)
			require.NoError(t, err)
			kinds[task.question.Kind] = true
		}
		assert.Len(t, kinds, len(player.Kinds))
		key := written(t, seed, true)
		for k := range Questions {
			assert.Regexp(t, fmt.Sprintf(`(?m)^%d\. (\*\*[\w-]+\*\*|Counted: M = 1: \d)`, k+1), key)
			assert.Contains(t, sheet, fmt.Sprintf("\n## %d\n", k+1))
		}
	}
}

var drawn = regexp.MustCompile(`\d+ \(\d+\)`)

// A drawing shows every timer, so that the answer can be found on paper.
func TestAnswersFollowFromTheDrawing(t *testing.T) {
	asked := map[player.Kind]int{}
	for i := range 40 * Questions {
		task, err := newTask(fmt.Sprint("seed-", i/Questions), i%Questions)
		require.NoError(t, err)
		q, s := &task.question, &task.player.State
		frame := task.player.Frame()
		info, places := frame.Lanes[0].Info, frame.Lanes[0].Places
		text := task.text()
		answers := task.player.Answers(q)
		switch {
		case q.Kind == player.AskFault || q.Kind == player.AskWork || q.Kind == player.AskCurve:
			continue
		case q.Kind == player.AskSlot && info.Kind.HasSlots():
			assert.Equal(t, fmt.Sprint((s.At+q.Interval)%schemes.Tick(s.Slots)), answers[0])
		case q.Kind == player.AskVisits && info.Number == 1:
			assert.Equal(t, fmt.Sprint(len(places)), answers[0])
		case q.Kind == player.AskExpiry:
			first := places[0]
			for _, p := range places {
				if p.Deadline < first.Deadline {
					first = p
				}
			}
			assert.Contains(t, answers, fmt.Sprint(first.ID))
		case q.Kind == player.AskCompares && info.Number == 2:
			passed := 0
			for _, p := range places {
				if p.Deadline <= s.At+q.Interval {
					passed++
				}
			}
			assert.Equal(t, fmt.Sprint(min(passed+1, len(places))), answers[0])
		}
		asked[q.Kind]++
		assert.Len(t, drawn.FindAllString(text, -1), len(places), text)
		assert.Contains(t, text, info.Name)
		assert.NotContains(t, text, "…")
	}
	assert.Len(t, asked, 5)
}

func TestSeeds(t *testing.T) {
	for seed, want := range map[string]bool{
		"alice": true, "Anna-Lena_2.b": true, "": false, "a b": false, "a&b": false, strings.Repeat("x", 41): false,
	} {
		assert.Equal(t, want, ValidSeed(seed), seed)
		_, err := player.Parse("v=1&quiz=" + seed)
		assert.Equal(t, want, err == nil && seed != "", "the page takes the same seeds: %s", seed)
	}
}
