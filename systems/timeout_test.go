package systems

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Err returns nil until Done is closed, also in the moment between the two cancellations.
func TestErrAfterDone(t *testing.T) {
	child, cancelCause := context.WithCancelCause(context.Background())
	done, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := &timeout{Context: child, done: done}
	cancelCause(context.DeadlineExceeded)
	assert.NoError(t, c.Err())
	cancel()
	assert.Equal(t, context.DeadlineExceeded, c.Err())
}
