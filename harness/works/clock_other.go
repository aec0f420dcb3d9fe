//go:build !unix

package works

import "time"

var epoch = time.Now()

// cpuTime is the time since the program began where the system does not tell the
// CPU time.
func cpuTime() time.Duration { return time.Since(epoch) }
