package simplewheel

import (
	_ "embed"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

//go:embed variants.md
var variants string

// Info describes scheme 4.
var Info = schemes.Info{
	Number: 4,
	Name:   "simplewheel",
	Title:  "Simple wheel",
	Doc:    store.DocText(doc) + "\n" + variants,
	Kind:   schemes.Wheel,
	New:    New,
	Range:  func(cfg schemes.Config) schemes.Tick { return schemes.Tick(store.SlotsOf(cfg)) },
	Bytes:  store.WheelBytes,
}
