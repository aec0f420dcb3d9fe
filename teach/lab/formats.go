package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Format is a form in which a grade is written.
type Format string

// Formats of a grade.
const (
	Text       Format = "text"
	JSON       Format = "json"
	Gradescope Format = "gradescope" // results.json of its autograders
)

// Formats lists them all.
var Formats = []Format{Text, JSON, Gradescope}

// Write writes the grade.
func (r *Report) Write(w io.Writer, f Format) error {
	var v any = r
	switch f {
	case Text:
		_, err := io.WriteString(w, r.text())
		return err
	case Gradescope:
		v = r.gradescope()
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// text is the points of each stage, and the first broken rule of each.
func (r *Report) text() string {
	var b strings.Builder
	if r.Unbuilt != "" {
		fmt.Fprintf(&b, "%s does not compile, so it has no points:\n\n%s\n", r.Module, r.Unbuilt)
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %d of %d points\n\n", r.title(), r.Score, r.Max)
	for i := range r.Stages {
		s := &r.Stages[i]
		fmt.Fprintf(&b, "  %s  %-22s %2d of %2d points   %s\n", s.Stage, s.Title, s.Score, s.Max, s.remark())
	}
	b.WriteString("\n")
	if r.Passed() {
		b.WriteString("Your scheme keeps every rule.\n")
		return b.String()
	}
	b.WriteString("Begin with the first rule below: the others may follow from it.\n")
	var before seen
	for i := range r.Stages {
		s := &r.Stages[i]
		if text := s.feedback(&before, 1); text != "" {
			fmt.Fprintf(&b, "\n%s, %s\n\n%s", s.Stage, s.Title, text)
		}
	}
	return b.String()
}

// title names the module, and the scheme that it says it is.
func (r *Report) title() string {
	if r.Number == 0 {
		return r.Module
	}
	return fmt.Sprintf("%s, graded as scheme %d", r.Module, r.Number)
}

// remark says how many rules are kept, and why a stage has no points.
func (s *StageReport) remark() string {
	text := fmt.Sprintf("%d of %d rules", s.kept(), len(s.Rules))
	if s.Score == 0 {
		text += "; no points until " + s.Key + " holds"
	}
	return text
}

// feedback is the broken rules of a stage, the first most in full, those that broke in the
// same way before by name.
func (s *StageReport) feedback(before *seen, most int) string {
	var full, names []string
	for i := range s.Rules {
		r := &s.Rules[i]
		switch {
		case r.Verdict != Broken:
		case len(full) < most && before.add(r.Rule, r.Got):
			full = append(full, r.text()+"\n")
		default:
			names = append(names, r.Rule)
		}
	}
	text := strings.Join(full, "\n")
	if len(names) > 0 && text == "" {
		text = "Broken in a way shown above: " + strings.Join(names, ", ") + ".\n"
	} else if len(names) > 0 {
		text += "\nAlso broken: " + strings.Join(names, ", ") + ".\n"
	}
	rest := s.names(Unchecked)
	switch {
	case len(rest) == len(s.Rules) && before.add("", s.Ended):
		return text + s.Ended + "\n"
	case len(rest) == len(s.Rules):
		return text + "Not checked, for the same reason.\n"
	case len(rest) > 0:
		text += "\nNot checked: " + strings.Join(rest, ", ") + ".\n"
	}
	return text
}
