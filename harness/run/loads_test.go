package run

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"timerlab/harness/results"
)

// loaded is as large as a record of the chunked schemes.
type loaded struct {
	id, expiry uint64
	next       uint32
	_          uint32
}

// BenchmarkLoads reads random records of a set, by nothing but what the memory allows:
// how=chain reads the next one's place from the present one, as a walk along a ring
// does; how=apart knows all places beforehand, as an array of entries does.
func BenchmarkLoads(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000, 10_000_000} {
		set := make([]loaded, n)
		order := rand.New(rand.NewPCG(1, 2)).Perm(n)
		places := make([]uint32, n)
		for k, i := range order {
			places[k] = uint32(i)
			set[i].next = uint32(order[(k+1)%n])
		}
		name := fmt.Sprintf("/n=%s/B=%s", results.FormatCount(uint64(n)), results.FormatCount(uint64(n)*uint64(unsafe.Sizeof(set[0]))))
		b.Run("how=chain"+name, func(b *testing.B) {
			at := places[0]
			for range b.N {
				at = set[at].next
			}
			loadsSink = at
		})
		b.Run("how=apart"+name, func(b *testing.B) {
			sum := uint32(0)
			for done := 0; done < b.N; done += n {
				for _, at := range places[:min(n, b.N-done)] {
					sum += set[at].next
				}
			}
			loadsSink = sum
		})
	}
}

var loadsSink uint32
