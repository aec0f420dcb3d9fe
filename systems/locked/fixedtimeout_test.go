package locked

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// The default tick is a hundredth of the timeout, and there is no other timeout.
func TestDefaultTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := FixedTimeout(time.Second, systems.Options{})
		require.NoError(t, err)
		time.Sleep(3*time.Millisecond + 1)
		began, ran := time.Now(), time.Time{}
		_, err = f.AfterFunc(time.Second, func() { ran = time.Now() })
		require.NoError(t, err)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, time.Second+7*time.Millisecond-1, ran.Sub(began))
		_, err = f.AfterFunc(time.Minute, func() {})
		assert.ErrorIs(t, err, ErrTimeout)
		f.Close()
	})
}
