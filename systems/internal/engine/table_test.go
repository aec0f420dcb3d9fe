package engine

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// A table is like a map that chooses its keys.
func TestTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Table[func()]
		model := map[uint32]int{}
		got := 0
		action := func(n int) func() { return func() { got = n } }
		for n := range rapid.IntRange(1, 3*pageLen).Draw(t, "operations") {
			if rapid.IntRange(0, 2).Draw(t, "what") > 0 || len(model) == 0 {
				id := b.Take(action(n))
				_, taken := model[id]
				assert.False(t, taken, "a number in use")
				model[id] = n
				continue
			}
			id := rapid.SampledFrom(slices.Sorted(maps.Keys(model))).Draw(t, "id")
			b.Release(id)()
			assert.Equal(t, model[id], got)
			delete(model, id)
		}
	})
}
