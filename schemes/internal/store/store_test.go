package store

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// segLen is the records of a segment.
const segLen = 1 << 16

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
		require.NoError(t, s.Accepts(1))
		records[k], _ = s.Make(schemes.ID(k), 1)
	}
	return records
}

func TestRecordIs32Bytes(t *testing.T) {
	assert.Equal(t, uintptr(32), unsafe.Sizeof(Record{}))
}

func TestARecordWhoseGenerationsAreUsedUpIsRetired(t *testing.T) {
	s := newStore(t, 1, 0)
	i := fill(t, s, 1)[0]
	s.At(i).Gen = lastGen
	h := s.At(i).handle(i)
	s.Free(i, s.At(i))
	assert.Nil(t, s.Find(h))
	for _, other := range fill(t, s, 500) {
		assert.NotEqual(t, i, other, "a retired record was handed out")
	}
	require.NoError(t, s.checkRecords())
}

func TestGenerationsSurviveMemoryGivenBack(t *testing.T) {
	large(t)
	s := newStore(t, 1, 0)
	stale := map[schemes.Handle]bool{}
	for range 4 {
		records := fill(t, s, 5*segLen)
		for k, i := range records {
			if k%11 > 0 {
				continue
			}
			h := s.At(i).handle(i)
			require.False(t, stale[h], "a handle from before the memory was given back came again")
			stale[h] = true
		}
		rand.Shuffle(len(records), func(a, b int) { records[a], records[b] = records[b], records[a] })
		for _, i := range records {
			s.Free(i, s.At(i))
		}
		require.NoError(t, s.checkRecords())
		assert.LessOrEqual(t, held(s), 3*segLen, "memory was not given back after a peak")
		for h := range stale {
			require.Nil(t, s.Find(h))
		}
	}
}

// held returns the records that the store has memory for.
func held(s *Store) int {
	n := s.records.Len()
	for at, g := range s.records.segs {
		if at >= s.records.keep && g.used == 0 {
			n -= segLen
		}
	}
	return n
}

func TestASegmentWithUsedUpGenerationsIsNotGivenBack(t *testing.T) {
	s := newStore(t, 1, 0)
	records := fill(t, s, 4*segLen)
	const worn = 2*segLen + 5
	s.At(worn).Gen = lastGen
	for _, i := range records {
		s.Free(i, s.At(i))
	}
	assert.NotZero(t, s.records.segs[2].used)
	for _, i := range fill(t, s, 4*segLen-2) {
		require.NotEqual(t, uint32(worn), i)
	}
	require.NoError(t, s.checkRecords())
}

func TestCapacityIsAllocatedUpFrontAndKept(t *testing.T) {
	s := newStore(t, 10, 3*segLen)
	assert.GreaterOrEqual(t, held(s), 10+3*segLen)
	before := held(s)
	records := fill(t, s, 3*segLen)
	assert.Equal(t, before, held(s))
	for _, i := range records {
		s.Free(i, s.At(i))
	}
	assert.Equal(t, before, held(s))
}

func TestASmallSlabIsSmall(t *testing.T) {
	s := newStore(t, 1, 0)
	fill(t, s, 100)
	assert.LessOrEqual(t, held(s), 256)
}

func TestBadCapacity(t *testing.T) {
	for _, capacity := range []int{-1, math.MinInt, maxRecords, math.MaxInt} {
		_, err := New("test", schemes.Config{Capacity: capacity}, 0)
		assert.ErrorIs(t, err, schemes.ErrConfig)
	}
}

