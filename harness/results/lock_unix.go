//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package results

import (
	"os"
	"syscall"
)

// lock locks a file for this open file alone, and returns an error if it is locked already.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
