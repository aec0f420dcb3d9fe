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
// has n timers: segments of records, and the heads' bits. O(log n).
func Bytes(n int, cfg schemes.Config, heads int) int64 {
	if cfg.Capacity < 0 || n < 0 {
		return 0
	}
	heads++
	return VectorBytes[Record](heads+cfg.Capacity, heads+n) + int64(heads)/8
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

// AddedBytes returns what n heads hold that one call of AddHeads made.
func AddedBytes(n int) int64 { return Allocated(int64(n)*recordBytes) + segLen/8 }

const recordBytes = int64(unsafe.Sizeof(Record{}))

// VectorBytes returns what a Vector of T holds after Reserve(reserved) with n
// elements: a small first segment has doubled, and others were added as a whole. O(log n).
func VectorBytes[T any](reserved, n int) int64 {
	var t T
	element := int64(unsafe.Sizeof(t))
	first := min(max(reserved, firstLen), segLen)
	for first < min(n, segLen) {
		first = min(2*first, segLen)
	}
	others := (max(reserved, n, segLen) - 1) / segLen
	return Allocated(int64(first)*element) + int64(others)*segLen*element
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
