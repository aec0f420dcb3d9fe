package slab

import "unsafe"

// Bytes returns what a slab with this many heads and this capacity holds while it has
// n timers: segments of records, and the heads' bits. O(log n).
func Bytes(heads, capacity, n int) int64 {
	return room(heads+capacity, heads+n, int64(unsafe.Sizeof(Record{}))) + int64(heads)/8
}

// AddedBytes returns what n heads hold that one call of AddHeads made.
func AddedBytes(n int) int64 {
	return Allocated(int64(n)*int64(unsafe.Sizeof(Record{}))) + segLen/8
}

// VectorBytes returns what a Vector of T holds after Reserve(reserved) with n
// elements. O(log n).
func VectorBytes[T any](reserved, n int) int64 {
	var element T
	return room(reserved, n, int64(unsafe.Sizeof(element)))
}

// room returns the bytes of segments of which some elements were reserved and n are in
// use: a small first segment has doubled, and others were added as a whole.
func room(reserved, n int, element int64) int64 {
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
