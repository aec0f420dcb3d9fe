package hashsorted

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
	"timerlab/schemes/tree"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 4}, []schemetest.Corruption[*wheel]{
		{Name: "slot", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key++ }, Want: "not a coming turn"},
		{Name: "order", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key += 4000 }, Want: "order: timer"},
		{Name: "a deadline that has passed", Corrupt: func(s *wheel) { s.Now += 4 }, Want: "not a coming turn"},
		{Name: "a waiting timer marked as due", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key = 0 }, Want: "marked as due"},
		{Name: "a timer in no slot", Corrupt: func(s *wheel) { s.Unlink(s.At(s.At(store.FirstSlot).Next)) }, Want: "Len says"},
		{Name: "the pointer", Corrupt: func(s *wheel) { s.TurnBy(1); s.Now-- }, Want: "the pointer is at slot"},
	})
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 64}, []schemetest.Corruption[*wheel]{
		{Name: "the bit of an occupied slot", Corrupt: func(s *wheel) { s.Clear(store.FirstSlot + 8) }, Want: "slot 8: the bit of ring 9 says occupied: false"},
	})
}

func TestConformanceHeap(t *testing.T) { schemetest.Run(t, &Heap) }

func FuzzConformanceHeap(f *testing.F) { schemetest.Fuzz(f, &Heap) }

// Check names each invariant of the slots with heaps that is broken; those of a
// heap itself are in package bintree's tests.
func TestCheckNamesWhatIsBrokenInHeaps(t *testing.T) {
	node := func(s *heaps) uint32 { return s.top(store.FirstSlot) }
	timer := func(s *heaps) uint32 { return s.record(node(s)) }
	schemetest.CheckNames(t, &Heap, schemes.Config{Slots: 4}, []schemetest.Corruption[*heaps]{
		{Name: "slot", Corrupt: func(s *heaps) { s.At(timer(s)).Key--; s.nodes.At(node(s)).Deadline-- }, Want: "not a coming turn"},
		{Name: "a deadline that has passed", Corrupt: func(s *heaps) { s.Now += 4 }, Want: "not a coming turn"},
		{Name: "a node and its record differ", Corrupt: func(s *heaps) { s.At(timer(s)).Key += 4 }, Want: "its node says"},
		{Name: "a node whose record is free", Corrupt: func(s *heaps) { s.Free(timer(s), s.At(timer(s))) }, Want: "holds no timer"},
		{Name: "order", Corrupt: func(s *heaps) { s.At(timer(s)).Key += 400; s.nodes.At(node(s)).Deadline += 400 }, Want: "slot 0: order: node"},
		{Name: "a slot without its heap", Corrupt: func(s *heaps) { s.At(store.FirstSlot).Next = store.FirstSlot }, Want: "Len says"},
		{Name: "the bit of a heap", Corrupt: func(s *heaps) { s.Clear(store.FirstSlot) }, Want: "slot 0: the bit of ring 1 says occupied: false"},
		{Name: "a timer in a list", Corrupt: func(s *heaps) { s.Insert(store.FirstSlot, timer(s), s.At(timer(s))) }, Want: "outside the heap"},
		{Name: "the pointer", Corrupt: func(s *heaps) { s.TurnBy(1); s.Now-- }, Want: "the pointer is at slot"},
	})
}

// Where all timers fall into one slot, a sorted list is searched from end to
// end, and a heap along its shortest way down.
func TestOneSlotForAll(t *testing.T) {
	const n, slots, log2 = 1000, 16, 10
	cfg := schemes.Config{Slots: slots}
	list, err := Info.New(cfg)
	require.NoError(t, err)
	heap, err := Heap.New(cfg)
	require.NoError(t, err)
	for id := range schemes.ID(n) {
		for _, s := range []schemes.Scheme{list, heap} {
			_, err := s.Start(slots*schemes.Tick(1+id), id)
			require.NoError(t, err)
		}
	}
	assert.Equal(t, uint64(n*(n-1)/2), list.(schemes.Counter).Counts().Compares)
	assert.Less(t, heap.(schemes.Counter).Counts().Compares, uint64(n*log2))
}

// With a single slot the wheel of heaps is a leftist heap, comparison by
// comparison.
func TestOneSlotIsATree(t *testing.T) {
	cfg := schemes.Config{Slots: 1}
	wheel, err := Heap.New(cfg)
	require.NoError(t, err)
	heap, err := tree.Leftist.New(cfg)
	require.NoError(t, err)
	var handles [2][]schemes.Handle
	for i := range schemes.Tick(500) {
		for k, s := range []schemes.Scheme{wheel, heap} {
			h, err := s.Start(1+i*i*37%400, schemes.ID(i))
			require.NoError(t, err)
			handles[k] = append(handles[k], h)
			if i%3 == 0 {
				s.Stop(handles[k][i/2])
			}
			s.PerTick()
			s.Expire(func(schemes.ID) {})
		}
		counts := wheel.(schemes.Counter).Counts()
		counts.EmptySlots = 0
		require.Equal(t, heap.(schemes.Counter).Counts(), counts)
	}
}

// A timer whose record is worn out is restarted in another one, which has its node
// in the new slot's heap.
func TestRestartOfAWornOutRecordInHeaps(t *testing.T) {
	s, err := Heap.New(schemes.Config{Slots: 4})
	require.NoError(t, err)
	w := s.(*heaps)
	h, err := w.Start(3, 7)
	require.NoError(t, err)
	worn := uint32(h)
	w.WearOut(worn)
	fresh, err := w.Restart(w.At(worn).Handle(worn), 6)
	require.NoError(t, err)
	require.NotEqual(t, worn, uint32(fresh))
	require.NoError(t, w.Check())
	passed, due := w.Advance(100)
	require.Equal(t, [2]int{6, 1}, [2]int{int(passed), due})
}
