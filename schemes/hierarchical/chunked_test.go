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

// In a slot that lasts longer than half a tick tells, an entry of the timer's last
// restart may come up together with the right one, and be what it would be mistaken
// for: that of a tick before.
func TestFarTimerIsDueOnce(t *testing.T) {
	const begins = 3 << 40 // a slot of level 5
	w := newOfChunks(t, schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256}})
	for id := range schemes.ID(6) {
		_, err := w.Start(begins+9, id)
		require.NoError(t, err)
	}
	h, err := w.Start(begins+1<<32-1, 6) // the last entry of the small chunk, handled last
	require.NoError(t, err)
	_, err = w.Restart(h, begins)
	require.NoError(t, err)
	passed, due := w.Advance(begins)
	assert.Equal(t, schemes.Tick(begins), passed)
	assert.Equal(t, 1, due)
	require.NoError(t, w.Check())
	var ids []schemes.ID
	w.Expire(func(id schemes.ID) { ids = append(ids, id) })
	assert.Equal(t, []schemes.ID{6}, ids)
	assert.Zero(t, w.Due())
	require.NoError(t, w.Check())
}
