package bench

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/systems"
	"timerlab/systems/std"
)

// measure makes one sample of a cell.
func measure(t *testing.T, c run.Cell) results.Result {
	t.Helper()
	rows, err := c.Sample(context.Background(), 1)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return rows[0]
}

// Every facility performs each operation as it must, and the values are numbers.
func TestOperations(t *testing.T) {
	t.Parallel()
	units := map[string][]string{
		"StartStop/g=8":  {"ns/op", "cpu-ns/op", "B/op", "allocs/op"},
		"Memory":         {"B/timer", "allocs/timer", "gc-cpu-ns"},
		"Late/load=slow": {"late-ns", "late-p50-ns", "late-p99-ns", "late-p99.9-ns", "late-max-ns"},
		"Burst":          {"ns/op", "start-max-ns", "late-p50-ns", "late-max-ns"},
		"Hold":           {"start-p50-ns", "start-p99-ns", "tick-p50-ns", "tick-p99-ns", "tick-max-ns"},
		"Sparse":         {"wakeups/due-tick", "wakeups/tick"},
	}
	seen := map[results.Key]bool{}
	for _, c := range cells(groups()) {
		k := results.ParseKey(c.Name)
		want, ok := units[k.Op+k.Rest]
		n := 300 // takes a moment
		k.N = ""
		if !ok || seen[k] {
			continue
		}
		seen[k] = true
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			r := measure(t, newCell(key(k.Op, k.Facility, n, k.Rest), n))
			assert.Positive(t, r.Iters)
			var got []string
			for _, v := range r.Values {
				got = append(got, v.Unit)
				assert.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0), "%v %s", v.Value, v.Unit)
			}
			assert.Equal(t, want, got)
		})
	}
	for _, op := range []string{"Replace", "Reset"} {
		for _, facility := range []string{goTimers, ours, "netty-1ms", "fixedtimeout"} {
			t.Run(op+" "+facility, func(t *testing.T) {
				t.Parallel()
				measure(t, newCell(key(op, facility, 300, "/g=4"), 300))
			})
		}
	}
}

// A worker that sleeps does not wake up; one that steps does.
func TestIdle(t *testing.T) {
	t.Parallel()
	for facility, least := range map[string]float64{ours: 0, "netty": 5} {
		t.Run(facility, func(t *testing.T) {
			t.Parallel()
			r := measure(t, newCell(key("Idle", facility, idleTimers, ""), idleTimers))
			last := r.Values[len(r.Values)-1]
			assert.Equal(t, "wakeups/s", last.Unit)
			assert.GreaterOrEqual(t, last.Value, least)
			assert.LessOrEqual(t, last.Value, 3*least)
		})
	}
}

// Names are unique, and the cells of the targets exist and need more rounds.
func TestNames(t *testing.T) {
	rounds := map[string]int{}
	for _, c := range cells(groups()) {
		assert.NotContains(t, rounds, c.Name)
		rounds[c.Name] = c.Rounds
		assert.Equal(t, c.Name, results.ParseKey(c.Name).String())
	}
	for _, k := range targetCells {
		assert.Equal(t, TargetRounds, rounds[k.String()])
	}
	assert.Equal(t, Rounds, rounds["Hold/facility=locked-tree/n=1k"])
}

// lying is a facility with a fault.
type lying struct {
	systems.Facility
	after func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error)
	close int
}

func (l lying) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if l.after == nil {
		return l.Facility.AfterFunc(d, action)
	}
	return l.after(l.Facility, d, action)
}

func (l lying) Close() int { return l.Facility.Close() + l.close }

type unstoppable struct{ systems.Timer }

func (unstoppable) Stop() bool               { return false }
func (unstoppable) Reset(time.Duration) bool { return false }

// A sample in which the facility does not do what it must is an error.
func TestFaultsAreFound(t *testing.T) {
	stubborn := lying{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
		x, err := f.AfterFunc(d, action)
		return unstoppable{x}, err
	}}
	early := lying{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
		return f.AfterFunc(d/2, action)
	}}
	twice := lying{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
		return f.AfterFunc(d, func() { action(); action() })
	}}
	refused := lying{after: func(systems.Facility, time.Duration, func()) (systems.Timer, error) {
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
		{"Memory", "", stubborn, "Stop of pending timer 0 of 10"},
		{"Memory", "", lying{close: 3}, "Close without pending timers returned 3"},
		{"Burst", "", refused, "no more"},
		{"Late", "idle", early, "early"},
		{"Burst", "", early, "early"},
		{"Late", "idle", twice, "ran twice"},
	} {
		t.Run(c.op+" "+c.want, func(t *testing.T) {
			s := &sample{n: 10, option: c.option, subject: subject{open: func() (systems.Facility, error) {
				l := c.lies
				l.Facility = std.New(nil)
				return l, nil
			}}}
			assert.ErrorContains(t, operations[c.op](s), c.want)
		})
	}
}

// The program for the JVM compiles, and measures its cells.
func TestJVM(t *testing.T) {
	if why := withoutJVM(); why != "" {
		t.Skip(why)
	}
	out, err := runJVM(context.Background(), "--quick")
	require.NoError(t, err)
	lines := 0
	for line := range strings.Lines(out) {
		require.True(t, strings.HasPrefix(line, "Benchmark"), line)
		lines++
	}
	assert.Equal(t, 9, lines)
	for _, c := range cells(jvmGroups()) {
		k := results.ParseKey(c.Name)
		assert.Contains(t, out, "Benchmark"+k.Op+"/facility="+k.Facility+"/n=")
	}
}
