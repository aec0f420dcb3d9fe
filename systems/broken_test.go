package systems_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"timerlab/schemes"
	"timerlab/systems"
	"timerlab/systems/std"
)

// broken is a service with one fault. What is nil is not faulty.
type broken struct {
	systems.Service
	make  func(b *broken) // sets what has a state
	takes func(d time.Duration) time.Duration
	run   func(d time.Duration, action func()) // runs an action
	gives func(t systems.Timer, err error) (systems.Timer, error)
	close func(f systems.Service, ctx context.Context) (int, error)
	stats func(st systems.Stats) systems.Stats
}

// kind returns std with the fault.
func (b broken) kind() kind {
	return kind{tick: time.Millisecond, open: func(o systems.Options) (f systems.Service, err error) {
		b := b
		b.Service, err = std.New(o)
		if b.make != nil {
			b.make(&b)
		}
		return &b, err
	}}
}

func (b *broken) AfterFunc(d time.Duration, action func()) (t systems.Timer, err error) {
	f := action
	if b.run != nil {
		f = func() { b.run(d, action) }
	}
	if b.takes != nil {
		d = b.takes(d)
	}
	if t, err = b.Service.AfterFunc(d, f); b.gives != nil {
		return b.gives(t, err)
	}
	return t, err
}

func (b *broken) Close() (int, error) { return b.CloseContext(context.Background()) }

func (b *broken) CloseContext(ctx context.Context) (int, error) {
	if b.close != nil {
		return b.close(b.Service, ctx)
	}
	return b.Service.CloseContext(ctx)
}

func (b *broken) Stats() systems.Stats {
	if b.stats != nil {
		return b.stats(b.Service.Stats())
	}
	return b.Service.Stats()
}

// faulty is a timer with one fault.
type faulty struct {
	systems.Timer
	stop  func(t systems.Timer) bool
	reset func(t systems.Timer, d time.Duration) bool

	tryReset func(t systems.Timer, d time.Duration) (bool, error)
}

func (t faulty) Stop() bool {
	if t.stop != nil {
		return t.stop(t.Timer)
	}
	return t.Timer.Stop()
}

func (t faulty) Reset(d time.Duration) bool {
	if t.reset != nil {
		return t.reset(t.Timer, d)
	}
	return t.Timer.Reset(d)
}

func (t faulty) TryReset(d time.Duration) (bool, error) {
	if t.tryReset != nil {
		return t.tryReset(t.Timer, d)
	}
	return t.Reset(d), nil
}

func timers(fault faulty) broken {
	return broken{gives: func(t systems.Timer, err error) (systems.Timer, error) {
		f := fault
		f.Timer = t
		return f, err
	}}
}

// quiet refuses durations after a quiet time.
func quiet(b *broken) {
	began := time.Now()
	b.gives = func(t systems.Timer, err error) (systems.Timer, error) {
		if err == nil && time.Since(began) > 500*time.Hour {
			t.Stop()
			return nil, schemes.ErrInterval
		}
		return t, err
	}
}

// crowd delays each action by 1 ms for each one that runs.
func crowd(b *broken) {
	var running atomic.Int64
	b.run = func(_ time.Duration, action func()) {
		ahead := running.Add(1) - 1
		defer running.Add(-1)
		time.Sleep(time.Duration(ahead) * time.Millisecond)
		action()
	}
}

// starve delays timers while those of no duration are started.
func starve(b *broken) {
	var starters atomic.Int64
	b.takes = func(d time.Duration) time.Duration {
		if d <= 0 {
			starters.Add(1)
		}
		return d
	}
	b.run = func(d time.Duration, action func()) {
		if d <= 0 {
			defer starters.Add(-1)
		}
		for d > 0 && starters.Load() > 0 {
			time.Sleep(time.Millisecond)
		}
		action()
	}
}

// stale reads the clock for one start in 64.
func stale(b *broken) {
	var starts, since atomic.Int64
	began := time.Now()
	b.takes = func(d time.Duration) time.Duration {
		now := time.Since(began)
		if starts.Add(1)%64 == 1 {
			since.Store(int64(now))
		}
		return d - (now - time.Duration(since.Load()))
	}
}

// recount lets each Close return the whole count.
func recount(b *broken) {
	var first atomic.Int64
	b.close = func(f systems.Service, ctx context.Context) (int, error) {
		n, err := f.CloseContext(ctx)
		first.CompareAndSwap(0, int64(n))
		return int(first.Load()), err
	}
}

// hoard keeps all timers.
func hoard(b *broken) {
	var mu sync.Mutex
	var all []systems.Timer
	b.gives = func(t systems.Timer, err error) (systems.Timer, error) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, t)
		return t, err
	}
	b.stats = func(st systems.Stats) systems.Stats {
		defer runtime.KeepAlive(all)
		return st
	}
}

