package run

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// pass is what one run of a cell measured: its rows and, of a lifetime, the CPU time of each piece of the run.
type pass struct {
	rows   []results.Result
	pieces []time.Duration
}

// byItself is a scheme that runs a trace by itself, as one in another program does, and returns the CPU time of that.
type byItself interface {
	Measure(t *workload.Trace) (time.Duration, error)
}

// runOnce drives a fresh scheme through the trace and returns what it measured by a clock;
// limit is the shortest time that the clock resolves. An error means that the run does not
// count: the scheme refused a timer, or the outcome was not the trace's.
func runOnce(mode Mode, s Subject, t *workload.Trace, clock func() time.Duration, limit time.Duration) (p pass, err error) {
	before := 0
	if mode == Operations { // which measures the bytes that the scheme holds
		before = LiveHeap()
	}
	scheme, err := s.Info.New(s.Config(t.Spec.N))
	if err != nil {
		return p, err
	}
	keys := Name(t.Spec, s)
	if b, is := scheme.(byItself); is {
		took, err := b.Measure(t)
		if mode != Lifetimes {
			err = fmt.Errorf("%s runs whole traces, and is measured in lifetimes only", s.Label)
		}
		row := results.Result{Name: Lifetimes.cellName(keys), Iters: int(t.Lifetimes())}
		row.Add(float64(took)/float64(row.Iters), units.NsPerOp)
		return pass{[]results.Result{row}, []time.Duration{took}}, err
	}
	d := drive.New(scheme, t)
	if err := d.Fill(); err != nil {
		return p, err
	}
	bytes := 0
	if mode == Operations {
		bytes = LiveHeap() - before - drive.HandleBytes*t.Timers + d.OffHeap()
	}
	w := drive.Stopwatch{Clock: clock}
	w.Start(scheme)
	switch mode {
	case Latency:
		l := NewLatencies()
		l.clock, l.counts = clock, d.Counts
		err = d.Run(l)
		p.rows = []results.Result{l.result(Latency.cellName(keys), limit)}
	case Operations:
		err = d.Run(&w)
		p.rows = operations(keys, &w, limit)
	case Lifetimes:
		w.Begin()
		began := drive.Clock()
		p.pieces, err = s.Cold.run(d, t, clock)
		wall := drive.Clock() - began
		w.End(drive.Ticks, int(t.Lifetimes()))
		w.Time[drive.Ticks] = sum(p.pieces)
		row := lapResult(&w, drive.Ticks, Lifetimes.cellName(keys))
		if s.Cold == (Cold{}) {
			row.Add(float64(wall)/float64(max(1, sum(p.pieces))), units.WallOverCPU)
		}
		p.rows = []results.Result{row}
	}
	if err != nil || s.Info == &drive.Null {
		return p, err
	}
	if err := d.Verify(); err != nil {
		return p, err
	}
	if mode == Operations {
		r := results.Result{Name: "Memory/" + keys, Iters: t.Prefill}
		r.Add(float64(bytes)/float64(t.Prefill), units.BytesPerTimer)
		p.rows = append(p.rows, r)
	}
	return p, nil
}

// merge returns the rows of a sample from its passes. All run the same operations, so what makes them differ is
// disturbance, which only adds time: see Least. A row says how many passes there were, and by how much the median one took
// longer. What is not a lifetime has one pass.
func merge(passes []pass) []results.Result {
	if len(passes) == 1 {
		return passes[0].rows
	}
	row := passes[0].rows[0]
	var pieces [][]time.Duration
	var times, walls []float64
	for _, p := range passes {
		pieces = append(pieces, p.pieces)
		times, walls = append(times, float64(sum(p.pieces))), append(walls, p.rows[0].Value(units.WallOverCPU))
	}
	took := float64(max(1, Least(pieces)))
	row.Values = slices.Clone(row.Values)
	row.Add(took/float64(row.Iters), units.NsPerOp)
	row.Add(float64(len(passes)), units.Passes)
	row.Add(100*(results.Median(times)/took-1), units.Within)
	if wall := results.Median(walls); wall > 0 {
		row.Add(wall, units.WallOverCPU)
	}
	return []results.Result{row}
}

// Least returns the time of a run from the times of its pieces in some passes: the sum of the least of each piece.
func Least(passes [][]time.Duration) (all time.Duration) {
	for k, least := range passes[0] {
		for _, pieces := range passes {
			least = min(least, pieces[k])
		}
		all += least
	}
	return all
}