// A start and a stop in turn must not make and drop a segment each, wherever the
// boundary of a segment falls.
func TestNoThrashingAtASegmentsBoundary(t *testing.T) {
	for _, n := range []int{0, segLen - 2, segLen - 1, 2*segLen - 1, 3*segLen - 1} {
		s := newStore(t, 1, 0)
		fill(t, s, n)
		extra := fill(t, s, 2*segLen) // a peak, so that segments empty
		for _, i := range extra {
			s.Free(i, s.At(i))
		}
		allocs := testing.AllocsPerRun(100, func() {
			for _, i := range fill(t, s, 2) {
				s.Free(i, s.At(i))
			}
		})
		assert.LessOrEqual(t, allocs, 1.0, "n = %d", n) // that of fill
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
		{"free list holds a live record", func(s *Store, r []uint32) { s.records.free = r[0] }, "is in use, but in the free list"},
		{"free list beyond the segment", func(s *Store, r []uint32) { s.records.free = 9999 }, "never taken"},
		{"free list is a circle", func(s *Store, r []uint32) { free(s, r[4], r[3]); s.At(r[3]).Next = r[3] }, "circle"},
		{"a free record is lost", func(s *Store, r []uint32) { free(s, r[4], r[3]); s.records.free = 0 }, "is lost"},
		{"the next record is in use", func(s *Store, r []uint32) { s.records.nextFree = r[0]; s.records.inUse++ }, "is in use, but to be taken next"},
		{"segment's live count", func(s *Store, r []uint32) { s.records.otherSegments-- }, "live count"},
		{"used count", func(s *Store, r []uint32) { s.records.inUse++; s.records.otherSegments++ }, "the count says"},
		{"used beyond the memory", func(s *Store, r []uint32) { s.records.segs[0].used = 1 << 20 }, "records used"},
		{"heads", func(s *Store, r []uint32) { s.heads++ }, "longer than"},
		{"a head with a generation", func(s *Store, r []uint32) { s.At(1).Gen = 1 }, "that of a timer"},
		{"back link", func(s *Store, r []uint32) { s.At(r[2]).Prev = r[5] }, "does not lead back"},
		{"link to nowhere", func(s *Store, r []uint32) { s.At(r[2]).Next = 1 << 30 }, "does not exist"},
		{"ring around its head", func(s *Store, r []uint32) { s.At(r[9]).Next = r[0]; s.At(r[0]).Prev = r[9] }, "does not lead back"},
		{"a ring with a free record", func(s *Store, r []uint32) { s.At(r[2]).Gen++ }, "holds no timer"},
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

// Renew makes every handle of the record's past stale and none of another timer,
// and takes another record when the generations are used up.
func TestRenew(t *testing.T) {
	s := newStore(t, 1, 0)
	records := fill(t, s, 10)
	i := records[4]
	seen := map[schemes.Handle]bool{}
	renew := func(h schemes.Handle, key uint64) uint32 {
		r, err := s.Renewable(h, 1)
		require.NoError(t, err)
		i, _ := s.Reuse(uint32(h), r, key)
		require.Nil(t, s.Find(h), "a handle outlived its timer")
		return i
	}
	for range 100 {
		h := s.At(i).handle(i)
		require.False(t, seen[h])
		seen[h] = true
		require.Equal(t, i, renew(h, 7))
	}
	s.At(i).Gen = lastGen
	j := renew(s.At(i).handle(i), 8)
	assert.NotEqual(t, i, j)
	assert.Equal(t, [2]uint64{4, 8}, [2]uint64{uint64(s.At(j).ID), s.At(j).Key})
	assert.Equal(t, 10, s.Len())
	require.NoError(t, s.checkRecords())
}

// The room for another record may be in one segment and the worn-out record in another.
func TestReuseAcrossSegments(t *testing.T) {
	s := newStore(t, 1, 0)
	records := fill(t, s, segLen+5000)
	free := records[len(records)-1]
	s.Free(free, s.At(free))
	worn := records[3]
	s.At(worn).Gen = lastGen
	s.records.nextFree, s.records.inUse = 0, s.records.inUse-1 // the free record is in its segment's list
	s.At(free).Next, s.records.free = s.records.free, free
	h := s.At(worn).handle(worn)
	r, err := s.Renewable(h, 1)
	require.NoError(t, err)
	i, r := s.Reuse(worn, r, 9)
	assert.Equal(t, free, i)
	assert.Equal(t, uint64(9), r.Key)
	require.NoError(t, s.checkRecords())
}

// Without room for another record, one whose generation is used up says so before
// anything has changed.
func TestRenewableWithoutRoom(t *testing.T) {
	s := newStore(t, 4, 0)
	s.records.limit = 100
	records := fill(t, s, 96)
	renewable := func() error {
		_, err := s.Renewable(s.At(records[0]).handle(records[0]), 1)
		return err
	}
	require.NoError(t, renewable())
	s.At(records[0]).Gen = lastGen
	require.ErrorIs(t, renewable(), schemes.ErrFull)
	s.Free(records[1], s.At(records[1]))
	require.NoError(t, renewable())
}

// Making room for another record may move the one whose generation is used up.
func TestRenewableWhileTheFirstSegmentGrows(t *testing.T) {
	s := newStore(t, 4, 0)
	records := fill(t, s, firstLen-4)
	s.At(records[0]).Gen = lastGen
	r, err := s.Renewable(s.At(records[0]).handle(records[0]), 1)
	require.NoError(t, err)
	assert.Same(t, s.At(records[0]), r)
}

// A partial last segment that was given back must not come back larger.
func TestFullAfterAPeak(t *testing.T) {
	const limit = 4*segLen + 100
	s := newStore(t, 1, 0)
	s.records.limit = limit
	for range 3 {
		records := fill(t, s, limit-1)
		require.ErrorIs(t, s.Accepts(1), schemes.ErrFull)
		for _, i := range records {
			s.Free(i, s.At(i))
		}
		require.NoError(t, s.checkRecords())
	}
}

// large skips a test that fills segments, with -short.
func large(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of thousands of timers")
	}
}
