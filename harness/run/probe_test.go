package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A core is shared if the probe takes far longer than its minimum; one long probe with a
// short one was interrupted.
func TestNeighbour(t *testing.T) {
	took := []time.Duration{}
	n := &Neighbour{probe: func() time.Duration {
		d := took[0]
		took = took[1:]
		return d
	}}
	for _, c := range []struct {
		first, second time.Duration
		busy          bool
	}{
		{200, 210, false}, // all that is known
		{100, 400, false},
		{400, 110, false},
		{126, 190, true},
		{124, 190, false},
		{90, 90, false},
		{113, 113, true},
	} {
		took = []time.Duration{c.first, c.second}
		assert.Equal(t, c.busy, n.Busy(), "%v", c)
	}
}

func TestProbe(t *testing.T) {
	(&Neighbour{}).Busy()
	assert.Greater(t, probe(probeTurns), time.Duration(probeTurns), "less than a nanosecond for twelve dependent steps of each of four")
}
