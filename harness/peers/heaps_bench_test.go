package peers

import (
	"fmt"
	"testing"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// stream is intervals of mean 10,000 ticks in a fixed pseudo-random order, and the
// timers to stop.
type stream struct {
	intervals []schemes.Tick
	at        uint64
}

func newStream() *stream { return &stream{intervals: workload.Exp().Quantiles(10_000)} }

func (s *stream) next() schemes.Tick {
	s.at++
	return s.intervals[workload.Mix(schemes.Tick(s.at), 0)%workload.Points]
}

// filled returns a scheme with n timers outstanding, and their handles.
func filled(b *testing.B, p *Peer, n int, s *stream) (schemes.Scheme, []schemes.Handle) {
	scheme, err := p.Info.New(schemes.Config{Capacity: n})
	if err != nil {
		b.Fatal(err)
	}
	handles := make([]schemes.Handle, n)
	for i := range handles {
		handles[i], _ = scheme.Start(s.next(), schemes.ID(i))
	}
	b.ReportAllocs()
	b.ResetTimer()
	return scheme, handles
}

func eachVirtual(b *testing.B, f func(b *testing.B, p *Peer, n int)) {
	for _, n := range []struct {
		name string
		n    int
	}{{"1k", 1000}, {"100k", 100_000}, {"1M", 1_000_000}} {
		for _, p := range Peers {
			if p.Tick == 0 {
				b.Run(fmt.Sprintf("scheme=%s/n=%s/T=10k", p.Info.Name, n.name), func(b *testing.B) { f(b, p, n.n) })
			}
		}
	}
}

// A timer is started and stopped at once.
func BenchmarkPairHot(b *testing.B) {
	eachVirtual(b, func(b *testing.B, p *Peer, n int) {
		s := newStream()
		scheme, _ := filled(b, p, n, s)
		for range b.N {
			h, _ := scheme.Start(s.next(), 0)
			scheme.Stop(h)
		}
	})
}

// A random outstanding timer is stopped and started again.
func BenchmarkPairCold(b *testing.B) {
	eachVirtual(b, func(b *testing.B, p *Peer, n int) {
		s := newStream()
		scheme, handles := filled(b, p, n, s)
		for i := range b.N {
			k := workload.Mix(schemes.Tick(i), 1) % uint64(n)
			scheme.Stop(handles[k])
			handles[k], _ = scheme.Start(s.next(), 0)
		}
	})
}

// Each expired timer is started again: nanoseconds a lifetime.
func BenchmarkHold(b *testing.B) {
	eachVirtual(b, func(b *testing.B, p *Peer, n int) {
		s := newStream()
		scheme, _ := filled(b, p, n, s)
		lifetimes := 0
		again := func(id schemes.ID) {
			lifetimes++
			scheme.Start(s.next(), id)
		}
		for lifetimes < b.N {
			if scheme.PerTick() > 0 {
				scheme.Expire(again)
			}
		}
	})
}
