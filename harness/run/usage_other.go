//go:build !unix

package run

import (
	"time"

	"timerlab/harness/drive"
)

// CPUTime returns the time since the program began where the CPU time is unknown.
func CPUTime() time.Duration { return drive.Clock() }

// Switches reports that the number of context switches is unknown.
func Switches() (n int64, ok bool) { return 0, false }
