//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package results

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// lock locks a file for this open file alone, and returns an error if it is locked already.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// writer names the process that has locked a file, as far as the system shows it.
func writer(f *os.File) string {
	var stat syscall.Stat_t
	locks, err := os.ReadFile("/proc/locks")
	if err != nil || syscall.Fstat(int(f.Fd()), &stat) != nil {
		return "another process"
	}
	for line := range strings.Lines(string(locks)) { // as in: 1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF
		fields := strings.Fields(line)
		if len(fields) > 5 && fields[1] == "FLOCK" && strings.HasSuffix(fields[5], fmt.Sprintf(":%d", stat.Ino)) {
			return "process " + fields[4]
		}
	}
	return "another process"
}
