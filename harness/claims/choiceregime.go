package claims

import (
	"cmp"
	"slices"
	"strings"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

var (
	sixName   = hashunsorted.Info.Name
	sevenName = hierarchical.Info.Name
)

// Form is how the slots of schemes 6 and 7 hold their timers: what their names end in.
type Form string

// Forms.
const (
	Linked  Form = ""
	Chunked Form = "-chunked"
)

// String returns linked or chunked.
func (f Form) String() string { return cmp.Or(strings.TrimPrefix(string(f), "-"), "linked") }

// formOf returns the form of a cell and whether it is of scheme 6 or 7; 0 if it is of neither.
func formOf(k results.Key) (Form, int) {
	for _, f := range []Form{Linked, Chunked} {
		switch k.Scheme {
		case sixName + string(f):
			return f, 6
		case sevenName + string(f):
			return f, 7
		}
	}
	return Linked, 0
}

// regime is what one fit is for. What a step costs depends on n, by what the caches hold, and on the
// form: costs fitted in one regime judge no other.
type regime struct {
	form Form
	n    string
}

// has reports whether a cell is of a scheme, 6 or 7, in this regime. The grid has no restarts and no
// open arrivals: no rule covers them.
func (r regime) has(k results.Key, scheme int) bool {
	form, number := formOf(k)
	return k.Op == lifetime && k.N == r.n && k.Rest == "" && form == r.form && number == scheme
}

// regimes returns those that have cells to fit on and cells to judge, linked before chunked and by n.
func regimes(t *results.Table) (all []regime) {
	fitted, judged := map[regime]bool{}, map[regime]bool{}
	for _, k := range t.Keys {
		form, number := formOf(k)
		r := regime{form, k.N}
		if number != 7 || !r.has(k, 7) {
			continue
		}
		if k.Dist == fitDist.String() {
			fitted[r] = true
		} else {
			judged[r] = true
		}
	}
	for r := range judged {
		if fitted[r] {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b regime) int {
		n, _ := results.ParseCount(a.n)
		o, _ := results.ParseCount(b.n)
		return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(n, o))
	})
	return all
}

// SixOf returns the cell of scheme 6 on the workload of a cell of scheme 7.
func SixOf(seven results.Key) results.Key {
	form, _ := formOf(seven)
	seven.Scheme, seven.Levels = sixName+string(form), ""
	return seven
}

// nullKey returns the cell of the null scheme on the workload of a cell.
func nullKey(k results.Key) results.Key {
	k.Scheme, k.Levels = drive.Null.Name, ""
	return k
}
