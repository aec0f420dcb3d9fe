package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// adversary drives a scheme and verifies after every operation that there are never more
// stale entries than waiting timers and a chunk.
type adversary struct {
	*testing.T
	*rand.Rand
	chunked
	hs []schemes.Handle
}

const chunkLen = 32

func (a *adversary) bound() {
	waiting := a.Len() // what is due is expired at once
	if idle := a.Held() - waiting; idle > waiting+chunkLen {
		require.FailNow(a, "too many entries", "%d are stale, %d timers wait", idle, waiting)
	}
}

// start starts timers and appends their handles.
func (a *adversary) start(n int, interval func(k int) schemes.Tick) {
	for k := range n {
		h, err := a.Start(interval(k), schemes.ID(k))
		require.NoError(a, err)
		a.hs = append(a.hs, h)
		a.bound()
	}
}

// stop stops timers from to below to.
func (a *adversary) stop(from, to int) {
	for _, h := range a.hs[from:to] {
		require.True(a, a.Stop(h))
		a.bound()
	}
}

func (a *adversary) restart(k int, interval schemes.Tick) {
	h, err := a.Restart(a.hs[k], interval)
	require.NoError(a, err)
	a.hs[k] = h
	a.bound()
}

func (a *adversary) tick(n int) {
	for range n {
		a.PerTick()
		a.Expire(func(schemes.ID) {})
		a.bound()
	}
}

func same(interval schemes.Tick) func(int) schemes.Tick {
	return func(int) schemes.Tick { return interval }
}

// spread returns intervals up to a power of two.
func spread(bits int) func(int) schemes.Tick {
	return func(k int) schemes.Tick { return 1 + schemes.Tick(uint64(k)*0x9e3779b97f4a7c15>>(64-bits)) }
}

const far = 1 << 33

// adversaries are sequences that make stale entries, in ways
// that a sweep may find hard.
var adversaries = []struct {
	name string
	run  func(a *adversary)
}{
	{"stop all but few", func(a *adversary) {
		a.start(10_000, spread(20))
		a.stop(0, 9_990)
		a.stop(9_990, 10_000)
	}},
	{"stop in another order", func(a *adversary) {
		a.start(10_000, spread(20))
		a.Shuffle(len(a.hs), func(i, k int) { a.hs[i], a.hs[k] = a.hs[k], a.hs[i] })
		a.stop(0, 10_000)
	}},
	{"stop the far ones", func(a *adversary) {
		a.start(5_000, spread(8))
		a.start(10_000, same(far))
		a.stop(5_000, 15_000)
	}},
	{"stop the near ones", func(a *adversary) {
		a.start(10_000, same(far))
		a.start(5_000, spread(8))
		a.stop(10_000, 15_000)
	}},
	{"stop one slot of many", func(a *adversary) {
		a.start(4_000, spread(20))
		a.start(4_000, same(1<<20))
		a.stop(4_000, 8_000)
		a.stop(0, 4_000)
	}},
	{"start and stop the same", func(a *adversary) {
		a.start(100, same(1<<20))
		for _, interval := range []schemes.Tick{far, 1 << 21, 1 << 10, far + 1, 3} {
			for range 2_000 {
				a.start(1, same(interval))
				a.stop(len(a.hs)-1, len(a.hs))
			}
		}
	}},
	{"start and stop ever earlier", func(a *adversary) {
		a.start(100, same(1<<20))
		for k := range schemes.Tick(10_000) {
			a.start(1, same(20_000-k))
			a.stop(len(a.hs)-1, len(a.hs))
		}
	}},
	{"restart ever earlier", func(a *adversary) {
		a.start(100, same(1<<20))
		for k := range schemes.Tick(10_000) {
			a.restart(int(k%100), 20_000-k)
		}
		for k := range schemes.Tick(10_000) {
			a.restart(7, 10_001-k)
		}
	}},
	{"restart a far one at the same tick", func(a *adversary) {
		a.start(10, same(far))
		for k := range 10_000 {
			a.restart(k%10, far)
		}
	}},
	{"restart a far one at two ticks", func(a *adversary) {
		a.start(10, same(far))
		for k := range 10_000 {
			a.restart(3, far+schemes.Tick(k%2))
		}
	}},
	{"restart soon and late by turns", func(a *adversary) {
		a.start(100, same(1<<20))
		for k := range schemes.Tick(5_000) {
			a.restart(5, 1)
			a.restart(5, 1<<20-k)
			a.tick(1)
		}
	}},
	{"restart all soon and late by turns", func(a *adversary) {
		a.start(50, same(1<<20))
		for tick := range schemes.Tick(200) {
			for _, interval := range []schemes.Tick{1, 1<<20 - tick} {
				for k := range 50 {
					a.restart(k, interval)
				}
			}
			a.tick(1)
		}
	}},
	{"all that waited expire", func(a *adversary) {
		a.start(1_000, spread(8))
		a.start(499, same(1<<20))
		a.stop(1_000, 1_499)
		a.tick(300)
	}},
	{"by turns", func(a *adversary) {
		for range 20 {
			first := len(a.hs)
			a.start(1_000, spread(16))
			a.stop(first, first+900)
			a.tick(1)
		}
	}},
	{"at random", func(a *adversary) {
		a.start(1_000, spread(12))
		for range 20_000 {
			k := a.IntN(len(a.hs))
			switch interval := schemes.Tick(1) << a.IntN(34); {
			case !a.Stop(a.hs[k]) || a.IntN(2) == 0:
				h, err := a.Start(interval, 1)
				require.NoError(a, err)
				a.hs[k] = h
			case a.IntN(50) == 0:
				a.tick(a.IntN(100))
			}
			a.bound()
		}
	}},
}

// forms are both schemes in small and large.
var forms = []struct {
	info *schemes.Info
	cfg  schemes.Config
}{
	{&hashunsorted.Chunked, schemes.Config{Slots: 256}},
	{&hashunsorted.Chunked, schemes.Config{Slots: 1}},
	{&hashunsorted.Chunked, schemes.Config{Slots: 1000}},
	{&hashunsorted.Chunked, schemes.Config{Slots: 1 << 16}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{256, 256, 256, 256, 256}}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}}},
	{&hierarchical.Chunked, schemes.Config{Levels: []int{1, 60, 60, 24, 100, 1000, 1000}}},
}

// TestEntriesThatStandForNoTimerAreFew tries the adversaries.
func TestEntriesThatStandForNoTimerAreFew(t *testing.T) {
	for _, of := range forms {
		for _, by := range adversaries {
			t.Run(fmt.Sprint(of.info.Name, of.cfg.Slots, of.cfg.Levels, "/", by.name), func(t *testing.T) {
				a := &adversary{T: t, Rand: rand.New(rand.NewPCG(1, 2)), chunked: newChunked(t, of.info, of.cfg)}
				by.run(a)
				require.NoError(t, a.Check())
			})
		}
	}
}
