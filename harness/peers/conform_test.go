package peers

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// realPeers are those on a clock of their own.
func realPeers() (list []*Peer) {
	for _, p := range Peers {
		if p.Tick > 0 {
			list = append(list, p)
		}
	}
	return list
}

// kept returns what the wrapper hid from the client.
func (w *wrapper[T]) kept() (strays []schemes.Handle, refused int) { return w.strays, w.refused }

// inBubble makes a peer's scheme, in a bubble of its own if its clock is real, calls f with it and closes it.
func inBubble(t *testing.T, p *Peer, cfg schemes.Config, f func(schemes.Scheme)) {
	t.Helper()
	run := func(t *testing.T) {
		s, err := p.Info.New(cfg)
		require.NoError(t, err)
		if c, ok := s.(interface{ Close() }); ok {
			defer c.Close()
		}
		f(s)
	}
	if p.Tick == 0 {
		run(t)
		return
	}
	synctest.Test(t, run)
}

func start(t *testing.T, s schemes.Scheme, interval schemes.Tick, id schemes.ID) schemes.Handle {
	t.Helper()
	h, err := s.Start(interval, id)
	require.NoError(t, err)
	return h
}

// variant is an Info under a name with a suffix: the suite requires of a name without one what the paper says
// of its seven schemes, such as exact counts. A peer's documentation is its library's.
func variant(info schemes.Info) *schemes.Info {
	info.Name += "-peer"
	info.Doc = info.Title
	return &info
}

func TestConformance(t *testing.T) {
	info := variant(Lean.Info)
	info.Number, info.Kind = 0, schemes.Other // its wheels are not those of a Config
	schemetest.Run(t, info)
	schemetest.Run(t, variant(ValueHeap.Info))
}

// The peers on the virtual clock keep the contract, except that they allocate.
func TestVirtualPeersAllocate(t *testing.T) {
	for _, peer := range []*Peer{ContainerHeap, GoogleBTree} {
		require.ErrorIs(t, schemetest.Verify(variant(peer.Info)), schemetest.ErrAllocates, peer.Info.Name)
	}
}

// Bad numbers of slots are refused, by the peers that have a choice.
func TestBadSlots(t *testing.T) {
	for peer, slots := range map[*Peer]int{RussellLuo: 1, GoZero: -1, GoTimewheel: -1} {
		_, err := peer.Info.New(schemes.Config{Slots: slots})
		require.ErrorIs(t, err, schemes.ErrConfig, peer.Info.Name)
		assert.ErrorContains(t, err, peer.Info.Name+": ")
	}
}

// The wrapper keeps the contract on a real clock too. The suite closes no scheme: the runtime's timers
// are the ones that need no goroutine.
func TestConformanceOfClocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, rule := range schemetest.Rules() {
			switch rule.Name {
			case "deterministic": // the runtime does not say in which order the timers of a tick report
				continue
			case "separate": // the bubble has one clock for both
				continue
			}
			if err := rule.Verify(variant(GoTimers.Info), true, false, time.Hour); !errors.Is(err, schemetest.ErrAllocates) {
				assert.NoError(t, err)
			}
		}
	})
}

// Without a bubble, timers start and stop in the time of the wall.
func TestWallTime(t *testing.T) {
	for _, p := range realPeers() {
		s, err := p.Info.New(schemes.Config{})
		require.NoError(t, err)
		var handles []schemes.Handle
		for i := range schemes.Tick(1000) {
			handles = append(handles, start(t, s, 100_000+i, schemes.ID(i)))
		}
		for _, h := range handles {
			assert.True(t, s.Stop(h))
		}
		assert.Zero(t, s.(schemes.Sized).Len())
		s.(interface{ Close() }).Close()
	}
}

// A report that the wrapper did not expect is kept apart.
func TestStrays(t *testing.T) {
	s, err := newWrapper("null", schemes.Config{}, 1, func(func(schemes.Handle)) (l library[int], err error) {
		l.start = func(schemes.Tick, schemes.Handle) int { return 0 }
		l.stop = func(int) bool { return true }
		return l, nil
	})
	require.NoError(t, err)
	w := s.(*wrapper[int])
	a, b := start(t, s, 1, 1), start(t, s, 1, 2)
	w.Stop(a)
	for _, h := range []schemes.Handle{a, b, b} {
		w.expired(h)
	}
	assert.Len(t, w.due, 1)
	strays, refused := w.kept()
	assert.Equal(t, []schemes.Handle{a, b}, strays)
	assert.Zero(t, refused)
}
