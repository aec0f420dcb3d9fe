package peers

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/workload"
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
	trace, err := workload.Spec{N: 40_000, T: 500, Dist: workload.Uniform, Stop: 0.5, StopAt: 0.5, Ticks: 1000, Seed: 1}.Trace()
	require.NoError(t, err)
	s, err := ValueHeap.Info.New(schemes.Config{})
	require.NoError(t, err)
	d := drive.New(s, trace)
	require.NoError(t, d.Fill())
	require.NoError(t, s.(*valueHeap).Check())
	require.NoError(t, d.Run(nil))
	require.NoError(t, d.Verify())
	require.NoError(t, s.(*valueHeap).Check())
}
