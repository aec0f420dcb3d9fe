package lab

import "strings"

// The formats of web services.

// gradescopeResult is results.json as the specification of Gradescope's autograders has it.
type gradescopeResult struct {
	Score         int              `json:"score"`
	ExecutionTime float64          `json:"execution_time"` // seconds
	Output        string           `json:"output"`
	OutputFormat  string           `json:"output_format"`
	Visibility    string           `json:"visibility"`
	Tests         []gradescopeTest `json:"tests"`
}

type gradescopeTest struct {
	Score        int    `json:"score"`
	MaxScore     int    `json:"max_score"`
	Status       string `json:"status"`
	Name         string `json:"name"`
	Number       string `json:"number"`
	Output       string `json:"output"`
	OutputFormat string `json:"output_format"`
}

// gradescope has a test for each stage.
func (r *Report) gradescope() gradescopeResult {
	g := gradescopeResult{
		Score: r.Score, ExecutionTime: r.Seconds, OutputFormat: "text", Visibility: "visible",
		Output: r.title() + ". Begin with the first stage that lost points: the others may follow from it.",
	}
	switch {
	case r.Unbuilt != "":
		g.Output = "The module does not compile, so it has no points:\n\n" + r.Unbuilt
	case r.Passed():
		g.Output = r.title() + ". Your scheme keeps every rule."
	}
	for i := range r.Stages {
		s := &r.Stages[i]
		status := "passed"
		if s.Score < s.Max {
			status = "failed"
		}
		var before seen
		g.Tests = append(g.Tests, gradescopeTest{
			Score: s.Score, MaxScore: s.Max, Status: status, Name: s.Title, Number: s.Stage,
			Output: strings.TrimSpace(s.remark() + "\n\n" + s.feedback(&before, len(s.Rules))), OutputFormat: "text",
		})
	}
	return g
}

// Limits of Exercism, in characters.
const (
	maxMessage = 65_535
	maxOutput  = 500
)

// exercismResult is results.json as Exercism's test runner interface has it, version 3.
type exercismResult struct {
	Version int            `json:"version"`
	Status  string         `json:"status"`
	Message *string        `json:"message"`
	Tests   []exercismTest `json:"tests,omitempty"`
}

type exercismTest struct {
	Name     string  `json:"name"`
	TestCode string  `json:"test_code"`
	Status   string  `json:"status"`
	Message  *string `json:"message"`
	Output   *string `json:"output"`
	TaskID   int     `json:"task_id"`
}

// exercism has a test for each rule. The stages are the tasks.
func (r *Report) exercism() exercismResult {
	e := exercismResult{Version: 3, Status: "pass"}
	if r.Unbuilt != "" {
		e.Status, e.Message = "error", limited(r.Unbuilt, maxMessage)
		return e
	}
	if !r.Passed() {
		e.Status = "fail"
	}
	for i := range r.Stages {
		s := &r.Stages[i]
		for k := range s.Rules {
			e.Tests = append(e.Tests, s.Rules[k].exercism(s, i+1))
		}
	}
	return e
}

func (r *RuleReport) exercism(s *StageReport, task int) exercismTest {
	t := exercismTest{
		Name: r.Rule, TestCode: r.Sentence, TaskID: task, Status: "pass", Output: limited(s.Output, maxOutput),
	}
	switch r.Verdict {
	case Broken:
		t.Status, t.Message = "fail", limited(r.text(), maxMessage)
	case Unchecked:
		t.Status, t.Message = "error", limited("Not checked. "+s.Ended, maxMessage)
	}
	return t
}

// limited cuts a text off, and is nil for an empty one.
func limited(text string, most int) *string {
	if text == "" {
		return nil
	}
	if runes := []rune(text); len(runes) > most {
		const mark = " … (cut)"
		text = string(runes[:most-len([]rune(mark))]) + mark
	}
	return &text
}
