package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A ring that holds a timer has its bit set. A bit that is set may be stale: code that
// finds the ring empty clears it.
func TestBitsOfRings(t *testing.T) {
	s := newStore(t, 300, 0)
	r := fill(t, s, 3)
	s.Insert(7, r[0], s.At(r[0]))
	s.Insert(7, r[1], s.At(r[1]))
	s.Insert(250, r[2], s.At(r[2]))
	assert.Equal(t, uint32(7), s.NextOccupied(1, 300))
	s.Unlink(s.At(r[0]))
	assert.True(t, s.Occupied(7))
	s.Unlink(s.At(r[1]))
	assert.True(t, s.Bitmap.Occupied(7), "leaving clears no bit")
	ahead, ok := s.NextCircular(1, 299, 200, 1, 299)
	assert.True(t, ok)
	assert.Equal(t, uint32(49), ahead)
	s.Unlink(s.At(r[2]))
	_, ok = s.NextCircular(1, 299, 200, 1, 299)
	assert.False(t, ok)
	assert.False(t, s.Bitmap.Occupied(7) || s.Bitmap.Occupied(250), "a search clears them")
	s.Insert(7, r[0], s.At(r[0]))
	s.Unlink(s.At(r[0]))
	assert.False(t, s.Occupied(7))
	assert.False(t, s.Bitmap.Occupied(7), "and so does a look")
	s.Insert(7, r[0], s.At(r[0]))
	assert.Equal(t, 1, s.MoveDue(7))
	assert.False(t, s.Bitmap.Occupied(7), "and a tick that moves its timers")
	assert.Equal(t, uint32(300), s.NextOccupied(1, 300))
}
