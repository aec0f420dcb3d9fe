// Package harness holds the registry of all schemes. Its go test -bench entry points
// measure one scheme at a time; package run interleaves them.
package harness

import (
	"fmt"
	"strings"

	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
	"timerlab/schemes/unordered"
)

// Schemes is the registry: the paper's seven in its order, then variants. A new
// scheme is a package of its own and one line here.
var Schemes = []*schemes.Info{
	&unordered.Info,
	&ordered.Info,
	&tree.Info,
	&simplewheel.Info,
	&hashsorted.Info,
	&hashunsorted.Info,
	&hierarchical.Info,

	&ordered.Rear,
	&tree.Quaternary,
	&tree.Unbalanced,
	&simplewheel.Overflow,
	&simplewheel.Tegas,
	&hashunsorted.Absolute,
	&hashunsorted.Lazy,
	&hashunsorted.Chunked,
	&hierarchical.ByInterval,
	&hierarchical.NoMigrate,
	&hierarchical.Once,
	&hierarchical.Chunked,
	&hierarchical.Ahead,
	&hierarchical.AheadChunked,
}

// Find returns the scheme of this name in Schemes.
func Find(name string) (*schemes.Info, error) {
	for _, info := range Schemes {
		if info.Name == name {
			return info, nil
		}
	}
	return nil, fmt.Errorf("unknown scheme %q (have %s)", name, strings.Join(Names(), ", "))
}

// Names returns the names of Schemes.
func Names() (names []string) {
	for _, info := range Schemes {
		names = append(names, info.Name)
	}
	return names
}
