package store

import (
	"strings"
	"unsafe"

	"timerlab/schemes"
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
	return ArrayBytes[Record](heads+cfg.Capacity, heads+n) + int64(heads)/8
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

// ArrayBytes returns what an array of T holds that was made for `reserved` elements and then
// grew, one by one, to n. O(segments).
func ArrayBytes[T any](reserved, n int) int64 {
	var t T
	element := int(unsafe.Sizeof(t))
	return Allocated(int64(grown(reserved, n, vectorSegment)) * int64(element))
}

// Allocated returns what Go's heap takes for an object of some bytes: above 32 KiB,
// whole pages of 8 KiB. What smaller objects are rounded up by is left out.
func Allocated(bytes int64) int64 {
	const large, page = 32 << 10, 8 << 10
	if bytes <= large {
		return bytes
	}
	return (bytes + page - 1) &^ (page - 1)
}
