//go:build !linux

package bench

import "time"

func requests(each, pause time.Duration) wakes { return ticks(max(each, pause)) }
