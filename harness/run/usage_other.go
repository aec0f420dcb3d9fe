//go:build !linux && !darwin && !freebsd

package run

import (
	"time"

	"timerlab/harness/drive"
)

// CPUTime returns the time since the program began where the CPU time is unknown.
func CPUTime() time.Duration { return drive.Clock() }

// ThreadTime returns the same.
func ThreadTime() time.Duration { return drive.Clock() }
