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

// bubbleNull describes a scheme that does nothing on a real clock. Its timers never expire.
var bubbleNull = realPeer(3, "bubblenull", "Nothing", time.Millisecond, func(time.Duration, int, *inbox) (l library[struct{}], err error) {
	l.start = func(schemes.Tick, schemes.Handle) (none struct{}) { return none }
	l.stop = func(struct{}) bool { return true }
	return l, nil
})

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
	inBubble(t, bubbleNull, schemes.Config{}, func(s schemes.Scheme) {
		peer := s.(*wrapper[struct{}])
		a, b := start(t, s, 1, 1), start(t, s, 1, 2)
		s.Stop(a)
		for _, h := range []schemes.Handle{a, b, b} {
			peer.expired(h)
		}
		assert.Len(t, peer.due, 1)
		strays, refused := peer.kept()
		assert.Equal(t, []schemes.Handle{a, b}, strays)
		assert.Zero(t, refused)
	})
}
