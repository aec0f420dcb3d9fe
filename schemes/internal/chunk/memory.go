//go:build !linux || safe

package chunk

// memory returns n zero elements without pointers.
func memory[T any](n int) []T { return make([]T, n) }
