package run

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// Resident returns the bytes of the process that are in memory, after garbage has
// been collected and given back.
func Resident() (int, error) {
	runtime.GC()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, fmt.Errorf("memory in use is not told on this system: %w", err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, err
	}
	return pages * os.Getpagesize(), nil
}
