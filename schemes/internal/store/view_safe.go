//go:build !linux || safe || !(amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package store

import "timerlab/schemes/internal/array"

// view is where the records are. See view.go.
type view struct{ array.View[Record] }

func viewOf(a *array.Array[Record]) view { return view{a.View()} }
