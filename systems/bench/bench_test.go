package bench

import (
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
	"timerlab/systems"
	"timerlab/systems/internal/subject"
	"timerlab/systems/std"
)

// Tests run in parallel even on few processors, since most of them sleep.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "8")
	warmUp, timed = 2*time.Millisecond, 20*time.Millisecond
	idleSettles, idleTime = 50*time.Millisecond, 350*time.Millisecond
	lifetimes, sparseTime, resetEvery, resetTime = 60_000, 1, 50*time.Millisecond, 250*time.Millisecond
	os.Exit(m.Run())
}

// sampled makes a sample of each cell, atOnce of them at the same time.
func sampled(t *testing.T, n, atOnce int, keys []results.Key) []results.Result {
	t.Helper()
	made := make([]results.Result, len(keys))
	var all sync.WaitGroup
	free := make(chan bool, atOnce)
	for i, k := range keys {
		free <- true
		all.Go(func() {
			defer func() { <-free }()
			k.N = strconv.Itoa(n)
			rows, err := newCell(k).Sample(context.Background(), 1)
			if assert.NoError(t, err, "%v", k) && assert.Len(t, rows, 1) {
				made[i] = rows[0]
			}
		})
	}
	all.Wait()
	return made
}

// requireUnits makes a sample of all cells of some operations, and of some more. The values are numbers.
func requireUnits(t *testing.T, n, atOnce int, operations []string, keys ...results.Key) {
	t.Helper()
	for _, c := range Cells() {
		k := results.ParseKey(c.Name)
		k.N = ""
		if slices.Contains(operations, k.Op+k.Rest) && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for i, r := range sampled(t, n, atOnce, keys) {
		assert.Positive(t, r.Iters)
		var got []string
		for _, v := range r.Values {
			got = append(got, v.Unit)
			assert.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0), "%v %s", v.Value, v.Unit)
		}
		assert.Equal(t, unitsOf[keys[i].Op], got, "%v", keys[i])
	}
}

// Every service performs each operation as it must.
func TestOperations(t *testing.T) {
	t.Parallel()
	requireUnits(t, 300, 12, []string{"Memory", "Late/load=slow", "Hold", "Lifetime", "Sparse"})
}

// The same with operations that need a processor.
func TestThroughput(t *testing.T) {
	t.Parallel()
	var more []results.Key
	for _, service := range []string{goTimers, ours, "locked"} {
		more = append(more, at("Replace/g=3", service), at("Reset/g=3", service))
	}
	requireUnits(t, 300, runtime.GOMAXPROCS(0), []string{"StartStop/g=8"}, more...)
}

// With nothing due, a service does not wake up. Go's own timers have no worker.
func TestWakeups(t *testing.T) {
	t.Parallel()
	keys := []results.Key{at(idleCell, nothing), at(idleCell, ours),
		at(connectionsCell, nothing), at(connectionsCell, ours)}
	for i, r := range sampled(t, 30, len(keys), keys) {
		last := r.Values[len(r.Values)-1]
		assert.Equal(t, keys[i].Service != nothing, last.Unit == "wakeups/s", keys[i])
		assert.Equal(t, keys[i].Service == nothing, last.Value > 0, keys[i]) // no wake-ups, and some CPU time
	}
}

// Names are unique, and the cells that tables and targets name are measured. Every table of times has a pair of
// equal services, whose difference is noise.
func TestCells(t *testing.T) {
	names, pairs := map[string]bool{}, map[results.Key]bool{}
	for _, c := range Cells() {
		assert.NotContains(t, names, c.Name)
		names[c.Name] = true
		k := results.ParseKey(c.Name)
		assert.Equal(t, c.Name, k.String())
		_, control := k.Control()
		pairs[k.Comparison()] = pairs[k.Comparison()] || control
	}
	for k, has := range pairs {
		assert.True(t, has, "%v", k)
	}
	for _, c := range slices.Concat(operationColumns, latenessColumns) {
		assert.True(t, names[at(c.cell, ours).String()], c.cell)
	}
	for _, target := range targets() {
		_, err := target.Value(tableWith(t, 1, 1))
		assert.NoError(t, err, target.What)
	}
}

// lying is a service with a fault.
type lying struct {
	subject.Timers
	after func(f subject.Timers, d time.Duration, action func()) (systems.Timer, error)
	close int
}

