package run

import (
	"runtime"
	"time"

	"timerlab/harness/results"

	"golang.org/x/perf/benchfmt"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// runOnce drives a fresh scheme through the trace and returns what it measured.
// An error means that the run does not count: the scheme refused a timer, or the
// outcome was not the trace's.
func runOnce(mode Mode, e Subject, t *workload.Trace, clock ClockQuality) ([]results.Result, error) {
	before := LiveHeap()
	s, err := e.Info.New(e.Config(t.Spec.N))
	if err != nil {
		return nil, err
	}
	d := NewDrive(s, t)
	if err := d.Fill(); err != nil {
		return nil, err
	}
	bytes := LiveHeap() - before - HandleBytes*t.Timers + OffHeap(s)
	rows, err := timed(mode, e, d, s, t, clock)
	if err != nil {
		return nil, err
	}
	if e.Info != &harness.Null {
		if err := d.Verify(); err != nil {
			return nil, err
		}
		if mode == Operations {
			rows = append(rows, memory(e, t, bytes))
		}
	}
	return rows, nil
}

// HandleBytes is what the client keeps for a timer, in Drive's table.
const HandleBytes = 8

// LiveHeap collects garbage and returns the bytes that are left. The collector
// is otherwise off while a plan runs, so it takes no time of a run.
func LiveHeap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// OffHeap returns the bytes that a scheme holds outside the heap.
func OffHeap(s schemes.Scheme) int {
	if o, ok := s.(schemes.OffHeaper); ok {
		return o.OffHeap()
	}
	return 0
}

// timed runs the trace behind the prefill.
func timed(mode Mode, e Subject, d *Drive, s schemes.Scheme, t *workload.Trace, clock ClockQuality) ([]results.Result, error) {
	keys := Name(t.Spec, e)
	switch mode {
	case Operations:
		w := newStopwatch(s)
		err := d.Run(w)
		return operations(keys, w, clock), err
	case Latency:
		l := NewLatencies()
		err := d.Run(l)
		return []results.Result{l.result(keys, clock)}, err
	default:
		w := newStopwatch(s)
		w.Begin()
		err := d.Run(nil)
		w.End(Ticks, int(t.Lifetimes()))
		return []results.Result{lifetime(keys, w)}, err
	}
}

// operations returns a line for each kind of lap. Where the mean lap is shorter
// than the clock's limit, the line says so: reading the clock is then a good part
// of it.
func operations(keys string, w *stopwatch, clock ClockQuality) []results.Result {
	var rows []results.Result
	for lap := range NumLaps {
		if w.n[lap] == 0 || w.time[lap] == 0 { // a time of 0 is one that the clock cannot tell
			continue
		}
		r := w.result(lap, lap.String()+"/"+keys)
		if mean := w.time[lap] / time.Duration(w.laps[lap]); mean < clock.Limit() {
			r.Add(float64(mean), results.ShortLap)
		}
		rows = append(rows, r)
	}
	return rows
}

func lifetime(keys string, w *stopwatch) results.Result {
	return w.result(Ticks, Lifetimes.prefix()+keys)
}

// result returns the line of one kind of lap: time and counts by operation. A
// count of 0 is left out.
func (w *stopwatch) result(lap Lap, name string) results.Result {
	n := float64(w.n[lap])
	r := results.Result{Name: name, Iters: int(w.n[lap])}
	r.Add(float64(w.time[lap])/n, results.NsPerOp)
	if w.counter == nil {
		return r
	}
	c := w.counts[lap]
	for _, count := range []struct {
		of   uint64
		unit string
	}{
		{c.Compares, results.ComparesPerOp}, {c.Visits, results.VisitsPerOp}, {c.Links, results.LinksPerOp},
		{c.Migrations, results.MigrationsPerOp}, {c.EmptySlots, results.EmptyPerOp},
	} {
		if count.of > 0 {
			r.Add(float64(count.of)/n, count.unit)
		}
	}
	return r
}

// memory returns the line of the bytes that scheme and slots took for the
// timers outstanding after the prefill.
func memory(e Subject, t *workload.Trace, bytes int) results.Result {
	r := results.Result{Name: "Memory/" + Name(t.Spec, e), Iters: t.Prefill}
	r.Add(float64(bytes)/float64(t.Prefill), results.BytesPerTimer)
	return r
}

// result returns the line of PerTick's percentiles. Those that the clock cannot
// tell are left out: the line then says what the limit is.
func (l *Latencies) result(keys string, clock ClockQuality) results.Result {
	r := results.Result{Name: Latency.prefix() + keys, Iters: l.tick}
	for _, q := range []struct {
		percent float64
		unit    string
	}{{50, "p50-ns"}, {99, "p99-ns"}, {99.9, "p99.9-ns"}} {
		if v := l.At(q.percent); v >= clock.Limit() {
			r.Add(float64(v), q.unit)
		}
	}
	if l.worst >= clock.Limit() {
		r.Add(float64(l.worst), "max-ns")
		// Whole, unlike a time: a tick in a million is told by its last digits.
		r.Values = append(r.Values, benchfmt.Value{Value: float64(l.worstTick), Unit: "max-at-tick"})
	}
	r.Add(float64(clock.Limit()), "limit-ns")
	return r
}
