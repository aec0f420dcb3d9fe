package hashunsorted

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 6.
var Info = schemes.Info{
	Number: 6,
	Name:   "hashunsorted",
	Title:  "Hashed wheel, unsorted lists",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.HashedWheel,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.WheelBytes,
}
