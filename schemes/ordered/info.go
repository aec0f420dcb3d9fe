package ordered

import (
	_ "embed"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

//go:embed doc.go
var doc string

// Info describes scheme 2, searched from the head.
var Info = describe("ordered", "Ordered list, searched from the head", false)

// Rear describes scheme 2, searched from the rear.
var Rear = describe("ordered-rear", "Ordered list, searched from the rear", true)

func describe(name, title string, fromRear bool) schemes.Info {
	return schemes.Info{
		Number: 2,
		Name:   name,
		Title:  title,
		Doc:    store.DocText(doc),
		Kind:   schemes.List,
		Sorted: true,
		New: func(cfg schemes.Config) (schemes.Scheme, error) { // it uses cfg.Now and cfg.Capacity
			s, err := store.New(name, cfg, 1)
			if err != nil {
				return nil, err
			}
			return &list{s, fromRear}, nil
		},
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
		Bytes: func(n int, cfg schemes.Config) int64 { return store.Bytes(n, cfg, 1) },
	}
}
