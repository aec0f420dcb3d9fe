package report

import (
	"fmt"
	"io"
	"strings"
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

// Count returns the number of rules that were checked, and of those that were broken.
func (l *Library) Count() (checked, broken int) {
	for _, r := range l.Rules {
		if r.Outcome == Broken {
			broken++
		}
		if !strings.HasPrefix(r.Outcome, "not ") {
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
	for number, line := range strings.Split(text, "\n") {
		last := len(all) - 1
		word, rest, _ := strings.Cut(line, " ")
		version, date, head := strings.Cut(rest, ", ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case head && !strings.Contains(version, " ") && len(date) == len("2006-01-02"):
			all = append(all, &Library{Name: word, Version: version, Date: date})
		case last < 0:
			return nil, fmt.Errorf("line %d, %q: not a library (want NAME VERSION, DATE)", number+1, line)
		case word == "note":
			all[last].Notes = append(all[last].Notes, rest)
		case strings.HasPrefix(line, "\t"):
			if len(all[last].Rules) == 0 {
				return nil, fmt.Errorf("line %d, %q: not of a rule", number+1, line)
			}
			r := &all[last].Rules[len(all[last].Rules)-1]
			r.Lines = append(r.Lines, line[1:])
		default:
			all[last].Rules = append(all[last].Rules, RuleOf{Rule: word, Outcome: strings.TrimSpace(rest)})
		}
	}
	return all, nil
}

var timersBody = fileTemplate("timers.tmpl")

// TimersPage is the page of libraries; made is the command that makes it again.
func TimersPage(all []*Library, made string) *Page {
	return NewPage("Other timers and the rules of this contract", timersBody, map[string]any{"All": all, "Table": timersTable(all)}, made)
}

// timersTable is a table of rules by libraries.
func timersTable(all []*Library) *Table {
	heads, rules := []string{"rule"}, []string{}
	seen := map[string]bool{}
	for _, l := range all {
		heads = append(heads, l.Name)
		for _, r := range l.Rules {
			if !seen[r.Rule] {
				seen[r.Rule], rules = true, append(rules, r.Rule)
			}
		}
	}
	t := NewTable(heads...)
	for _, rule := range rules {
		row, answered := []any{rule}, false
		for _, l := range all {
			cell := ""
			for _, r := range l.Rules {
				switch {
				case r.Rule != rule:
				case r.Outcome == Broken:
					cell = "**no**"
				case strings.HasPrefix(r.Outcome, "not "):
					cell = "-"
				default:
					cell = "yes"
				}
			}
			row, answered = append(row, cell), answered || len(cell) > 1
		}
		if answered {
			t.Add(row...)
		}
	}
	return t
}
