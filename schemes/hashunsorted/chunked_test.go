package hashunsorted

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformanceChunked(t *testing.T) { schemetest.Run(t, &Chunked) }

func FuzzConformanceChunked(f *testing.F) { schemetest.Fuzz(f, &Chunked) }

// A far timer's entry comes up every 2^32 ticks, and Advance need not stop there.
func TestAdvanceToAFarTimer(t *testing.T) {
	for _, slots := range []int{1, 3, 8, 1000} {
		s, err := Chunked.New(schemes.Config{Now: 7, Slots: slots})
		require.NoError(t, err)
		w := s.(*chunked)
		for id := range schemes.ID(100) {
			_, err := w.Start(1<<62+schemes.Tick(id), id)
			require.NoError(t, err)
		}
		began := time.Now()
		passed, due := w.Advance(math.MaxUint64)
		assert.Equal(t, schemes.Tick(1<<62), passed)
		assert.Equal(t, 1, due)
		assert.Less(t, w.Counts().Visits, uint64(1000))
		assert.Less(t, time.Since(began), time.Second)
		require.NoError(t, w.Check())
	}
}
