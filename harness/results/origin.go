package results

import "slices"

// origin is what the output of go test says of a result besides its name. Results with equal names and different
// origins are of different cells. The zero origin is a file of ours.
type origin struct {
	pkg   string // the package; "": not known
	procs string // GOMAXPROCS
}

// key returns the key of a name with the package and GOMAXPROCS as two keys more, or without one of them.
func (o origin) key(name Key, pkg, procs bool) Key {
	if pkg && o.pkg != "" {
		name.Rest += "/pkg=" + o.pkg
	}
	if procs && o.procs != "" {
		name.Rest += "/" + procsKey + "=" + o.procs
	}
	return name
}

// named returns a table whose keys have the package and GOMAXPROCS, or not.
func (t *Table) named(pkg, procs bool) *Table {
	n := *t
	n.Keys, n.rows = nil, make(map[Key]*row, len(t.rows))
	for _, k := range t.Keys {
		r := *t.rows[k]
		r.cell.Key = r.key(r.name, pkg, procs)
		n.Keys, n.rows[r.cell.Key] = append(n.Keys, r.cell.Key), &r
	}
	return &n
}

// origins returns the packages and the numbers of GOMAXPROCS of a table's results.
func (t *Table) origins() (pkgs, procs []string) {
	for _, r := range t.rows {
		pkgs, procs = append(pkgs, r.pkg), append(procs, r.procs)
	}
	slices.Sort(pkgs)
	slices.Sort(procs)
	return slices.Compact(pkgs), slices.Compact(procs)
}

// Align returns two tables in which equal keys are of the same cell. Keys have the package if a table has several, or
// each has one and they differ. Keys have GOMAXPROCS only if a table has several: tables with one each have the same
// cells, since counts are equal on any number of processors; Procs is for times.
func Align(base, now *Table) (*Table, *Table) {
	pkgs, procs := base.origins()
	newPkgs, newProcs := now.origins()
	one := len(pkgs) == 1 && len(newPkgs) == 1
	byPkg := !one || pkgs[0] != newPkgs[0] && pkgs[0] != "" && newPkgs[0] != ""
	byProcs := len(procs) > 1 || len(newProcs) > 1
	return base.named(byPkg, byProcs), now.named(byPkg, byProcs)
}

// Procs returns the GOMAXPROCS of a cell that go test measured; "" of others, whose files have it in their heads.
func (t *Table) Procs(k Key) string {
	if r := t.rows[k]; r != nil {
		return r.procs
	}
	return ""
}