func sum(times []time.Duration) (all time.Duration) {
	for _, t := range times {
		all += t
	}
	return all
}

// LiveHeap collects garbage and returns the bytes that remain. While a plan or a race
// runs, the collector is otherwise off.
func LiveHeap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// operations returns a line for each kind of lap. Where the mean lap is shorter than
// the clock's limit, the line says so: reading the clock is then a good part of it.
func operations(keys string, w *drive.Stopwatch, limit time.Duration) (rows []results.Result) {
	for lap := range drive.NumLaps {
		if w.N[lap] == 0 || w.Time[lap] == 0 { // a time of 0 is below the clock's resolution
			continue
		}
		r := lapResult(w, lap, lap.String()+"/"+keys)
		if mean := w.Time[lap] / time.Duration(w.Laps[lap]); mean < limit {
			r.Add(float64(mean), units.ShortLap)
		}
		rows = append(rows, r)
	}
	return rows
}

// lapResult returns the line of one kind of lap: time and counts per operation. A count of 0 is omitted.
func lapResult(w *drive.Stopwatch, lap drive.Lap, name string) results.Result {
	n := float64(w.N[lap])
	r := results.Result{Name: name, Iters: int(w.N[lap])}
	r.Add(float64(w.Time[lap])/n, units.NsPerOp)
	c := w.Counts[lap]
	for i, count := range []uint64{c.Compares, c.Visits, c.Links, c.Migrations, c.EmptySlots} {
		if count > 0 {
			r.Add(float64(count)/n, units.ExactUnits[i])
		}
	}
	return r
}

// result returns the line of PerTick's percentiles. Those below the clock's limit are
// omitted, and the line contains the limit.
func (l *Latencies) result(name string, limit time.Duration) results.Result {
	r := results.Result{Name: name, Iters: l.tick}
	for _, q := range []struct {
		percent float64
		unit    string
	}{{50, "p50-ns"}, {99, "p99-ns"}, {99.9, "p99.9-ns"}} {
		if v := l.At(q.percent); v >= limit {
			r.Add(float64(v), q.unit)
		}
	}
	if l.worst >= limit {
		r.Add(float64(l.worst), "max-ns")
		// Not rounded, unlike a time: the last digits say which tick in a million it is.
		r.Values = append(r.Values, benchfmt.Value{Value: float64(l.worstTick), Unit: "max-at-tick"})
	}
	r.Add(float64(limit), units.ClockLimit)
	for i, most := range []uint64{l.migrations, l.expiries} {
		if most > 0 {
			r.Add(float64(most), []string{units.MostMigrations, units.MostExpiries}[i])
		}
	}
	return r
}

// Latencies is a watch that keeps the time of every single PerTick.
type Latencies struct {
	clock     func() time.Duration
	ticks     *hdrhistogram.Histogram
	tick      int
	worst     time.Duration
	worstTick int
	begun     time.Duration

	counts               func() schemes.Counts // of the scheme; nil: its migrations are not counted
	migrated             uint64                // before the tick
	migrations, expiries uint64                // the most of a tick
}

// NewLatencies returns an empty Latencies.
func NewLatencies() *Latencies {
	return &Latencies{clock: drive.Clock, ticks: hdrhistogram.New(1, int64(time.Minute), 3)}
}

// At returns the quantile of a percentage, to three digits.
func (l *Latencies) At(percent float64) time.Duration {
	return time.Duration(l.ticks.ValueAtQuantile(percent))
}

// Count returns the number of ticks.
func (l *Latencies) Count() int { return l.tick }

func (l *Latencies) Each() bool { return true }

func (l *Latencies) Begin() { l.begun = l.clock() }

func (l *Latencies) End(lap drive.Lap, n int) {
	switch lap {
	case drive.Expires: // on each tick
		l.expiries = max(l.expiries, uint64(n))
	case drive.Ticks:
		l.record(l.clock() - l.begun)
		if l.counts != nil {
			migrated := l.counts().Migrations
			l.migrations, l.migrated = max(l.migrations, migrated-l.migrated), migrated
		}
	}
}

func (l *Latencies) record(took time.Duration) {
	l.tick++
	_ = l.ticks.RecordValue(min(int64(took), int64(time.Minute)))
	if took > l.worst {
		l.worst, l.worstTick = took, l.tick
	}
}

// Resident returns the bytes of the process that are in memory, after garbage was collected and returned to the system.
func Resident() (int, error) {
	runtime.GC()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, fmt.Errorf("no resident memory on this system: %w", err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, err
	}
	return pages * os.Getpagesize(), nil
}
