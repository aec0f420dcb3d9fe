package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Library is what came of the rules of a timer library.
type Library struct {
	Name    string   `json:"library"`
	Version string   `json:"version"`
	Date    string   `json:"date"`
	Rules   []RuleOf `json:"rules"`
	Notes   []string `json:"notes,omitempty"` // by hand: what the library's documentation says of it
}

// RuleOf is what came of one of them: Broken, or another outcome in words, which begin with kept or "not".
type RuleOf struct {
	Rule    string   `json:"rule"`
	Outcome string   `json:"outcome"`
	Lines   []string `json:"lines,omitempty"` // what happened, and the program in lines of the protocol
}

// Broken is an outcome.
const Broken = "BROKEN"

// cell is the outcome in a table.
func (r *RuleOf) cell() string {
	switch {
	case r.Outcome == Broken:
		return "**no**"
	case strings.HasPrefix(r.Outcome, "not "):
		return "-"
	}
	return "yes"
}

// Count returns the number of rules that were checked, and of those that were broken.
func (l *Library) Count() (checked, broken int) {
	for _, r := range l.Rules {
		if r.Outcome == Broken {
			broken++
		}
		if r.cell() != "-" {
			checked++
		}
	}
	return checked, broken
}

// Write writes the library as ReadTimers reads it.
func (l *Library) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, %s\n", l.Name, l.Version, l.Date)
	for _, r := range l.Rules {
		fmt.Fprintf(&b, "%-16s %s\n", r.Rule, r.Outcome)
		for _, line := range r.Lines {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
	}
	for _, note := range l.Notes {
		fmt.Fprintf(&b, "note %s\n", note)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// ReadTimers reads libraries as Write writes them, with an empty line after each.
func ReadTimers(text string) (all []*Library, err error) {
	l := &Library{} // the last one
	for number, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		version, date, head := strings.Cut(rest, ", ")
		last := len(l.Rules) - 1
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case head && !strings.Contains(version, " ") && len(date) == len(time.DateOnly):
			l = &Library{Name: word, Version: version, Date: date}
			all = append(all, l)
		case l.Name == "":
			return nil, fmt.Errorf("line %d, %q: not a library (want NAME VERSION, DATE)", number+1, line)
		case word == "note":
			l.Notes = append(l.Notes, rest)
		case !strings.HasPrefix(line, "\t"):
			l.Rules = append(l.Rules, RuleOf{Rule: word, Outcome: strings.TrimSpace(rest)})
		case last < 0:
			return nil, fmt.Errorf("line %d, %q: not of a rule", number+1, line)
		default:
			l.Rules[last].Lines = append(l.Rules[last].Lines, line[1:])
		}
	}
	return all, nil
}

var timersBody = fileTemplate("timers.tmpl")

// TimersPage is the page of libraries; made is the command that makes it again.
func TimersPage(all []*Library, made string) *Page {
	data := map[string]any{"All": all, "Table": timersTable(all)}
	return NewPage("Other timers and the rules of this contract", timersBody, data, made)
}

// timersTable is a table of rules by libraries, without the rules that were checked of none.
func timersTable(all []*Library) *Table {
	heads := []string{"rule"}
	var rows [][]any
	for i, l := range all {
		heads = append(heads, l.Name)
		for _, r := range l.Rules {
			at := slices.IndexFunc(rows, func(row []any) bool { return row[0] == r.Rule })
			if at < 0 {
				at, rows = len(rows), append(rows, append([]any{r.Rule}, slices.Repeat([]any{""}, len(all))...))
			}
			rows[at][1+i] = r.cell()
		}
	}
	t := NewTable(heads...)
	for _, row := range rows {
		if slices.Contains(row, any("yes")) || slices.Contains(row, any("**no**")) {
			t.Add(row...)
		}
	}
	return t
}
