package tree

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// TestCheckNamesWhatIsBroken corrupts each of the scheme's own invariants in
// turn.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	tests := []struct {
		name    string
		corrupt func(s *tree)
		want    string
	}{
		{"an entry whose record is free", func(s *tree) { i := s.heap.At(2).record; s.Free(i) }, "holds no timer"},
		{"an entry and its record differ", func(s *tree) { s.heap.At(2).expiry++ }, "its entry"},
		{"a place and its record differ", func(s *tree) { s.At(s.heap.At(2).record).Place = 1 }, "its entry"},
		{"heap order", func(s *tree) { e := s.heap.At(0); e.expiry = 1000; s.At(e.record).Key = 1000 }, "expires before the one above it"},
		{"an expiry that has passed", func(s *tree) { e := s.heap.At(0); e.expiry = 1; s.At(e.record).Key = 1 }, "still waits"},
		{"a timer without an entry", func(s *tree) { s.heap.Pop() }, "Len says"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := Info.New(schemes.Config{})
			require.NoError(t, err)
			s := made.(*tree)
			for interval := schemes.Tick(1); interval <= 50; interval++ {
				_, err := s.Start(interval, schemes.ID(interval))
				require.NoError(t, err)
			}
			s.PerTick()
			s.PerTick()
			require.NoError(t, s.Check())
			test.corrupt(s)
			err = s.Check()
			require.Error(t, err)
			assert.ErrorContains(t, err, Info.Name+": ")
			assert.ErrorContains(t, err, test.want)
		})
	}
}
