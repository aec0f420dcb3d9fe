package hierarchical

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformanceChunked(t *testing.T) { schemetest.Run(t, &Chunked) }

func FuzzConformanceChunked(f *testing.F) { schemetest.Fuzz(f, &Chunked) }

func newOfChunks(t *testing.T, cfg schemes.Config) *chunked {
	t.Helper()
	s, err := Chunked.New(cfg)
	require.NoError(t, err)
	return s.(*chunked)
}

// In a slot that lasts longer than a low word can name, an entry of the timer's last restart may come up together
// with the right one, and be mistaken for an entry of a tick before.
func TestFarTimerIsDueOnce(t *testing.T) {
	const begins = 3 << 40 // a slot of level 5
	w := newOfChunks(t, schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256}})
	for id := range schemes.ID(6) {
		started(t, w, begins+9, id)
	}
	h := started(t, w, begins+1<<32-1, 6) // the last entry of the small chunk, handled last
	_, err := w.Restart(h, begins)
	require.NoError(t, err)
	passed, due := w.Advance(begins)
	assert.Equal(t, schemes.Tick(begins), passed)
	assert.Equal(t, 1, due)
	require.NoError(t, w.Check())
	var ids []schemes.ID
	w.Expire(func(id schemes.ID) { ids = append(ids, id) })
	assert.Equal(t, []schemes.ID{6}, ids)
	assert.False(t, w.AnyDue())
	require.NoError(t, w.Check())
}

// Check names the invariants that the wheels add to their chunks'.
func TestCheckNamesWhatIsBrokenInChunked(t *testing.T) {
	schemetest.CheckNames(t, &Chunked, schemes.Config{Levels: []int{4, 3, 8}}, []schemetest.Corruption[*chunked]{
		{Name: "the highest block", Corrupt: func(w *chunked) { w.levels[2].last-- }, Want: "level 2: block to 94; the clock (2) says to 95"},
		{Name: "the lowest block", Corrupt: func(w *chunked) { w.levels[0].last++ }, Want: "level 0: block to 4"},
		{Name: "a block", Corrupt: func(w *chunked) { w.levels[1].last-- }, Want: "level 1: block to 10"},
		{Name: "the clock", Corrupt: func(w *chunked) { w.Now++ }, Want: "comes up now, but waits"},
		{Name: "what is next too late", Corrupt: func(w *chunked) { w.Upcoming++ }, Want: "next is 4, but a slot comes up at 3"},
		{Name: "an occupied slot marked as empty", Corrupt: func(w *chunked) { w.Clear(w.levels[1].first + 1) }, Want: "slot 6: it ends at"},
		{Name: "an empty slot marked as occupied", Corrupt: func(w *chunked) { w.Mark(w.levels[1].first) }, Want: "slot 5: it ends at 0, but its bit says true"},
		{Name: "the slots of a level", Corrupt: func(w *chunked) { w.levels[2].first++ }, Want: "which is in another slot"},
	})
}

// Only moves to a lower wheel are migrations: not the end of a stopped timer's entry, nor that a
// restarted timer goes on in the wheel where it waits.
func TestChunkedMigrations(t *testing.T) {
	for name, test := range map[string]struct {
		again func(s schemes.Scheme, h schemes.Handle)
		want  uint64
	}{
		"left alone":    {func(schemes.Scheme, schemes.Handle) {}, 1},
		"stopped":       {func(s schemes.Scheme, h schemes.Handle) { s.Stop(h) }, 0},
		"restarted far": {func(s schemes.Scheme, h schemes.Handle) { s.(schemes.Restarter).Restart(h, 14) }, 1},
	} {
		s := newOfChunks(t, schemes.Config{Levels: []int{4, 4}})
		h := started(t, s, 5, 1)
		test.again(s, h)
		for range 5 {
			s.PerTick()
		}
		require.Equal(t, test.want, s.Counts().Migrations, name)
	}
}

// A service sleeps until the next event. After a Restart it wakes up at the old deadline too, after a Move not.
func TestMoveLeavesNoEntry(t *testing.T) {
	for name, at := range map[string]schemes.Tick{"Restart": 10, "Move": 20} {
		w := newOfChunks(t, schemes.Config{Levels: []int{256, 256}})
		again := w.Restart
		if name == "Move" {
			again = w.Move
		}
		h, err := again(started(t, w, 10, 7), 20)
		require.NoError(t, err)
		wait, ok := w.NextEvent()
		assert.True(t, ok)
		assert.Equal(t, at, wait, name)
		passed, due := w.Advance(100)
		assert.Equal(t, []any{schemes.Tick(20), 1}, []any{passed, due}, name)
		require.NoError(t, w.Check())
		assert.True(t, w.Stop(h), name)
	}
}

// Skim moves timers before they are due, under their handles. They expire on their new deadlines, the others on theirs.
func TestSkim(t *testing.T) {
	s, err := Chunked.New(schemes.Config{Levels: []int{256, 64}})
	require.NoError(t, err)
	w, handles, deadlines := s.(*chunked), make([]schemes.Handle, 100), map[schemes.ID]schemes.Tick{}
	for id := range schemes.ID(100) {
		handles[id], err = w.Start(10, id)
		require.NoError(t, err)
		deadlines[id] = 10
	}
	handles[7], err = w.Restart(handles[7], 20)
	require.NoError(t, err)
	w.Stop(handles[9])
	delete(deadlines, 9)
	deadlines[7] = 20
	assert.Negative(t, w.Skim(256, 100, nil), "the lowest wheel wraps before")
	assert.Equal(t, 100, w.Skim(10, 99, nil), "it does nothing")
	assert.Equal(t, 100, w.Skim(10, 100, func(id schemes.ID) schemes.Tick {
		assert.NotEqual(t, schemes.ID(9), id, "it was stopped")
		if id%2 == 0 {
			deadlines[id] = 300 + schemes.Tick(id)
			return deadlines[id]
		}
		return 0
	}))
	require.NoError(t, w.Check())
	id, ok := w.ID(handles[8])
	assert.True(t, ok && id == 8)
	for w.Now < 500 {
		w.PerTick()
		w.Expire(func(id schemes.ID) {
			assert.Equal(t, deadlines[id], w.Now)
			delete(deadlines, id)
		})
	}
	assert.Empty(t, deadlines)
}
