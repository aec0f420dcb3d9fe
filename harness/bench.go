//go:build !js

package harness

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// benchOps are what Bench measures, by the names of benchmarks, and in which laps.
var benchOps = []struct {
	name string
	lap  drive.Lap
}{{"Start", drive.Starts}, {"Stop", drive.Stops}, {"PerTick", drive.Ticks}, {units.LifetimeOp, drive.Ticks}}

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
// the slots of the lowest wheel, so that the next one turns as often as it does on average. Operations
// come at multiples of every, in batches of 50 or more, which are long compared with a reading of the clock.
var benchSizes = []struct {
	n            int
	every, ticks schemes.Tick
}{{1000, 100, 20 * 1024}, {100_000, 20, 1024}}

// Bench measures schemes in go test -bench, such as one of your own beside this module's:
//
//	func BenchmarkLifetime(b *testing.B) { harness.Bench(b, &mine.Info, &hierarchical.Info) }
//
// In a function of the name BenchmarkStart, BenchmarkStop, BenchmarkPerTick or BenchmarkLifetime it measures
// that operation, and in one of any other name all four. A row has the keys of package run, as in
// scheme=mine/n=1k/M=4096/T=2k/dist=uniform/stop=0, which benchstat compares with -col '/scheme@(hierarchical mine)',
// the base first. An iteration is a run of a whole workload, whose outcome is verified: a timer that expires early,
// late, twice or never fails the benchmark. The null scheme comes first; its time is the harness's own. A workload that
// is out of a scheme's range, or takes more than a second or a gigabyte, is skipped, with the reason in a line of the
// output.
func Bench(b *testing.B, infos ...*schemes.Info) {
	for _, op := range benchOps {
		if b.Name() == "Benchmark"+op.name {
			benchOp(b, op.name, op.lap, infos)
			return
		}
	}
	for _, op := range benchOps {
		b.Run("op="+op.name, func(b *testing.B) { benchOp(b, op.name, op.lap, infos) })
	}
}

func benchOp(b *testing.B, op string, lap drive.Lap, infos []*schemes.Info) {
	limits := run.Limits{Run: time.Second, Memory: 1 << 30}
	for _, w := range benchWorkloads {
		if lap == drive.Stops && w.spec.Stop == 0 {
			continue
		}
		for _, size := range benchSizes {
			spec := w.spec
			spec.N, spec.Every, spec.Ticks = size.n, size.every, size.ticks
			trace, err := spec.Trace()
			if err != nil {
				b.Fatal(err)
			}
			for _, info := range append([]*schemes.Info{&drive.Null}, infos...) {
				s := run.NewSubject(info, w.slots, w.levels)
				b.Run(run.Name(spec, s), func(b *testing.B) {
					if why := limits.Skip(s, trace); why.Kind != "" {
						fmt.Printf("# skipped %s %s: %s\n", strings.TrimPrefix(b.Name(), "Benchmark"), why.Kind, why.Text)
						b.SkipNow() // b.Skip prints with -v alone
					}
					benchCell(b, op, lap, s, trace)
				})
			}
		}
	}
}

// benchCell runs the trace with fresh schemes. Time, counts and allocations are of the run alone, without the prefill.
func benchCell(b *testing.B, op string, lap drive.Lap, s run.Subject, trace *workload.Trace) {
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
		if op == units.LifetimeOp {
			w.Begin()
			err = d.Run(nil)
			w.End(lap, int(trace.Lifetimes()))
		} else {
			err = d.Run(&w)
		}
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
	n := float64(w.N[lap])
	b.ReportMetric(float64(w.Time[lap])/n, units.NsPerOp)
	for unit, count := range map[string]uint64{
		units.ComparesPerOp: w.Counts[lap].Compares, units.VisitsPerOp: w.Counts[lap].Visits,
		units.MigrationsPerOp: w.Counts[lap].Migrations,
	} {
		if count > 0 {
			b.ReportMetric(float64(count)/n, unit)
		}
	}
	all := float64(w.N[drive.Starts] + w.N[drive.Stops] + w.N[drive.Ticks])
	b.ReportMetric(float64(allocs)/all, "allocs/op")
	b.ReportMetric(float64(bytes)/all, "B/op")
}
