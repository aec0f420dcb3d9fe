package hashsorted

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 5.
var Info = schemes.Info{
	Number: 5,
	Name:   "hashsorted",
	Title:  "Hashed wheel, sorted lists",
	Doc:    store.DocText(doc),
	Kind:   schemes.HashedWheel,
	Sorted: true,
	New:    New,
	Range:  func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	Bytes:  store.WheelBytes,
}
