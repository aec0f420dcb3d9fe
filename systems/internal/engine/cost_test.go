package engine

import (
	"runtime"
	"testing"
	"time"

	"timerlab/systems"
)

var sinkTimer *Timer

// likeSharded is the design of package sharded on few processors.
var likeSharded = Design{Shards: 16, Slack: 250 * time.Microsecond}

// BenchmarkCost breaks an operation of sharded down: what a start, a stop or a Reset takes as a whole, and what its
// parts take alone, with a hundred thousand timers pending. On an AMD EPYC, of the 278 cycles (68 ns) of a start and
// a stop the allocation of the Timer takes 95, of which 40 are collections, the locks 45 and 42 (the first with the
// choice of a shard), the wheel 26 and the table 20; the clock, 98, is read by one start in 64, if they follow fast.
// Of the 86 of a Reset the lock takes 42 and the wheel 13.
func BenchmarkCost(b *testing.B) {
	v := open(b, likeSharded, systems.Options{Tick: 750 * time.Microsecond})
	for i := range 100_000 {
		start(b, v, time.Hour+time.Duration(i)*time.Second, nothing)
	}
	timer := start(b, v, time.Hour, nothing)
	s := timer.(*Timer).shard.Load()
	for name, op := range map[string]func(){
		"whole=start+stop": func() {
			t, _ := v.AfterFunc(time.Hour, nothing)
			t.Stop()
		},
		"whole=reset":     func() { timer.Reset(time.Hour) },
		"part=clock":      func() { v.clock() },
		"part=allocation": func() { sinkTimer = &Timer{action: nothing} },
		"part=lock":       func() { v.lockShard().mu.Unlock() },
		//lint:ignore SA2001 an empty critical section is what is measured
		"part=lock of stop": func() { s.mu.Lock(); s.mu.Unlock() },
		"part=table":        func() { s.timers.Release(s.timers.Take(sinkTimer)) },
		"part=wheel": func() {
			h, _ := s.scheme.Start(3_600_000, 7)
			s.scheme.ID(h)
			s.scheme.Stop(h)
		},
		"part=wheel of reset": func() {
			t := timer.(*Timer)
			t.handle, _ = s.scheme.Restart(t.handle, 3_600_000)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op()
			}
		})
	}
}

// BenchmarkTricks starts and stops timers on eight goroutines, of 10,000 that are pending, with and without what starts do to be
// fast.
func BenchmarkTricks(b *testing.B) {
	for name, without := range map[string]func(v *Service){
		"clock=one start in 64": func(*Service) {},
		"clock=each start":      func(v *Service) { v.design.Slack = 0 },
		"near=one for all":      func(v *Service) { v.near = v.near[:1] },
	} {
		b.Run(name, func(b *testing.B) {
			v := open(b, likeSharded, systems.Options{Tick: 750 * time.Microsecond})
			without(v)
			for i := range 10_000 {
				start(b, v, time.Hour+time.Duration(i)*time.Second, nothing)
			}
			b.SetParallelism(8 / runtime.GOMAXPROCS(0))
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				var conn struct {
					timeout Timer
					_       [64]byte // no other goroutine's Timer is in its line of the cache
				}
				v.Init(&conn.timeout, nothing)
				for pb.Next() {
					_ = conn.timeout.Start(time.Hour)
					conn.timeout.Stop()
				}
			})
		})
	}
}

// BenchmarkCrowd measures for how long a worker holds the lock of a shard at most, and what a timer takes, where a million
// timers are due on one tick, started by one goroutine. They are handed out, or all were reset and are looked at.
func BenchmarkCrowd(b *testing.B) {
	for name, more := range map[string]time.Duration{"expire": 0, "look": time.Hour} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				const n = 1_000_000
				v, longest, all := open(b, likeSharded, systems.Options{Tick: 750 * time.Microsecond}), time.Duration(0), time.Duration(0)
				until, timers := v.clock()+time.Hour, make([]systems.Timer, n)
				for i := range timers {
					timers[i], _ = v.AfterFunc(until-v.clock(), nothing)
				}
				for i := 0; more > 0 && i < n; i++ {
					timers[i].Reset(until + more - v.clock())
				}
				for _, s := range v.shards {
					s.mu.Lock()
					for s.behind = true; s.behind; {
						at := time.Now()
						s.fill(until + time.Second)
						took := time.Since(at)
						longest, all = max(longest, took), all+took
						s.stopReady()
					}
					s.pending = 0
					s.mu.Unlock()
				}
				v.Close()
				b.ReportMetric(float64(longest.Microseconds()), "µs-hold")
				b.ReportMetric(float64(all.Nanoseconds())/n, "ns/timer")
			}
		})
	}
}
