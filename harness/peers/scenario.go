package peers

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
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

// scenarios are the scenarios by name. Each begins with n timers outstanding. In the first three the clock
// stands still; afterwards it advances until all timers have expired.
//
//	PairHot   starts a timer and stops that same one
//	PairCold  stops up to 4096 random timers, does a thousand other operations, starts them again
//	Restart   stops a random timer and starts it at once, by Restart if there is one;
//	          unlike PairCold, it includes access to the client's own table
//	Hold      steady state: every timer that expires starts again
//	Churn     the same, with 99 restarts for each timer that expires
var scenarios = map[string]func(*client) error{
	"PairHot":  (*client).pairHot,
	"PairCold": (*client).pairCold,
	"Restart":  (*client).restart,
	"Hold":     (*client).hold,
	"Churn":    (*client).churn,
}

// CellName returns the name of the scenario's results for a subject. M is in it if the subject sets it.
func (s Scenario) CellName(subject run.Subject) string {
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
func (s Scenario) Sample(subject run.Subject, round int) (results.Result, error) {
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
		Scenario: s, intervals: intervals, timers: make([]clientTimer, s.N),
		random: rand.New(rand.NewPCG(uint64(round), 88172645463325253)),
		result: results.Result{Name: s.CellName(subject)},
	}
	cfg := subject.Config(c.N + 1)
	cfg.Now = schemes.Tick(round%4)*quarter + 5
	var err error
	if c.scheme, err = subject.Info.New(cfg); err == nil {
		for i := range c.timers {
			c.timers[i].handle = c.start(lifetimeID(i, 0))
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
	scheme    schemes.Scheme
	now       schemes.Tick   // since the clock's start
	intervals []schemes.Tick // a table of quantiles
	timers    []clientTimer
	drawn     uint32 // of the last call of draw
	random    *rand.Rand
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
	revolution   = 256         // ticks: of the lowest of the default wheels
	quarter      = 1 << 14     // ticks: a quarter revolution of the second of them
	maxTicks     = 1 << 21     // that are timed
	budget       = time.Second // CPU time after which the timing ends early: some 100,000 operations of the slowest
	pairBatch    = 1024        // operations between readings of the CPU time
	coldBatch    = 4096
	otherPairs   = 500 // between the stops and the starts of PairCold
	churnRatio   = 99  // restarts for each timer that would expire
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

func (c *client) start(id schemes.ID) schemes.Handle {
	h, err := c.scheme.Start(c.interval(id), id)
	if err != nil {
		c.err = err
	}
	return h
}

func (c *client) stop(h schemes.Handle) {
	if !c.scheme.Stop(h) {
		c.refused++
	}
}

// again is the action of an expiry: the timer starts again. The client's table is not accessed.
func (c *client) again(id schemes.ID) {
	expect(&c.got, c.now, id)
	c.start(id + nextLifetime)
}

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

// batches times batches of operations, each after ops others, until there are enough or the budget is spent.
func (c *client) batches(batch func(ops int)) (ops int) {
	c.settle()
	c.begin()
	for ; ops < c.Ops && !c.spent(); ops += pairBatch {
		batch(ops)
	}
	c.end()
	c.timed(ops)
	return ops
}

// pairs starts timers with IDs from first on, and stops each at once.
func (c *client) pairs(first, count schemes.ID) {
	for id := first; id < first+count; id++ {
		h, err := c.scheme.Start(c.interval(id), id)
		if err != nil {
			c.err = err
		}
		c.stop(h)
	}
}

func (c *client) pairHot() error {
	c.batches(func(ops int) { c.pairs(schemes.ID(ops), pairBatch) })
	return c.drain(c.firstIntervals())
}

// pairCold times the stops and the starts without the client's own table: a client has the handle at hand when
// it wants to stop a timer.
func (c *client) pairCold() error {
	chosen := make([]uint32, min(coldBatch, (c.N+3)/4))
	handles, ids := make([]schemes.Handle, len(chosen)), make([]schemes.ID, len(chosen))
	c.settle()
	ops := 0
	for round := 0; ops < c.Ops && c.took < budget; round++ {
		c.draw(chosen)
		for k, i := range chosen {
			t := &c.timers[i]
			t.lives++
			handles[k], ids[k] = t.handle, lifetimeID(int(i), t.lives)
		}
		c.begin()
		for _, h := range handles {
			c.stop(h)
		}
		c.end()
		c.pairs(0, otherPairs)
		c.begin()
		for k, id := range ids {
			handles[k] = c.start(id)
		}
		c.end()
		for k, i := range chosen {
			c.timers[i].handle = handles[k]
		}
		if ops += len(chosen); round == 0 { // storage has grown
			c.took, ops = 0, 0
		}
	}
	c.timed(ops)
	return c.drain(c.firstIntervals())
}

func (c *client) restart() error {
	chosen := make([]uint32, (c.Ops+pairBatch-1)/pairBatch*pairBatch)
	for k := range chosen {
		chosen[k] = c.random.Uint32N(uint32(c.N))
	}
	restarter, _ := c.scheme.(schemes.Restarter)
	ops := c.batches(func(ops int) {
		for k, i := range chosen[ops : ops+pairBatch] {
			t, interval := &c.timers[i], c.interval(schemes.ID(ops+k))
			var err error
			if restarter != nil {
				t.handle, err = restarter.Restart(t.handle, interval)
			} else {
				c.stop(t.handle)
				t.handle, err = c.scheme.Start(interval, lifetimeID(int(i), 0))
			}
			if err != nil {
				c.err = err
			}
		}
	})
	first := c.firstIntervals()
	for k, i := range chosen[:ops] {
		first[i] = c.interval(schemes.ID(k))
	}
	return c.drain(first)
}

// firstIntervals returns the interval of each timer's present lifetime.
func (c *client) firstIntervals() []schemes.Tick {
	first := make([]schemes.Tick, c.N)
	for i, t := range c.timers {
		first[i] = c.interval(lifetimeID(i, t.lives))
	}
	return first
}

// drain lets all timers expire that were started while the clock stood still.
func (c *client) drain(first []schemes.Tick) error {
	again, longest := c.again, c.intervals[len(c.intervals)-1]
	for c.now < longest {
		c.tick(again)
	}
	return c.verify(first, nil)
}

func (c *client) tick(action func(schemes.ID)) {
	c.now++
	if c.scheme.PerTick() > 0 {
		c.scheme.Expire(action)
	}
}

// hold times ticks in the steady state: a power of two, for about Ops lifetimes, but at
// least a quarter revolution of the second wheel.
func (c *client) hold() error {
	first := c.firstIntervals()
	pass := func(ticks schemes.Tick) {
		scheme, again := c.scheme, c.again
		c.begin()
		for done := schemes.Tick(0); done < ticks && !c.spent(); done += revolution {
			for range revolution {
				c.now++
				if scheme.PerTick() > 0 {
					scheme.Expire(again)
				}
			}
		}
		c.end()
	}
	pass(quarter)
	c.settle()
	before := c.got.Expired
	ticks := uint64(c.Ops) * uint64(c.T) / uint64(c.N)
	pass(schemes.Tick(min(max(1<<bits.Len64(ticks), quarter), maxTicks)))
	c.timed(int(c.got.Expired - before))
	return c.verify(first, nil)
}

func (c *client) churn() error {
	first, warm, timed := c.firstIntervals(), c.restarts(c.Ops/4), c.restarts(c.Ops)
	warm, _ = c.churning(warm)
	c.settle()
	timed, ops := c.churning(timed)
	c.timed(ops)
	return c.verify(first, slices.Concat(warm, timed))
}

// restarts draws the timers that each tick restarts, no two alike on one tick.
func (c *client) restarts(ops int) (groups [][]uint32) {
	for owed := 0.0; ops > 0; {
		owed += churnRatio * float64(c.N) / float64(c.T)
		group := make([]uint32, min(int(owed), (c.N+1)/2))
		owed -= float64(len(group))
		c.draw(group)
		groups = append(groups, group)
		ops -= len(group)
	}
	return groups
}

// churning alternates between a tick and a group of timers that are stopped and then
// started. It returns the groups, and the restarts in them, for which the budget lasted.
func (c *client) churning(groups [][]uint32) (done [][]uint32, ops int) {
	next := func(i uint32) {
		t := &c.timers[i]
		t.handle = c.start(lifetimeID(int(i), t.lives))
	}
	again := func(id schemes.ID) {
		expect(&c.got, c.now, id)
		c.timers[uint32(id)].lives++
		next(uint32(id))
	}
	var handles []schemes.Handle
	c.begin()
	for k, group := range groups {
		if k%64 == 63 && c.spent() {
			groups = groups[:k]
			break
		}
		c.tick(again)
		handles = handles[:0]
		for _, i := range group {
			handles = append(handles, c.timers[i].handle)
			c.timers[i].lives++
		}
		for _, h := range handles {
			c.stop(h)
		}
		for _, i := range group {
			next(i)
		}
		ops += len(group)
	}
	c.end()
	return groups, ops
}

// verify returns what went wrong. It follows one timer at a time from its first interval, which began on tick 0:
// between two restarts its lifetimes follow each other. The k-th of groups was restarted on tick k+1.
func (c *client) verify(first []schemes.Tick, groups [][]uint32) error {
	var want workload.Outcome
	deadline, lives := first, make([]uint32, c.N)
	if groups == nil { // else the restarts count them
		for i, t := range c.timers {
			lives[i] = t.lives
		}
	}
	expire := func(i int, now schemes.Tick) {
		for deadline[i] <= now {
			expect(&want, deadline[i], lifetimeID(i, lives[i]))
			lives[i]++
			deadline[i] += c.interval(lifetimeID(i, lives[i]))
		}
	}
	for k, group := range groups {
		now := schemes.Tick(k + 1)
		for _, i := range group {
			expire(int(i), now)
			lives[i]++
			deadline[i] = now + c.interval(lifetimeID(int(i), lives[i]))
		}
	}
	for i := range deadline {
		expire(i, c.now)
	}
	sized, _ := c.scheme.(schemes.Sized)
	switch {
	case c.err != nil:
		return c.err
	case c.refused > 0:
		return fmt.Errorf("Stop of an outstanding timer returned false (%d times)", c.refused)
	case c.got != want:
		return fmt.Errorf("%d timers expired with checksum %x (expected %d with %x)",
			c.got.Expired, c.got.Checksum, want.Expired, want.Checksum)
	case sized != nil && sized.Len() != c.N:
		return fmt.Errorf("Len is %d, but %d timers are outstanding", sized.Len(), c.N)
	}
	return nil
}
