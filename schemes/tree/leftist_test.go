package tree

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Check names an invariant of the heap that is broken; the others are in package
// bintree's tests.
func TestCheckNamesWhatIsBrokenInLeftist(t *testing.T) {
	schemetest.CheckNames(t, &Leftist, schemes.Config{}, []schemetest.Corruption[*tree]{
		{Name: "heap order", Corrupt: func(s *tree) {
			l := s.queue.(*leftist)
			l.nodes.At(l.root).Deadline, s.At(l.root).Key = 1000, 1000
		}, Want: "order: node"},
		{Name: "a link", Corrupt: func(s *tree) { l := s.queue.(*leftist); l.nodes.At(l.root).Parent = 7 }, Want: "does not lead back"},
	})
}

// A start costs at most the shortest way down, in whatever order deadlines come.
func TestLeftistNeverDegenerates(t *testing.T) {
	const n = 1000
	var up, down []schemes.Tick
	for i := range schemes.Tick(n) {
		up, down = append(up, 1+i), append(down, n-i)
	}
	for _, intervals := range [][]schemes.Tick{up, down, equal(n, n)} {
		s, handles := started(t, &Leftist, intervals...)
		assert.LessOrEqual(t, s.Counts().Compares, uint64(n*bits.Len(n)))
		for i := 0; i < n; i += 3 {
			before := s.Counts().Compares
			s.Stop(handles[i])
			assert.LessOrEqual(t, s.Counts().Compares-before, uint64(2*bits.Len(n)))
		}
		assert.Len(t, drain(t, s, n), n-(n+2)/3)
	}
}
