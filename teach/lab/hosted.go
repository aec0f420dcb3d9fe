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
