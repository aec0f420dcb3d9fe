package report

import (
	"bytes"
	_ "embed" // the template
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/yuin/goldmark"

	"timerlab/harness/figures"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"anchor": anchor, "figure": drawn, "markdown": fromMarkdown, "note": (*Page).note,
	"numbered": (*Table).numbered, "number": Cell.number,
}).Parse(pageHTML))

// HTML writes the page as one file that needs no other: its figures are in it, and its
// tables can be sorted by a click on a heading.
func (p *Page) HTML(w io.Writer) error {
	var b bytes.Buffer // so that nothing is written after an error
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// fromMarkdown converts text, in which HTML is left out.
func fromMarkdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	err := goldmark.Convert([]byte(text), &b)
	return template.HTML(b.String()), err
}

// drawn returns a figure as an element of a page: an SVG without the head of a file.
func drawn(f Named) (template.HTML, error) {
	data, err := figures.Render(f.Figure, "svg")
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	text := string(data)
	return template.HTML(text[max(0, strings.Index(text, "<svg")):]), nil
}

// number returns the number by which a cell is sorted, or "" for a text.
func (c Cell) number() string {
	text, err := json.Marshal(c.plain())
	if err != nil || json.Unmarshal(text, new(float64)) != nil {
		return ""
	}
	return string(text)
}
