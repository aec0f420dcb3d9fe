package chunk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// A timer that follows a stopped one keeps its entry if that comes up no later, and so does a
// restarted one. From 2^32 ticks on a low word is ambiguous.
func TestReuse(t *testing.T) {
	const half = 1 << 32
	tests := []struct {
		first, second schemes.Tick
		kept          bool
	}{
		{10, 10, true},
		{10, 11, true},
		{10, half - 1, true},
		{10, half, false},
		{10, 1 << 60, false},
		{10, half + 10, false},
		{10, 9, false},
		{10, 1, false},
		{half - 1, half - 1, true},
		{half - 1, half + 5, false},
		{half - 1, 5, false},
		{half, half, false},
		{half + 10, 10, false},
		{half + 10, half + 11, false},
		{half + 10, 2*half + 10, false},
	}
	again := map[string]func(w *wheel, h schemes.Handle, interval schemes.Tick) (schemes.Handle, error){
		"stop and start": func(w *wheel, h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
			require.True(t, w.Stop(h))
			require.NoError(t, w.Check())
			return w.Start(interval, 7)
		},
		"restart": func(w *wheel, h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
			return w.Restart(h, interval)
		},
	}
	for name, again := range again {
		for _, test := range tests {
			for _, now := range []schemes.Tick{0, 7, half - 3, 1<<63 - 5} {
				w := newWheel(t, schemes.Config{Slots: 8, Now: now})
				h, err := again(w, w.start(t, 1, test.first)[0], test.second)
				require.NoError(t, err)
				require.NoError(t, w.Check())
				wakesAt := now + test.second
				if test.kept {
					wakesAt = now + test.first
				}
				require.Equal(t, wakesAt, w.wakesAt(w.find(h)), "%s: %d, then %d", name, test.first, test.second)
				require.Equal(t, uint64(3), w.Tally.Links, "%s counts as leaving and entering", name)
				require.Equal(t, 1, w.Held())
			}
		}
	}
}

// The entries of stopped timers are at most an eighth of the timers, and become fewer with these,
// however they end; an entry goes when it comes up.
func TestEntriesOfStoppedTimers(t *testing.T) {
	bound := func(w *wheel) {
		stopped := w.Held() - w.Len()
		require.LessOrEqual(t, stoppedShare*stopped, w.Len()+stopped+stoppedShare)
		require.LessOrEqual(t, len(w.stopped), mostStopped)
	}
	w := newWheel(t, schemes.Config{Slots: 8})
	hs := append(w.start(t, 50_000, 5), w.start(t, 1000, 900)...)
	for _, h := range hs[10_000:] {
		require.True(t, w.Stop(h))
		bound(w)
	}
	require.NoError(t, w.Check())
	require.Positive(t, w.Held()-w.Len())
	for range 5 {
		w.PerTick()
	}
	w.Expire(func(schemes.ID) { bound(w) })
	require.NoError(t, w.Check())
	require.Zero(t, w.Len())
	require.LessOrEqual(t, len(w.stopped), 1)
}
