//go:build !js

package harness

import (
	"runtime"
	"testing"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Workloads of Bench. In the first, all intervals fit into the wheels, so that every scheme can run it; in
// the second they are several revolutions long, and most timers are stopped.
var benchWorkloads = []struct {
	spec          workload.Spec
	slots, levels int
}{
	{workload.Spec{T: 2000, Dist: workload.Uniform, Seed: 1}, 4096, 4},
	{workload.Spec{T: 2000, Dist: workload.Exp, Seed: 1, Stop: 0.9, StopAt: 0.5}, 1024, 4},
}

// Numbers of timers, and how many ticks a run takes: enough for 10,000 lifetimes or more, and a multiple of
// the slots of the lowest wheel, so that the next one turns as often as it does on average.
var benchSizes = []struct {
	n     int
	ticks schemes.Tick
}{{1000, 20 * 1024}, {100_000, 1024}}

// Bench measures schemes in go test -bench, such as one of your own beside those of this module:
//
//	func BenchmarkLifetime(b *testing.B) { harness.Bench(b, &mine.Info, &hierarchical.Info) }
//
// It measures lifetimes: whole runs, by timers that end in them. The keys of a row are those of bench run, as in
// scheme=mine/n=1k/M=4096/T=2k/dist=uniform/stop=0, which benchstat compares with -col /scheme. An iteration is
// a run of a whole workload, whose outcome is verified: a timer that expires early, late, twice or
// never fails the benchmark. The null scheme comes first; its time is the harness's own. What is out of a
// scheme's range, or takes more than a second or a gigabyte, is left out.
func Bench(b *testing.B, infos ...*schemes.Info) {
	limits := run.Limits{Run: time.Second, Memory: 1 << 30}
	for _, w := range benchWorkloads {
		for _, size := range benchSizes {
			spec := w.spec
			spec.N, spec.Ticks = size.n, size.ticks
			trace, err := spec.Trace()
			if err != nil {
				b.Fatal(err)
			}
			for _, info := range append([]*schemes.Info{&drive.Null}, infos...) {
				s := run.NewSubject(info, w.slots, w.levels)
				if limits.Skip(s, trace) == "" {
					b.Run(run.Name(spec, s), func(b *testing.B) { benchCell(b, s, trace) })
				}
			}
		}
	}
}

// benchCell runs the trace with fresh schemes. Time, counts and allocations are of the run alone, without
// the prefill.
func benchCell(b *testing.B, s run.Subject, trace *workload.Trace) {
	var w drive.Stopwatch
	var allocs, bytes uint64
	var before, after runtime.MemStats
	b.ReportAllocs()
	for b.Loop() {
		scheme, err := s.Info.New(s.Config(trace.Spec.N))
		if err != nil {
			b.Fatal(err)
		}
		d := drive.New(scheme, trace)
		if err := d.Fill(); err != nil {
			b.Fatal(err)
		}
		runtime.GC() // so that garbage from one run is not charged to the next
		runtime.ReadMemStats(&before)
		w.Start(scheme)
		w.Begin()
		err = d.Run(nil)
		w.End(drive.Ticks, int(trace.Lifetimes()))
		runtime.ReadMemStats(&after)
		allocs += after.Mallocs - before.Mallocs
		bytes += after.TotalAlloc - before.TotalAlloc
		if err == nil && s.Info != &drive.Null {
			err = d.Verify()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	n, counts := float64(w.N[drive.Ticks]), w.Counts[drive.Ticks]
	b.ReportMetric(float64(w.Time[drive.Ticks])/n, units.NsPerOp)
	for unit, count := range map[string]uint64{
		units.ComparesPerOp: counts.Compares, units.VisitsPerOp: counts.Visits, units.MigrationsPerOp: counts.Migrations,
	} {
		if count > 0 {
			b.ReportMetric(float64(count)/n, unit)
		}
	}
	b.ReportMetric(float64(allocs)/n, "allocs/op")
	b.ReportMetric(float64(bytes)/n, "B/op")
}
