// Package drive takes a timer scheme through a trace of operations on a virtual clock, times the
// operations if wanted, and checks that every timer expired on its tick.
//
//	d := drive.New(scheme, trace)
//	err := d.Fill()     // the timers that are outstanding at the beginning
//	err = d.Run(watch)  // PerTick, Expire and the trace's operations, tick by tick
//	err = d.Verify()    // no time counts if this is not nil
package drive

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// HandleBytes is what a Drive keeps for a timer, as its client does.
const HandleBytes = 8

// Drive takes one scheme through one trace on the virtual clock: on every tick PerTick, then Expire if timers are due,
// then the operations stamped with the tick, in order. Call Fill, then Run or a series of RunTo, then Verify.
type Drive struct {
	scheme    schemes.Scheme
	restarter schemes.Restarter // the scheme, if it is one
	advancer  schemes.Advancer  // the scheme, if it is one and the trace's clock passes many ticks at once
	bounded   *bounded          // of a scheme that trades precision, else nil
	trace     *workload.Trace
	handles   []schemes.Handle // by the client's timer number
	at        int              // the next operation
	now       schemes.Tick     // since the clock's start
	got       workload.Outcome
	due       dueTicks
	expired   func(schemes.ID) // made once, so that no tick allocates
}

// New returns a drive at the tick from which the trace runs, before any operation. It
// allocates the client's table of handles, 8 bytes per timer.
func New(s schemes.Scheme, t *workload.Trace) *Drive {
	d := &Drive{scheme: s, trace: t, handles: make([]schemes.Handle, t.Timers), now: t.From}
	d.restarter, _ = s.(schemes.Restarter)
	if t.Steps {
		d.advancer, _ = s.(schemes.Advancer)
	}
	d.expired = func(id schemes.ID) {
		d.got.Expired++
		d.got.Checksum += workload.Mix(d.due.next(), id)
	}
	if b, ok := s.(schemes.Bounder); ok {
		own := *t // Continue adds to its operations
		own.Ops = slices.Clip(t.Ops)
		d.trace, d.bounded = &own, &bounded{bound: b.Bound}
		d.expired = func(id schemes.ID) {
			d.got.Expired++
			d.bounded.expiries = append(d.bounded.expiries, expiry{d.due.next(), id})
		}
	}
	return d
}

// Fill applies the prefill: the timers that are outstanding in the steady state.
func (d *Drive) Fill() error { return d.apply(d.trace.Prefill) }

// Run advances to the trace's last tick. If w is nil, nothing is timed within the
// run and Expire follows every PerTick; otherwise see Watch.
func (d *Drive) Run(w Watch) error { return d.RunTo(d.trace.Ticks, w, nil) }

// RunTo advances to a tick of the trace and applies its operations; at a tick that has passed it does nothing, and for
// one past the end of the trace it returns an error. A run may be split at any tick; only the laps end there too.
//
// If stop is not nil, it is called at least once in 128 operations or ticks, since some schemes take a
// millisecond for one. Its error ends the run, which cannot go on then.
func (d *Drive) RunTo(tick schemes.Tick, w Watch, stop func() error) error {
	if tick > d.trace.Ticks {
		return fmt.Errorf("tick %d is past the end of the trace (%d)", tick, d.trace.Ticks)
	}
	if b := d.bounded; b != nil && tick > d.now {
		// 16 bytes per lifetime, 1 per operation: after the prefill, so that the memory of a filled scheme can
		// be measured.
		b.stopped = append(b.stopped, make([]bool, len(d.trace.Ops)-len(b.stopped))...)
		b.expiries = slices.Grow(b.expiries, int(d.trace.Want.Started)-len(b.expiries))
	}
	most, steps := math.MaxInt, 0
	if stop != nil {
		most = 64
	}
	for ops := d.trace.Ops; ; {
		n, next := 0, tick
		if d.at < len(ops) && ops[d.at].Tick <= tick {
			next = ops[d.at].Tick
		}
		switch {
		case next > d.now:
			n = int(min(next-d.now, schemes.Tick(most)))
			d.ticks(n, w)
		case d.at < len(ops) && ops[d.at].Tick == d.now:
			first, kind := d.at, ops[d.at].Kind
			end := first + 1
			for end < len(ops) && end-first < most && ops[end].Tick == d.now && ops[end].Kind == kind {
				end++
			}
			if w != nil {
				w.Begin()
			}
			if err := d.apply(end); err != nil {
				return err
			}
			n = end - first
			if w != nil {
				w.End(lapOf[kind], n)
			}
		default:
			return nil
		}
		if steps += n; stop != nil && steps >= most {
			if err := stop(); err != nil {
				return fmt.Errorf("%w at tick %d of %d", err, d.now, d.trace.Ticks)
			}
			steps = 0
		}
	}
}

