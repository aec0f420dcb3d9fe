package std

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// An expiry that lost the race against a Stop or a Reset does nothing.
func TestLateExpiry(t *testing.T) {
	f, err := New(systems.Options{})
	require.NoError(t, err)
	started, err := f.AfterFunc(time.Hour, func() { t.Error("it ran") })
	require.NoError(t, err)
	x := started.(*timer)
	late := x.starts
	x.list.alive.Add(2) // two expiries on their way
	assert.True(t, x.Stop())
	x.expire(late)
	assert.False(t, x.Reset(time.Hour))
	x.expire(late)
	dropped, err := f.Close()
	require.NoError(t, err)
	assert.Equal(t, 1, dropped)
}
