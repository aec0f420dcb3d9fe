package chunk_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/tree"
)

// large are configurations whose ranges are beyond 2^32 ticks: powers of two and
// others, one slot, levels of radix 1, slots that last more than 2^32 ticks.
var large = []struct {
	info *schemes.Info
	cfg  schemes.Config
}{
	{&hashunsorted.Chunked, schemes.Config{Slots: 8}},
	{&hashunsorted.Chunked, schemes.Config{Slots: 3}},
	{&hashunsorted.Chunked, schemes.Config{Slots: 1}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256}}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256, 256}}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{2, 1, 1 << 13, 1 << 13, 1 << 8, 3, 2}}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{1, 10, 1000, 1000, 1000, 1000, 1000, 1000}}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{1 << 12, 1 << 12, 1 << 12, 1 << 12, 1 << 10}}},
	{&hierarchical.AheadChunked, schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256}}},
	{&hierarchical.AheadChunked, schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256, 256}}},
	{&hierarchical.AheadChunked, schemes.Config{Levels: []int{2, 1, 1 << 13, 1 << 13, 1 << 8, 3, 2}}},
	{&hierarchical.AheadChunked, schemes.Config{Levels: []int{1, 10, 1000, 1000, 1000, 1000, 1000, 1000}}},
}

// scheme is what the chunked forms and the heap have in common.
type scheme interface {
	schemes.Scheme
	schemes.Checker
	schemes.Sized
	schemes.Restarter
	schemes.Advancer
	schemes.Nexter
}

func expired(s scheme) (ids []schemes.ID) {
	s.Expire(func(id schemes.ID) { ids = append(ids, id) })
	slices.Sort(ids)
	return ids
}

// TestFarTimers compares intervals of all lengths with a heap, from clocks up to the last tick: stops,
// restarts, starts at ticks that were used before, and at ticks with the same low word.
func TestFarTimers(t *testing.T) {
	for _, of := range large {
		t.Run(fmt.Sprint(of.info.Name, of.cfg.Slots, of.cfg.Levels), rapid.MakeCheck(func(t *rapid.T) {
			cfg := of.cfg
			cfg.Now = rapid.SampledFrom([]schemes.Tick{0, 1<<32 - 3, 1<<40 - 7, 1<<63 - 5, math.MaxUint64 - 1<<41, math.MaxUint64 - 1<<33, math.MaxUint64 - 50}).Draw(t, "now")
			var both [2]scheme // the chunked form and the heap
			for k, info := range []*schemes.Info{of.info, &tree.Info} {
				made, err := info.New(cfg)
				require.NoError(t, err)
				both[k] = made.(scheme)
			}
			now, longest := cfg.Now, of.info.Range(cfg)
			var handles [][2]schemes.Handle // of every timer, stale ones included
			var ticks []schemes.Tick        // deadlines so far
			// interval likes to fall on a tick that was used before, to differ from it by a multiple of
			// 2^32, or to be near the clock.
			interval := func(t *rapid.T) schemes.Tick {
				deadline := now
				switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
				case kind <= 1:
					deadline += schemes.Tick(rapid.Uint64Range(1, 40).Draw(t, "near"))
				case kind <= 4 && len(ticks) > 0:
					deadline = rapid.SampledFrom(ticks).Draw(t, "deadline")
					deadline += schemes.Tick(rapid.Uint64Range(0, 4).Draw(t, "later")) << 32
					deadline -= schemes.Tick(rapid.Uint64Range(0, 4).Draw(t, "earlier")) << 32
					deadline += schemes.Tick(rapid.Int64Range(-1, 1).Draw(t, "beside"))
				default:
					deadline += schemes.Tick(rapid.Uint64().Draw(t, "interval") >> rapid.Uint64Range(0, 63).Draw(t, "shift"))
				}
				return deadline - now
			}
			// begin starts or restarts a timer in both, and keeps the handles.
			begin := func(t *rapid.T, interval schemes.Tick, start func(k int) (schemes.Handle, error)) {
				h, err := start(0)
				if interval > longest { // no heap has a range
					require.Error(t, err)
					return
				}
				other, otherErr := start(1)
				if otherErr != nil {
					require.Error(t, err)
					return
				}
				require.NoError(t, err)
				handles, ticks = append(handles, [2]schemes.Handle{h, other}), append(ticks, now+interval)
			}
			start := func(t *rapid.T) {
				length, id := interval(t), schemes.ID(len(handles))
				begin(t, length, func(k int) (schemes.Handle, error) { return both[k].Start(length, id) })
			}
			which := func(t *rapid.T) [2]schemes.Handle {
				if len(handles) == 0 {
					return [2]schemes.Handle{}
				}
				back := rapid.IntRange(0, len(handles)-1).Draw(t, "which") // recent ones more often
				return handles[len(handles)-1-back]
			}
			t.Repeat(map[string]func(*rapid.T){
				"start": start,
				"again": start,
				"restart": func(t *rapid.T) {
					length, hs := interval(t), which(t)
					begin(t, length, func(k int) (schemes.Handle, error) { return both[k].Restart(hs[k], length) })
				},
				"stop": func(t *rapid.T) {
					hs := which(t)
					require.Equal(t, both[1].Stop(hs[1]), both[0].Stop(hs[0]))
				},
				"tick": func(t *rapid.T) {
					now += min(1, math.MaxUint64-now)
					require.Equal(t, both[1].PerTick(), both[0].PerTick())
				},
				"advance": func(t *rapid.T) {
					most := schemes.Tick(rapid.Uint64().Draw(t, "most") >> rapid.Uint64Range(0, 63).Draw(t, "shift"))
					wantPassed, wantDue := both[1].Advance(most)
					passed, due := both[0].Advance(most)
					require.Equal(t, wantPassed, passed)
					require.Equal(t, wantDue, due)
					now += passed
				},
				"expire": func(t *rapid.T) { require.Equal(t, expired(both[1]), expired(both[0])) },
				"": func(t *rapid.T) {
					require.NoError(t, both[0].Check())
					require.Equal(t, both[1].Len(), both[0].Len())
					wantWait, want := both[1].Next()
					wait, ok := both[0].Next()
					require.Equal(t, want, ok)
					require.Equal(t, wantWait, wait)
				},
			})
		}))
	}
}

// The error of too many slots names what was asked for.
func TestMaxSlots(t *testing.T) {
	cfg := schemes.Config{Slots: 1 << 28, Levels: []int{1 << 28}}
	for _, info := range []*schemes.Info{&hashunsorted.Chunked, &hierarchical.Chunked, &hierarchical.AheadChunked} {
		_, err := info.New(cfg)
		require.ErrorIs(t, err, schemes.ErrConfig)
		require.ErrorContains(t, err, "268435456 slots (allowed 1 to 268435455)")
		require.Zero(t, info.Bytes(1, cfg))
	}
}