func (l lying) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if l.after == nil {
		return l.Timers.AfterFunc(d, action)
	}
	return l.after(l.Timers, d, action)
}

func (l lying) Close() (int, error) {
	n, err := l.Timers.Close()
	return n + l.close, err
}

type unstoppable struct{ systems.Timer }

func (unstoppable) Stop() bool               { return false }
func (unstoppable) Reset(time.Duration) bool { return false }

// A sample in which the service does not do what it must is an error.
func TestFaultsAreFound(t *testing.T) {
	stubborn := lying{after: func(f subject.Timers, d time.Duration, action func()) (systems.Timer, error) {
		x, err := f.AfterFunc(d, action)
		return unstoppable{x}, err
	}}
	early := lying{after: func(f subject.Timers, d time.Duration, action func()) (systems.Timer, error) {
		action() // at once: half of the duration may pass on a busy machine before a timer's goroutine runs
		return f.AfterFunc(0, noop)
	}}
	twice := lying{after: func(f subject.Timers, d time.Duration, action func()) (systems.Timer, error) {
		return f.AfterFunc(d, func() { action(); action() })
	}}
	refused := lying{after: func(subject.Timers, time.Duration, func()) (systems.Timer, error) {
		return nil, errors.New("no more")
	}}
	for _, c := range []struct {
		op, option string
		lies       lying
		want       string
	}{
		{"StartStop", "1", stubborn, errStop.Error()},
		{"Replace", "1", stubborn, errStop.Error()},
		{"Reset", "1", stubborn, errReset.Error()},
		{"Memory", "", stubborn, "stop of pending timer 0 of 10"},
		{"Memory", "", lying{close: 3}, "close without pending timers returned 3"},
		{"Sparse", "", refused, "no more"},
		{"StartStop", "1", refused, "no more"},
		{"Connections", "", refused, "no more"},
		{"Connections", "", stubborn, errReset.Error()},
		{"Late", "idle", early, "early"},
		{"Sparse", "", early, "early"},
		{"Late", "idle", twice, "ran twice"},
	} {
		t.Run(c.op+" "+c.want, func(t *testing.T) {
			s := &sample{n: 10, option: c.option}
			s.Open = func() (_ subject.Timers, err error) {
				l := c.lies
				l.Timers, err = std.New(systems.Options{})
				return l, err
			}
			assert.ErrorContains(t, s.make(c.op), c.want)
		})
	}
}

// A timer that was stopped is not pending when it is reset.
func TestReuse(t *testing.T) {
	s := &sample{n: 10, option: "1", service: service{Service: subject.Nothing}}
	s.Reuse = true
	assert.ErrorIs(t, s.make("StartStop"), errReset)
}

// Timers are started from many stacks, as by the goroutines of connections. The first 18 wait for each other: one that grew its
// stack and ended would leave it to the next, which on a busy machine begins only then.
func TestStacks(t *testing.T) {
	t.Parallel()
	for op, option := range map[string]string{"Replace": "1", "Late": "idle", "Sparse": "", "Connections": ""} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			var stacks sync.Map
			var began atomic.Int64
			all, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			s := &sample{n: 300, option: option}
			s.Open = func() (subject.Timers, error) {
				return lying{Timers: subject.Plain{}, after: func(f subject.Timers, d time.Duration, action func()) (systems.Timer, error) {
					var here byte
					if stacks.Store(uintptr(unsafe.Pointer(&here))>>13, true); began.Add(1) == 18 {
						cancel()
					}
					<-all.Done()
					return f.AfterFunc(d, action)
				}}, nil
			}
			require.NoError(t, s.make(op))
			n := 0
			stacks.Range(func(any, any) bool { n++; return true })
			assert.Greater(t, n, 4, "of 18 goroutines or more")
		})
	}
}

// An action that runs twice at the same time counts once as run: else done is closed twice, and the process ends.
func TestActionsThatRunTwiceAtOnce(t *testing.T) {
	for range 20_000 {
		e := newExpiries(1)
		action, ready := e.action(0, time.Now()), atomic.Int32{}
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				for ready.Add(1); ready.Load() < 2; { // so that both begin at once
					runtime.Gosched()
				}
				action()
			})
		}
		all.Wait()
		require.EqualValues(t, 1, e.all.Load())
		require.EqualValues(t, 1, e.twice.Load())
	}
}
