package peers

import (
	"fmt"
	"math/bits"
	"runtime"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// client starts and stops the timers of a scenario.
type client struct {
	Scenario
	Subject
	scheme    schemes.Scheme
	restarter schemes.Restarter // the scheme, if it is one
	now       schemes.Tick      // since the clock's start
	intervals []schemes.Tick    // a table of quantiles
	timers    []clientTimer
	random    uint64
	got       workload.Outcome // expiries and their checksum
	err       error            // of the last operation that failed; the scenario goes on, and verify returns it
	refused   int              // stops of outstanding timers that returned false, likewise
	result    results.Result
	build     func() (schemes.Scheme, error)
	budget    time.Duration // CPU time after which the timing of a slow subject ends early
	took      time.Duration
	began     time.Duration
}

// clientTimer is what the client keeps for one of its timers: the handle, and how many
// lifetimes it has had, which its ID contains too.
type clientTimer struct {
	handle schemes.Handle
	lives  uint32
}

const (
	intervalBits = 12      // of the length of a table of intervals
	quarter      = 1 << 14 // ticks: a quarter revolution of the second of the default wheels
)

func newClient(s Scenario, subject Subject, round int) (*client, error) {
	table := workload.Exp().Quantiles(s.T)
	if len(table) != 1<<intervalBits || s.N < 1 {
		return nil, fmt.Errorf("peers: %s with n = %d and T = %d (n must be positive, T from 1 to %d)",
			s.Name, s.N, s.T, workload.MaxMean)
	}
	cfg := subject.Config(s.N + 1)
	cfg.Now = schemes.Tick(round%4)*quarter + 5
	return &client{
		Scenario: s, Subject: subject, intervals: table, random: uint64(round)*2 + 88172645463325253,
		result: results.Result{Name: s.CellName(subject)},
		build:  func() (schemes.Scheme, error) { return subject.Info.New(cfg) },
		budget: time.Second, // some hundred thousand operations of the slowest
	}, nil
}

// lifetimeID identifies a lifetime of a timer.
func lifetimeID(timer, lives uint32) schemes.ID { return schemes.ID(lives)<<32 | schemes.ID(timer) }

// nextLifetime, added to the ID of a lifetime, makes it that of the timer's next one.
const nextLifetime = 1 << 32

// interval returns the interval of a lifetime, a function of its ID alone.
func (c *client) interval(id schemes.ID) schemes.Tick {
	x := uint64(id) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return c.intervals[x>>(64-intervalBits)]
}

// draw returns a random number below n.
func (c *client) draw(n int) uint32 {
	c.random ^= c.random << 13
	c.random ^= c.random >> 7
	c.random ^= c.random << 17
	high, _ := bits.Mul64(c.random, uint64(n))
	return uint32(high)
}

// prefilled returns a scenario that begins with n timers outstanding.
func prefilled(scenario func(*client) error) func(*client) error {
	return func(c *client) error {
		if err := c.fill(); err != nil {
			return err
		}
		return scenario(c)
	}
}

// fill makes the scheme, and starts n timers.
func (c *client) fill() (err error) {
	if c.timers == nil {
		c.timers = make([]clientTimer, c.N)
	}
	if c.scheme, err = c.build(); err != nil {
		return err
	}
	c.restarter, _ = c.scheme.(schemes.Restarter)
	for i := range c.timers {
		c.start(uint32(i))
	}
	return c.err
}

// start starts the present lifetime of a timer.
func (c *client) start(i uint32) {
	t := &c.timers[i]
	id := lifetimeID(i, t.lives)
	h, err := c.scheme.Start(c.interval(id), id)
	if t.handle = h; err != nil {
		c.err = err
	}
}

// stop stops an outstanding timer.
func (c *client) stop(h schemes.Handle) {
	if !c.scheme.Stop(h) {
		c.refused++
	}
}

// tick advances the clock by one and hands out what is due.
func (c *client) tick(action func(schemes.ID)) {
	c.now++
	if c.scheme.PerTick() > 0 {
		c.scheme.Expire(action)
	}
}

// count is the part of an action that makes the outcome.
func (c *client) count(id schemes.ID) { expect(&c.got, c.now, id) }

// expect adds an expiry to an outcome.
func expect(o *workload.Outcome, tick schemes.Tick, id schemes.ID) {
	o.Expired++
	o.Checksum += workload.Mix(tick, id)
}

// begin and end enclose what is timed.
func (c *client) begin() { c.began = run.CPUTime() }
func (c *client) end()   { c.took += run.CPUTime() - c.began }

// spent reports whether what is being timed has used up the budget.
func (c *client) spent() bool { return c.took+run.CPUTime()-c.began > c.budget }

// settle discards the time taken so far. It lets the collector finish first, so that
// garbage from the preparation is not charged to what is timed.
func (c *client) settle() {
	c.took = 0
	runtime.GC()
}

// timed sets the result to the mean time of an operation.
func (c *client) timed(ops int) {
	c.result.Iters = ops
	c.result.Add(float64(c.took.Nanoseconds())/float64(ops), results.NsPerOp)
}

// verify returns what went wrong. It compares the expiries with the wanted ones, and Len,
// where there is one, with the number of timers outstanding.
func (c *client) verify(want workload.Outcome, outstanding int) error {
	switch {
	case c.err != nil:
		return c.err
	case c.refused > 0:
		return fmt.Errorf("Stop of an outstanding timer returned false (%d times)", c.refused)
	case c.Inert:
		return nil
	case c.got != want:
		return fmt.Errorf("%d timers expired with checksum %x (expected %d with %x)",
			c.got.Expired, c.got.Checksum, want.Expired, want.Checksum)
	}
	if s, ok := c.scheme.(schemes.Sized); ok && s.Len() != outstanding {
		return fmt.Errorf("Len is %d, but %d timers are outstanding", s.Len(), outstanding)
	}
	return nil
}
