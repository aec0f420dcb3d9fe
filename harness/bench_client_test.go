package harness_test

import (
	"math/rand/v2"
	"testing"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

func outOfRange(e run.Subject, trace *workload.Trace) bool {
	return trace.Longest > e.Info.Range(schemes.Config{Slots: e.Slots, Levels: e.Levels})
}

func tooSlowToFill(e run.Subject, trace *workload.Trace) bool {
	steps := cost.Estimate(e.Info, trace.Spec.N/2, e.Slots, trace.Spec.Rate())
	return e.Info != &harness.Null && float64(trace.Prefill)*steps.Start > maxSteps
}

func tooSlowToRun(e run.Subject, trace *workload.Trace) bool {
	steps := cost.Estimate(e.Info, trace.Spec.N, e.Slots, trace.Spec.Rate())
	starts := float64(trace.Want.Started - uint64(trace.Prefill))
	return tooSlowToFill(e, trace) || e.Info != &harness.Null && starts*steps.Start+float64(trace.Ticks)*steps.Tick > maxSteps
}

// client holds timers by number: those that stay, and behind them the fresh ones
// of the trace, of which a batch at a time is outstanding.
type client struct {
	tb        testing.TB
	scheme    schemes.Scheme
	intervals []schemes.Tick
	handles   []schemes.Handle
	staying   int
	batch     int
}

// newClient starts the timers that stay. Between them and the fresh ones, n is
// met in the middle of a batch.
func newClient(tb testing.TB, e run.Subject, trace *workload.Trace, extra int) *client {
	c := &client{tb: tb, batch: max(50, trace.Spec.N/100)}
	c.staying = trace.Spec.N + extra*c.batch/2
	c.scheme = newScheme(tb, e, trace.Spec.N+c.batch)
	for i := range c.staying {
		c.intervals = append(c.intervals, trace.Ops[i%trace.Prefill].Interval)
	}
	for _, op := range trace.Ops[trace.Prefill:] {
		if op.Kind == workload.Start {
			c.intervals = append(c.intervals, op.Interval)
		}
	}
	c.handles = make([]schemes.Handle, len(c.intervals))
	for i := range c.staying {
		c.start(uint32(i))
	}
	return c
}

func (c *client) start(timer uint32) {
	h, err := c.scheme.Start(c.intervals[timer], schemes.ID(timer))
	if err != nil {
		c.tb.Fatal(err)
	}
	c.handles[timer] = h
}

func (c *client) stop(timer uint32) {
	if !c.scheme.Stop(c.handles[timer]) {
		c.tb.Fatalf("timer %d could not be stopped", timer)
	}
}

// batches returns the timers from first to end, in shuffled order if wanted, in
// whole batches.
func (c *client) batches(first, end int, random *rand.Rand) [][]uint32 {
	timers := make([]uint32, end-first)
	for i := range timers {
		timers[i] = uint32(first + i)
	}
	if random != nil {
		random.Shuffle(len(timers), func(i, k int) { timers[i], timers[k] = timers[k], timers[i] })
	}
	var parts [][]uint32
	for ; len(timers) >= c.batch; timers = timers[c.batch:] {
		parts = append(parts, timers[:c.batch])
	}
	return parts
}

func benchStart(b *testing.B, e run.Subject, trace *workload.Trace) {
	c := newClient(b, e, trace, -1)
	random := rand.New(rand.NewPCG(trace.Spec.Seed, 0))
	batches := c.batches(c.staying, len(c.intervals), nil)
	stops := random.Perm(c.batch)
	var w lapWatch
	w.counter, _ = c.scheme.(schemes.Counter)
	b.ReportAllocs()
	batch, at := 0, 0
	w.Begin()
	for b.Loop() {
		if at == c.batch {
			w.End(run.Ticks, at)
			for _, i := range stops {
				c.stop(batches[batch][i])
			}
			batch, at = (batch+1)%len(batches), 0
			w.Begin()
		}
		c.start(batches[batch][at])
		at++
	}
	w.End(run.Ticks, at)
	for _, timer := range batches[batch][:at] {
		c.stop(timer)
	}
	w.report(b, results.ComparesPerOp)
	c.finish(e)
}

func benchStop(b *testing.B, e run.Subject, trace *workload.Trace) {
	c := newClient(b, e, trace, 1)
	random := rand.New(rand.NewPCG(trace.Spec.Seed, 1))
	batches := c.batches(0, c.staying, random)
	var w lapWatch
	w.counter, _ = c.scheme.(schemes.Counter)
	b.ReportAllocs()
	batch, at := 0, 0
	w.Begin()
	for b.Loop() {
		if at == c.batch {
			w.End(run.Ticks, at)
			for _, timer := range batches[batch] {
				c.start(timer)
			}
			batch, at = (batch+1)%len(batches), 0
			w.Begin()
		}
		c.stop(batches[batch][at])
		at++
	}
	w.End(run.Ticks, at)
	w.report(b, results.ComparesPerOp)
	for _, timer := range batches[batch][:at] {
		c.start(timer)
	}
	c.finish(e)
}

// finish checks that what was not stopped is there, stops nearly all of it and
// lets the rest expire, each timer on its tick.
func (c *client) finish(e run.Subject) {
	tb := c.tb
	sized, ok := c.scheme.(schemes.Sized)
	if e.Info == &harness.Null || !ok {
		return
	}
	assert.Equal(tb, c.staying, sized.Len(), "timers outstanding behind the run")
	const rest = 20
	for timer := rest; timer < c.staying; timer++ {
		c.stop(uint32(timer))
	}
	last := schemes.Tick(0)
	for _, interval := range c.intervals[:rest] {
		last = max(last, interval)
	}
	expired := 0
	for now := schemes.Tick(1); now <= last; now++ {
		if c.scheme.PerTick() == 0 {
			continue
		}
		c.scheme.Expire(func(id schemes.ID) {
			expired++
			assert.Equal(tb, c.intervals[id], now, "tick on which timer %d expired", id)
		})
	}
	assert.Equal(tb, rest, expired, "timers expired")
	assert.Zero(tb, sized.Len(), "timers left")
}
