package harness_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Workloads of the benchmarks. In the first, all intervals fit into the wheels,
// so that every scheme can run it; in the second they are several rounds long,
// and most timers are stopped. Every is a hundredth or less of the time that a
// timer stays, so n is held to one percent.
var benchWorkloads = []struct {
	spec          workload.Spec
	slots, levels int
}{
	{workload.Spec{T: 2000, Dist: workload.Uniform(), Every: 20, Seed: 1}, 4096, 4},
	{workload.Spec{T: 2000, Dist: workload.Exp(), Every: 20, Seed: 1, Stop: 0.9, StopAt: 0.5}, 1024, 4},
}

// Numbers of timers, and how many ticks a run takes: enough for 10,000 lifetimes
// or more, and a multiple of the slots of the lowest wheel, so that the next one
// turns as often as it does on average wherever the clock stands.
var benchSizes = []struct {
	n     int
	ticks schemes.Tick
}{{1000, 20 * 1024}, {100_000, 1024}}

// benchNow is the clock's first value: none of the wheels stands at its slot 0.
const benchNow = 987_654_321

// BenchmarkStart measures START_TIMER: fresh timers, in batches, among n that
// stay. The batches are stopped untimed; n is held to half a batch.
func BenchmarkStart(b *testing.B) { forEachCell(b, tooSlowToFill, benchStart) }

// BenchmarkStop measures STOP_TIMER: of n timers a random one. What a batch
// stopped is started again untimed, so that n and the intervals stay.
func BenchmarkStop(b *testing.B) { forEachCell(b, tooSlowToFill, benchStop) }

// BenchmarkPerTick measures PER_TICK_BOOKKEEPING without EXPIRY_PROCESSING, on
// the ticks of a workload.
func BenchmarkPerTick(b *testing.B) { forEachCell(b, tooSlowToRun, benchPerTick) }

// BenchmarkLifetime measures a whole workload, by timers that end in it: all four
// operations and the harness.
func BenchmarkLifetime(b *testing.B) { forEachCell(b, tooSlowToRun, benchLifetime) }

// forEachCell runs a benchmark for every workload, size and scheme, the null
// scheme too, except what is out of a scheme's range or too slow.
func forEachCell(b *testing.B, tooSlow func(run.Subject, *workload.Trace) bool, bench func(*testing.B, run.Subject, *workload.Trace)) {
	for _, w := range benchWorkloads {
		for _, size := range benchSizes {
			spec := w.spec
			spec.N, spec.Ticks = size.n, size.ticks
			trace := traceOf(b, spec)
			for _, info := range withNull() {
				e := run.NewSubject(info, w.slots, w.levels)
				if tooSlow(e, trace) {
					continue
				}
				b.Run(run.Name(spec, e), func(b *testing.B) { bench(b, e, trace) })
			}
		}
	}
}

// withNull returns the null scheme and the base schemes, or all with -variants.
func withNull() []*schemes.Info {
	infos := []*schemes.Info{&harness.Null}
	for _, info := range harness.Schemes {
		if info.IsBase() || *variants {
			infos = append(infos, info)
		}
	}
	return infos
}

var variants = flag.Bool("variants", false, "measure variants too")

// traces keeps what was made, since every sample of every scheme needs the same.
var traces = map[workload.Spec]*workload.Trace{}

func traceOf(tb testing.TB, spec workload.Spec) *workload.Trace {
	tb.Helper()
	if traces[spec] == nil {
		trace, err := spec.Trace()
		if err != nil {
			tb.Fatal(err)
		}
		traces[spec] = trace
	}
	return traces[spec]
}

// newScheme returns a scheme without timers, with room for n.
func newScheme(tb testing.TB, e run.Subject, n int) schemes.Scheme {
	tb.Helper()
	s, err := e.Info.New(schemes.Config{Now: benchNow, Capacity: n, Slots: e.Slots, Levels: e.Levels})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func benchPerTick(b *testing.B, e run.Subject, trace *workload.Trace) {
	w := benchRuns(b, e, trace, func(d *run.Drive, w *lapWatch) error { return d.Run(w) })
	w.report(b, results.VisitsPerOp, results.MigrationsPerOp)
}

func benchLifetime(b *testing.B, e run.Subject, trace *workload.Trace) {
	w := benchRuns(b, e, trace, func(d *run.Drive, w *lapWatch) error {
		w.Begin()
		err := d.Run(nil)
		w.End(run.Ticks, int(trace.Lifetimes()))
		return err
	})
	w.report(b, results.VisitsPerOp, results.ComparesPerOp, results.MigrationsPerOp)
}

// benchRuns drives fresh schemes through the trace and verifies each outcome. An
// iteration is a run, and the benchmark's operations are within: time, counts and
// allocations are of the run alone, without the prefill.
func benchRuns(b *testing.B, e run.Subject, trace *workload.Trace, drive func(*run.Drive, *lapWatch) error) *lapWatch {
	w := &lapWatch{}
	b.ReportAllocs()
	var allocs, bytes uint64
	var before, after runtime.MemStats
	for b.Loop() {
		s := newScheme(b, e, trace.Spec.N)
		w.counter, _ = s.(schemes.Counter)
		d := run.NewDrive(s, trace)
		if err := d.Fill(); err != nil {
			b.Fatal(err)
		}
		runtime.GC() // so that garbage from one run is not charged to the next
		runtime.ReadMemStats(&before)
		err := drive(d, w)
		runtime.ReadMemStats(&after)
		allocs += after.Mallocs - before.Mallocs
		bytes += after.TotalAlloc - before.TotalAlloc
		if err == nil && e.Info != &harness.Null {
			err = d.Verify()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(allocs)/float64(w.n), "allocs/op")
	b.ReportMetric(float64(bytes)/float64(w.n), "B/op")
	return w
}

// lapWatch adds up the ticks' laps of one or more runs: time, counts and
// allocations.
type lapWatch struct {
	counter schemes.Counter
	n       int
	time    time.Duration
	counts  [3]uint64 // in the order of countUnits
	begun   time.Duration
	before  schemes.Counts
}

var countUnits = [...]string{results.ComparesPerOp, results.VisitsPerOp, results.MigrationsPerOp}

var epoch = time.Now()

func (w *lapWatch) Each() bool { return false }

func (w *lapWatch) Begin() {
	if w.counter != nil {
		w.before = w.counter.Counts()
	}
	w.begun = time.Since(epoch)
}

func (w *lapWatch) End(lap run.Lap, n int) {
	took := time.Since(epoch) - w.begun
	if lap != run.Ticks {
		return
	}
	w.time += took
	w.n += n
	if w.counter != nil {
		c := w.counter.Counts().Sub(w.before)
		w.counts[0] += c.Compares
		w.counts[1] += c.Visits
		w.counts[2] += c.Migrations
	}
}

// report gives time and the counts of these units by operation; a count that is
// 0 is left out.
func (w *lapWatch) report(b *testing.B, units ...string) {
	b.ReportMetric(float64(w.time)/float64(w.n), "ns/op")
	for i, count := range w.counts {
		for _, unit := range units {
			if unit == countUnits[i] && count > 0 {
				b.ReportMetric(float64(count)/float64(w.n), unit)
			}
		}
	}
}
