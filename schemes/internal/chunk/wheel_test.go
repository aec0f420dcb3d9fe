package chunk

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

// wheel is the least scheme over a Module: an entry is in the slot of its tick mod M, a power of two.
type wheel struct{ Module }

var wheelInfo = schemes.Info{
	Number: 6,
	Name:   "wheel",
	New: func(cfg schemes.Config) (schemes.Scheme, error) {
		var table Table
		for length := range table {
			table[length].Mask = uint32(cfg.Slots - 1)
		}
		modM := func(t schemes.Tick) uint32 { return uint32(t) & uint32(cfg.Slots-1) }
		m, err := New("wheel", cfg, 0, cfg.Slots, &table, modM, math.MaxUint64)
		return &wheel{m}, err
	},
}

func newWheel(t require.TestingT, cfg schemes.Config) *wheel {
	s, err := wheelInfo.New(cfg)
	require.NoError(t, err)
	return s.(*wheel)
}

func (w *wheel) slot(t schemes.Tick) uint32 { return uint32(t) & uint32(len(w.ends)-1) }

func (w *wheel) PerTick() (due int) {
	w.Now++
	if slot := w.slot(w.Now); w.Occupied(slot) {
		due = w.Visit(slot)
	}
	return due
}

func (w *wheel) Check() error { return w.CheckStore() }

// start starts n timers of an interval.
func (w *wheel) start(t require.TestingT, n int, interval schemes.Tick) (hs []schemes.Handle) {
	for id := range schemes.ID(n) {
		h, err := w.Start(interval, id)
		require.NoError(t, err)
		hs = append(hs, h)
	}
	return hs
}

func (w *wheel) stop(t require.TestingT, hs []schemes.Handle) {
	for _, h := range hs {
		require.True(t, w.Stop(h))
	}
}

// first returns the position of an entry of slot 3, and its record.
func (w *wheel) first() (*Entry, *record) {
	e := w.at(3*smallLen + 1)
	return e, w.records.At(e.Record())
}

// TestCheckNamesWhatIsBroken corrupts each invariant that CheckStore verifies.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	entry := func(w *wheel) *Entry { e, _ := w.first(); return e }
	timer := func(w *wheel) *record { _, r := w.first(); return r }
	last := func(w *wheel) uint32 { // head of the slot's second chunk
		head, _ := w.chunkOf(w.ends[3] - 1)
		return head
	}
	firstDue := func(w *wheel) uint32 { return w.records.At(0).Link }
	ways := []schemetest.Corruption[*wheel]{
		{Name: "the bit of an occupied slot", Corrupt: func(w *wheel) { w.Clear(3) }, Want: "but its bit says false"},
		{Name: "the bit of an empty slot", Corrupt: func(w *wheel) { w.Mark(60) }, Want: "but its bit says true"},
		{Name: "a slot that ends nowhere", Corrupt: func(w *wheel) { w.ends[3] = 1 << 30 }, Want: "does not exist"},
		{Name: "a slot that ends in a header", Corrupt: func(w *wheel) { w.ends[3] = last(w) + 1 }, Want: "is empty"},
		{Name: "a chunk that is not full", Corrupt: func(w *wheel) { w.header(last(w)).Link-- }, Want: "is not full but not the last"},
		{Name: "the small chunk of another slot", Corrupt: func(w *wheel) { w.header(last(w)).Link -= smallLen }, Want: "belongs to another slot"},
		{Name: "a slot that leads to itself", Corrupt: func(w *wheel) { w.header(last(w)).Link = last(w) + chunkLen }, Want: "slot 3"},
		{Name: "an entry lost", Corrupt: func(w *wheel) { w.remove(timer(w)) }, Want: "entries, 48 timers wait"},
		{Name: "an entry for no record", Corrupt: func(w *wheel) { *entry(w) |= 1 << 20 }, Want: "does not exist"},
		{Name: "an entry of another tick", Corrupt: func(w *wheel) { *entry(w) += 64 << 32 }, Want: "which is in another slot"},
		{Name: "an entry in a wrong slot", Corrupt: func(w *wheel) { *entry(w) += 1 << 32; timer(w).low++ }, Want: "which is in another slot"},
		{Name: "an entry that comes up too late", Corrupt: func(w *wheel) { timer(w).Link-- }, Want: "and expires at"},
		{Name: "a record that leads elsewhere", Corrupt: func(w *wheel) { timer(w).pos++ }, Want: "has no entry at"},
		{Name: "a free record with an entry", Corrupt: func(w *wheel) { timer(w).Gen ^= stateInReach ^ stateStopped }, Want: "is free, and has an entry"},
		{Name: "a timer marked as due", Corrupt: func(w *wheel) { timer(w).Gen |= stateDue }, Want: "has no entry at"},
		{Name: "a live record marked as free", Corrupt: func(w *wheel) { timer(w).Gen &^= stateMask }, Want: "has no entry at"},
		{Name: "the number of due timers", Corrupt: func(w *wheel) { w.due++ }, Want: "due timers: 2, the count says 3"},
		{Name: "the number of due timers too small", Corrupt: func(w *wheel) { w.due-- }, Want: "due timers: more than the 1"},
		{Name: "a due list that leads nowhere", Corrupt: func(w *wheel) { w.records.At(0).Link = 1 << 30 }, Want: "due timers: link to record"},
		{Name: "a due list that does not lead back", Corrupt: func(w *wheel) { w.records.At(firstDue(w)).low = 9 }, Want: "does not lead back"},
		{Name: "a timer in the due list that is not due", Corrupt: func(w *wheel) { w.records.At(firstDue(w)).Gen ^= stateDue ^ stateInReach }, Want: "is not marked as due"},
		{Name: "a chunk lost", Corrupt: func(w *wheel) { w.chunks.HasRoom(); w.chunks.Take() }, Want: "chunks: record"},
		{Name: "a free record that is none", Corrupt: func(w *wheel) {
			first := firstDue(w)
			w.Expire(func(schemes.ID) {})
			w.records.At(first).Gen |= stateInReach
		}, Want: "in use, but in the free list"},
	}
	schemetest.CheckNames(t, &wheelInfo, schemes.Config{Slots: 4}, ways[2:])
	schemetest.CheckNames(t, &wheelInfo, schemes.Config{Slots: 64}, ways[:2])
}

