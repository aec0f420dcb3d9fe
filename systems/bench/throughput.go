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
	"timerlab/systems/internal/subject"
	"timerlab/systems/study"
)

// Tests make these shorter.
var (
	warmUp, timed         = 50 * time.Millisecond, 300 * time.Millisecond
	idleSettles, idleTime = 500 * time.Millisecond, 4 * time.Second
)

const (
	patience = 10 * time.Second
	hour     = time.Hour // the duration of pending timers if the service takes only one
)

// client is a goroutine that starts and stops timers.
type client struct {
	timers    subject.Timers
	pending   []systems.Timer // of no other client
	oldest    int
	durations []time.Duration
	next      int // of durations
	first     int // of durations: pending[0] has the next one
	random    *rand.Rand
	done      atomic.Int64 // operations
	err       error
	_         [64]byte // against false sharing of done
}

// newClient returns one of several clients that share the pending timers. Its durations are random, of timers that
// never expire: half an hour to one and a half, so that a start is no nearer to the front of a heap than earlier ones.
func (s *sample) newClient(g, clients int) *client {
	c := &client{
		timers: s.timers, pending: s.pending[g*len(s.pending)/clients : (g+1)*len(s.pending)/clients],
		durations: make([]time.Duration, 4096), random: rand.New(rand.NewPCG(uint64(s.round), uint64(g))),
	}
	for i := range c.durations {
		c.durations[i] = s.duration(hour/2 + time.Duration(c.random.Int64N(int64(hour))))
	}
	c.first = c.random.IntN(len(c.durations))
	c.next = c.first
	return c
}

func (c *client) start() (systems.Timer, error) {
	c.next = (c.next + 1) % len(c.durations)
	return c.timers.AfterFunc(c.durations[c.next], noop)
}

var (
	errStop  = errors.New("stop of a pending timer returned false")
	errReset = errors.New("reset of a pending timer returned false")
)

// startStop starts a timer and stops it.
func startStop(c *client) error {
	t, err := c.start()
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
	c.pending[c.oldest], err = c.start()
	c.oldest = (c.oldest + 1) % len(c.pending)
	return err
}

// reset resets a random timer to its own duration, as an idle connection does.
func reset(c *client) error {
	i := c.random.IntN(len(c.pending))
	if !c.pending[i].Reset(c.durations[(c.first+1+i)%len(c.durations)]) {
		return errReset
	}
	return nil
}

// fill opens the service, lets each client start its pending timers and waits until they have reached the wheel.
func (s *sample) fill(clients int) ([]*client, error) {
	if err := s.begin(hour); err != nil {
		return nil, err
	}
	all, errs := make([]*client, clients), make([]error, clients)
	var filling sync.WaitGroup
	for g := range all {
		filling.Go(func() {
			c := s.newClient(g, clients)
			all[g] = c
			for i := range c.pending {
				if c.pending[i], errs[g] = c.start(); errs[g] != nil {
					return
				}
			}
		})
	}
	filling.Wait()
	if s.queue > 0 {
		time.Sleep(time.Duration(s.n/study.MostMoved+3) * s.queue)
	}
	return all, errors.Join(errs...)
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
	clients, err := s.fill(g)
	if err != nil {
		return err
	}
	runtime.GC()
	var over atomic.Bool
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() {
			for ; !over.Load(); c.done.Add(batch) {
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
	for _, c := range clients {
		if c.err != nil {
			return c.err
		}
	}
	ops := float64(after.ops - before.ops)
	if ops == 0 {
		return fmt.Errorf("no operation in %v", patience)
	}
	s.Iters = int(ops)
	s.Add(float64(after.at.Sub(before.at))/ops, units.NsPerOp)
	s.Add(float64(after.cpu-before.cpu)/ops, "cpu-ns/op")
	return nil
}

// reading is what had been done and used at a time.
type reading struct {
	at  time.Time
	cpu time.Duration
	ops int64
}

func read(clients []*client) reading {
	r := reading{at: time.Now(), cpu: run.CPUTime()}
	for _, c := range clients {
		r.ops += c.done.Load()
	}
	return r
}