// silent closes without the error that actions still run.
var silent = broken{close: func(f systems.Service, ctx context.Context) (int, error) { n, _ := f.CloseContext(ctx); return n, nil }}

// Each fault violates its rule.
func TestBrokenServices(t *testing.T) {
	for name, c := range map[string]struct {
		fault broken
		rule  string
	}{
		"early":            {broken{takes: func(d time.Duration) time.Duration { return d - d/1000 }}, "at random"},
		"late":             {broken{takes: func(d time.Duration) time.Duration { return d + 2*time.Millisecond }}, "at random"},
		"stale clock":      {broken{make: stale}, "at random"},
		"now is next tick": {broken{takes: func(d time.Duration) time.Duration { return max(d, time.Millisecond) }}, "at once"},
		"runs twice":       {broken{run: func(_ time.Duration, action func()) { action(); action() }}, "at random"},
		"never runs":       {broken{run: func(time.Duration, func()) {}}, "at random"},
		"loses the far ones": {broken{takes: func(d time.Duration) time.Duration {
			if d > 1<<62 {
				return time.Second
			}
			return d
		}}, "quiet times"},
		"refuses after a quiet time":  {broken{make: quiet}, "quiet times"},
		"stops what has run":          {timers(faulty{stop: func(t systems.Timer) bool { t.Stop(); return true }}), "at random"},
		"stops nothing":               {timers(faulty{stop: func(systems.Timer) bool { return true }}), "at random"},
		"does not reset":              {timers(faulty{reset: func(systems.Timer, time.Duration) bool { return false }}), "at random"},
		"reset is always true":        {timers(faulty{reset: func(t systems.Timer, d time.Duration) bool { t.Reset(d); return true }}), "at random"},
		"reset keeps an earlier time": {timers(faulty{tryReset: func(systems.Timer, time.Duration) (bool, error) { return true, nil }}), "quiet times"},
		"one action at a time":        {broken{make: crowd}, "slow actions"},
		"starves timers":              {broken{make: starve}, "restarts at once"},
		"close counts none": {broken{close: func(f systems.Service, ctx context.Context) (int, error) {
			_, err := f.CloseContext(ctx)
			return 0, err
		}}, "close"},
		"close does nothing":         {broken{close: func(systems.Service, context.Context) (int, error) { return 2, nil }}, "close"},
		"second close counts again":  {broken{make: recount}, "close"},
		"close does not wait":        {broken{close: func(f systems.Service, _ context.Context) (int, error) { go f.Close(); return 0, nil }}, "close gives up"},
		"close never gives up":       {broken{close: func(f systems.Service, _ context.Context) (int, error) { return f.Close() }}, "close gives up"},
		"gives up when idle":         {broken{close: func(f systems.Service, ctx context.Context) (int, error) { n, _ := f.Close(); return n, ctx.Err() }}, "close"},
		"gives up without a word":    {silent, "close gives up"},
		"close in an action is fine": {silent, "close in an action"},
		"starts after close": {broken{gives: func(t systems.Timer, err error) (systems.Timer, error) {
			if err != nil {
				return noTimer{}, nil
			}
			return t, nil
		}}, "close"},
		"begins after close": {broken{make: crowd}, "close gives up"},
		"wrong error":        {broken{gives: func(systems.Timer, error) (systems.Timer, error) { return nil, errors.New("other") }}, "nil action"},
		"swallows panics":    {broken{run: func(_ time.Duration, action func()) { defer func() { _ = recover() }(); action() }}, "panics"},
		"counts half":        {broken{stats: func(st systems.Stats) systems.Stats { st.Pending /= 2; return st }}, "stats"},
		"forgets what runs":  {broken{stats: func(st systems.Stats) systems.Stats { st.Running = 0; return st }}, "stats"},
		"restless":           {broken{stats: func(systems.Stats) systems.Stats { return systems.Stats{Wakeups: uint64(time.Now().Unix())} }}, "asleep"},
		"keeps the dead":     {broken{make: hoard}, "nothing piles up"},
		"cannot be reset":    {timers(faulty{tryReset: func(systems.Timer, time.Duration) (bool, error) { return false, errNotStarted }}), "quiet times"},
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(rules, func(r rule) bool { return r.name == c.rule })
			assert.Error(t, rules[i].violation(t, c.fault.kind()))
		})
	}
}

// A service that loses one of a thousand does not balance.
func TestBrokenRace(t *testing.T) {
	b := broken{close: func(f systems.Service, ctx context.Context) (int, error) {
		n, err := f.CloseContext(ctx)
		return n + 1, err
	}}
	assert.ErrorContains(t, quickly(8000).race(b.kind(), systems.Options{}), "started, but")
}
