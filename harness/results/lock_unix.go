//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package results

import (
	"os"
	"syscall"
)

// lock locks a file for this open file alone, and reports whether another has it. Some file systems of clusters have no
// locks; there a file is not locked.
func lock(f *os.File) (taken bool) {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == syscall.EWOULDBLOCK
}
