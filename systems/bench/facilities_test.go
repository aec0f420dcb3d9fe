package bench

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
	"timerlab/systems/std"
)

// small is a cell that takes a moment.
func small(c Cell) Cell {
	c.N = min(c.N, 300)
	return c
}

// Every facility does each work as it must, and what it is measured by is a number.
func TestWorks(t *testing.T) {
	want := map[string][]string{
		"StartStop": {"ns/op", "cpu-ns/op", "B/op", "allocs/op"},
		"Memory":    {"B/timer", "allocs/timer", "gc-cpu-ns"},
		"Late":      {"late-ns", "late-p50-ns", "late-p99-ns", "late-p99.9-ns", "late-max-ns"},
		"Burst":     {"ns/op", "start-max-ns", "late-p50-ns", "late-max-ns"},
		"Hold":      {"start-p50-ns", "start-p99-ns", "tick-p50-ns", "tick-p99-ns", "tick-max-ns"},
		"Sparse":    {"wakeups/due-tick", "wakeups/tick"},
	}
	seen := map[string]bool{}
	for _, c := range Cells() {
		units, asked := want[c.Work]
		once := c.Work + c.Facility
		if !asked || seen[once] || c.Work == "StartStop" && c.Rest != "/g=8" || c.Work == "Late" && c.Rest != "/load=slow" {
			continue
		}
		seen[once] = true
		t.Run(c.Name(), func(t *testing.T) {
			if c.Work != "Sparse" {
				c = small(c)
			}
			r, err := Run(c, 1)
			require.NoError(t, err)
			assert.Positive(t, r.Iters)
			var got []string
			for _, v := range r.Values {
				got = append(got, v.Unit)
				assert.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0), "%v %s", v.Value, v.Unit)
			}
			assert.Equal(t, units, got)
		})
	}
	for _, work := range []string{"Replace", "Reset"} {
		for _, facility := range []string{Bare, "sharded", "netty-1ms", "fixedtimeout"} {
			_, err := Run(Cell{work, facility, 300, "/g=4", 1}, 2)
			assert.NoError(t, err)
		}
	}
}

// What sleeps does not wake, what steps does.
func TestIdle(t *testing.T) {
	for facility, least := range map[string]float64{"sharded": 0, "netty": 5} {
		r, err := Run(Cell{"Idle", facility, IdleTimers, "", 1}, 1)
		require.NoError(t, err)
		last := r.Values[len(r.Values)-1]
		assert.Equal(t, "wakeups/s", last.Unit)
		assert.GreaterOrEqual(t, last.Value, least)
		assert.LessOrEqual(t, last.Value, 3*least)
	}
}

// A cell is found by its name, and only once.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cells() {
		assert.False(t, seen[c.Name()], c.Name())
		seen[c.Name()] = true
		found, err := Find(c.Name())
		require.NoError(t, err)
		assert.Equal(t, c, found)
		assert.Equal(t, c.Work, c.Key().Op)
	}
	for _, name := range targets {
		assert.True(t, seen[name], name)
	}
	_, err := Find("StartStop/facility=mine/n=1M/g=8")
	assert.ErrorContains(t, err, `no cell "StartStop/facility=mine`)
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

// A sample in which the facility does not do what it must is an error, not a figure.
func TestFaultsAreFound(t *testing.T) {
	stubborn := func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
		x, err := f.AfterFunc(d, action)
		return unstoppable{x}, err
	}
	for name, c := range map[string]struct {
		cell Cell
		lies lying
		want string
	}{
		"StartStop": {Cell{"StartStop", "", 10, "/g=1", 1}, lying{after: stubborn}, errStop.Error()},
		"Replace":   {Cell{"Replace", "", 10, "/g=1", 1}, lying{after: stubborn}, errStop.Error()},
		"Reset":     {Cell{"Reset", "", 10, "/g=1", 1}, lying{after: stubborn}, errReset.Error()},
		"Memory":    {Cell{"Memory", "", 10, "", 1}, lying{after: stubborn}, "Stop of timer 0 of 10"},
		"dropped":   {Cell{"Memory", "", 10, "", 1}, lying{close: 3}, "Close returns 3"},
		"refused": {Cell{"Burst", "", 10, "", 1}, lying{after: func(systems.Facility, time.Duration, func()) (systems.Timer, error) {
			return nil, errors.New("no more")
		}}, "no more"},
		"early": {Cell{"Late", "", 10, "/load=idle", 1}, lying{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			return f.AfterFunc(d/2, action)
		}}, "early"},
		"early burst": {Cell{"Burst", "", 10, "", 1}, lying{after: func(f systems.Facility, d time.Duration, action func()) (systems.Timer, error) {
			return f.AfterFunc(d/2, action)
		}}, "early"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &sample{Cell: c.cell, entrant: Entrant{New: func() (systems.Facility, error) {
				l := c.lies
				l.Facility = std.New(nil)
				return l, nil
			}}}
			assert.ErrorContains(t, s.run(), c.want)
		})
	}
}

// The program for the JVM compiles, and measures the cells that it is said to.
func TestJVM(t *testing.T) {
	if why := WithoutJVM(); why != "" {
		t.Skip(why)
	}
	out, err := RunJVM(context.Background(), "--quick")
	require.NoError(t, err)
	lines := 0
	for line := range strings.Lines(out) {
		require.True(t, strings.HasPrefix(line, "Benchmark"), line)
		lines++
	}
	assert.Equal(t, 9, lines)
	for _, name := range JVMNames() {
		k := results.ParseKey(name)
		assert.Contains(t, out, "Benchmark"+k.Op+"/facility="+k.Facility+"/n=")
	}
}
