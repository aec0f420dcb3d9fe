// Package report turns raw files into what people read: pages of findings, figures and tables. It measures nothing and
// decides nothing.
//
// A Page is a template over a struct of numbers, which tests read without parsing prose; its functions are Funcs. It
// is written as Markdown, text for a terminal, JSON or CSV. A page shows Tables; a Pivot makes a table of cells with
// typed rows and columns. A table that is too long for a page is a List, a CSV file beside it. Study makes the pages of
// the schemes and of the claims, PeersPage the page of other people's timers, package picks the pages of picks. Files
// that this program did not make are never replaced.
package report

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// Page is a document: its finding, then the reasons why it may not hold, then the rest, a template executed on Data:
//
//	body := NewTemplate("peers", `{{define "findings"}}It takes {{ns .Time}}.{{end}}## Restart
//
//	{{table .Restart}}`)
//	paths, err := NewPage("Peers", body, numbers, command, t.Sources...).Save("results/x/peers.md")
//
// It is written as Markdown, as text for a terminal, as JSON or as CSV. JSON has the tables that the template shows, in
// its order; CSV has one, the first of the lists or, without lists, the first table that is shown.
type Page struct {
	Title    string
	Findings string   // one paragraph
	Warnings []string // why the findings may not hold, a paragraph each: see Warnings
	Made     string   // the command that makes the page again
	Sources  []results.Source
	Body     *template.Template
	Data     any
	Lists    []List // files beside the page
}

// NewPage returns a page without warnings and lists. Its finding is what the template "findings" of the body makes of
// the data, as one paragraph. made is the command that makes the page again.
func NewPage(title string, body *template.Template, data any, made string, sources ...results.Source) *Page {
	return &Page{Title: title, Findings: inLine(body, "findings", data), Made: made, Sources: sources, Body: body,
		Data: data}
}

// section is what is below a heading.
type section struct {
	Title   string
	Figures []figures.XY
	Tables  []*Table
}

// List is a table too long for a page: a CSV file beside it.
type List struct {
	Name  string // of the file, without extension
	About string // what the columns are, in one line
	*Table
}

// Brief returns the first sentence of About.
func (l List) Brief() string {
	first, _, _ := strings.Cut(l.About, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

// Figures returns the figures that are shown.
func (p *Page) Figures() (all []figures.XY) {
	for _, s := range p.render(Markdown).shown {
		all = append(all, s.Figures...)
	}
	return all
}

// rendering is a body as it is written, and what it has shown below each heading.
type rendering struct {
	format Format
	text   strings.Builder
	shown  []section
}

var heading = regexp.MustCompile(`(?m)^## (.*)$`)

// section returns what is shown below the last heading written.
func (r *rendering) section() *section {
	title := ""
	if heads := heading.FindAllStringSubmatch(r.text.String(), -1); len(heads) > 0 {
		title = heads[len(heads)-1][1]
	}
	if len(r.shown) == 0 || r.shown[len(r.shown)-1].Title != title {
		r.shown = append(r.shown, section{Title: title})
	}
	return &r.shown[len(r.shown)-1]
}

func (r *rendering) table(t *Table) string {
	if t == nil || len(t.Rows) == 0 {
		return ""
	}
	s := r.section()
	s.Tables = append(s.Tables, t)
	if r.format == Text {
		return t.String()
	}
	return t.Markdown()
}

func (r *rendering) figure(f figures.XY) string {
	if f.Name == "" {
		return ""
	}
	s := r.section()
	s.Figures = append(s.Figures, f)
	if r.format == Text {
		return fmt.Sprintf("%s (%s.svg)\n", f.Title, f.Name)
	}
	// The title is also the text for those who cannot see the figure.
	alt := strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(f.Title)
	return fmt.Sprintf("![%s](figures/%s.svg)\n", alt, f.Name) // which has the title and the caption
}

// render executes the page's template for a format.
func (p *Page) render(f Format) *rendering {
	r := &rendering{format: f}
	t := template.Must(p.Body.Clone()).Funcs(template.FuncMap{"table": r.table, "figure": r.figure})
	if err := t.Execute(&r.text, p.Data); err != nil {
		panic(err) // template and data are both of this program
	}
	return r
}

var (
	blank       = regexp.MustCompile(`\n{3,}`)           // what a template leaves where a part is missing
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{Nd}_-]`) // what the name by which a link finds a heading leaves out
)

// Markdown returns the page as it is in a folder, from which its links lead.
func (p *Page) Markdown(folder string) string {
	body := p.render(Markdown).text.String()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", p.Title)
	for _, warning := range p.Warnings {
		fmt.Fprintf(&b, "> %s\n\n", warning)
	}
	fmt.Fprintf(&b, "%s\n\n", p.Findings)
	if heads := heading.FindAllStringSubmatch(body, -1); len(heads) > 1 {
		for _, h := range heads {
			anchor := notInAnchor.ReplaceAllString(strings.ReplaceAll(strings.ToLower(h[1]), " ", "-"), "")
			fmt.Fprintf(&b, "- [%s](#%s)\n", h[1], anchor)
		}
	}
	fmt.Fprintf(&b, "\n%s\n## Made from\n%s\n    %s\n\n", body, pageMark, p.Made)
	for _, s := range p.Sources {
		path, err := filepath.Rel(folder, s.Path)
		if err != nil {
			path = s.Path
		}
		fmt.Fprintf(&b, "- %s, measured by %s\n", link(filepath.Base(s.Path), filepath.ToSlash(path)), code(s.Command))
	}
	return blank.ReplaceAllString(b.String(), "\n\n")
}

// Write writes the page in a format, without its figures. CSV and JSON are for programs: the caller shows a person the
// Warnings, which CSV does not have.
func (p *Page) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		sections := []map[string]any{}
		for _, s := range p.render(f).shown {
			rows := []map[string]any{}
			for _, t := range s.Tables {
				rows = append(rows, t.records()...)
			}
			sections = append(sections, map[string]any{"title": s.Title, "rows": rows})
		}
		return WriteJSON(w, map[string]any{"version": JSONVersion, "title": p.Title, "findings": p.Findings,
			"warnings": append([]string{}, p.Warnings...), "sections": sections})
	case CSV:
		tables := slices.Clip(p.Lists)
		for _, s := range p.render(f).shown {
			for _, t := range s.Tables {
				tables = append(tables, List{Table: t})
			}
		}
		if len(tables) == 0 {
			return nil
		}
		return tables[0].csv(w)
	case Markdown:
		_, err := io.WriteString(w, p.Markdown("."))
		return err
	}
	text := strings.Join(append([]string{p.Findings}, p.Warnings...), "\n\n") + "\n\n" + p.render(Text).text.String()
	text = heading.ReplaceAllStringFunc(text, func(h string) string { return strings.ToUpper(h[len("## "):]) })
	_, err := io.WriteString(w, strings.TrimLeft(blank.ReplaceAllString(text, "\n\n"), "\n"))
	return err
}
