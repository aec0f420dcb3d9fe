package peers

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// inBubble makes a peer's scheme, in a bubble of its own if its clock is real,
// calls f with it and closes it.
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
