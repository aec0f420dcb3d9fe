package harness_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// limits of one run, its prefill included. A cell beyond them is not measured.
var limits = run.Limits{Run: time.Second, Memory: 1 << 30}

// excluded keeps what limits say of a cell, since every sample asks.
var excluded = map[string]string{}

func exclude(what string, s run.Subject, trace *workload.Trace) bool {
	name := what + run.Name(trace.Spec, s)
	why, ok := excluded[name]
	if !ok {
		why = limits.Skip(s, trace)
		excluded[name] = why
	}
	return why != ""
}

func tooSlowToFill(s run.Subject, trace *workload.Trace) bool {
	filling := *trace
	filling.Ops, filling.Ticks = trace.Ops[:trace.Prefill], 0
	return exclude("filling ", s, &filling)
}

func tooSlowToRun(s run.Subject, trace *workload.Trace) bool { return exclude("", s, trace) }

// client holds timers by number: those that stay, then the fresh ones of
// the trace, of which a batch at a time is outstanding.
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
func newClient(tb testing.TB, s run.Subject, trace *workload.Trace, extra int) *client {
	c := &client{tb: tb, batch: max(50, trace.Spec.N/100)}
	c.staying = trace.Spec.N + extra*c.batch/2
	c.scheme = newScheme(tb, s, trace.Spec.N+c.batch)
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

func benchStart(b *testing.B, s run.Subject, trace *workload.Trace) {
	c := newClient(b, s, trace, -1)
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
	c.finish(s)
}

func benchStop(b *testing.B, s run.Subject, trace *workload.Trace) {
	c := newClient(b, s, trace, 1)
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
	c.finish(s)
}

// finish checks that what was not stopped is there, stops nearly all of it and
// lets the rest expire, each timer on its tick or within its bound.
func (c *client) finish(s run.Subject) {
	tb := c.tb
	sized, ok := c.scheme.(schemes.Sized)
	if s.Info == &harness.Null || !ok {
		return
	}
	assert.Equal(tb, c.staying, sized.Len(), "timers outstanding after the run")
	const rest = 20
	for timer := rest; timer < c.staying; timer++ {
		c.stop(uint32(timer))
	}
	bound := func(schemes.Tick) (early, late schemes.Tick) { return 0, 0 }
	if b, ok := c.scheme.(schemes.Bounder); ok {
		bound = b.Bound
	}
	last := schemes.Tick(0)
	for _, interval := range c.intervals[:rest] {
		_, late := bound(interval)
		last = max(last, interval+late)
	}
	expired := 0
	for now := schemes.Tick(1); now <= last; now++ {
		if c.scheme.PerTick() == 0 {
			continue
		}
		c.scheme.Expire(func(id schemes.ID) {
			expired++
			interval := c.intervals[id]
			early, late := bound(interval)
			assert.True(tb, now+early >= interval && now <= interval+late, "timer %d of %d ticks expired after %d", id, interval, now)
		})
	}
	assert.Equal(tb, rest, expired, "timers expired")
	assert.Zero(tb, sized.Len(), "timers left")
}
