package hierarchical

import (
	_ "embed"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 7.
var Info = schemes.Info{
	Number: 7,
	Name:   "hierarchical",
	Title:  "Hierarchical wheels",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.Hierarchy,
	New:    New,
	Range:  longest,
	Bytes:  variant{}.bytes,
}
