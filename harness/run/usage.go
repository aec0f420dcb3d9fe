package run

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// Resident returns the bytes of the process that are in memory, after garbage was
// collected and returned to the system.
func Resident() (int, error) {
	runtime.GC()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, fmt.Errorf("no resident memory on this system: %w", err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, err
	}
	return pages * os.Getpagesize(), nil
}
