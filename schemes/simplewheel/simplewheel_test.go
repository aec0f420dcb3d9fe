package simplewheel

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T)         { schemetest.Run(t, &Info) }
func TestConformanceOverflow(t *testing.T) { schemetest.Run(t, &Overflow) }
func TestConformanceTegas(t *testing.T)    { schemetest.Run(t, &Tegas) }

func FuzzConformance(f *testing.F)         { schemetest.Fuzz(f, &Info) }
func FuzzConformanceOverflow(f *testing.F) { schemetest.Fuzz(f, &Overflow) }
func FuzzConformanceTegas(f *testing.F)    { schemetest.Fuzz(f, &Tegas) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 64}, []schemetest.Corruption[*wheel]{
		{Name: "slot", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot+8).Next).Key++ }, Want: "not this slot"},
		{Name: "a deadline beyond the range", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot + 8).Next).Key += 64 }, Want: "not this slot"},
		{Name: "a deadline that has passed", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot + 8).Next).Key -= 64 }, Want: "not this slot"},
	})
}

// Check names each invariant of the slots, of the list and of the border between
// them that is broken. At tick 2 of 16 slots, timers 3 to 15 or 18 are in slots.
func TestCheckNamesWhatIsBrokenInOverflow(t *testing.T) {
	first := func(s *extended) uint32 { return s.At(s.list()).Next }
	both := []schemetest.Corruption[*extended]{
		{Name: "reach", Corrupt: func(s *extended) { s.reach-- }, Want: "reach is"},
		{Name: "slot", Corrupt: func(s *extended) { s.At(s.At(store.FirstSlot+8).Next).Key++ }, Want: "not this slot"},
		{Name: "a deadline in the list that has passed", Corrupt: func(s *extended) { s.At(first(s)).Key = 2 }, Want: "overflow list: timer"},
		{Name: "a deadline in the list long past", Corrupt: func(s *extended) { s.At(first(s)).Key = 1 }, Want: "overflow list: timer"},
	}
	refilled := []schemetest.Corruption[*extended]{
		{Name: "a covered timer in the list", Corrupt: func(s *extended) { s.At(first(s)).Key = 15 }, Want: "overflow list: timer"},
		{Name: "a timer in its slot too early", Corrupt: func(s *extended) { i := first(s); s.Unlink(s.At(i)); s.Insert(store.FirstSlot, i, s.At(i)) }, Want: "do not cover"},
	}
	order := schemetest.Corruption[*extended]{
		Name: "order", Corrupt: func(s *extended) { s.At(first(s)).Key = 1000 }, Want: "overflow list: timer",
	}
	cfg := schemes.Config{Slots: 16}
	schemetest.CheckNames(t, &Overflow, cfg, append(both, order))
	schemetest.CheckNames(t, &Tegas, cfg, append(both, refilled...))
}

// alone starts one timer when the clock is at now and ticks until it is due; it returns what that counted.
func alone(t *testing.T, info *schemes.Info, slots int, now, interval schemes.Tick) schemes.Counts {
	s, err := info.New(schemes.Config{Now: now, Slots: slots})
	require.NoError(t, err)
	_, err = s.Start(interval, 1)
	require.NoError(t, err)
	for range interval - 1 {
		require.Zero(t, s.PerTick())
	}
	require.Equal(t, 1, s.PerTick())
	return s.(schemes.Counter).Counts()
}

// A refill looks at the whole list: a timer is visited once for every refill that it waits for, and once in its slot. The
// last refill is its migration.
func TestRefillVisits(t *testing.T) {
	for _, slots := range []int{1, 2, 3, 6, 7, 8, 16} {
		m := schemes.Tick(slots)
		for now := range 3 * m {
			if now >= 2*m {
				now += math.MaxUint64 - 9*m
			}
			for interval := schemes.Tick(1); interval <= 5*m; interval++ {
				refills := uint64(0) // the last one moves the timer; those before, and the one before the start, do not cover it
				for at := now - now%m; at+m <= now+interval; at += m {
					refills++
				}
				want := schemes.Counts{Visits: refills + 1, Migrations: min(refills, 1), Links: 2, EmptySlots: uint64(interval) - 1}
				assert.Equal(t, want, alone(t, &Tegas, slots, now, interval), "interval %d at %d, M %d", interval, now, m)
			}
		}
	}
}

// Within its range simplewheel-overflow counts as scheme 4 does; beyond it the
// list's head is looked at on every tick, as in scheme 2.
func TestOverflowCounts(t *testing.T) {
	assert.Equal(t, alone(t, &Info, 8, 3, 8), alone(t, &Overflow, 8, 3, 8))
	beyond := alone(t, &Overflow, 8, 3, 9)
	assert.Equal(t, schemes.Counts{Visits: 9, Links: 2, EmptySlots: 9}, beyond)
}

// The drawing shows the list below the slots.
func TestDrawing(t *testing.T) {
	for _, info := range []*schemes.Info{&Overflow, &Tegas} {
		s, err := info.New(schemes.Config{Now: 6, Slots: 8})
		require.NoError(t, err)
		for id, interval := range []schemes.Tick{10, 1, 30} {
			_, err := s.Start(interval, schemes.ID(id))
			require.NoError(t, err)
		}
		assert.Equal(t, "now 6, 3 outstanding, id(deadline)\nslot [6]: -\nslot 7: 1(7)\noverflow: 0(16) 2(36)\n", fmt.Sprint(s))
	}
}
