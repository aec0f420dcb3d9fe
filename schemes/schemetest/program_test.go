package schemetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/schemes"
)

// Any bytes give a program within the bounds, with every label made at most
// once, which the sound reference passes.
func TestDecodeAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		info := extendedInfo(rapid.SampledFrom([]int{2, 4, 7}).Draw(t, "number"), "")
		p := decode(info, rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "data"))
		made := map[label]bool{}
		var ticks schemes.Tick
		operations := 0
		var walk func([]op)
		walk = func(ops []op) {
			for i := range ops {
				o := &ops[i]
				operations++
				if o.verb == opStart || o.verb == opRestart {
					require.False(t, made[o.label])
					made[o.label] = true
				}
				if o.verb == opPerTick || o.verb == opAdvance {
					ticks += o.ticks
				}
				walk(o.action)
			}
		}
		walk(p.ops)
		require.LessOrEqual(t, operations, maxOps+200) // the last operation may be a deep one
		require.LessOrEqual(t, ticks, schemes.Tick(maxTicks+maxOps))
		s := newSuite(info, false)
		s.rule = &rules[0]
		s.try(p)
	})
}

// The random programs meet what they are for.
func TestDecodeCovers(t *testing.T) {
	info := extendedInfo(7, "")
	s := newSuite(info, false)
	s.rule = &rules[0]
	var verbs [opPanic + 1]int
	var refused, stops, handed, thrown int
	for seed := range uint64(200) {
		p := decode(info, noise(seed, 300))
		for i := range p.ops {
			verbs[p.ops[i].verb]++
			for j := range p.ops[i].action {
				verbs[p.ops[i].action[j].verb]++
			}
		}
		m := s.machine(p)
		require.Nil(t, m.execute())
		stops += int(m.model.stopped)
		handed += len(m.order)
		thrown += m.throws
		refused += verbs[opStart] - int(m.model.started)
	}
	for v, n := range verbs {
		assert.Greater(t, n, 100, "verb %d", v)
	}
	for _, n := range []int{refused, stops, handed, thrown} {
		assert.Greater(t, n, 150)
	}
}

// A known minimal case among much else: the third timer, in the action of the first, and one tick.
func TestShrinkFindsMinimum(t *testing.T) {
	w := &writer{}
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
	require.True(t, fails(w.program))
	p := shrink(w.program, fails)
	require.Len(t, p.ops, 2)
	assert.Equal(t, []op{stopping(3)}, p.ops[0].action)
	assert.Equal(t, schemes.Tick(1), p.ops[0].ticks)
	assert.Equal(t, op{verb: opPerTick, ticks: 9}, p.ops[1])
}

// Shrinking is bounded even if every try is as long as the program.
func TestShrinkIsBounded(t *testing.T) {
	w := &writer{}
	for range 3000 {
		w.tick(50)
	}
	tries, all := 0, len(w.ops)
	shrink(w.program, func(p program) bool {
		tries++
		return len(p.ops) == all
	})
	assert.Less(t, tries, 50)
}
