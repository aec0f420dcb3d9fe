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

	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/systems"
)

const (
	warmUp   = 50 * time.Millisecond
	timed    = 300 * time.Millisecond
	patience = 10 * time.Second
	cpuPerOp = "cpu-ns/op"
)

// client is a goroutine that starts and stops timers.
type client struct {
	timers  timers
	pending []systems.Timer // of no other client
	oldest  int
	durations
	random *rand.Rand
	done   atomic.Int64 // operations
	err    error
	_      [64]byte // against false sharing of done
}

var (
	errStop  = errors.New("stop of a pending timer returned false")
	errReset = errors.New("reset of a pending timer returned false")
)

// startStop starts a timer and stops it.
func startStop(c *client) error {
	t, err := c.timers.AfterFunc(c.next(), noop)
	if err == nil && !t.Stop() {
		return errStop
	}
	return err
}

// replace stops the oldest timer and starts another in its place.
func replace(c *client) (err error) {
	if !c.pending[c.oldest].Stop() {
		return errStop
	}
	c.pending[c.oldest], err = c.timers.AfterFunc(c.next(), noop)
	c.oldest = (c.oldest + 1) % len(c.pending)
	return err
}

// reset resets a random timer to its own duration, like that of an idle connection.
func reset(c *client) error {
	i := c.random.IntN(len(c.pending))
	if !c.pending[i].Reset(c.durations.table[i%len(c.durations.table)]) {
		return errReset
	}
	return nil
}

// batch is the number of operations between two checks of whether to end.
const batch = 32

// throughput measures an operation that several goroutines repeat for some time: its cost by the
// clock, all goroutines together, and in CPU time.
func (s *sample) throughput(op func(*client) error) error {
	g, err := strconv.Atoi(s.option)
	if err != nil {
		return err
	}
	s.pending = make([]systems.Timer, s.n)
	if err := s.fill(g); err != nil {
		return err
	}
	clients := make([]client, g)
	for i := range clients {
		c := &clients[i]
		c.timers, c.pending, c.durations = s.timers, s.share(i, g), *s.durations(uint64(i))
		c.random = rand.New(rand.NewPCG(uint64(s.round), uint64(i)))
	}
	runtime.GC()
	var over atomic.Bool
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for c := &clients[i]; !over.Load(); c.done.Add(batch) {
				for range batch {
					if c.err = op(c); c.err != nil {
						over.Store(true)
						return
					}
				}
			}
		})
	}
	time.Sleep(warmUp)
	before := read(clients)
	time.Sleep(timed)
	after := read(clients)
	for ; after.ops == before.ops && after.at.Sub(before.at) < patience && !over.Load(); after = read(clients) {
		time.Sleep(timed) // other processes keep all processors busy
	}
	over.Store(true)
	all.Wait()
	for i := range clients {
		if clients[i].err != nil {
			return clients[i].err
		}
	}
	ops := float64(after.ops - before.ops)
	if ops == 0 {
		return fmt.Errorf("no operation in %v", patience)
	}
	s.Iters = int(ops)
	s.Add(float64(after.at.Sub(before.at))/ops, units.NsPerOp)
	s.Add(float64(after.cpu-before.cpu)/ops, cpuPerOp)
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
