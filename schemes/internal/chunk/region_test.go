package chunk

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A region keeps its elements while it grows, wherever it is, and what is new or was
// released is zero.
func TestRegion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r region[record]
		want := map[int]uint32{}
		t.Repeat(map[string]func(*rapid.T){
			"grow": func(t *rapid.T) {
				n := rapid.SampledFrom([]int{1, 10, 1000, 30_000, 100_000}).Draw(t, "n")
				before := len(r.all)
				r.grow(before + n)
				require.Len(t, r.all, before+n)
			},
			"no growth": func(t *rapid.T) {
				before := len(r.all)
				r.grow(before / 2)
				require.Len(t, r.all, before)
			},
			"write": func(t *rapid.T) {
				if len(r.all) == 0 {
					t.Skip()
				}
				first := rapid.IntRange(0, len(r.all)-1).Draw(t, "at")
				for at := first; at < min(first+500, len(r.all)); at++ {
					r.all[at].genState, r.all[at].deadlineExtra = uint32(at)+1, uint32(at)+2
					want[at] = uint32(at) + 1
				}
			},
			"release": func(t *rapid.T) {
				from := rapid.IntRange(0, len(r.all)).Draw(t, "from")
				to := rapid.IntRange(from, len(r.all)).Draw(t, "to")
				r.release(from, to)
				for at := range want {
					if at >= from && at < to {
						delete(want, at)
					}
				}
			},
			"": func(t *rapid.T) {
				for k := range 2000 {
					at := k * (len(r.all) / 2000)
					if k >= 1000 {
						at = len(r.all) - (k - 1000) - 1
					}
					if at < 0 || at >= len(r.all) {
						return
					}
					if w := want[at]; r.all[at].genState != w || w > 0 && r.all[at].deadlineExtra != w+1 {
						t.Fatalf("element %d is %+v, want %d", at, r.all[at], w)
					}
				}
			},
		})
	})
}
