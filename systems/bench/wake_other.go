//go:build !linux

package bench

import "time"

func requests(each time.Duration) (wait func() error, end func()) {
	return ticks(max(each, together))
}
