package emulate

const supported = true

// toggle begins or ends the counting of this thread's instructions in valgrind. Elsewhere it does nothing.
func toggle()
