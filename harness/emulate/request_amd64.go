package emulate

import _ "unsafe" // for go:linkname

const supported = true

// request asks valgrind, if it runs this program, for something that callgrind.h numbers.
func request(code uint64)

// procPin and procUnpin have the runtime's scheduler leave this goroutine alone: a preemption takes 1,100 instructions,
// and comes with the clock.
//
//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()
