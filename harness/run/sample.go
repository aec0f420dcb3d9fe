package run

import (
	"runtime"
	"time"

	"golang.org/x/perf/benchfmt"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// runOnce drives a fresh scheme through the trace and returns what it measured. An
// error means that the run does not count: the scheme refused a timer, or the outcome
// was not the trace's.
func runOnce(mode Mode, s Subject, t *workload.Trace, clock ClockQuality) ([]results.Result, error) {
	d, bytes, err := newFilled(s, t, t.Spec.N)
	if err != nil {
		return nil, err
	}
	keys := Name(t.Spec, s)
	rows, err := timed(mode, keys, d, clock)
	if err != nil || s.Info == &harness.Null {
		return rows, err
	}
	if err := d.Verify(); err != nil {
		return nil, err
	}
	if mode == Operations {
		r := results.Result{Name: "Memory/" + keys, Iters: t.Prefill}
		r.Add(float64(bytes)/float64(t.Prefill), results.BytesPerTimer)
		rows = append(rows, r)
	}
	return rows, nil
}

// newFilled returns a drive of a fresh scheme made for n timers, after the prefill, and the
// bytes that the scheme holds.
func newFilled(s Subject, t *workload.Trace, n int) (d *Drive, bytes int, err error) {
	before := LiveHeap()
	scheme, err := s.Info.New(s.Config(n))
	if err != nil {
		return nil, 0, err
	}
	d = NewDrive(scheme, t)
	if err := d.Fill(); err != nil {
		return nil, 0, err
	}
	return d, LiveHeap() - before - HandleBytes*t.Timers + d.OffHeap(), nil
}

// HandleBytes is what the client keeps for a timer in a Drive's table.
const HandleBytes = 8

// LiveHeap collects garbage and returns the bytes that remain. While a plan or a race
// runs, the collector is otherwise off.
func LiveHeap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// timed runs the trace after the prefill.
func timed(mode Mode, keys string, d *Drive, clock ClockQuality) ([]results.Result, error) {
	switch mode {
	case Operations:
		w := newStopwatch(d.scheme)
		err := d.Run(w)
		return operations(keys, w, clock), err
	case Latency:
		l := NewLatencies()
		err := d.Run(l)
		return []results.Result{l.result(Latency.cellName(keys), clock)}, err
	case Instructions:
		return countInstructions(keys, d)
	default:
		w := newStopwatch(d.scheme)
		w.Begin()
		err := d.Run(nil)
		w.End(Ticks, int(d.trace.Lifetimes()))
		return []results.Result{w.result(Ticks, Lifetimes.cellName(keys))}, err
	}
}

// operations returns a line for each kind of lap. Where the mean lap is shorter than
// the clock's limit, the line says so: reading the clock is then a good part of it.
func operations(keys string, w *stopwatch, clock ClockQuality) []results.Result {
	var rows []results.Result
	for lap := range NumLaps {
		if w.n[lap] == 0 || w.time[lap] == 0 { // a time of 0 is below the clock's resolution
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

// result returns the line of one kind of lap: time and counts per operation. A count
// of 0 is omitted.
func (w *stopwatch) result(lap Lap, name string) results.Result {
	n := float64(w.n[lap])
	r := results.Result{Name: name, Iters: int(w.n[lap])}
	r.Add(float64(w.time[lap])/n, results.NsPerOp)
	c := w.counts[lap]
	counts := []uint64{c.Compares, c.Visits, c.Links, c.Migrations, c.EmptySlots}
	for i, unit := range results.ExactUnits {
		if counts[i] > 0 {
			r.Add(float64(counts[i])/n, unit)
		}
	}
	return r
}

// result returns the line of PerTick's percentiles. Those below the clock's limit are
// omitted, and the line contains the limit.
func (l *Latencies) result(name string, clock ClockQuality) results.Result {
	r := results.Result{Name: name, Iters: l.tick}
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
		// Not rounded, unlike a time: the last digits say which tick in a million it is.
		r.Values = append(r.Values, benchfmt.Value{Value: float64(l.worstTick), Unit: "max-at-tick"})
	}
	r.Add(float64(clock.Limit()), "limit-ns")
	return r
}
