package claims

import (
	"fmt"
	"math"
	"strings"

	"timerlab/harness/run"

	"timerlab/schemes"
)

// batch is what was counted in some ticks.
type batch struct {
	schemes.Counts
	laps                             [run.NumLaps]schemes.Counts // the same by what the scheme was doing
	ticks, started, stopped, expired uint64

	// Of single ticks only.
	busy      uint64  // ticks on which a timer expired
	len, held float64 // timers outstanding and records held, added up over the ends of the ticks
	others    float64 // timers that the starts found outstanding, added up
}

// tally is the batches of a run.
type tally []batch

// running is a scheme on its way through a run. It is the run's watch, which
// counts by laps instead of timing them.
type running struct {
	counting
	drive *run.Drive
	begun schemes.Counts
	laps  [run.NumLaps]schemes.Counts
}

// Begin and End make running a harness.Watch.
func (r *running) Begin() { r.begun = r.Counts() }

func (r *running) End(lap run.Lap, _ int) {
	r.laps[lap] = r.laps[lap].Add(r.Counts().Sub(r.begun))
}

// Each says that ticks without operations between them may be one lap.
func (r *running) Each() bool { return false }

// batch runs from a tick to the end of the batch.
func (r *running) batch(from schemes.Tick, e experiment) (batch, error) {
	if !e.singly && e.tick == nil {
		return r.to(from+e.each, e.each)
	}
	var sum batch
	for t := from + 1; t <= from+e.each; t++ {
		one, err := r.to(t, 1)
		if err != nil {
			return sum, err
		}
		r.look(&one)
		if e.tick != nil {
			e.tick(one)
		}
		sum = sum.add(one)
	}
	return sum, nil
}

// look completes the batch of a single tick. Its operations are over: the last of
// k starts found all but itself outstanding, the first k fewer than there are now.
func (r *running) look(one *batch) {
	one.len = float64(r.Len())
	one.held = one.len
	if h, ok := r.counting.(schemes.Holder); ok {
		one.held = float64(h.Held())
	}
	k := float64(one.started)
	one.others = k*one.len - k*(k+1)/2
	if one.expired > 0 {
		one.busy = 1
	}
}

// to runs to a tick, which is the given number of ticks away, and returns the counts
// of these ticks.
func (r *running) to(tick, ticks schemes.Tick) (batch, error) {
	counts, outcome := r.Counts(), r.drive.Outcome()
	r.laps = [run.NumLaps]schemes.Counts{}
	err := r.drive.RunTo(tick, r)
	now := r.drive.Outcome()
	return batch{
		Counts: r.Counts().Sub(counts), laps: r.laps, ticks: uint64(ticks),
		started: now.Started - outcome.Started, stopped: now.Stopped - outcome.Stopped, expired: now.Expired - outcome.Expired,
	}, err
}

func (b batch) add(c batch) batch {
	b.Counts = b.Counts.Add(c.Counts)
	for lap := range b.laps {
		b.laps[lap] = b.laps[lap].Add(c.laps[lap])
	}
	b.ticks += c.ticks
	b.started += c.started
	b.stopped += c.stopped
	b.expired += c.expired
	b.busy += c.busy
	b.others += c.others
	b.len += c.len
	b.held += c.held
	return b
}

func (t tally) sum() (all batch) {
	for _, b := range t {
		all = all.add(b)
	}
	return all
}

// of takes a number from a batch.
type of func(batch) float64

// What is counted, and by what it is divided.
var (
	ticks       of = func(b batch) float64 { return float64(b.ticks) }
	started     of = func(b batch) float64 { return float64(b.started) }
	stopped     of = func(b batch) float64 { return float64(b.stopped) }
	expired     of = func(b batch) float64 { return float64(b.expired) }
	ended       of = func(b batch) float64 { return float64(b.stopped + b.expired) }
	compares    of = func(b batch) float64 { return float64(b.Compares) }
	starting    of = func(b batch) float64 { return float64(b.laps[run.Starts].Compares) }
	stopping    of = func(b batch) float64 { return float64(b.laps[run.Stops].Compares) }
	visits      of = func(b batch) float64 { return float64(b.Visits) }
	wasted      of = func(b batch) float64 { return float64(b.Visits) - float64(b.expired) }
	migrations  of = func(b batch) float64 { return float64(b.Migrations) }
	busy        of = func(b batch) float64 { return float64(b.busy) }
	others      of = func(b batch) float64 { return b.others }
	outstanding of = func(b batch) float64 { return b.len }
	held        of = func(b batch) float64 { return b.held }
	occupied    of = func(b batch) float64 { return float64(b.ticks - b.EmptySlots) }
)

// per returns the ratio of two sums over the run, with the interval that the
// spread of the batches gives it: that of a ratio estimator, whose residuals are
// num - ratio·den.
func (t tally) per(num, den of) Value {
	n, d := 0.0, 0.0
	for _, b := range t {
		n, d = n+num(b), d+den(b)
	}
	ratio, square := n/d, 0.0
	for _, b := range t {
		r := num(b) - ratio*den(b)
		square += r * r
	}
	k := float64(len(t))
	half := quantile * math.Sqrt(square/(k-1)*k) / d
	return Value{ratio, ratio - half, ratio + half}
}

// row writes what a run counted as a line of the Go benchmark format.
func (t tally) row(name string) string {
	b := t.sum()
	var s strings.Builder
	fmt.Fprintf(&s, "BenchmarkCount/%s %d", name, b.stopped+b.expired)
	for _, v := range []struct {
		count uint64
		unit  string
	}{
		{b.ticks, "ticks/op"}, {b.stopped, "stops/op"}, {b.Compares, "compares/op"}, {b.Visits, "visits/op"},
		{b.Links, "links/op"}, {b.Migrations, "migrations/op"}, {b.EmptySlots, "empty-slots/op"},
	} {
		if v.count > 0 {
			fmt.Fprintf(&s, " %.6g %s", float64(v.count)/ended(b), v.unit)
		}
	}
	return s.String()
}
