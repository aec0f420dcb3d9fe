package netty

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

func open(t *testing.T, o Options) systems.Facility {
	f, err := New(o)
	require.NoError(t, err)
	return f
}

// An action may run on the tick at whose end it is due, the first of all too.
func TestExactTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{})
		began := time.Now()
		var at time.Duration
		_, err := f.AfterFunc(7*DefaultTick, func() { at = time.Since(began) })
		require.NoError(t, err)
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, 7*DefaultTick, at)
		f.Close()
	})
}

// Close does not wait for a tick to end.
func TestCloseAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, Options{Options: systems.Options{Tick: time.Hour}})
		_, err := f.AfterFunc(time.Hour, func() {})
		require.NoError(t, err)
		began := time.Now()
		dropped, err := f.Close()
		require.NoError(t, err)
		assert.Equal(t, 1, dropped)
		assert.Zero(t, time.Since(began))
	})
}

// The limit of pending timers is an option.
func TestMaxPending(t *testing.T) {
	f := open(t, Options{Slots: 500, MaxPending: 1})
	defer f.Close()
	_, err := f.AfterFunc(time.Hour, func() {})
	require.NoError(t, err)
	_, err = f.AfterFunc(time.Hour, func() {})
	assert.ErrorIs(t, err, systems.ErrPending)
}