// A record of the last generation ends with its timer, and its entry with it; a restart goes on in another record.
func TestARecordWhoseGenerationsAreUsedUpIsRetired(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 4})
	for _, end := range []func(h schemes.Handle){
		func(h schemes.Handle) { require.True(t, w.Stop(h)) },
		func(h schemes.Handle) {
			next, err := w.Restart(h, 30)
			require.NoError(t, err)
			require.NotEqual(t, uint32(h), uint32(next))
			require.Equal(t, 1, w.Len())
			require.True(t, w.Stop(next))
		},
		func(h schemes.Handle) {
			require.Equal(t, 1, w.PerTick())
			w.Expire(func(id schemes.ID) { require.Zero(t, id) })
		},
	} {
		i := uint32(w.start(t, 1, 1)[0])
		w.records.At(i).Gen = lastGen | stateInReach
		h := handle(i, lastGen)
		end(h)
		assert.False(t, w.Stop(h))
		require.NoError(t, w.Check())
		hs := w.start(t, 500, 10)
		for _, other := range hs {
			require.NotEqual(t, i, uint32(other), "a retired record was handed out")
		}
		w.stop(t, hs)
		require.NoError(t, w.Check())
	}
	for range 20 {
		w.PerTick()
		require.NoError(t, w.Check())
	}
	assert.Equal(t, w.Len(), w.Held())
}

// Full is an error that changes nothing.
func TestFull(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 4})
	const most = 1<<16 + 100 // more than a segment of an array
	w.records = store.NewSlab[record](0, 0, 1+most, true)
	hs := w.start(t, most, 7)
	before := w.Counts()
	_, err := w.Start(1, 1)
	require.ErrorIs(t, err, schemes.ErrFull)
	assert.ErrorContains(t, err, "wheel: 65636 timers outstanding")
	assert.Equal(t, before, w.Counts())
	require.NoError(t, w.Check())
	h, err := w.Restart(hs[5], 3)
	require.NoError(t, err, "a restart needs no record")
	require.True(t, w.Stop(h))
	_, err = w.Start(1, 1)
	require.NoError(t, err)
}

// A client may stop or restart due timers and never call Expire, whether the due list is empty in between or not.
func TestDueTimersThatEnd(t *testing.T) {
	for _, stays := range []int{0, 1, 100} {
		w := newWheel(t, schemes.Config{Slots: 4})
		w.start(t, stays, 1)
		for range 200 {
			hs := w.start(t, 50, 1)
			w.PerTick()
			for k, h := range hs {
				if k%2 == 0 {
					require.True(t, w.Stop(h))
					continue
				}
				h, err := w.Restart(h, 5)
				require.NoError(t, err)
				require.True(t, w.Stop(h))
			}
			require.Equal(t, stays, w.Len())
			require.NoError(t, w.Check())
		}
		got := 0
		w.Expire(func(schemes.ID) { got++ })
		require.Equal(t, stays, got)
		require.False(t, w.AnyDue())
	}
}
