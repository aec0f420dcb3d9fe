package peers

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scenario is a closed-loop workload at one size. It needs no trace, so ten million timers fit
// into memory, and the outcome follows from the scenario and the round alone. Time is CPU time of
// the process: it includes what a subject leaves to other goroutines or to the garbage collector.
type Scenario struct {
	Name string       // one of scenarios
	N    int          // timers outstanding
	T    schemes.Tick // mean interval, exponential
	Ops  int          // operations that are timed, approximately; 0 means 2^20
}

// scenarios are the scenarios by name. Each begins with n timers outstanding.
//
//	PairHot   starts a timer and stops that same one
//	PairCold  stops up to 4096 random timers, does a thousand other operations, starts them again
//	Restart   stops a random timer and starts it at once, by Restart if there is one;
//	          unlike PairCold, it includes access to the client's own table
//	Hold      steady state: every timer that expires starts again
//	Idle      the same, per tick
//	Churn     the same, with 99 restarts for each timer that expires
//	Memory    what n timers take: fresh, and at most while all restart twice in random order
var scenarios = map[string]func(*client) error{
	"PairHot": func(c *client) error {
		c.batches(func(ops int) { c.pairs(schemes.ID(ops), pairBatch) })
		return c.drain(c.lastIntervals())
	},
	"PairCold": (*client).pairCold,
	"Restart":  (*client).restart,
	"Hold":     func(c *client) error { return c.steady(func() int { return int(c.got.Expired) }) },
	"Idle":     func(c *client) error { return c.steady(func() int { return int(c.now) }) },
	"Churn":    (*client).churn,
	"Memory":   (*client).memory,
}

// Subject is what a scenario measures: a scheme of ours or a peer, its sizes and its label.
type Subject struct {
	run.Subject
	Inert bool // nothing expires, as in the null scheme: no outcome is verified
	Real  bool // its clock is real, so that it needs a bubble
	Ours  bool // not a third party's
}

// CellName returns the name of the scenario's results for a subject. M is in it if the subject sets it.
func (s Scenario) CellName(subject Subject) string {
	k := results.Key{
		Op: s.Name, Scheme: subject.Label, N: workload.Count(s.N).String(), T: workload.Count(s.T).String(),
	}
	if subject.Slots > 0 {
		k.Slots = workload.Count(subject.Slots).String()
	}
	return k.String()
}

// Sample runs the scenario once and verifies its outcome. The round varies the phase of the wheels in which
// short runs begin, and what is random. After an error no time of the run counts.
func (s Scenario) Sample(subject Subject, round int) (results.Result, error) {
	scenario, ok := scenarios[s.Name]
	intervals := workload.Exp.Quantiles(s.T)
	switch {
	case !ok:
		names := slices.Sorted(maps.Keys(scenarios))
		return results.Result{}, fmt.Errorf("peers: unknown scenario %q (have %s)", s.Name, strings.Join(names, ", "))
	case len(intervals) != 1<<intervalBits || s.N < 1:
		return results.Result{}, fmt.Errorf("peers: %s with n = %d and T = %d (n must be positive, T from 1 to %d)",
			s.Name, s.N, s.T, workload.MaxMean)
	}
	s.Ops = cmp.Or(s.Ops, 1<<20)
	c := &client{
		Scenario: s, Subject: subject, intervals: intervals, timers: make([]clientTimer, s.N),
		random: rand.New(rand.NewPCG(uint64(round), 88172645463325253)),
		result: results.Result{Name: s.CellName(subject)},
	}
	for i := range c.timers {
		c.timers[i].lives = 0 // so that its page is resident
	}
	c.resident, _ = run.Resident() // if it is unknown, memory returns the error
	cfg := c.Config(c.N + 1)
	cfg.Now = schemes.Tick(round%4)*quarter + 5
	var err error
	if c.scheme, err = c.Info.New(cfg); err == nil {
		for i := range c.timers {
			c.start(i)
		}
		if err = c.err; err == nil {
			err = scenario(c)
		}
	}
	if closer, ok := c.scheme.(interface{ Close() }); ok {
		closer.Close()
	}
	if err != nil {
		return results.Result{}, fmt.Errorf("%s: %w", c.result.Name, err)
	}
	return c.result, nil
}

// client starts and stops the timers of a scenario.
type client struct {
	Scenario
	Subject
	scheme    schemes.Scheme
	now       schemes.Tick   // since the clock's start
	intervals []schemes.Tick // a table of quantiles
	timers    []clientTimer
	drawn     uint32 // of the last call of draw
	random    *rand.Rand
	resident  int              // bytes of the process before the scheme was made
	got       workload.Outcome // expiries and their checksum
	err       error            // of the last operation that failed; the scenario goes on, and verify returns it
	refused   int              // stops of outstanding timers that returned false, likewise
	result    results.Result
	took      time.Duration
	began     time.Duration
}

// clientTimer is what the client keeps for one of its timers, 16 bytes: the handle, how many
// lifetimes it has had, which its ID contains too, and which draw took it last.
type clientTimer struct {
	handle schemes.Handle
	lives  uint32
	drawn  uint32
}

const (
	intervalBits = 12          // of the length of a table of intervals
	quarter      = 1 << 14     // ticks: a quarter revolution of the second of the default wheels
	budget       = time.Second // CPU time after which the timing ends early: some 100,000 operations of the slowest
)

// lifetimeID identifies a lifetime of a timer. Adding nextLifetime makes it the timer's next.
func lifetimeID(timer int, lives uint32) schemes.ID { return schemes.ID(lives)<<32 | schemes.ID(timer) }

const nextLifetime = 1 << 32

// interval returns the interval of a lifetime, a function of its ID alone.
func (c *client) interval(id schemes.ID) schemes.Tick {
	x := uint64(id) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return c.intervals[x>>(64-intervalBits)]
}

// draw fills a slice with random timers, no two alike.
func (c *client) draw(chosen []uint32) {
	c.drawn++
	for k := range chosen {
		i := c.random.Uint32N(uint32(c.N))
		for c.timers[i].drawn == c.drawn {
			i = c.random.Uint32N(uint32(c.N))
		}
		chosen[k], c.timers[i].drawn = i, c.drawn
	}
}

// start starts the present lifetime of a timer.
func (c *client) start(i int) {
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

// expect adds an expiry to an outcome.
func expect(o *workload.Outcome, tick schemes.Tick, id schemes.ID) {
	o.Expired++
	o.Checksum += workload.Mix(tick, id)
}

// begin and end enclose what is timed.
func (c *client) begin() { c.began = run.CPUTime() }
func (c *client) end()   { c.took += run.CPUTime() - c.began }

// spent reports whether what is being timed has used up the budget.
func (c *client) spent() bool { return c.took+run.CPUTime()-c.began > budget }

// settle discards the time taken so far. It lets the collector finish first, so that
// garbage from the preparation is not charged to what is timed.
func (c *client) settle() {
	c.took = 0
	runtime.GC()
}

// timed sets the result to the mean time of an operation.
func (c *client) timed(ops int) {
	c.result.Iters = ops
	c.result.Add(float64(c.took.Nanoseconds())/float64(ops), units.NsPerOp)
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
