//go:build !linux

package bench

import "time"

// requests wakes a goroutine up.
type requests struct{ *time.Ticker }

func newRequests(every time.Duration) requests { return requests{time.NewTicker(every)} }
func (r requests) Close()                      { r.Stop() }
func (r requests) wait() error                 { <-r.C; return nil }
