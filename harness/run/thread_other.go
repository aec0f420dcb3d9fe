//go:build !linux && !darwin

package run

import "time"

// ThreadTime returns the CPU time of the process where a thread's is unknown: while a Plan runs, one goroutine does.
func ThreadTime() time.Duration { return CPUTime() }
