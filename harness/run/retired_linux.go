package run

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// retiredCounter returns a function that reads how many instructions the present thread has
// retired in user mode, and one that closes the counter. It returns an error if the processor or
// the system does not offer it.
func retiredCounter() (read func() uint64, closeCounter func(), err error) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, nil, err
	}
	var count [8]byte
	read = func() uint64 {
		_, _ = unix.Read(fd, count[:]) // of an open counter it does not fail
		return binary.NativeEndian.Uint64(count[:])
	}
	return read, func() { _ = unix.Close(fd) }, nil
}
