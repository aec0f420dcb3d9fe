package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
)

// stat reads what was written.
func stat(t *testing.T, text string) *tracefile.Stat {
	s, err := tracefile.Read(strings.NewReader(text), tracefile.Options{})
	require.NoError(t, err, text)
	return s
}

// recording returns a recorder, and what it writes.
func recording(t *testing.T, o Options) (*Recorder, *bytes.Buffer) {
	t.Helper()
	var b bytes.Buffer
	r, err := New(&b, o)
	require.NoError(t, err)
	return r, &b
}

func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, b := recording(t, Options{Tick: 10 * time.Millisecond, Source: "a test"})
		first := r.Start(300 * time.Millisecond)
		time.Sleep(101 * time.Millisecond)
		r.Reset(first, 200*time.Millisecond)
		time.Sleep(time.Millisecond)
		second := r.Start(time.Nanosecond)
		time.Sleep(time.Second)
		r.Reset(first, time.Hour) // which has expired
		time.Sleep(50 * time.Millisecond)
		r.Stop(first)
		time.Sleep(time.Nanosecond)
		third := r.Start(time.Hour)
		r.Stop(third) // at the same time: after its start all the same
		time.Sleep(time.Nanosecond)
		r.Stop(second) // too late
		r.Stop(0)
		require.NoError(t, r.Close())
		require.NoError(t, r.Close())
		assert.Equal(t, fmt.Sprintf(`# tick: 10ms
# source: a test
0 start %[1]d 30
10 restart %[1]d 21
10 start %[2]d 1
110 restart %[1]d 360001
115 stop %[1]d
115 start %[3]d 360001
115 stop %[3]d
115 stop %[2]d
`, first, second, third), b.String())
		assert.Equal(t, []string{"1 of 3 stops, of timers that were not outstanding"}, stat(t, b.String()).Missing())
	})
}

// A stop before the deadline is before the expiry, whatever part of a tick the start was
// at; a time that never comes is as long as a trace may be.
func TestRounding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, b := recording(t, Options{Tick: time.Millisecond})
		for range 500 {
			timer := r.Start(2 * time.Millisecond)
			time.Sleep(2*time.Millisecond - 1)
			r.Stop(timer)
			time.Sleep(700 * time.Microsecond)
		}
		r.Stop(r.Start(1<<63 - 1))
		require.NoError(t, r.Close())
		s := stat(t, b.String())
		assert.Equal(t, 501, s.Fates[workload.Stopped])
		assert.InEpsilon(t, float64(1<<63-1)/1e6, float64(s.Longest), 1e-9)
		assert.Len(t, s.Header, 1)
	})
}

// Goroutines that record at once, while it is written: all that was not dropped is there, in order.
func TestConcurrent(t *testing.T) {
	r, b := recording(t, Options{Tick: time.Microsecond})
	const goroutines, each = 8, 5_000
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for range each {
				timer := r.Start(time.Hour)
				if random.IntN(2) == 0 {
					r.Reset(timer, 2*time.Hour)
				}
				r.Stop(timer)
			}
		})
	}
	all.Wait()
	require.NoError(t, r.Close())
	s := stat(t, b.String())
	assert.Equal(t, goroutines*each, s.Fates[workload.Stopped])
	assert.Zero(t, s.Outstanding)
	assert.Zero(t, s.Fates[workload.Expired])
	assert.Positive(t, s.Fates[workload.Restarted])
	assert.Len(t, s.Header, 1, "nothing was dropped: %v", s.Header)
}

// What does not fit is counted, and what is written can be read.
func TestMemoryIsBounded(t *testing.T) {
	defer func(bytes int) { memory = bytes }(memory)
	memory = 64 << 10
	r, b := recording(t, Options{})
	const starts = 100_000
	timers := make([]Timer, starts)
	for k := range timers {
		timers[k] = r.Start(time.Hour)
	}
	for _, timer := range timers {
		r.Stop(timer)
	}
	require.NoError(t, r.Close())
	s := stat(t, b.String())
	assert.Greater(t, s.Operations, memory/2/longestLine)
	assert.Equal(t, fmt.Sprintf("%d, which came faster than they were written", 2*starts-s.Operations), s.Header["dropped calls"])
}

// A bubble's clock is not the clock that a recorder from outside began with.
func TestBubble(t *testing.T) {
	r, b := recording(t, Options{})
	synctest.Test(t, func(t *testing.T) {
		r.Stop(r.Start(time.Second))
		assert.ErrorContains(t, r.Err(), "a call in a synctest bubble")
	})
	assert.ErrorIs(t, r.Close(), errBubble)
	assert.NotContains(t, b.String(), "start")
}

// What is recorded is written at each interval, also if the program ends then.
func TestWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, b := recording(t, Options{})
		timer := r.Start(time.Hour)
		time.Sleep(writeEvery + 1)
		synctest.Wait()
		assert.Contains(t, b.String(), "0 start ")
		r.Stop(timer)
		require.NoError(t, r.Close())
		assert.Contains(t, b.String(), "10 stop ")
	})
	_, err := New(io.Discard, Options{Tick: -1})
	assert.ErrorContains(t, err, "or more)")
}

// An error of writing can be asked for while the service runs.
func TestErr(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errBroken := errors.New("the disk is full")
		reader, broken := io.Pipe()
		reader.CloseWithError(errBroken)
		r, err := New(broken, Options{})
		require.NoError(t, err)
		assert.NoError(t, r.Err())
		r.Start(time.Second)
		time.Sleep(time.Second)
		assert.ErrorIs(t, r.Err(), errBroken)
		assert.ErrorIs(t, r.Close(), errBroken)
	})
}
