package store

import (
	"strings"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
)

// DocText returns the package comment in the source of a doc.go, without comment
// markers. Info.Doc is made of it, so that it cannot drift from the code.
func DocText(source string) string {
	var text strings.Builder
	for line := range strings.Lines(source) {
		comment, ok := strings.CutPrefix(line, "//")
		if !ok {
			break
		}
		text.WriteString(strings.TrimPrefix(comment, " "))
	}
	return text.String()
}

// Bytes returns what a store with this many heads besides the due list holds while it
// has n timers: records, and the heads' bits. O(segments).
func Bytes(n int, cfg schemes.Config, heads int) int64 {
	if cfg.Capacity < 0 || n < 0 {
		return 0
	}
	heads++
	return array.Bytes[Record](heads+cfg.Capacity, heads+n) + int64(heads)/8
}

// WheelBytes is schemes.Info.Bytes of a wheel.
func WheelBytes(n int, cfg schemes.Config) int64 {
	slots := SlotsOf(cfg)
	if slots < 1 || slots > schemes.MaxSlots {
		return 0
	}
	return Bytes(n, cfg, slots)
}
