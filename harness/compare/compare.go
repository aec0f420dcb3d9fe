package compare

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"

	"timerlab/harness/results"
)

// File is one raw file, or several that are pooled under one label.
type File struct {
	Label string // as benchstat's .file
	Table *results.Table
}

// Load reads the files that arguments name as benchstat does: a path, or label=path.
// Files with equal labels are pooled.
func Load(args ...string) ([]File, error) {
	var labels []string
	paths := map[string][]string{}
	for _, arg := range args {
		label, path, ok := strings.Cut(arg, "=")
		if !ok {
			label, path = arg, arg
		}
		labels = appendNew(labels, label)
		paths[label] = append(paths[label], path)
	}
	var files []File
	for _, label := range labels {
		t, err := results.Load(paths[label]...)
		if err != nil {
			return nil, err
		}
		files = append(files, File{label, t})
	}
	return files, nil
}

// Comparison is what differs between the columns of a query, the first of which is the
// base.
type Comparison struct {
	Files   []File
	Base    string
	Pairs   []Pair // those of exact units last
	Missing []Absent
	Pooled  []string // keys in which benchmarks of one cell vary
}

// Pair is one unit in the base and in another column.
type Pair struct {
	Unit, Col string
	Exact     bool
	Rows      []Row // those that both columns have
}

// Row is one row of a pair.
type Row struct {
	Name string
	Difference
	Adjusted float64 // P by Holm's method, over the rows of the pair
}

// Absent is a row that one column has and another does not.
type Absent struct {
	Row, Unit string // unit "": all of them
	Col       string // that lacks it
	Why       string // as the file says, or ""
}

// alpha is the level of every test in a comparison, adjusted for their number.
const alpha = 0.05

// Changed reports whether the row differs, by more than chance would have it.
func (r Row) Changed() bool {
	if r.Exact {
		return r.Base.Median != r.New.Median
	}
	return r.Adjusted < alpha
}

// Compare compares the columns that a query makes of files.
func Compare(files []File, q Query) (*Comparison, error) {
	g, err := newGrid(q)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		g.add(f)
	}
	if len(g.cols) == 0 {
		return nil, &QueryError{"filter", q.Filter, "no cell matches"}
	}
	benchproc.SortKeys(g.cols)
	benchproc.SortKeys(g.rows)
	if len(g.cols) < 2 {
		return nil, &QueryError{"col", cmp.Or(q.Col, byFile), "only " + nameOf(g.cols[0]) +
			" to compare (name two files, or a key of which the file has two values)"}
	}
	c := &Comparison{Files: files, Base: nameOf(g.cols[0]), Pooled: g.pooled(), Missing: g.missing(files)}
	var exact []Pair
	for _, unit := range g.units {
		for _, col := range g.cols[1:] {
			switch p := g.pair(unit, col); {
			case len(p.Rows) == 0:
			case p.Exact:
				exact = append(exact, p)
			default:
				c.Pairs = append(c.Pairs, p)
			}
		}
	}
	c.Pairs = append(c.Pairs, exact...)
	return c, nil
}

// nameOf returns the value of a row's or a column's key, "old.txt", or the keys and values
// of several: ".name:Start /n:1k".
func nameOf(k benchproc.Key) string {
	if len(k.Projection().FlattenedFields()) > 1 {
		return k.String()
	}
	return cmp.Or(k.StringValues(), "(no value)")
}

// pair compares one unit of a column with the base.
func (g *grid) pair(unit string, col benchproc.Key) Pair {
	p := Pair{Unit: unit, Col: nameOf(col), Exact: g.exact[unit]}
	var pValues []float64
	for _, row := range g.rows {
		base, now := g.cells[place{row, g.cols[0]}], g.cells[place{row, col}]
		if base == nil || now == nil || base.samples[unit] == nil && now.samples[unit] == nil {
			continue
		}
		was, is := g.values(base, unit), g.values(now, unit)
		if len(was) == 0 || len(is) == 0 {
			continue
		}
		d := differ(was, is, p.Exact)
		p.Rows = append(p.Rows, Row{Name: nameOf(row), Difference: d})
		pValues = append(pValues, d.P)
	}
	for i, adjusted := range holm(pValues) {
		p.Rows[i].Adjusted = adjusted
	}
	return p
}

// pooled returns the keys in which the benchmarks of a cell vary.
func (g *grid) pooled() (keys []string) {
	for _, c := range g.cells {
		for _, field := range benchproc.NonSingularFields(c.residue) {
			keys = appendNew(keys, field.Name)
		}
	}
	slices.Sort(keys)
	return keys
}

// missing returns the rows that not all columns have, in the order of rows.
func (g *grid) missing(files []File) (all []Absent) {
	for _, row := range g.rows {
		for _, col := range g.cols {
			c := g.cells[place{row, col}]
			if c == nil {
				all = append(all, Absent{Row: nameOf(row), Col: nameOf(col), Why: whyMissing(files, row, col)})
				continue
			}
			for _, unit := range g.units {
				if c.samples[unit] == nil && !g.exact[unit] && g.has(row, unit) {
					all = append(all, Absent{Row: nameOf(row), Unit: unit, Col: nameOf(col)})
				}
			}
		}
	}
	return all
}

// has reports whether any column has a unit in a row.
func (g *grid) has(row benchproc.Key, unit string) bool {
	return slices.ContainsFunc(g.cols, func(col benchproc.Key) bool {
		c := g.cells[place{row, col}]
		return c != nil && c.samples[unit] != nil
	})
}

// whyMissing returns what the column's file says of a row that it lacks.
func whyMissing(files []File, row, col benchproc.Key) string {
	k := results.ParseKey(nameOf(row))
	for _, f := range files {
		if why, ok := f.Table.MissingOf(k); ok && f.Label == nameOf(col) {
			return why.Why
		}
	}
	return ""
}
