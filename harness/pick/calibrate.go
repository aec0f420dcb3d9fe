package pick

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// WorkingSets returns three numbers of bytes: half the second cache, between the second
// and the third, and half more than the third, so that most touches of a record go to
// memory; at most 64 MiB, as filling takes time. Unknown caches are taken for those of a common
// server: 1 MiB and 32 MiB.
func WorkingSets() []float64 { return workingSets(results.CacheSizes()) }

func workingSets(second, third int) []float64 {
	const least, most = 64 << 10, 64 << 20
	if second <= 0 {
		second = 1 << 20
	}
	if third <= second {
		third = 32 * second
	}
	low := math.Min(math.Max(float64(second)/2, least), most/16)
	high := math.Max(math.Min(1.5*float64(third), most), 16*low)
	return []float64{low, math.Sqrt(low * high), high}
}

// Calibration times every family of candidates on workloads that differ in what a life
// takes, at some working sets.
type Calibration struct {
	Sets  []float64 // bytes, ascending
	Lives float64   // begun in a run, about
}

// parts is into how many a run is divided, each of which is a timing: prices come from
// all of them, so that one that was disturbed weighs little.
const parts = 4

// calibrationSpare is what may be lost to neighbours, a quarter of what a calibration takes.
const calibrationSpare = 5 * time.Second

// many is how many timers are so many that their filling takes most of the time, so that
// fewer sizes and workloads are calibrated.
const many = 100_000

// Run calibrates: about fifteen seconds. Wrong outcomes are errors.
func (k Calibration) Run(ctx context.Context, progress run.Progress) (*Model, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	m := &Model{Schemes: map[string][]Price{}}
	quiet := newQuiet(calibrationSpare)
	for i, bytes := range k.Sets {
		n := int(bytes / (36 + run.HandleBytes))
		families := map[string][]row{}
		for j, t := range k.trainings(n) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress(i*trainings+j, len(k.Sets)*trainings, fmt.Sprintf("what steps cost, once for this machine: %s, %s", FormatBytes(int64(bytes)), t.name))
			if err := t.time(ctx, quiet, families); err != nil {
				return nil, err
			}
		}
		for family, rows := range families {
			p, err := priceOf(rows, m.Schemes[family])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", family, err)
			}
			p.Bytes = bytes
			m.Schemes[family] = append(m.Schemes[family], p)
		}
	}
	return m, nil
}

// priceOf finds the prices and how far they are from the timings. A tick's is that of the
// smaller working set, if there is one: an empty tick touches the same few words whatever
// waits, and only few timers have so many ticks to a life that it can be told.
func priceOf(rows []row, smaller []Price) (p Price, err error) {
	tick := 0.0
	rest := slices.Clone(rows)
	if len(smaller) > 0 {
		tick = smaller[0].Steps[ticks]
		for i := range rest {
			rest[i].ns -= min(tick*rest[i].steps[ticks], rest[i].ns/2)
			rest[i].steps[ticks] = 0
		}
	}
	if p.Steps, err = fit(rest); err != nil {
		return p, err
	}
	p.Steps[ticks] += tick
	p.Timed = timedKinds(rows)
	var off []float64
	for _, r := range rows {
		sum := 0.0
		for k := range r.steps {
			sum += r.steps[k] * p.Steps[k]
		}
		off = append(off, math.Abs(sum/r.ns-1))
	}
	p.Error = middle(off)
	return p, nil
}

// timedKinds returns the kinds of steps that some timing has enough of. What no slots
// exceed, and an empty tick, may be missing from all.
func timedKinds(rows []row) (timed [kinds]bool) {
	timed[spread], timed[ticks], timed[batches] = true, true, true
	for _, r := range rows {
		for k, s := range r.steps {
			timed[k] = timed[k] || s > few
		}
	}
	return timed
}

// training is a workload of a calibration.
type training struct {
	name   string
	w      Workload
	ticks  schemes.Tick
	moving bool // it is there to tell what moves and ticks cost
}

const (
	trainings = 7
	hardly    = 512 // timers
)

