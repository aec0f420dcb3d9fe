package figures

import (
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// The order in which lines that are no scheme's take schemes' looks: those that differ most on a
// grey print first.
var lookOrder = []string{"hashunsorted", "hierarchical", "tree", "hashsorted", "unordered", "simplewheel", "ordered", "null"}

// spareLooks are dashes and markers that no scheme has, for a second line of one colour.
var spareLooks = []style{
	{dash: []vg.Length{2, 1, 1, 1}, marker: marker{circle, hollow}},
	{dash: []vg.Length{12, 3, 3, 3}, marker: marker{diamond, solid}},
	{dash: []vg.Length{1, 3}},
	{dash: []vg.Length{6, 5}},
}

// stylesOf chooses the look of each line: the colour by what it is Like, and a dash or a marker
// that no other line has as long as there are any.
func stylesOf(lines []Line) []style {
	out := make([]style, len(lines))
	chosen := map[string]style{}
	for _, ln := range lines {
		if isScheme(ln.Like) {
			chosen[ln.Like] = styleOf(ln.Like)
		}
	}
	inUse := slices.Collect(maps.Values(chosen)) // in any order: nextLook only counts
	for i, ln := range lines {
		s, known := chosen[ln.Like]
		if !known || ln.Like == "" {
			s = nextLook(inUse)
			inUse = append(inUse, s)
			chosen[ln.Like] = s
		}
		out[i] = s
	}
	tellApart(lines, out)
	return out
}

func isScheme(name string) bool {
	base, _, _ := strings.Cut(name, "-")
	return slices.Contains(lookOrder, base)
}

// nextLook is the first look in the order whose colour the fewest lines have.
func nextLook(inUse []style) style {
	var best style
	fewest := len(inUse) + 1
	for _, name := range lookOrder {
		s, n := styleOf(name), 0
		for _, u := range inUse {
			if u.color == s.color {
				n++
			}
		}
		if n < fewest {
			best, fewest = s, n
		}
	}
	return best
}

// tellApart changes dashes and markers that two lines would share. A variant gives way to a scheme
// of the paper, which looks the same in all figures: a variant's marker can be another scheme's.
func tellApart(lines []Line, all []style) {
	var lined, marked []*style
	for _, ofPaper := range []bool{true, false} {
		for i, ln := range lines {
			if slices.Contains(lookOrder, ln.Like) != ofPaper {
				continue
			}
			if ln.Kind.lined() {
				lined = append(lined, &all[i])
			}
			if ln.Kind.marked() {
				marked = append(marked, &all[i])
			}
		}
	}
	replaceRepeated(lined, func(a, b style) bool { return slices.Equal(a.dash, b.dash) },
		func(s *style, from style) { s.dash = from.dash })
	replaceRepeated(marked, func(a, b style) bool { return a.marker == b.marker },
		func(s *style, from style) { s.marker = from.marker })
}

// replaceRepeated gives each style that is the same as an earlier one what take takes from the
// first look that is the same as none. The first of a kind keeps its own.
func replaceRepeated(all []*style, same func(a, b style) bool, take func(s *style, from style)) {
	var used []style
	var repeated []*style
	isUsed := func(s style) bool {
		return slices.ContainsFunc(used, func(u style) bool { return same(s, u) })
	}
	for _, s := range all {
		if isUsed(*s) {
			repeated = append(repeated, s)
		}
		used = append(used, *s)
	}
	for _, s := range repeated {
		for _, look := range slices.Concat(spareLooks, styles) {
			if !isUsed(look) {
				take(s, look)
				used = append(used, look)
				break
			}
		}
	}
}

// An entry names a line, or a prediction and what was counted for it at once.
type entry struct {
	line         int // index, of the first of the two
	name         string
	style        style
	lined, marks bool // what the sample shows
}

func entriesOf(lines []Line, styles []style) []entry {
	var entries []entry
	for i, ln := range lines {
		e := entry{i, ln.name(), styles[i], ln.Kind.lined(), ln.Kind.marked()}
		mate := slices.IndexFunc(entries, func(o entry) bool {
			return ln.Like != "" && lines[o.line].Like == ln.Like && o.name == e.name && o.lined != e.lined && o.marks != e.marks
		})
		if mate < 0 {
			entries = append(entries, e)
			continue
		}
		if m := &entries[mate]; e.lined {
			m.lined, m.style.dash = true, e.style.dash
		} else {
			m.marks, m.style.marker = true, e.style.marker
		}
	}
	return entries
}

// key draws the entry with a name cut to this width.
func (e entry) key(most vg.Length) key {
	name := shortened(lettering(labelSize, ink), e.name, most)
	switch {
	case !e.marks:
		return flatKey(e.style.line(), name)
	case !e.lined:
		return markerKey(e.style, name)
	}
	return schemeKey(e.style, name)
}
