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
)

// chunked is what both chunked forms are.
type chunked interface {
	schemes.Scheme
	schemes.Counter
	schemes.Checker
	schemes.Sized
	schemes.Restarter
	schemes.Holder
	fmt.Stringer
	Advance(most schemes.Tick) (passed schemes.Tick, due int)
	Next() (wait schemes.Tick, ok bool)
}

func newChunked(t require.TestingT, info *schemes.Info, cfg schemes.Config) chunked {
	s, err := info.New(cfg)
	require.NoError(t, err)
	return s.(chunked)
}

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
}

// timer is one of the model's.
type timer struct {
	handle   schemes.Handle
	id       schemes.ID
	deadline schemes.Tick
}

// model is a scheme and what it must do, said without wheels.
type model struct {
	*rapid.T
	s       chunked
	now     schemes.Tick
	longest schemes.Tick
	waiting []timer // outstanding, due ones included
	stale   []schemes.Handle
	started schemes.ID
	ticks   []schemes.Tick // deadlines so far
}

// interval draws one that likes to fall on a tick that was used before, to differ
// from it by a multiple of 2^32, or to be near the clock.
func (m *model) interval() schemes.Tick {
	deadline := m.now
	switch kind := rapid.IntRange(0, 5).Draw(m.T, "kind"); {
	case kind <= 1:
		deadline += schemes.Tick(rapid.Uint64Range(1, 40).Draw(m.T, "near"))
	case kind <= 4 && len(m.ticks) > 0:
		deadline = rapid.SampledFrom(m.ticks).Draw(m.T, "deadline")
		deadline += schemes.Tick(rapid.Uint64Range(0, 4).Draw(m.T, "later")) << 32
		deadline -= schemes.Tick(rapid.Uint64Range(0, 4).Draw(m.T, "earlier")) << 32
		deadline += schemes.Tick(rapid.Int64Range(-1, 1).Draw(m.T, "beside"))
	default:
		deadline += schemes.Tick(rapid.Uint64().Draw(m.T, "interval") >> rapid.Uint64Range(0, 63).Draw(m.T, "shift"))
	}
	return deadline - m.now
}

func (m *model) allowed(interval schemes.Tick) bool {
	return interval >= 1 && interval <= m.longest && interval <= math.MaxUint64-m.now
}

func (m *model) start() {
	interval := m.interval()
	m.started++
	h, err := m.s.Start(interval, m.started)
	if !m.allowed(interval) {
		require.ErrorIs(m, err, schemes.ErrInterval)
		return
	}
	require.NoError(m, err)
	m.waiting = append(m.waiting, timer{h, m.started, m.now + interval})
	m.ticks = append(m.ticks, m.now+interval)
}

func (m *model) restart() {
	if len(m.waiting) == 0 {
		return
	}
	w := &m.waiting[rapid.IntRange(0, len(m.waiting)-1).Draw(m.T, "which")]
	interval := m.interval()
	h, err := m.s.Restart(w.handle, interval)
	if !m.allowed(interval) {
		require.ErrorIs(m, err, schemes.ErrInterval)
		return
	}
	require.NoError(m, err)
	m.stale = append(m.stale, w.handle)
	w.handle, w.deadline = h, m.now+interval
	m.ticks = append(m.ticks, w.deadline)
}

func (m *model) stop() {
	if len(m.stale) > 0 {
		require.False(m, m.s.Stop(rapid.SampledFrom(m.stale).Draw(m.T, "stale")))
	}
	if len(m.waiting) > 0 {
		i := rapid.IntRange(0, len(m.waiting)-1).Draw(m.T, "which")
		require.True(m, m.s.Stop(m.waiting[i].handle))
		m.stale = append(m.stale, m.waiting[i].handle)
		m.waiting = slices.Delete(m.waiting, i, i+1)
	}
}

// next returns the earliest deadline.
func (m *model) next() (next schemes.Tick, ok bool) {
	for _, w := range m.waiting {
		if !ok || w.deadline < next {
			next, ok = w.deadline, true
		}
	}
	return max(next, m.now), ok
}

func (m *model) advance() {
	most := schemes.Tick(rapid.Uint64().Draw(m.T, "most") >> rapid.Uint64Range(0, 63).Draw(m.T, "shift"))
	want := min(most, math.MaxUint64-m.now)
	if next, ok := m.next(); ok && want > 0 {
		want = min(want, max(next-m.now, 1))
	}
	passed, due := m.s.Advance(most)
	m.now += want
	require.Equal(m, want, passed)
	require.Equal(m, m.dueOn(m.now, want), due)
}

// dueOn returns how many timers become due on the last of some ticks.
func (m *model) dueOn(tick, ticks schemes.Tick) (n int) {
	for _, w := range m.waiting {
		if w.deadline == tick && ticks > 0 {
			n++
		}
	}
	return n
}

func (m *model) perTick() {
	passed := min(1, math.MaxUint64-m.now)
	m.now += passed
	require.Equal(m, m.dueOn(m.now, passed), m.s.PerTick())
}

func (m *model) expire() {
	var want, got []schemes.ID
	m.waiting = slices.DeleteFunc(m.waiting, func(w timer) bool {
		if w.deadline > m.now {
			return false
		}
		want = append(want, w.id)
		m.stale = append(m.stale, w.handle)
		return true
	})
	m.s.Expire(func(id schemes.ID) { got = append(got, id) })
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(m, want, got)
}

func (m *model) check() {
	require.NoError(m, m.s.Check())
	require.Equal(m, len(m.waiting), m.s.Len())
	next, want := m.next()
	wait, ok := m.s.Next()
	require.Equal(m, want, ok)
	if ok {
		require.Equal(m, next-m.now, wait)
	} else {
		require.Zero(m, wait)
	}
}

// TestFarTimers compares intervals of all lengths with the definition, from clocks
// up to the last tick: stops, restarts, starts at ticks that were used before, and
// at ticks with the same low word.
func TestFarTimers(t *testing.T) {
	for _, of := range large {
		t.Run(fmt.Sprint(of.info.Name, of.cfg.Slots, of.cfg.Levels), rapid.MakeCheck(func(t *rapid.T) {
			cfg := of.cfg
			cfg.Now = rapid.SampledFrom([]schemes.Tick{0, 1<<32 - 3, 1<<40 - 7, 1<<63 - 5, math.MaxUint64 - 1<<41, math.MaxUint64 - 1<<33, math.MaxUint64 - 50}).Draw(t, "now")
			m := &model{T: t, s: newChunked(t, of.info, cfg), now: cfg.Now, longest: of.info.Range(cfg)}
			t.Repeat(map[string]func(*rapid.T){
				"start":   func(t *rapid.T) { m.start() },
				"again":   func(t *rapid.T) { m.start() },
				"restart": func(t *rapid.T) { m.restart() },
				"stop":    func(t *rapid.T) { m.stop() },
				"tick":    func(t *rapid.T) { m.perTick() },
				"advance": func(t *rapid.T) { m.advance() },
				"expire":  func(t *rapid.T) { m.expire() },
				"":        func(t *rapid.T) { m.check() },
			})
		}))
	}
}
