package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"timerlab/harness/results"
)

// Format is what a table or a page is written as.
type Format string

// Formats.
const (
	Text     Format = "text" // for a terminal
	JSON     Format = "json"
	CSV      Format = "csv"
	Markdown Format = "md"
)

// Formats lists them all.
var Formats = []Format{Text, JSON, CSV, Markdown}

// JSONVersion is the version of all JSON that is written. It grows when a field is removed or changes its meaning.
const JSONVersion = 7

// Write writes the table in a format.
func (t *Table) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, map[string]any{"version": JSONVersion, "rows": t.records()})
	case CSV:
		return t.csv(w)
	case Markdown:
		_, err := io.WriteString(w, t.Markdown())
		return err
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// WriteJSON writes a value with indentation.
func WriteJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// Markdown returns the table as Markdown. Its columns are not aligned: pages are read as they are rendered.
func (t *Table) Markdown() string {
	title, rows, notes := t.texts("**")
	var b strings.Builder
	for n, row := range rows {
		b.WriteString("|")
		for _, text := range row {
			b.WriteString(" " + strings.ReplaceAll(text, "|", "\\|") + " |")
		}
		b.WriteString("\n")
		if n == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return title + b.String() + notes
}

// String returns the table for a terminal, where "*" marks the best.
func (t *Table) String() string {
	title, rows, notes := t.texts("*")
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(out, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	_ = out.Flush() // a Builder takes everything
	return title + b.String() + notes
}

// texts returns the title, the headings and all rows as people see them: the best set off by marks, cells without a
// value with the number of the reason. The notes are all that goes below: the table's, the cells' and the reasons.
func (t *Table) texts(mark string) (title string, rows [][]string, below string) {
	if t.Title != "" {
		title = t.Title + "\n\n"
	}
	rows = append(rows, slices.Clone(t.Heads))
	notes := slices.Clone(t.Notes)
	var reasons []string
	for _, cells := range t.Rows {
		row := make([]string, len(t.Heads))
		for i, c := range cells {
			row[i] = c.Text
			if c.Why != "" {
				reasons = appendNew(reasons, c.Why)
				row[i] += fmt.Sprintf(" (%d)", 1+slices.Index(reasons, c.Why))
			}
			if c.Best {
				row[i] = mark + row[i] + mark
			}
			for note := range strings.Lines(c.Note) {
				notes = appendNew(notes, strings.TrimSpace(note))
			}
		}
		rows = append(rows, row)
	}
	for i, why := range reasons {
		reasons[i] = fmt.Sprintf("(%d) %s", i+1, why)
	}
	if len(reasons) > 0 {
		notes = append(notes, strings.Join(reasons, "; ")+".")
	}
	for _, note := range notes {
		below += "\n" + note + "\n"
	}
	return title, rows, below
}

func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// csv writes the table as comma-separated values. The intervals of a column are in two columns beside it, empty where
// they are open.
func (t *Table) csv(w io.Writer) error {
	rows := make([][]string, 1+len(t.Rows))
	for i, head := range t.Heads {
		intervals := slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[i].estimate().N > 0 })
		if rows[0] = append(rows[0], head); intervals {
			rows[0] = append(rows[0], head+" low", head+" high")
		}
		for n, row := range t.Rows {
			value, low, high := fmt.Sprint(row[i].Value), "", ""
			switch v := row[i].Value.(type) {
			case results.Estimate:
				if value = digits(v.Median); v.Bounded() {
					low, high = digits(v.Lo), digits(v.Hi)
				}
			case float64:
				value = digits(v)
			case nil:
				value = row[i].Text
			}
			if rows[n+1] = append(rows[n+1], value); intervals {
				rows[n+1] = append(rows[n+1], low, high)
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// digits writes a number with seven significant digits, more than any measurement has, and whole numbers in full.
func digits(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 7, 64)
}

// records returns a map from headings to values for each row.
func (t *Table) records() []map[string]any {
	all := []map[string]any{}
	for _, cells := range t.Rows {
		record := map[string]any{}
		for i, c := range cells {
			switch v, isNumber := c.Value.(float64); {
			case isNumber:
				record[key(t.Heads[i])] = results.Finite(v)
			case c.Value != nil:
				record[key(t.Heads[i])] = c.Value
			case c.Why != "":
				record[key(t.Heads[i])] = map[string]any{"missing": c.Why}
			default:
				record[key(t.Heads[i])] = c.Text
			}
		}
		all = append(all, record)
	}
	return all
}

// key makes a key of a heading, of ASCII letters and digits: "T* measured" is T_measured.
func key(head string) string {
	return strings.Join(strings.FieldsFunc(head, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "_")
}
