//go:build !linux

package adapter

import "time"

func cpuTime(int) (time.Duration, bool) { return 0, false }
