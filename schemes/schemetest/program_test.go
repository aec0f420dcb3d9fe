package schemetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// A known minimal case among much else: the third timer, in the action of the first, and one tick.
func TestShrinkFindsMinimum(t *testing.T) {
	w := &program{}
	for range 40 {
		w.start(5, w.later(6), op{verb: opPanic})
		w.tick(3)
		w.stop(w.last)
	}
	key := w.start(77, w.later(1), stopping(3), w.later(2))
	for range 40 {
		w.tick(2)
		w.expire()
	}
	fails := func(p program) bool {
		found, ticks := false, schemes.Tick(0)
		for _, o := range p.ops {
			if o.label == key {
				for _, a := range o.action {
					found = found || a.verb == opStop
				}
			}
			if found && o.verb == opPerTick {
				ticks += o.ticks
			}
		}
		return found && ticks >= 9
	}
	require.True(t, fails(*w))
	p := shrink(*w, fails)
	require.Len(t, p.ops, 2)
	assert.Equal(t, []op{stopping(3)}, p.ops[0].action)
	assert.Equal(t, schemes.Tick(1), p.ops[0].ticks)
	assert.Equal(t, op{verb: opPerTick, ticks: 9}, p.ops[1])
}
