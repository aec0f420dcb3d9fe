//go:build !amd64

package emulate

const supported = false

func request(uint64) {}
