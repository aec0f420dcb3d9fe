package array

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An array keeps its elements while it grows, wherever it is, and what is new is zero.
func TestArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Array[[5]uint32]{inHeap: rapid.Bool().Draw(t, "in heap")}
		want := map[uint32]uint32{}
		t.Repeat(map[string]func(*rapid.T){
			"grow": func(t *rapid.T) {
				n := a.Len() + rapid.SampledFrom([]int{1, 10, 1000, 30_000, 100_000}).Draw(t, "n")
				a.Grow(n)
				require.Equal(t, n, a.Len())
			},
			"no growth": func(t *rapid.T) {
				n := a.Len()
				a.Grow(n / 2)
				require.Equal(t, n, a.Len())
			},
			"write": func(t *rapid.T) {
				first := rapid.IntRange(0, a.Len()).Draw(t, "at")
				for at := uint32(first); int(at) < min(first+500, a.Len()); at++ {
					a.At(at)[0], a.At(at)[4] = at+1, at+2
					want[at] = at + 1
				}
			},
			"": func(t *rapid.T) {
				for k := range 2000 {
					at := k * (a.Len() / 2000)
					if k >= 1000 {
						at = a.Len() - (k - 1000) - 1
					}
					if at < 0 || at >= a.Len() {
						return
					}
					if w, e := want[uint32(at)], *a.At(uint32(at)); e[0] != w || w > 0 && e[4] != w+1 {
						t.Fatalf("element %d is %v, want %d", at, e, w)
					}
				}
			},
		})
	})
}
