// Package works holds the works on which timers are compared beyond the schemes:
// ours, other people's, a bare loop. Each is a closed loop over the four operations
// of a Scheme that needs no trace, so that ten or a hundred million timers fit into
// memory, and each knows from its seed alone what must come out.
//
//	PairHot   start a timer and stop that same one, n outstanding
//	PairCold  stop random timers, 4096 of them, do a thousand other operations, start them again
//	Restart   stop a random timer and start it at once, by Restart where there is one;
//	          unlike in PairCold, the client's own table counts
//	Hold      steady state: every timer that expires starts again
//	Idle      the same, by tick
//	Churn     the same, and 99 timers are stopped and started for each that expires
//	Sparse    ten timers in 10^9 ticks
//	Memory    what n timers take, fresh and at most while all restart twice at random
//	Worst     Churn with every operation timed by itself: the longest of each kind
//
// Time is CPU time of the process: what a peer leaves to other goroutines or to
// the collector counts.
package works

import (
	"cmp"
	"fmt"
	"math/bits"
	"runtime"
	"strings"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Work is one of the works.
type Work struct {
	Name string
	Op   string // what the time is of
	run  func(*client) error
}

// All is the list of works.
var All = []Work{
	{"PairHot", "a start and the stop of the same timer", (*client).pairHot},
	{"PairCold", "a stop of a random timer and a start", (*client).pairCold},
	{"Restart", "a random timer stopped and started at once", (*client).restart},
	{"Hold", "a lifetime: start, migrations, ticks, expiry", (*client).hold},
	{"Idle", "a tick", (*client).idle},
	{"Churn", "a restart, with the ticks and expiries that go with it", (*client).churn},
	{"Sparse", "10^9 ticks with ten timers", (*client).sparse},
	{"Memory", "a timer", (*client).memory},
	{"Worst", "the longest single operation", (*client).worst},
}

// Cell is a work at one size.
type Cell struct {
	Work string
	N    int          // timers outstanding
	T    schemes.Tick // mean interval, exponential
	Ops  int          // operations that are timed, about; 0 means 2^20
}

// Entrant is who does a work.
type Entrant struct {
	Info   *schemes.Info
	Config schemes.Config // its sizes; Now and Capacity are the work's
	Late   schemes.Tick   // by which all its timers expire too late: a peer's own mistake, which is verified as well
}

// Name returns the cell's name for an entrant, in the Go benchmark format.
func (c Cell) Name(e Entrant) string {
	name := fmt.Sprintf("Benchmark%s/scheme=%s/n=%s", c.Work, e.Info.Name, results.FormatCount(uint64(c.N)))
	if e.Config.Slots > 0 {
		name += "/M=" + results.FormatCount(uint64(e.Config.Slots))
	}
	return name + "/T=" + results.FormatCount(uint64(c.T))
}

// Metric is a figure beside the time.
type Metric struct {
	Value float64
	Unit  string
}

// Result is one sample of a cell.
type Result struct {
	Ops     int
	Nanos   float64 // CPU time per operation; 0: the work is not about time
	Metrics []Metric
}

// Line returns the sample in the Go benchmark format.
func (r Result) Line(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d", name, r.Ops)
	if r.Nanos > 0 {
		fmt.Fprintf(&b, " %.4g ns/op", r.Nanos)
	}
	for _, m := range r.Metrics {
		fmt.Fprintf(&b, " %.6g %s", m.Value, m.Unit)
	}
	return b.String()
}

// Find returns the work of this name.
func Find(name string) (Work, error) {
	names := make([]string, len(All))
	for i, w := range All {
		if names[i] = w.Name; w.Name == name {
			return w, nil
		}
	}
	return Work{}, fmt.Errorf("works: work %q, allowed %s", name, strings.Join(names, ", "))
}

// Run takes an entrant through a cell once and verifies what came out. round tells
// samples apart: short runs begin at another phase of the wheels in each. The
// error says what was wrong; no time of such a run counts.
func (c Cell) Run(e Entrant, round int) (Result, error) {
	w, err := Find(c.Work)
	if err != nil {
		return Result{}, err
	}
	cl, err := newClient(c, e, round)
	if err != nil {
		return Result{}, err
	}
	err = w.run(cl)
	if closer, ok := cl.scheme.(interface{ Close() }); ok {
		closer.Close()
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", c.Name(e), err)
	}
	if e.Late > 0 {
		cl.result.Metrics = append(cl.result.Metrics, Metric{float64(e.Late), "ticks-late"})
	}
	return cl.result, nil
}

// client is who starts and stops the timers.
type client struct {
	Cell
	scheme    schemes.Scheme
	restarter schemes.Restarter // the scheme, if it is one
	now       schemes.Tick      // since the clock's start
	intervals []schemes.Tick
	late      schemes.Tick // by which expiries come
	fake      bool         // the scheme is a floor whose timers do not expire
	timers    []timer
	random    uint64
	expired   uint64
	checksum  uint64
	result    Result
	build     func() (schemes.Scheme, error)
	took      time.Duration
	began     time.Duration
}

// timer is what the client knows of one of its timers: the handle, and how many
// lifetimes it has had, which the ID says too.
type timer struct {
	handle schemes.Handle
	lives  uint32
}

const (
	points  = 4096  // entries of a table of intervals
	quarter = 16384 // ticks: four of them are a time round of the second of the default wheels
)

func newClient(c Cell, e Entrant, round int) (*client, error) {
	table := workload.Spec{N: 1, T: c.T, Dist: workload.Exp()}.Intervals()
	if len(table) != points || c.N < 1 {
		return nil, fmt.Errorf("works: n = %d, T = %d, allowed from 1, and T up to %d", c.N, c.T, workload.MaxMean)
	}
	c.Ops = cmp.Or(c.Ops, 1<<20)
	cl := &client{Cell: c, intervals: table, late: e.Late, fake: e.Info == &BareRing || e.Info == &Nothing, random: uint64(round)*2 + 88172645463325253}
	cfg := e.Config
	cfg.Now, cfg.Capacity = schemes.Tick(round%4)*quarter+5, c.N+1
	cl.build = func() (schemes.Scheme, error) { return e.Info.New(cfg) }
	return cl, nil
}

// id names a lifetime of a timer.
func id(timer, lives uint32) schemes.ID { return schemes.ID(lives)<<32 | schemes.ID(timer) }

// interval returns the interval of a lifetime, which follows from its ID alone.
func (c *client) interval(id schemes.ID) schemes.Tick {
	x := uint64(id) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return c.intervals[x>>(64-12)]
}

// draw returns a number below n.
func (c *client) draw(n int) uint32 {
	c.random ^= c.random << 13
	c.random ^= c.random >> 7
	c.random ^= c.random << 17
	high, _ := bits.Mul64(c.random, uint64(n))
	return uint32(high)
}

// fill makes the scheme and starts n timers.
func (c *client) fill() (err error) {
	c.timers = make([]timer, c.N)
	if c.scheme, err = c.build(); err != nil {
		return err
	}
	c.restarter, _ = c.scheme.(schemes.Restarter)
	for i := range c.timers {
		if err := c.start(uint32(i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *client) start(i uint32) (err error) {
	t := &c.timers[i]
	name := id(i, t.lives)
	t.handle, err = c.scheme.Start(c.interval(name), name)
	return err
}

// tick moves the clock by one and hands out what is due.
func (c *client) tick(action func(schemes.ID)) {
	c.now++
	if c.scheme.PerTick() > 0 {
		c.scheme.Expire(action)
	}
}

// count is the part of an action that makes the outcome.
func (c *client) count(id schemes.ID) {
	c.expired++
	c.checksum += workload.Mix(c.now, id)
}

// begin and end are around what is timed.
func (c *client) begin() { c.began = run.CPUTime() }
func (c *client) end()   { c.took += run.CPUTime() - c.began }

// budget ends the timing of a slow entrant early. A second is some hundred thousand
// operations of the slowest.
const budget = time.Second

// spent reports whether what is being timed has used up the budget.
func (c *client) spent() bool { return c.took+run.CPUTime()-c.began > budget }

// timed sets the result from the time taken.
func (c *client) timed(ops int) {
	c.result.Ops = ops
	c.result.Nanos = float64(c.took.Nanoseconds()) / float64(ops)
}

// settle lets the collector finish before the timing, so that what came before is
// not this run's to pay.
func settle() { runtime.GC() }

// outcome is what a work must come to.
type outcome struct{ expired, checksum uint64 }

func (o *outcome) add(tick schemes.Tick, id schemes.ID) {
	o.expired++
	o.checksum += workload.Mix(tick, id)
}

// verify compares the outcome with what it must be, and Len where there is one.
func (c *client) verify(want outcome, outstanding int) error {
	if c.fake {
		return nil
	}
	if got := (outcome{c.expired, c.checksum}); got != want {
		return fmt.Errorf("%d timers expired with checksum %x, want %d with %x", got.expired, got.checksum, want.expired, want.checksum)
	}
	if s, ok := c.scheme.(schemes.Sized); ok && s.Len() != outstanding {
		return fmt.Errorf("Len is %d, but %d timers are outstanding", s.Len(), outstanding)
	}
	return nil
}
