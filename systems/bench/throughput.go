package bench

import (
	"errors"
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

// client is a goroutine that starts and stops timers.
type client struct {
	facility service
	timers   []systems.Timer // pending, of no other client
	oldest   int
	durations
	random *rand.Rand
	done   atomic.Int64 // operations
	err    error
	_      [64]byte // against false sharing of done
}

var (
	errStop  = errors.New("Stop of a pending timer returned false")
	errReset = errors.New("Reset of a pending timer returned false")
)

// startStop starts a timer and stops it.
func startStop(c *client) error {
	t, err := c.facility.AfterFunc(c.next(), noop)
	if err == nil && !t.Stop() {
		return errStop
	}
	return err
}

// replace stops the oldest timer and starts another in its place.
func replace(c *client) (err error) {
	if !c.timers[c.oldest].Stop() {
		return errStop
	}
	c.timers[c.oldest], err = c.facility.AfterFunc(c.next(), noop)
	c.oldest = (c.oldest + 1) % len(c.timers)
	return err
}

// reset resets a random timer to its own duration, like that of an idle connection.
func reset(c *client) error {
	i := c.random.IntN(len(c.timers))
	if !c.timers[i].Reset(c.durations.table[i%len(c.durations.table)]) {
		return errReset
	}
	return nil
}

// batch is the number of operations between two checks of whether to end.
const batch = 32

// work repeats an operation until it fails or over is set.
func (c *client) work(op func(*client) error, over *atomic.Bool) {
	for !over.Load() {
		for range batch {
			if c.err = op(c); c.err != nil {
				return
			}
		}
		c.done.Add(batch)
	}
}

// throughput measures an operation that several goroutines repeat for some time.
func (s *sample) throughput(op func(*client) error) error {
	g, err := strconv.Atoi(s.option)
	if err != nil {
		return err
	}
	if err := s.open(hour); err != nil {
		return err
	}
	s.timers = make([]systems.Timer, s.n)
	if err := s.fill(g); err != nil {
		return err
	}
	clients := make([]client, g)
	for i := range clients {
		c := &clients[i]
		c.facility, c.timers, c.durations = s.facility, s.share(i, g), *s.durations(uint64(i))
		c.random = rand.New(rand.NewPCG(uint64(s.round), uint64(i)))
	}
	runtime.GC()
	return s.time(clients, op)
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
