package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/renameio/v2/maybe"

	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// Page is a document of sections: findings first, long tables last.
type Page struct {
	Title    string
	Findings string   // one paragraph
	Warnings []string // why the findings may not hold, a paragraph each: see Warnings
	Made     string   // the command that makes the page again
	Sources  []results.Source
	Sections []Section
}

// Section is a part of a page. Figures come before tables.
type Section struct {
	Title   string
	Text    string // Markdown
	Figures []Named
	Tables  []*Table
	Long    bool // left out on a terminal
}

// Add appends sections without their empty tables, unless nothing is left to show.
func (p *Page) Add(sections ...Section) {
	for _, s := range sections {
		s.Tables = slices.DeleteFunc(s.Tables, func(t *Table) bool { return len(t.Rows) == 0 })
		if len(s.Tables)+len(s.Figures) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
}

// Named is a figure and the name of its file, without extension. The frame's title
// is the figure's text for those who cannot see it, and its caption.
type Named struct {
	Name   string
	Figure figures.Figure
	Frame  figures.Frame
}

// SaveFigures writes figures into dir in one format, svg or png, and returns the
// paths.
func SaveFigures(dir, format string, all []Named) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range all {
		path := filepath.Join(dir, f.Name+"."+format)
		if err := figures.Save(path, f.Figure); err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// Figures returns the figures of all sections.
func (p *Page) Figures() (all []Named) {
	for _, s := range p.Sections {
		all = append(all, s.Figures...)
	}
	return all
}

// Save writes the page to path as Markdown, and its figures into the folder figures
// below that of the page. It returns all paths, the page's first.
func (p *Page) Save(path string) (paths []string, err error) {
	folder := filepath.Dir(path)
	if all := p.Figures(); len(all) > 0 {
		paths, err = SaveFigures(filepath.Join(folder, "figures"), "svg", all)
	} else {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return nil, err
	}
	return append([]string{path}, paths...), maybe.WriteFile(path, []byte(p.Markdown(folder)), 0o644)
}

// Markdown returns the page as it is in a folder, from which its links lead.
func (p *Page) Markdown(folder string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", p.Title)
	for _, warning := range p.Warnings {
		fmt.Fprintf(&b, "> %s\n\n", warning)
	}
	if p.Findings != "" {
		b.WriteString(p.Findings + "\n\n")
	}
	if note := p.note(); note != "" {
		fmt.Fprintf(&b, "> **%s**\n\n", note)
	}
	if len(p.Sections) > 1 {
		for _, s := range p.Sections {
			fmt.Fprintf(&b, "- [%s](#%s)\n", s.Title, anchor(s.Title))
		}
		b.WriteString("\n")
	}
	for _, s := range p.Sections {
		b.WriteString(s.markdown())
	}
	fmt.Fprintf(&b, "## Made from\n\nMade by the command below; do not edit.\n\n    %s\n\n", p.Made)
	for _, s := range p.Sources {
		link, err := filepath.Rel(folder, s.Path)
		if err != nil {
			link = s.Path
		}
		fmt.Fprintf(&b, "- [%s](%s), measured by `%s`\n", filepath.Base(s.Path), filepath.ToSlash(link), s.Command)
	}
	return b.String()
}

// noteFile is a note in a folder of raw files, written by hand. Every page made from them shows it.
const noteFile = "note.md"

// note returns the notes on the page's raw files, with their folder if there are several.
func (p *Page) note() string {
	var notes, folders []string
	for _, s := range p.Sources {
		folders = appendNew(folders, filepath.Dir(s.Path))
	}
	for _, folder := range folders {
		text, _ := os.ReadFile(filepath.Join(folder, noteFile)) // most folders have none
		words := strings.Join(strings.Fields(string(text)), " ")
		if len(folders) > 1 && words != "" {
			words = filepath.Base(folder) + ": " + words
		}
		notes = append(notes, words)
	}
	return strings.TrimSpace(strings.Join(notes, " "))
}

func (s Section) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", s.Title)
	if s.Text != "" {
		b.WriteString(strings.TrimRight(s.Text, "\n") + "\n\n")
	}
	for _, f := range s.Figures {
		alt := strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(f.Frame.Title)
		fmt.Fprintf(&b, "![%s](figures/%s.svg)\n\n", alt, f.Name)
		if len(f.Frame.Caption) > 0 {
			fmt.Fprintf(&b, "*%s.* %s\n\n", strings.TrimRight(f.Frame.Title, "."), f.Frame.Caption[0])
		}
	}
	for _, t := range s.Tables {
		b.WriteString(t.Markdown() + "\n")
	}
	return b.String()
}

// anchor returns the name by which a link finds a heading.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// Write writes the page in a format, without its figures.
func (p *Page) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, p.document())
	case Markdown:
		_, err := io.WriteString(w, p.Markdown("."))
		return err
	}
	if text := p.opening(); f == Text && text != "" {
		fmt.Fprintf(w, "%s\n\n", text)
	}
	for _, s := range p.Sections {
		if f == Text && s.Long {
			continue
		}
		if err := s.write(w, f); err != nil {
			return err
		}
	}
	return nil
}

// opening is the page's paragraphs above its sections, for a terminal.
func (p *Page) opening() string {
	if p.Findings == "" {
		return strings.Join(p.Warnings, "\n\n")
	}
	return strings.Join(append([]string{p.Findings}, p.Warnings...), "\n\n")
}

// document returns what JSON has of the page.
func (p *Page) document() map[string]any {
	sections := []map[string]any{}
	for _, s := range p.Sections {
		rows := []map[string]any{}
		for _, t := range s.Tables {
			rows = append(rows, t.records()...)
		}
		sections = append(sections, map[string]any{"title": s.Title, "text": s.Text, "rows": rows})
	}
	return map[string]any{"version": JSONVersion, "title": p.Title, "findings": p.Findings,
		"warnings": append([]string{}, p.Warnings...), "sections": sections}
}

// write writes a section for a terminal or as CSV, where a line with its title
// comes before its tables.
func (s Section) write(w io.Writer, f Format) error {
	switch {
	case f != CSV:
		fmt.Fprintf(w, "%s\n\n", strings.ToUpper(s.Title))
		if s.Text != "" {
			fmt.Fprintf(w, "%s\n\n", strings.TrimRight(s.Text, "\n"))
		}
		for _, f := range s.Figures {
			fmt.Fprintf(w, "%s (%s.svg)\n\n", f.Frame.Title, f.Name)
		}
	case len(s.Tables) > 0:
		if err := csv.NewWriter(w).WriteAll([][]string{{"# " + s.Title}}); err != nil {
			return err
		}
	}
	for _, t := range s.Tables {
		if err := t.Write(w, f); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}
