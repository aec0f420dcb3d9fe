package std

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// open returns a service with one timer of an hour.
func open(t *testing.T, action func()) (systems.Service, *timer) {
	f, err := New(systems.Options{})
	require.NoError(t, err)
	x, err := f.AfterFunc(time.Hour, action)
	require.NoError(t, err)
	return f, x.(*timer)
}

// An expiry that lost the race against a Stop or a Reset does nothing.
func TestLateExpiry(t *testing.T) {
	f, x := open(t, func() { t.Error("it ran") })
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

// No timer is left in the runtime after Stop, Reset or Close.
func TestRuntimeTimersAreStopped(t *testing.T) {
	f, x := open(t, func() {})
	x.Stop()
	assert.False(t, x.runtime.Stop(), "after Stop")
	x.Reset(time.Hour)
	before := x.runtime
	assert.True(t, x.Reset(2*time.Hour))
	assert.Same(t, before, x.runtime, "a Reset of a pending timer")
	dropped, err := f.Close()
	require.NoError(t, err)
	assert.Equal(t, 1, dropped)
	assert.False(t, x.runtime.Stop(), "after Close")
}
