package report

import (
	"embed"
	"math"
	"reflect"
	"strings"
	"text/template"

	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// Funcs are the functions of the templates of pages. The first group writes a number (a float64, or a whole number)
// or an Estimate, which gets its interval. In a table it is a Cell with its value:
//
//	{{ns .Time}}  27.3 ns (27.2 ns to 27.9 ns)       {{ns .Time.Median}}  27.3 ns
//	ns, bytes, number, ratio (two decimals), percent (of a share)
//
// An Estimate of no samples, and a number that is not finite, are "-". A table is made of its headings and rows:
//
//	{{$t := heads "n" "cost"}}{{range .Sizes}}{{row $t (count .N) (ns .Time)}}{{end}}{{table $t}}
//
//	{{none "why"}}              a cell without a value, with the reason
//	{{more .Regret}}            54.3 % or, from 100 % on, how many times as much: 24.6×
//	{{count 100000}}            100k
//	{{plural 2 "cell"}}         2 cells
//	{{join .Names ", "}}        one text of several
//	{{table .Costs}}            a *Table, or nothing if it has no rows
//	{{figure .Map}}             a figure with its title and caption, or nothing
//	{{deciders .Claim}}         the comparisons of a claim, as text
//
// A Page replaces table and figure by functions that know its format: see render.
var Funcs = template.FuncMap{
	"ns":       showing(units.FormatNanos),
	"bytes":    showing(units.FormatBytes),
	"number":   showing(units.FormatNumber),
	"ratio":    showing(units.FormatRatio),
	"percent":  showing(percent),
	"more":     more,
	"count":    func(n any) string { return workload.Count(float(n)).String() },
	"plural":   units.Plural[int],
	"join":     func(all []string, separator string) string { return strings.Join(all, separator) },
	"deciders": deciders,
	"heads":    NewTable,
	"none":     None,
	"free":     freeTable,
	"row":      func(t *Table, cells ...any) string { t.Add(cells...); return "" },
	"table":    func(t *Table) string { return new(rendering).table(t) },
	"figure":   func(f figures.XY) string { return new(rendering).figure(f) },
}

//go:embed *.tmpl
var files embed.FS

// NewTemplate parses a template together with common.tmpl, which several pages share. It panics if it does not parse.
func NewTemplate(name, text string) *template.Template {
	t := template.Must(template.New(name).Funcs(Funcs).ParseFS(files, "common.tmpl"))
	return template.Must(t.Parse(text))
}

// inLine executes a template that makes one paragraph, and returns it on one line.
func inLine(t *template.Template, name string, data any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // template and data are both of this program
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// phrase returns a text of texts.tmpl: titles and captions of figures, and warnings.
func phrase(name string, data any) string { return inLine(texts, name, data) }

var texts = fileTemplate("texts.tmpl")

// fileTemplate parses a file of this package.
func fileTemplate(name string) *template.Template {
	return template.Must(NewTemplate("", "").ParseFS(files, name)).Lookup(name)
}

// showing returns a function of templates that writes numbers and Estimates in a unit.
func showing(show func(float64) string) func(any) Cell {
	return func(v any) Cell {
		if e, ok := v.(results.Estimate); ok {
			return Interval(e, show)
		}
		return Cell{Text: show(float(v)), Value: v}
	}
}

// float returns a number of any type as a float64; NaN for anything else.
func float(v any) float64 {
	n, number := reflect.ValueOf(v), reflect.TypeFor[float64]()
	if n.IsValid() && n.CanConvert(number) {
		return n.Convert(number).Float()
	}
	return math.NaN()
}

// percent writes a share in hundredths of a percent at the finest, which three digits are from 1 % on.
func percent(share float64) string {
	if math.Abs(share) < 0.01 {
		share = math.Round(1e4*share) / 1e4
	}
	return units.FormatPercent(share)
}

// link returns a Markdown link. A path with spaces or brackets is written in angle brackets.
func link(text, path string) string {
	if strings.ContainsAny(path, " ()<>") {
		path = "<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(path) + ">"
	}
	return "[" + strings.NewReplacer("[", "\\[", "]", "\\]").Replace(text) + "](" + path + ")"
}

// code returns text as Markdown code. More backquotes than there are in the text enclose it.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence != "`" {
		text = " " + text + " "
	}
	return fence + text + fence
}
