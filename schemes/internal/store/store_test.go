package store

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func newStore(t *testing.T, heads, capacity int) *Store {
	t.Helper()
	s, err := New("test", schemes.Config{Capacity: capacity}, heads-1)
	require.NoError(t, err)
	return &s
}

// fill makes n timers and returns their records.
func fill(t *testing.T, s *Store, n int) []uint32 {
	t.Helper()
	records := make([]uint32, n)
	for k := range records {
		records[k] = s.make(t, schemes.ID(k))
	}
	return records
}

// make makes a timer that is in no ring, and returns its record.
func (s *Store) make(t require.TestingT, id schemes.ID) uint32 {
	if !s.Accepts(1) {
		require.True(t, s.records.HasRoom())
		s.view = viewOf(&s.records.Array)
	}
	i, _ := s.Make(id, 1)
	return i
}

func TestRecordIs32Bytes(t *testing.T) {
	assert.Equal(t, uintptr(32), unsafe.Sizeof(Record{}))
}

func TestARecordWhoseGenerationsAreUsedUpIsRetired(t *testing.T) {
	s := newStore(t, 1, 0)
	i := fill(t, s, 1)[0]
	s.At(i).Gen = spent
	h := s.At(i).Handle()
	s.Free(i, s.At(i))
	assert.Nil(t, s.Find(h))
	for _, other := range fill(t, s, 500) {
		assert.NotEqual(t, i, other, "a retired record was handed out")
	}
	require.NoError(t, s.checkRecords())
}

func TestBadCapacity(t *testing.T) {
	for _, capacity := range []int{-1, math.MinInt, maxRecords, math.MaxInt} {
		_, err := New("test", schemes.Config{Capacity: capacity}, 0)
		assert.ErrorIs(t, err, schemes.ErrConfig)
	}
}

// TestCheckNamesWhatIsBroken corrupts each invariant in turn.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	const list = 0
	accept := func(uint32, *Record) error { return nil }
	tests := []struct {
		name    string
		corrupt func(s *Store, records []uint32)
		want    string
	}{
		{"free list holds a live record", func(s *Store, r []uint32) { s.records.free = r[0] }, "circle"},
		{"free list beyond the records", func(s *Store, r []uint32) { s.records.free = 9999 }, "never taken"},
		{"free list is a circle", func(s *Store, r []uint32) { free(s, r[4], r[3]); s.At(r[4]).Link = r[3]; s.At(r[3]).Link = r[4] }, "circle"},
		{"a free record is lost", func(s *Store, r []uint32) { free(s, r[4], r[3]); s.records.free = 0 }, "is lost"},
		{"used count", func(s *Store, r []uint32) { s.records.inUse++ }, "the count says"},
		{"used beyond the memory", func(s *Store, r []uint32) { s.records.made = 1 << 20 }, "records used"},
		{"heads", func(s *Store, r []uint32) { s.heads++ }, "longer than"},
		{"a head with a handle", func(s *Store, r []uint32) { s.At(1).Link = 1 }, "as a timer"},
		{"back link", func(s *Store, r []uint32) { s.At(r[2]).Prev = r[5] }, "does not lead back"},
		{"link to nowhere", func(s *Store, r []uint32) { s.At(r[2]).Next = 1 << 30 }, "does not exist"},
		{"ring around its head", func(s *Store, r []uint32) { s.At(r[9]).Next = r[0]; s.At(r[0]).Prev = r[9] }, "does not lead back"},
		{"a ring with a free record", func(s *Store, r []uint32) { s.At(r[2]).Link++ }, "holds no timer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStore(t, 2, 0)
			records := fill(t, s, 10)
			for _, i := range records {
				s.Insert(list, i, s.At(i))
			}
			require.NoError(t, s.checkRecords())
			require.NoError(t, s.walk(list, accept))
			test.corrupt(s, records)
			err := s.walk(list, accept)
			if err == nil {
				err = s.checkRecords()
			}
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
		})
	}
}

func free(s *Store, records ...uint32) {
	for _, i := range records {
		s.Unlink(s.At(i))
		s.Free(i, s.At(i))
	}
}

func TestText(t *testing.T) {
	assert.Equal(t, "Package x does.\n\n\ta figure // here\nEnd.\n",
		DocText("// Package x does.\n//\n//\ta figure // here\n// End.\npackage x\n\n// not this\n"))
	assert.Empty(t, DocText("package x\n"))
}
