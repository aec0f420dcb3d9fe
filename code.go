// Package timerlab holds the source of what is measured. A program that imports it can
// identify the code that it measures, wherever it runs: go run, a tree without git, an
// installed binary.
package timerlab

import "embed"

// Schemes is the source of every scheme and of their storage.
//
//go:embed schemes/*.go schemes/*/*.go schemes/internal/*/*.go
var Schemes embed.FS

// Driver is the source of what drives a scheme and times it: the runner, the null scheme
// and the workloads.
//
//go:embed harness/run/*.go harness/null.go harness/workload/*.go harness/workload/curves.bin
var Driver embed.FS

// Systems is the source of the timer services and of what measures them.
//
//go:embed systems/*.go systems/*/*.go systems/internal/*/*.go
var Systems embed.FS

// JVM is the source of what measures the timers of the JVM.
//
//go:embed harness/jvm/*.go harness/jvm/*.java
var JVM embed.FS

// Pick is the source of what picks a scheme for a workload and of the formulas that it uses.
//
//go:embed harness/pick/*.go harness/cost/*.go
var Pick embed.FS
