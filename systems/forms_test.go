package systems_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

// bubble runs a test on a fake clock with a service, which it closes.
func bubble(t *testing.T, test func(t *testing.T, f systems.Facility)) {
	synctest.Test(t, func(t *testing.T) {
		f, err := sharded.New(sharded.Options{})
		require.NoError(t, err)
		defer f.Close()
		test(t, f)
	})
}

// A timer with a channel does what one of package time does.
func TestChanTimer(t *testing.T) {
	type timer interface {
		Stop() bool
		Reset(time.Duration) bool
	}
	type step struct {
		sleep time.Duration
		do    string
	}
	for _, script := range [][]step{
		{{2 * time.Second, "receive"}, {0, "stop"}, {0, "reset"}, {2 * time.Second, "receive"}},
		{{2 * time.Second, "stop"}, {0, "receive"}, {0, "reset"}, {2 * time.Second, "receive"}},
		{{0, "stop"}, {0, "stop"}, {2 * time.Second, "receive"}},
		{{2 * time.Second, "reset"}, {0, "receive"}, {2 * time.Second, "receive"}, {2 * time.Second, "receive"}},
		{{500 * time.Millisecond, "reset"}, {700 * time.Millisecond, "receive"}, {time.Second, "receive"}},
	} {
		bubble(t, func(t *testing.T, f systems.Facility) {
			play := func(x timer, c <-chan time.Time) (results []any) {
				for _, s := range script {
					time.Sleep(s.sleep)
					synctest.Wait()
					switch s.do {
					case "stop":
						results = append(results, x.Stop())
					case "reset":
						results = append(results, x.Reset(time.Second))
					default:
						select {
						case <-c:
							results = append(results, "received")
						default:
							results = append(results, "nothing")
						}
					}
				}
				return results
			}
			standard := time.NewTimer(time.Second)
			ours, err := systems.NewTimer(f, time.Second)
			require.NoError(t, err)
			want := make(chan []any, 1)
			go func() { want <- play(standard, standard.C) }()
			assert.Equal(t, <-want, play(ours, ours.C), "%v", script)
			_, err = f.Close()
			require.NoError(t, err)
			pending, err := ours.TryReset(time.Second)
			assert.False(t, pending, "%v", script)
			assert.ErrorIs(t, err, systems.ErrClosed)
			assert.False(t, ours.Stop())
			_, err = systems.NewTimer(f, time.Second)
			assert.ErrorIs(t, err, systems.ErrClosed)
		})
	}
}

// After Close a Stop is true, and a Reset false, of a timer that Close has dropped.
func TestChanTimerAfterClose(t *testing.T) {
	for _, reset := range []bool{false, true} {
		bubble(t, func(t *testing.T, f systems.Facility) {
			timer, err := systems.NewTimer(f, time.Second)
			require.NoError(t, err)
			_, err = f.Close()
			require.NoError(t, err)
			if reset {
				assert.False(t, timer.Reset(time.Second))
			} else {
				assert.True(t, timer.Stop())
			}
			assert.False(t, timer.Stop())
		})
	}
}

// A context whose timeout is over at the start is done at once.
func TestWithTimeoutAtOnce(t *testing.T) {
	for _, d := range []time.Duration{0, -time.Hour} {
		bubble(t, func(t *testing.T, f systems.Facility) {
			c, cancel := systems.WithTimeout(context.Background(), f, d)
			defer cancel()
			assert.Equal(t, context.DeadlineExceeded, c.Err())
			assert.Equal(t, context.DeadlineExceeded, context.Cause(c))
			select {
			case <-c.Done():
			default:
				t.Error("it is not done")
			}
		})
	}
}

// A context with a timeout, and one that derives from it, end as those of package context do.
func TestWithTimeout(t *testing.T) {
	type key struct{}
	standard := func(parent context.Context, _ systems.Facility, d time.Duration) (context.Context, context.CancelFunc) {
		return context.WithTimeout(parent, d)
	}
	for name, after := range map[string]func(cancel, cancelParent func()){
		"timeout":         func(func(), func()) { time.Sleep(time.Minute) },
		"cancelled":       func(cancel, _ func()) { cancel() },
		"parent":          func(_, cancelParent func()) { cancelParent() },
		"too late":        func(cancel, _ func()) { time.Sleep(time.Minute); cancel() },
		"parent too late": func(_, cancelParent func()) { time.Sleep(time.Minute); cancelParent() },
	} {
		bubble(t, func(t *testing.T, f systems.Facility) {
			var results [2][]any
			for i, with := range []func(context.Context, systems.Facility, time.Duration) (context.Context, context.CancelFunc){
				standard, systems.WithTimeout,
			} {
				parent, cancelParent := context.WithCancelCause(context.WithValue(context.Background(), key{}, "value"))
				began := time.Now()
				c, cancel := with(parent, f, time.Second)
				child, cancelChild := context.WithCancel(c)
				deadline, _ := child.Deadline()
				results[i] = append(results[i], c.Err(), deadline.Sub(began), child.Value(key{}))
				after(cancel, func() { cancelParent(errors.New("the parent's cause")) })
				<-child.Done()
				<-c.Done()
				results[i] = append(results[i], c.Err(), child.Err(), context.Cause(c), context.Cause(child))
				cancelChild()
				cancel()
				cancelParent(nil)
			}
			assert.Equal(t, results[0], results[1], name)
			assert.Zero(t, f.Stats().Pending)
		})
	}
}

// The parent's deadline is the context's if it is earlier. A closed service cancels at once.
func TestWithTimeoutOfTheParent(t *testing.T) {
	bubble(t, func(t *testing.T, f systems.Facility) {
		parent, cancelParent := context.WithTimeout(context.Background(), time.Second)
		defer cancelParent()
		c, cancel := systems.WithTimeout(parent, f, time.Minute)
		defer cancel()
		began := time.Now()
		deadline, _ := c.Deadline()
		assert.Equal(t, time.Second, deadline.Sub(began))
		<-c.Done()
		assert.Equal(t, time.Second, time.Since(began))
		assert.Equal(t, context.DeadlineExceeded, c.Err())
		_, err := f.Close()
		require.NoError(t, err)
		c, cancel = systems.WithTimeout(context.Background(), f, time.Minute)
		defer cancel()
		assert.Equal(t, context.Canceled, c.Err())
		assert.ErrorIs(t, context.Cause(c), systems.ErrClosed)
	})
}
