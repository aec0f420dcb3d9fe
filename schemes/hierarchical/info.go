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
	Bytes: func(n int, cfg schemes.Config) int64 {
		slots, err := countSlots(radices(cfg))
		if err != nil || cfg.Capacity < 0 {
			return 0
		}
		return store.Bytes(n, cfg, slots)
	},
}
