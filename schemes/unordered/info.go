package unordered

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 1.
var Info = schemes.Info{
	Number: 1,
	Name:   "unordered",
	Title:  "Unordered list",
	Doc:    store.DocText(doc),
	Kind:   schemes.List,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  func(n int, cfg schemes.Config) int64 { return store.Bytes(n, cfg, 1) },
}
