//go:build !linux

package bench

var requests = ticks
