package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes/schemetest"
	"timerlab/teach/lab/grade"
)

// example is a report with a violation in stage B, in which the program then ended.
func example() *Report {
	r := (&Module{Package: "scheme6"}).report()
	var results [][]grade.Result
	for i := range r.Stages {
		s := &r.Stages[i]
		run := &stageRun{output: strings.Repeat("printed ", 100)}
		for _, name := range grade.Stages[i].Rules {
			run.results = append(run.results, grade.Result{Rule: name})
		}
		if s.Stage == "B" {
			v := &schemetest.Violation{Scheme: "scheme6", Rule: "panic", Got: "panic: no", Trail: []string{"New(Now 0)", "Stop(h1) -> panic"}}
			run.results = []grade.Result{{Rule: "stop"}, {Rule: "stop-due", Violation: v}}
			run.within, run.ended = true, "Your program ended: exit status 3. Does it call os.Exit?"
		}
		s.fill(run)
		results = append(results, run.results)
	}
	r.score(results)
	return r
}

func written(t *testing.T, r *Report, format string) map[string]any {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Write(&b, format))
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.String()), &v))
	return v
}

// Five rules of stage B are not checked, and what broke first belongs to stage C.
func TestText(t *testing.T) {
	r := example()
	assert.Equal(t, 100-20-5, r.Score)
	b := &r.Stages[1]
	assert.Equal(t, []string{Kept, Broken, Broken, Unchecked, Unchecked},
		[]string{b.Rules[0].Verdict, b.Rules[1].Verdict, b.Rules[2].Verdict, b.Rules[3].Verdict, b.Rules[4].Verdict})
	assert.Contains(t, text(t, r), `  B  stopping                0 of 20 points   1 of 7 rules, 1 broke another rule first
`)
	assert.Contains(t, text(t, r), `  C  expiry                 10 of 15 points   9 of 9 rules, panic broke in stage B
`)
	assert.Contains(t, text(t, r), `
B, stopping

stop-stale: Stop refuses the handle of a timer stopped or handed out, also when its storage holds another timer, without effect.
    Your program ended: exit status 3. Does it call os.Exit?

Also broken: stop-due.

Not checked: stop-foreign, handle-unique, exact-long, interval-range.
`)
}

// Why a stage ended is said also where the last rule was broken by another thing, and without what a terminal obeys.
func TestEnded(t *testing.T) {
	r := (&Module{}).report()
	hung := &schemetest.Violation{Rule: "len", Got: "it hangs \x1b[31m", Hung: true}
	r.Stages[3].fill(&stageRun{results: []grade.Result{{Rule: "interfaces"}, {Rule: "len", Violation: hung}}, ended: "It did not return."})
	assert.Contains(t, text(t, r), "    it hangs \uFFFD[31m\n\nNot checked: check, string.\nIt did not return.\n")
}

func TestJSON(t *testing.T) {
	v := written(t, example(), JSON)
	assert.EqualValues(t, reportVersion, v["version"])
	assert.EqualValues(t, 75, v["score"])
	rule := v["stages"].([]any)[1].(map[string]any)["rules"].([]any)[1].(map[string]any)
	assert.Equal(t, map[string]any{
		"rule": "stop-due", "sentence": "A due timer that is not yet handed out can be stopped.", "verdict": "broken",
		"broken": "panic", "got": "panic: no", "trail": []any{"New(Now 0)", "Stop(h1) -> panic"},
	}, rule)
}

// The keys come from gradescope-autograders.readthedocs.io/en/latest/specs.
func TestGradescope(t *testing.T) {
	v := written(t, example(), Gradescope)
	assert.EqualValues(t, 75, v["score"])
	assert.Equal(t, "visible", v["visibility"])
	tests := v["tests"].([]any)
	require.Len(t, tests, len(grade.Stages))
	b := tests[1].(map[string]any)
	assert.Contains(t, b["output"], `
stop-due: A due timer that is not yet handed out can be stopped.
    What broke first is the rule panic: No operation panics, whatever it is given; only an action's own panic comes out of Expire.
    panic: no
    New(Now 0)
    Stop(h1) -> panic
`)
	delete(b, "output")
	assert.Equal(t, map[string]any{
		"score": 0.0, "max_score": 20.0, "status": "failed", "name": "stopping", "number": "B", "output_format": "text",
	}, b)
	assert.Equal(t, "passed", tests[0].(map[string]any)["status"])

	r := (&Module{}).report()
	r.Unbuilt = "scheme6.go:1:1: no"
	unbuilt := written(t, r, Gradescope)
	assert.Contains(t, unbuilt["output"], "scheme6.go:1:1: no")
	assert.EqualValues(t, 0, unbuilt["score"])
}
