package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/run"
	"timerlab/systems"
)

const (
	warmUp = 50 * time.Millisecond
	timed  = 300 * time.Millisecond
)

// throughput measures an operation that several goroutines repeat for some time.
func (s *sample) throughput(op func(*client) error) error {
	g, err := strconv.Atoi(s.option)
	if err != nil {
		return err
	}
	f, err := s.subject.start(hour)
	if err != nil {
		return err
	}
	timers := make([]systems.Timer, s.n)
	if err := s.fill(f, timers, g); err != nil {
		return err
	}
	clients := make([]client, g)
	for i := range clients {
		c := &clients[i]
		c.facility, c.timers, c.durations = f, share(timers, i, g), *s.durations(uint64(i))
		c.random = rand.New(rand.NewPCG(uint64(s.round), uint64(i)))
	}
	runtime.GC()
	if err := s.time(clients, op); err != nil {
		return err
	}
	return stopAll(f, timers)
}

// time lets clients work and adds the cost of an operation: by the clock, all clients together,
// and in CPU time.
func (s *sample) time(clients []client, op func(*client) error) error {
	var over atomic.Bool
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { clients[i].work(op, &over) })
	}
	time.Sleep(warmUp)
	before := read(clients)
	time.Sleep(timed)
	after := read(clients)
	over.Store(true)
	all.Wait()
	for i := range clients {
		if clients[i].err != nil {
			return clients[i].err
		}
	}
	ops := float64(after.ops - before.ops)
	if ops == 0 {
		return fmt.Errorf("no operation in %v", timed)
	}
	s.Iters = int(ops)
	s.Add(float64(after.at.Sub(before.at))/ops, "ns/op")
	s.Add(float64(after.cpu-before.cpu)/ops, "cpu-ns/op")
	s.Add(float64(after.bytes-before.bytes)/ops, "B/op")
	s.Add(float64(after.allocs-before.allocs)/ops, "allocs/op")
	return nil
}

// reading is what had been done and used at a time.
type reading struct {
	at            time.Time
	cpu           time.Duration
	ops           int64
	bytes, allocs uint64
}

func read(clients []client) reading {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r := reading{at: time.Now(), cpu: run.CPUTime(), bytes: m.TotalAlloc, allocs: m.Mallocs}
	for i := range clients {
		r.ops += clients[i].done.Load()
	}
	return r
}

// memory measures n pending timers, without the 16 bytes of the client's variable for each, and
// one garbage collection.
func (s *sample) memory() error {
	timers := make([]systems.Timer, s.n)
	for i := range timers {
		timers[i] = (*noTimer)(nil) // so that the client's memory is resident before
	}
	resident, err := run.Resident()
	if err != nil {
		return err
	}
	before := read(nil)
	f, err := s.subject.start(hour)
	if err != nil {
		return err
	}
	if err := s.fill(f, timers, 1); err != nil {
		return err
	}
	after := read(nil)
	grown, err := run.Resident()
	if err != nil {
		return err
	}
	cpu := run.CPUTime()
	runtime.GC()
	cpu = run.CPUTime() - cpu
	s.Add(float64(grown-resident)/float64(s.n), "B/timer")
	s.Add(float64(after.allocs-before.allocs)/float64(s.n), "allocs/timer")
	s.Add(float64(cpu), "gc-cpu-ns")
	return stopAll(f, timers)
}

type noTimer struct{ systems.Timer }
