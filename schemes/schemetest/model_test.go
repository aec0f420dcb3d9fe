package schemetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// The model by hand: it judges all others.
func TestModel(t *testing.T) {
	m := newModel(10, 100)
	assert.False(t, m.accepts(0))
	assert.True(t, m.accepts(100))
	assert.False(t, m.accepts(101))
	m.start(1, 11, 2, 1001, nil)
	m.start(2, 12, 2, 1002, nil)
	m.start(3, 13, 3, 1003, nil)
	wait, ok := m.next()
	assert.Equal(t, schemes.Tick(2), wait)
	assert.True(t, ok)
	assert.Equal(t, []int{0, 2, 1, 0}, []int{m.tick(), m.tick(), m.tick(), m.tick()})
	assert.Equal(t, 3, m.len())

	require.Nil(t, m.hand(13))
	_, text := m.blame(13)
	assert.Equal(t, "id 13 (h3) of tick 13 before id 11 (h1) of tick 12", text)
	stopped, ok := m.outstanding(1001)
	require.True(t, ok)
	m.stop(stopped)
	_, ok = m.outstanding(1001)
	assert.False(t, ok)
	for _, id := range []schemes.ID{12, 13} {
		assert.NotNil(t, m.hand(id))
	}
	assert.Nil(t, m.hand(12))
	_, text = m.blame(12)
	assert.Equal(t, "id 12 (h2), which was handed out before", text)
	assert.Nil(t, m.hand(11))
	rule, _ := m.blame(11)
	assert.Equal(t, "stop", rule)
	assert.Zero(t, m.len())
	assert.Equal(t, uint64(6), m.links)
	_, ok = m.next()
	assert.False(t, ok)
}

func TestModelAtTheEndOfTheClock(t *testing.T) {
	m := newModel(endOfClock-2, endOfClock)
	assert.True(t, m.accepts(2))
	assert.False(t, m.accepts(3))
	assert.False(t, m.accepts(endOfClock))
	m.start(1, 1, 2, 1, nil)
	passed, moved := m.advance(endOfClock)
	assert.Equal(t, schemes.Tick(2), passed)
	assert.Equal(t, 1, moved)
	assert.Zero(t, m.tick())
	passed, _ = m.advance(5)
	assert.Zero(t, passed)
	assert.False(t, m.accepts(1))
}

// Advance passes one tick if something is due already, and stops at the first
// tick that makes something due.
func TestModelAdvance(t *testing.T) {
	m := newModel(0, 1000)
	m.start(1, 1, 10, 1, nil)
	m.start(2, 2, 500, 2, nil)
	steps := [][3]int{{0, 0, 0}, {4, 4, 0}, {100, 6, 1}, {100, 1, 0}}
	for _, s := range steps {
		passed, moved := m.advance(schemes.Tick(s[0]))
		assert.Equal(t, s, [3]int{s[0], int(passed), moved})
	}
	m.hand(1)
	passed, moved := m.advance(1 << 40)
	assert.Equal(t, [2]int{489, 1}, [2]int{int(passed), moved})
}

// The closed forms of the counts, on numbers small enough to follow.
func TestClosedForms(t *testing.T) {
	wheels := setting{referenceInfo(7, ""), schemes.Config{Levels: []int{10, 10, 10}}}
	for _, c := range []struct {
		start, deadline schemes.Tick
		migrations      uint64
	}{
		{0, 9, 0}, {0, 10, 0}, {5, 14, 1}, {0, 120, 1}, {0, 123, 2}, {0, 103, 1}, {95, 1094, 2}, {99, 100, 0}, {995, 1001, 1},
	} {
		assert.Equal(t, c.migrations, wheels.migrations(life{c.start, c.deadline}), "%+v", c)
	}
	out := []life{{0, 8}, {0, 16}, {0, 9}}
	var visits []uint64
	for number := 1; number <= 7; number++ {
		c := setting{referenceInfo(number, ""), schemes.Config{Slots: 8}}
		if number == 4 {
			out = out[:1] // its range is 8
		}
		visits = append(visits, c.visits(out, 8))
		out = out[:3]
	}
	assert.Equal(t, []uint64{3, 2, 2, 1, 2, 2, 1}, visits)
	sorted := setting{referenceInfo(2, ""), schemes.Config{}}
	assert.Equal(t, uint64(2), sorted.compares([]life{{0, 3}, {0, 5}}, life{2, 4}), "one earlier, one ends the search")
	assert.Equal(t, uint64(1), sorted.compares([]life{{0, 3}}, life{2, 4}), "none ends it")
}
