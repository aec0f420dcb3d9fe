package bench

import (
	"cmp"
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
	"timerlab/systems/sharded"
)

// Tests make these shorter.
var (
	warmUp, timed         = 50 * time.Millisecond, 300 * time.Millisecond
	idleSettles, idleTime = 500 * time.Millisecond, 4 * time.Second
	sparseTime            = 3                            // seconds
	resetEvery, resetTime = time.Second, 6 * time.Second // of connections: two timeouts
)

const (
	patience = 10 * time.Second
	hour     = time.Hour // the duration of pending timers if the service takes only one
)

// client is a goroutine that starts and stops timers.
type client struct {
	timers    subject.Timers
	reuse     bool            // as the service says
	own       systems.Timer   // of the goroutine, stopped; nil if it has started none
	pending   []systems.Timer // of no other client
	oldest    int
	durations []time.Duration
	first     int // of durations: the one of pending[0]
	next      int // starts
	random    *rand.Rand
	done      atomic.Int64 // operations
	err       error
	_         [64]byte // against false sharing of done
}

// newClient returns one of several clients that share the pending timers. Its durations are random, of timers that
// never expire: half an hour to one and a half, so that a start is no nearer to the front of a heap than earlier ones.
func (s *sample) newClient(g, clients int) *client {
	c := &client{
		timers: s.timers, reuse: s.Reuse, pending: s.pending[g*len(s.pending)/clients : (g+1)*len(s.pending)/clients],
		durations: make([]time.Duration, 4096), random: rand.New(rand.NewPCG(uint64(s.round), uint64(g))),
	}
	for i := range c.durations {
		c.durations[i] = hour/2 + time.Duration(c.random.Int64N(int64(hour)))
	}
	c.first = c.random.IntN(len(c.durations))
	return c
}

// duration returns the duration of pending[i].
func (c *client) duration(i int) time.Duration { return c.durations[(c.first+i)%len(c.durations)] }

// start starts the stopped timer again if clients keep their timers, else another one, as for nil.
func (c *client) start(stopped systems.Timer, d time.Duration) (systems.Timer, error) {
	if !c.reuse || stopped == nil {
		return c.timers.AfterFunc(d, noop)
	}
	if t, owned := stopped.(*sharded.Timer); owned {
		return t, t.Start(d)
	}
	if stopped.Reset(d) {
		return nil, errReset
	}
	return stopped, nil
}

var (
	errStop  = errors.New("stop of a pending timer returned false")
	errReset = errors.New("reset returned true for a stopped timer, or false for a pending one")
)

// startStop starts a timer and stops it.
func startStop(c *client) (err error) {
	c.next++
	if c.own, err = c.start(c.own, c.duration(c.next)); err == nil && !c.own.Stop() {
		return errStop
	}
	return err
}

// replace stops the oldest timer and starts another in its place.
func replace(c *client) (err error) {
	oldest := &c.pending[c.oldest]
	if !(*oldest).Stop() {
		return errStop
	}
	c.next++
	*oldest, err = c.start(*oldest, c.duration(c.next))
	c.oldest = (c.oldest + 1) % len(c.pending)
	return err
}

// reset resets a random timer to its own duration, as an idle connection does.
func reset(c *client) error {
	i := c.random.IntN(len(c.pending))
	if !c.pending[i].Reset(c.duration(i)) {
		return errReset
	}
	return nil
}

// fill starts the clients' pending timers from several goroutines and waits until they have reached the wheel.
func (s *sample) fill(clients, starters int) ([]*client, error) {
	parts := max(1, starters/clients)
	all, errs := make([]*client, clients), make([]error, clients*parts)
	begin := make(chan struct{}) // for all at once: a goroutine that ends leaves its stack to the next one
	var filling sync.WaitGroup
	for part := range errs {
		if part%parts == 0 {
			all[part/parts] = s.newClient(part/parts, clients)
		}
		c, part, err := all[part/parts], part%parts, &errs[part]
		filling.Go(func() {
			<-begin
			for i := part * len(c.pending) / parts; i < (part+1)*len(c.pending)/parts && *err == nil; i++ {
				c.pending[i], *err = c.start(nil, c.duration(i))
			}
		})
	}
	close(begin)
	filling.Wait()
	return all, cmp.Or(errs...)
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
	// As in a server, many goroutines start them: sharded chooses the wheel by where the stack is. 4096 have all wheels.
	clients, err := s.fill(g, min(s.n/16, 4096))
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
	s.Add(float64(after.cpu-before.cpu)/ops, cpuPerOp)
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
