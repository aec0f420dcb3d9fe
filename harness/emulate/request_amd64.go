package emulate

const supported = true

// request asks valgrind, if it runs this program, for something that callgrind.h numbers.
func request(code uint64)
