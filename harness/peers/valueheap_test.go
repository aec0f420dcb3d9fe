package peers

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Check verifies the invariants. O(n).
func (v *valueHeap) Check() error {
	live := 0
	for i := range v.records {
		live += int(v.records[i].gen & 1)
	}
	if live != v.Len() {
		return fmt.Errorf("valueheap: %d live records, but Len is %d", live, v.Len())
	}
	for at, e := range v.entries {
		switch {
		case at >= v.n && e.deadline != endOfClock:
			return fmt.Errorf("valueheap: the unused entry %d has deadline %d", at, e.deadline)
		case at < root || at >= v.n:
		case e.deadline <= v.now:
			return fmt.Errorf("valueheap: record %d has deadline %d, but waits at %d", e.record, e.deadline, v.now)
		case v.places[e.record] != uint32(at):
			return fmt.Errorf("valueheap: record %d has place %d, but its entry is at %d", e.record,
				v.places[e.record], at)
		case at > root && v.entries[above(at)].deadline > e.deadline:
			return fmt.Errorf("valueheap: the entry at %d is before the one above it", at)
		}
	}
	for _, h := range v.due[v.head:] {
		if i, ok := v.find(h); ok && v.places[i] != isDue {
			return fmt.Errorf("valueheap: due record %d has place %#x", i, v.places[i])
		}
	}
	return nil
}

func FuzzValueHeap(f *testing.F) { schemetest.Fuzz(f, variant(ValueHeap.Info)) }

func TestCheckNamesWhatIsBrokenInValueHeap(t *testing.T) {
	ways := []schemetest.Corruption[*valueHeap]{
		{Name: "order", Corrupt: func(v *valueHeap) { v.entries[root].deadline = 1000 }, Want: "is before the one above it"},
		{Name: "past", Corrupt: func(v *valueHeap) { v.entries[v.n-1].deadline = 1 }, Want: "but waits at 2"},
		{Name: "place", Corrupt: func(v *valueHeap) { v.places[v.entries[root].record]++ }, Want: "its entry is at 3"},
		{Name: "due", Corrupt: func(v *valueHeap) { v.places[uint32(v.due[0])]++ }, Want: "due record"},
		{Name: "padding", Corrupt: func(v *valueHeap) { v.entries = append(v.entries, heapEntry{}) }, Want: "the unused entry"},
		{Name: "live", Corrupt: func(v *valueHeap) { v.records[7].gen++ }, Want: "but Len is 50"},
	}
	info := ValueHeap.Info
	schemetest.CheckNames(t, &info, schemes.Config{}, ways)
}

// A heap so large that down reads ahead loses nothing.
func TestLargeValueHeap(t *testing.T) {
	const n = 40_000
	rng := rand.New(rand.NewPCG(1, 2))
	s, err := ValueHeap.Info.New(schemes.Config{})
	require.NoError(t, err)
	v := s.(*valueHeap)
	due, handles := make([]int, 1001), make([]schemes.Handle, n)
	intervals := make([]schemes.Tick, n)
	for i := range handles {
		intervals[i] = 1 + schemes.Tick(rng.IntN(1000))
		handles[i] = start(t, v, intervals[i], schemes.ID(intervals[i]))
		due[intervals[i]]++
	}
	for range n / 2 {
		i := rng.IntN(n)
		if v.Stop(handles[i]) {
			due[intervals[i]]--
		}
	}
	require.NoError(t, v.Check())
	for now := 1; now <= 1000; now++ {
		require.Equal(t, due[now], v.PerTick())
		v.Expire(func(id schemes.ID) { require.Equal(t, schemes.ID(now), id) })
	}
	assert.Zero(t, v.Len())
	require.NoError(t, v.Check())
}
