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
	batch  = 32 // operations between two looks at whether to end
)

// client is a goroutine that starts and stops timers.
type client struct {
	facility systems.Facility
	timers   []systems.Timer // its own, which wait
	oldest   int
	durations
	random *rand.Rand
	done   atomic.Int64 // operations
	err    error
	_      [64]byte // the next one's count is not in the same cache line
}

var errStop, errReset = errors.New("Stop of a timer that waits is false"), errors.New("Reset of a timer that waits is false")

// startStop starts a timer and stops it.
func startStop(c *client) error {
	t, err := c.facility.AfterFunc(c.next(), nothing)
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
	c.timers[c.oldest], err = c.facility.AfterFunc(c.next(), nothing)
	c.oldest = (c.oldest + 1) % len(c.timers)
	return err
}

// reset lets a random timer wait for its own duration once more, as an idle connection's.
func reset(c *client) error {
	i := c.random.IntN(len(c.timers))
	if !c.timers[i].Reset(c.durations.table[i%len(c.durations.table)]) {
		return errReset
	}
	return nil
}

// throughput lets goroutines repeat an operation for some time.
func (s *sample) throughput(op func(*client) error) error {
	g, err := strconv.Atoi(s.of("g"))
	if err != nil {
		return err
	}
	f, err := s.entrant.open(fixedDuration)
	if err != nil {
		return err
	}
	timers := make([]systems.Timer, s.N)
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
	return empty(f, timers)
}

// time lets clients work and tells what an operation takes: by the clock on the wall, all
// clients together, and of the processors.
func (s *sample) time(clients []client, op func(*client) error) error {
	var over atomic.Bool
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { clients[i].work(op, &over) })
	}
	time.Sleep(warmUp)
	before := take(clients)
	time.Sleep(timed)
	after := take(clients)
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
	s.iters = int(ops)
	s.tell(float64(after.at.Sub(before.at))/ops, "ns/op")
	s.tell(float64(after.cpu-before.cpu)/ops, "cpu-ns/op")
	s.tell(float64(after.bytes-before.bytes)/ops, "B/op")
	s.tell(float64(after.allocs-before.allocs)/ops, "allocs/op")
	return nil
}

// work repeats an operation until it is over, or goes wrong.
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

// reading is what has been done and used at a moment.
type reading struct {
	at            time.Time
	cpu           time.Duration
	ops           int64
	bytes, allocs uint64
}

func take(clients []client) (r reading) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r = reading{at: time.Now(), cpu: run.CPUTime(), bytes: m.TotalAlloc, allocs: m.Mallocs}
	for i := range clients {
		r.ops += clients[i].done.Load()
	}
	return r
}
