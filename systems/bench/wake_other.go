//go:build !linux

package bench

import "time"

func requests(each, together time.Duration) wakes { return ticks(max(each, together)) }