// trainings returns workloads of n timers that are told apart by which steps they take
// most of. The times in ticks span one and several turns of common wheels.
func (k Calibration) trainings(n int) []training {
	list := []struct {
		name   string
		n      int
		moving bool
		lives  []workload.Life
	}{
		{"short intervals that expire", n, false, spreadOver(255, func(j schemes.Tick) schemes.Tick { return j }, false)},
		{"long intervals that expire", n, true, spreadOver(8_000, func(j schemes.Tick) schemes.Tick { return j }, false)},
		{"intervals that are stopped early", n, false, spreadOver(8_000, func(j schemes.Tick) schemes.Tick { return 1 + j/8 }, false)},
		{"intervals that are restarted", n, false, spreadOver(2_000, func(j schemes.Tick) schemes.Tick { return 1 + j/4 }, true)},
		{"stops and expiries", n, true, slices.Concat(spreadOver(1_000, func(j schemes.Tick) schemes.Tick { return j }, false), spreadOver(1_000, func(j schemes.Tick) schemes.Tick { return 1 + j/2 }, false))},
		{"few timers a tick", n, true, spreadOver(schemes.Tick(min(128*n, 1<<21)), func(j schemes.Tick) schemes.Tick { return j }, false)},
		{"hardly a timer", hardly, true, spreadOver(1<<21, func(j schemes.Tick) schemes.Tick { return j }, false)}, // tells best what an empty tick costs
	}
	var all []training
	for _, l := range list {
		if l.n != n && n > many { // told by a smaller working set
			continue
		}
		for i := range l.lives {
			l.lives[i].Share = 1 / float64(len(l.lives))
		}
		w := NewWorkload(l.n, l.lives)
		all = append(all, training{l.name, w, schemes.Tick(math.Min(math.Max(parts, k.Lives/w.Rate), 1<<21)), l.moving})
	}
	return all
}

// spreadOver returns lives of 64 intervals, evenly from 1 to the longest.
func spreadOver(longest schemes.Tick, stay func(schemes.Tick) schemes.Tick, restarts bool) (lives []workload.Life) {
	const each = 64
	for i := range schemes.Tick(each) {
		j := max(1, (2*i+1)*longest/(2*each))
		lives = append(lives, workload.Life{Interval: j, Stay: min(j, stay(j)), Restarts: restarts})
	}
	return lives
}

// time adds the timings of every family on one workload.
func (t training) time(ctx context.Context, quiet *quiet, families map[string][]row) error {
	trace, err := workload.Mixture{N: t.w.N, Lives: t.w.Lives, Ticks: t.ticks, Seed: 1}.Trace()
	if err != nil {
		return err
	}
	for _, info := range eligible {
		for _, c := range t.shapes(info) {
			if err := ctx.Err(); err != nil {
				return err
			}
			var rows []row
			err := quiet.run(ctx, func() (err error) {
				rows, err = t.run(c, trace)
				return err
			})
			if err != nil {
				return fmt.Errorf("%v, %s: %w", c, t.name, err)
			}
			families[c.Info.Name] = append(families[c.Info.Name], rows...)
		}
	}
	return nil
}

// shapes returns the sizes at which a scheme is timed; none for lists, which would take
// minutes: they race wherever they may. A tree has neither sizes nor moves, so that half
// of the trainings tell its prices.
func (t training) shapes(info *schemes.Info) (all []Candidate) {
	few := power(uint64(t.w.N)) // a timer a slot
	switch info.Number {
	case 3:
		if t.w.N < many || !t.moving {
			all = []Candidate{{Info: info}}
		}
	case 4:
		all = []Candidate{{Info: info, Slots: power(uint64(t.w.Longest))}}
	case 5:
		if all = []Candidate{{Info: info, Slots: few}}; t.w.N < many {
			all = append(all, Candidate{Info: info, Slots: max(1, few/8)})
		}
	case 6:
		if t.w.N == hardly {
			return []Candidate{{Info: info, Slots: 1 << 16}}
		}
		all = []Candidate{{Info: info, Slots: 1 << 12}, {Info: info, Slots: few}, {Info: info, Slots: 1 << 8}}
	case 7:
		all = []Candidate{{Info: info, Levels: []int{256, 256, 256}}, {Info: info, Levels: []int{64, 64, 64, 64}}}
	}
	most := float64(slowest)
	if t.w.N > many {
		most = slowest / 4
	}
	return slices.DeleteFunc(all, func(c Candidate) bool { return c.moves(t.w) > most })
}

// run takes a candidate through the trace in parts, and returns the timing of each.
func (t training) run(c Candidate, trace *workload.Trace) (rows []row, err error) {
	runtime.GC() // what the last run leaves is collected now, not beside this one
	s, err := c.Info.New(c.Config(trace.Timers))
	if err != nil {
		return nil, err
	}
	d := run.NewDrive(s, trace)
	if err := d.Fill(); err != nil {
		return nil, err
	}
	steps := c.steps(t.w)
	for k := range schemes.Tick(parts) {
		from, counts := d.Outcome(), s.(schemes.Counter).Counts()
		began := time.Now()
		if err := d.RunTo(trace.Ticks*(k+1)/parts, nil); err != nil {
			return nil, err
		}
		took := time.Since(began)
		lives := float64(d.Outcome().Started - from.Started)
		if lives == 0 {
			continue
		}
		if c.Info.Number == 7 { // wheels do not migrate evenly, so what the part did is counted
			steps[moves] = float64(s.(schemes.Counter).Counts().Sub(counts).Migrations) / lives
		}
		steps[ticks] = float64(trace.Ticks) / parts / lives
		steps[batches] = batchesAt(1 / steps[ticks])
		rows = append(rows, row{steps, float64(took.Nanoseconds()) / lives})
	}
	return rows, d.Verify()
}
