package harness_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
)

// Info.Bytes is what a scheme holds, whether its memory is reserved or grows with the timers.
func TestBytesAreWhatASchemeHolds(t *testing.T) {
	configs := []schemes.Config{{}, {Slots: 4096, Levels: []int{64, 64, 64}}, {Slots: 1000, Levels: []int{1000, 1000}}}
	for _, info := range harness.Schemes {
		if info.Bytes == nil {
			continue
		}
		for i, cfg := range configs {
			counts := []int{20_000}
			if !testing.Short() {
				counts = append(counts, 1000)
			}
			if i == 0 && !testing.Short() {
				counts = append(counts, 1_010_000) // just above where an array of chunks gets another segment
			}
			for _, n := range counts {
				intervals := spread(info, cfg, n)
				for _, cfg.Capacity = range []int{0, n} {
					if cfg.Capacity > 1_000_000 {
						continue // this count is for memory that grows
					}
					want := float64(held(t, info, cfg, intervals))
					const small = 4096 // what objects are rounded up by
					assert.InDelta(t, want, info.Bytes(n, cfg), want/10+small, "%s, %d timers, %+v", info.Name, n, cfg)
				}
			}
		}
	}
}

// spread returns intervals of n timers over the slots of a scheme, in an order that is cheap for it.
func spread(info *schemes.Info, cfg schemes.Config, n int) []schemes.Tick {
	intervals := make([]schemes.Tick, n)
	random := rand.New(rand.NewPCG(1, 2))
	longest := min(info.Range(cfg), 1<<20)
	if info.Kind.HasLevels() { // the range of the levels, also where more are made on demand
		longest = hierarchical.Info.Range(cfg)
	}
	for i := range intervals {
		intervals[i] = 1 + schemes.Tick(random.Uint64N(uint64(longest)))*9/10
	}
	if info == &ordered.Durations { // as many as Bytes assumes
		for i := range intervals {
			intervals[i] = schemes.Tick(1 + i%64)
		}
	}
	if info.Kind != schemes.Tree { // a list is not searched if the new timer is at its end
		slices.Sort(intervals)
	}
	if info != &ordered.Rear && info.Kind != schemes.Tree {
		slices.Reverse(intervals)
	}
	return intervals
}

// held returns the bytes that a scheme holds with timers of the intervals.
func held(t *testing.T, info *schemes.Info, cfg schemes.Config, intervals []schemes.Tick) int {
	t.Helper()
	runtime.GC() // and again in LiveHeap: what the first one found to have a finalizer
	before := run.LiveHeap()
	s, err := info.New(cfg)
	require.NoError(t, err)
	for i, interval := range intervals {
		_, err := s.Start(interval, schemes.ID(i))
		require.NoError(t, err)
	}
	runtime.GC()
	bytes := run.LiveHeap() - before
	runtime.KeepAlive(intervals)
	if o, ok := s.(schemes.OffHeaper); ok {
		bytes += o.OffHeap()
	}
	return bytes
}