// ticks advances the clock by n ticks, of which only the last may have operations.
func (d *Drive) ticks(n int, w Watch) {
	if w == nil && d.advancer != nil {
		for end := d.now + schemes.Tick(n); d.now < end; {
			passed, due := d.advancer.Advance(end - d.now)
			if d.now += max(passed, 1); due > 0 { // at the clock's end none passes: the outcome is wrong then
				d.due.add(d.now, due)
				d.scheme.Expire(d.expired)
			}
		}
		return
	}
	if w == nil {
		for range n {
			d.now++
			if due := d.scheme.PerTick(); due > 0 {
				d.due.add(d.now, due)
				d.scheme.Expire(d.expired)
			}
		}
		return
	}
	lap := n
	if w.Each() {
		lap = 1
	}
	for left := n; left > 0; left -= lap {
		w.Begin()
		for range lap {
			d.now++
			if due := d.scheme.PerTick(); due > 0 {
				d.due.add(d.now, due)
			}
		}
		w.End(Ticks, lap)
		if !d.due.any() {
			continue
		}
		before := d.got.Expired
		w.Begin()
		d.scheme.Expire(d.expired)
		w.End(Expires, int(d.got.Expired-before))
	}
}

// apply applies the operations before end. A restart is one operation for a scheme that has it, and two for the others.
func (d *Drive) apply(end int) error {
	for ; d.at < end; d.at++ {
		op := &d.trace.Ops[d.at]
		if op.Kind == workload.Restart && d.restarter != nil {
			h, err := d.restarter.Restart(d.handles[op.Timer], op.Interval)
			if err == nil {
				d.noteStop()
				d.got.Started++
				d.handles[op.Timer] = h
				continue
			}
			if d.bounded == nil || !errors.Is(err, schemes.ErrHandle) {
				return fmt.Errorf("tick %d, timer %d: %w", d.now, op.Timer, err)
			} // else the timer expired early, and starts
		} else if op.Kind != workload.Start && d.scheme.Stop(d.handles[op.Timer]) {
			d.noteStop()
		}
		if op.Kind == workload.Stop {
			continue
		}
		id := schemes.ID(op.Timer)
		if d.bounded != nil {
			id = schemes.ID(d.at)
		}
		h, err := d.scheme.Start(op.Interval, id)
		if err != nil {
			return fmt.Errorf("tick %d, timer %d: %w", d.now, op.Timer, err)
		}
		d.got.Started++
		d.handles[op.Timer] = h
	}
	return nil
}

// noteStop records that the present operation ended a timer.
func (d *Drive) noteStop() {
	d.got.Stopped++
	if d.bounded != nil {
		d.bounded.stopped[d.at] = true
	}
}

// Continue makes the drive go on with the next piece of its stream, whose outcome it then has. A scheme that trades precision
// is verified from its beginning, as its timers may expire in another piece than the trace's.
func (d *Drive) Continue(t *workload.Trace) error {
	if d.at < len(d.trace.Ops) || d.now != t.From || t.Timers != d.trace.Timers {
		return fmt.Errorf("the run is at tick %d, the next piece begins after tick %d", d.now, t.From)
	}
	if d.bounded != nil {
		d.trace.Ops, d.trace.Ticks = append(d.trace.Ops, t.Ops...), t.Ticks
		d.trace.Want.Started += uint64(t.Count(workload.Start) + t.Count(workload.Restart))
		return nil
	}
	d.got = workload.Outcome{Started: d.Outcome().Outstanding}
	d.trace, d.at = t, 0
	return nil
}

// OffHeap returns the bytes that the scheme holds outside Go's heap.
func (d *Drive) OffHeap() int {
	if o, ok := d.scheme.(schemes.OffHeaper); ok {
		return o.OffHeap()
	}
	return 0
}

// Counts returns the operations of the scheme so far, if it counts them.
func (d *Drive) Counts() (counts schemes.Counts) {
	if c, ok := d.scheme.(schemes.Counter); ok {
		counts = c.Counts()
	}
	return counts
}

// Outcome returns the outcome of the run so far. For a scheme with a Bound the
// checksum is 0: its expiries fall on ticks of their own.
func (d *Drive) Outcome() workload.Outcome {
	got := d.got
	got.Outstanding = got.Started - got.Stopped - got.Expired
	return got
}

// Verify compares the outcome with the trace's, and the number of timers outstanding with the scheme's Len. An error
// means that a timer expired early, late, twice, never, or after its stop: no time measured on this run counts. A
// scheme with a Bound may be early and late by that.
func (d *Drive) Verify() error {
	if d.bounded != nil {
		return d.verifyBounded()
	}
	if got, want := d.Outcome(), d.trace.Want; got != want {
		return fmt.Errorf("outcome %+v, the trace's is %+v", got, want)
	}
	return d.checkSize(d.trace.Want.Outstanding)
}

