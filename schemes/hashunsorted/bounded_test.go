package hashunsorted

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestBoundedConformance(t *testing.T) { schemetest.Run(t, &Bounded) }

func FuzzBoundedConformance(f *testing.F) { schemetest.Fuzz(f, &Bounded) }

// Whatever happens between the steps of a tick, every timer is due on its own tick, and no step
// visits more timers than it may.
func TestStepsOfATick(t *testing.T) {
	for _, slots := range []int{1, 2, 4} {
		for seed := range uint64(200) {
			s, err := Bounded.New(schemes.Config{Slots: slots})
			require.NoError(t, err)
			steps(t, s.(*bounded), rand.New(rand.NewPCG(seed, uint64(slots))))
		}
	}
}

func steps(t *testing.T, b *bounded, r *rand.Rand) {
	t.Helper()
	const most = 2
	deadlines, handles := map[schemes.ID]schemes.Tick{}, map[schemes.ID]schemes.Handle{}
	operate := func() {
		id := schemes.ID(r.IntN(8))
		interval := schemes.Tick(1 + r.IntN(12))
		h, exists := handles[id]
		var err error
		switch {
		case !exists:
			h, err = b.Start(interval, id)
		case r.IntN(2) == 0:
			h, err = b.Restart(h, interval)
		default:
			require.True(t, b.Stop(h))
			delete(handles, id)
			return
		}
		require.NoError(t, err)
		handles[id], deadlines[id] = h, b.Now+interval
	}
	for range 60 {
		for complete := false; !complete; {
			for range r.IntN(4) {
				operate()
			}
			before := b.Tally.Visits
			_, complete = b.Step(most)
			require.LessOrEqual(t, b.Tally.Visits-before, uint64(most))
		}
		b.Expire(func(id schemes.ID) {
			assert.Equal(t, deadlines[id], b.Now, "timer %d", id)
			delete(handles, id)
		})
		for id := range handles {
			require.Greater(t, deadlines[id], b.Now, "timer %d is late", id)
		}
		require.NoError(t, b.Check())
	}
}

// A refused Restart of the timer at which a tick goes on leaves the tick where it is.
func TestRefusedRestartInATick(t *testing.T) {
	s, err := Bounded.New(schemes.Config{Slots: 1})
	require.NoError(t, err)
	b := s.(*bounded)
	for id := range schemes.ID(2) {
		_, err := b.Start(1, id)
		require.NoError(t, err)
	}
	h, err := b.Start(1, 2)
	require.NoError(t, err)
	b.Step(2)
	_, err = b.Restart(h, 0)
	require.ErrorIs(t, err, schemes.ErrInterval)
	due, complete := b.Step(2)
	assert.Equal(t, 1, due)
	assert.True(t, complete)
}
