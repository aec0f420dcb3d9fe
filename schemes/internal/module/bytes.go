package module

import (
	"timerlab/schemes"
	"timerlab/schemes/internal/slab"
)

// Bytes returns what a module with this many heads beside the due list holds while
// it has n timers.
func Bytes(n int, cfg schemes.Config, heads int) int64 {
	if cfg.Capacity < 0 || n < 0 {
		return 0
	}
	return slab.Bytes(heads+1, cfg.Capacity, n)
}

// ListBytes is schemes.Info.Bytes of a single list.
func ListBytes(n int, cfg schemes.Config) int64 { return Bytes(n, cfg, 1) }

// WheelBytes is schemes.Info.Bytes of a wheel.
func WheelBytes(n int, cfg schemes.Config) int64 {
	slots := SlotsOf(cfg)
	if slots < 1 || slots > schemes.MaxSlots {
		return 0
	}
	return Bytes(n, cfg, slots)
}