// checkSize compares what the scheme reports about itself with what happened.
func (d *Drive) checkSize(outstanding uint64) error {
	if d.due.any() {
		return errors.New("PerTick reported more due timers than Expire handed out")
	}
	if s, ok := d.scheme.(schemes.Sized); ok && uint64(s.Len()) != outstanding {
		return fmt.Errorf("the scheme's Len is %d, but %d timers are outstanding", s.Len(), outstanding)
	}
	return nil
}

// Lap is the kind of operation that one interval of a run times.
type Lap int

// Laps.
const (
	Starts Lap = iota
	Stops
	Restarts
	Ticks   // PerTick, without Expire
	Expires // Expire, with an action that sums a checksum
	NumLaps
)

var lapOf = [...]Lap{workload.Start: Starts, workload.Stop: Stops, workload.Restart: Restarts}

// String returns the operation in the names of benchmarks.
func (l Lap) String() string {
	return [...]string{"Start", "Stop", "Restart", "PerTick", "Expire"}[l]
}

// Watch times a run by laps. A lap is as long as the trace allows: the ticks between two groups of operations, or the
// operations of one kind in a group. Expire then runs once after the ticks of a lap, not after each, so that the two
// are timed separately; which timers are due on which tick does not change.
type Watch interface {
	Begin()
	End(lap Lap, n int) // n operations, or ticks, since Begin
	Each() bool         // whether every PerTick is a lap of its own
}

// dueTicks is a queue of the ticks on which the timers became due that Expire hands out:
// earlier ticks come first, and PerTick reports the number of timers for each.
type dueTicks struct {
	runs []dueRun
	at   int          // the next run, after the present one
	left int          // timers of the present run not yet handed out
	tick schemes.Tick // of the present run
}

type dueRun struct {
	tick schemes.Tick
	due  int
}

// any reports whether timers are due that have not been handed out.
func (q *dueTicks) any() bool { return q.left > 0 || q.at < len(q.runs) }

func (q *dueTicks) add(tick schemes.Tick, due int) {
	if q.left == 0 && q.at == len(q.runs) { // all handed out: no need to queue
		q.runs, q.at = q.runs[:0], 0
		q.tick, q.left = tick, due
		return
	}
	q.runs = append(q.runs, dueRun{tick, due})
}

// next returns the tick of the next timer handed out, or 0, which no expiry has, if the
// scheme hands out more than PerTick reported: such a run fails its outcome.
func (q *dueTicks) next() schemes.Tick {
	if q.left == 0 {
		if q.at == len(q.runs) {
			return 0
		}
		q.tick, q.left = q.runs[q.at].tick, q.runs[q.at].due
		q.at++
	}
	q.left--
	return q.tick
}

// Stopwatch is a watch that sums the laps of one run or more, by their kind, and what the scheme counted in them.
type Stopwatch struct {
	Clock   func() time.Duration // nil: Clock
	Time    [NumLaps]time.Duration
	N       [NumLaps]uint64 // operations, or ticks
	Laps    [NumLaps]uint64
	Counts  [NumLaps]schemes.Counts
	counter schemes.Counter // the scheme, if it counts
	before  schemes.Counts
	begun   time.Duration
}

// Start makes the stopwatch go on with a run of a scheme.
func (w *Stopwatch) Start(s schemes.Scheme) {
	if w.counter, _ = s.(schemes.Counter); w.counter != nil {
		w.before = w.counter.Counts()
	}
}

func (w *Stopwatch) Each() bool { return false }

func (w *Stopwatch) Begin() { w.begun = w.now() }

func (w *Stopwatch) now() time.Duration {
	if w.Clock != nil {
		return w.Clock()
	}
	return Clock()
}

func (w *Stopwatch) End(lap Lap, n int) {
	w.Time[lap] += w.now() - w.begun
	w.N[lap] += uint64(n)
	w.Laps[lap]++
	if w.counter == nil {
		return
	}
	now := w.counter.Counts()
	w.Counts[lap] = w.Counts[lap].Add(now.Sub(w.before))
	w.before = now
}

// epoch anchors readings of the monotonic clock, which cost less than readings of the wall clock.
var epoch = time.Now()

// Clock returns the time since the program began.
func Clock() time.Duration { return time.Since(epoch) }

// Null describes a scheme that does nothing: its time is the harness's own. It is measured along with the others and
// exempt from the trace's outcome. It is not in the registry.
var Null = schemes.Info{
	Name:  "null",
	Title: "Nothing: the harness alone",
	Doc:   "A scheme that does nothing. Its time is the harness's own.\n",
	New:   func(schemes.Config) (schemes.Scheme, error) { return &null{}, nil },
	Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
}

type null struct{ starts schemes.Handle }

func (n *null) Start(schemes.Tick, schemes.ID) (schemes.Handle, error) {
	n.starts++
	return n.starts, nil
}
func (n *null) Stop(schemes.Handle) bool   { return true }
func (n *null) PerTick() int               { return 0 }
func (n *null) Expire(func(id schemes.ID)) {}
