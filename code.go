// Package timerlab holds the source of what is measured. A program that imports it can
// identify the code that it measures, wherever it runs: go run, a tree without git, an
// installed binary.
package timerlab

import "embed"

// Source has the schemes and their storage, the harness that drives them and makes the workloads, the
// formulas and the picker, and the timer services with what measures them.
//
//go:embed schemes systems harness/drive/*.go harness/run/*.go harness/workload/*.go harness/workload/*.bin
//go:embed harness/workload/demand/*.go harness/workload/demand/*.json
//go:embed harness/cost/*.go harness/pick/*.go
var Source embed.FS
