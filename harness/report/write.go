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

// JSONVersion is the version of all JSON that is written. It grows when a field is
// removed or changes its meaning.
const JSONVersion = 2

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
	return t.text(w)
}

// WriteJSON writes a value with indentation.
func WriteJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// longCell is how long a cell may be if its column is still padded in Markdown.
const longCell = 60

// Markdown returns the table as Markdown, its columns aligned where no cell is long.
func (t *Table) Markdown() string {
	rows, notes := t.texts("**")
	widths := make([]int, len(t.Heads))
	for _, row := range rows {
		for i, text := range row {
			row[i] = strings.ReplaceAll(text, "|", "\\|")
			widths[i] = max(widths[i], len([]rune(row[i])))
		}
	}
	if slices.Max(widths) > longCell {
		clear(widths)
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n\n")
	}
	for n, row := range rows {
		for i, text := range row {
			fmt.Fprintf(&b, "| %-*s ", widths[i], text)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, width := range widths {
				b.WriteString("|" + strings.Repeat("-", max(width, 1)+2))
			}
			b.WriteString("|\n")
		}
	}
	for _, note := range notes {
		b.WriteString("\n" + note + "\n")
	}
	return b.String()
}

// text writes the table for a terminal, where "*" marks the best.
func (t *Table) text(w io.Writer) error {
	rows, notes := t.texts("*")
	if t.Title != "" {
		fmt.Fprintf(w, "%s\n\n", t.Title)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(out, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	return nil
}

// String returns the table as text.
func (t *Table) String() string {
	var b strings.Builder
	_ = t.text(&b) // a Builder takes everything
	return b.String()
}

// texts returns the headings and all rows, with the best set off by marks, and the notes below.
func (t *Table) texts(mark string) (rows [][]string, notes []string) {
	shown := t.numbered()
	rows = [][]string{slices.Clone(t.Heads)}
	for _, cells := range shown.Rows {
		row := make([]string, len(t.Heads))
		for i, c := range cells {
			if row[i] = c.Text; c.Best {
				row[i] = mark + c.Text + mark
			}
		}
		rows = append(rows, row)
	}
	return rows, shown.Notes
}

// numbered returns a copy of the table as people see it: cells have the numbers of their reasons,
// and the notes are all that goes below: the table's, the cells' and the reasons.
func (t *Table) numbered() *Table {
	out := &Table{Title: t.Title, Heads: t.Heads, Notes: slices.Clone(t.Notes)}
	var reasons []string
	for _, cells := range t.Rows {
		row := slices.Clone(cells)
		for i, c := range row {
			if c.Why != "" {
				reasons = appendNew(reasons, c.Why)
				row[i].Text += fmt.Sprintf(" (%d)", 1+slices.Index(reasons, c.Why))
			}
			for note := range strings.Lines(c.Note) {
				out.Notes = appendNew(out.Notes, strings.TrimSpace(note))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	for i, why := range reasons {
		reasons[i] = fmt.Sprintf("(%d) %s", i+1, why)
	}
	if len(reasons) > 0 {
		out.Notes = append(out.Notes, strings.Join(reasons, "; ")+".")
	}
	return out
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// csv writes the table as comma-separated values, the intervals of a column in two columns beside it.
func (t *Table) csv(w io.Writer) error {
	interval := make([]bool, len(t.Heads))
	for _, cells := range t.Rows {
		for i, c := range cells {
			interval[i] = interval[i] || c.estimate().N > 0
		}
	}
	var heads []string
	for i, head := range t.Heads {
		heads = append(heads, head)
		if interval[i] {
			heads = append(heads, head+" low", head+" high")
		}
	}
	rows := [][]string{heads}
	for _, cells := range t.Rows {
		var row []string
		for i := range t.Heads {
			row = append(row, cells[i].columns(interval[i])...)
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// columns returns a cell as CSV has it: its value and, if its column has intervals, both ends, empty where open.
func (c Cell) columns(interval bool) []string {
	e, isEstimate := c.Value.(results.Estimate)
	value := fmt.Sprint(c.Value)
	switch v := c.Value.(type) {
	case results.Estimate:
		value = digits(v.Median)
	case float64:
		value = digits(v)
	case nil:
		value = c.Text
	}
	switch {
	case !interval:
		return []string{value}
	case isEstimate && e.Bounded():
		return []string{value, digits(e.Lo), digits(e.Hi)}
	}
	return []string{value, "", ""}
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
			record[key(t.Heads[i])] = c.json()
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

// json returns the cell's value as encoding/json takes it: it has no number for what is
// not finite.
func (c Cell) json() any {
	v, isNumber := c.Value.(float64)
	switch {
	case isNumber && (math.IsNaN(v) || math.IsInf(v, 0)):
		return nil
	case c.Value != nil:
		return c.Value
	case c.Why != "":
		return map[string]any{"missing": c.Why}
	}
	return c.Text
}
