package pick

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// WorkingSets returns three numbers of bytes: half the second-level cache; between the second
// and third level; and 1.5 times the third, so that most touches of a record go to memory, but
// at most 64 MiB, since filling takes time. Caches of unknown size are assumed to be 1 MiB and
// 32 MiB.
func WorkingSets() []float64 { return workingSets(results.CacheSizes()) }

func workingSets(second, third int) []float64 {
	const least, most = 64 << 10, 64 << 20
	if second <= 0 {
		second = 1 << 20
	}
	if third <= second {
		third = 32 * second
	}
	low := min(max(float64(second)/2, least), most/16)
	high := max(min(1.5*float64(third), most), 16*low)
	return []float64{low, math.Sqrt(low * high), high}
}

// Calibration finds unit costs by timing every scheme that may race, except lists, on
// workloads that differ in their steps, at several working sets.
type Calibration struct {
	Sets  []float64 // bytes, ascending
	Lives float64   // about how many start in a run
}

const (
	timedParts       = 4               // of a run, each a timing: one that is disturbed has little weight
	calibrationSlack = 5 * time.Second // that neighbours may cost, a quarter of a calibration
	longFill         = 100_000         // timers above which filling takes most of the time: fewer runs
	fewTimers        = 512             // of the workload that shows best what an empty tick costs
)

// Run calibrates, in about fifteen seconds. A wrong outcome is an error.
func (k Calibration) Run(ctx context.Context, progress run.Progress) (*CostModel, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	m := &CostModel{Schemes: map[string][]UnitCosts{}}
	quiet := newQuietCore(calibrationSlack)
	for i, bytes := range k.Sets {
		timings := map[string][]timing{}
		all := k.trainings(timersIn(bytes))
		for j, t := range all {
			progress(i*len(all)+j, len(k.Sets)*len(all),
				fmt.Sprintf("calibration, once for this machine: %s, %s", results.FormatBytes(bytes), t.name))
			if err := t.time(ctx, quiet, timings); err != nil {
				return nil, err
			}
		}
		for scheme, list := range timings {
			u := unitCosts(list, m.Schemes[scheme])
			u.Bytes = bytes
			m.Schemes[scheme] = append(m.Schemes[scheme], u)
		}
	}
	return m, nil
}

// timersIn returns how many timers fit in these bytes with the most compact scheme and the
// client's handles.
func timersIn(bytes float64) int {
	const many = 1 << 16
	least := math.Inf(1)
	for _, info := range (Limits{}).Eligible() {
		if held := memory(run.Subject{Info: info}, many); held > 0 {
			least = min(least, float64(held)/many)
		}
	}
	return int(bytes / (least + run.HandleBytes))
}

// training is a workload of a calibration.
type training struct {
	name   string
	w      Workload
	ticks  schemes.Tick
	moving bool // it is there for the cost of moves and ticks
}

// trainings returns workloads of n timers, each dominated by other steps. Their ticks span one
// and several revolutions of common wheels. With many timers, the workload of few is left out:
// a smaller working set had it.
func (k Calibration) trainings(n int) (all []training) {
	add := func(name string, n int, moving bool, lives []workload.Life) {
		w := NewWorkload(n, lives)
		ticks := min(max(timedParts, k.Lives/w.Rate), mostTicks)
		all = append(all, training{name, w, schemes.Tick(ticks), moving})
	}
	add("short intervals that expire", n, false, spreadLives(255, 0, false, 1))
	add("long intervals that expire", n, true, spreadLives(8_000, 0, false, 1))
	add("intervals that are stopped early", n, false, spreadLives(8_000, 8, false, 1))
	add("intervals that are restarted", n, false, spreadLives(2_000, 4, true, 1))
	add("stops and expiries", n, true, append(spreadLives(1_000, 0, false, 0.5), spreadLives(1_000, 2, false, 0.5)...))
	add("few timers a tick", n, true, spreadLives(schemes.Tick(min(128*n, mostTicks)), 0, false, 1))
	if n <= longFill {
		add("few timers", fewTimers, true, spreadLives(mostTicks, 0, false, 1))
	}
	return all
}

// spreadLives returns lives of 64 intervals, evenly from 1 to the longest, that end after
// 1/part of the interval; 0: after all of it.
func spreadLives(longest, part schemes.Tick, restarts bool, share float64) (lives []workload.Life) {
	const count = 64
	for i := range schemes.Tick(count) {
		interval := max(1, (2*i+1)*longest/(2*count))
		stay := interval
		if part > 0 {
			stay = min(interval, 1+interval/part)
		}
		lives = append(lives, workload.Life{Interval: interval, Stay: stay, Share: share / count, Restarts: restarts})
	}
	return lives
}

// time adds the timings of every scheme on one workload.
func (t training) time(ctx context.Context, quiet *quietCore, timings map[string][]timing) error {
	trace, err := workload.Mixture{N: t.w.N, Lives: t.w.Lives, Ticks: t.ticks, Seed: 1}.Trace()
	if err != nil {
		return err
	}
	for _, c := range t.subjects() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var list []timing
		err := quiet.run(ctx, func() (err error) {
			list, err = t.run(c, trace)
			return err
		})
		if err != nil {
			return fmt.Errorf("%v, %s: %w", c, t.name, err)
		}
		timings[c.Info.Name] = append(timings[c.Info.Name], list...)
	}
	return nil
}

// subjects returns the schemes at the sizes at which they are timed. Those that would take
// minutes are left out.
func (t training) subjects() (all []run.Subject) {
	most := float64(mostTouched)
	if t.w.N > longFill {
		most = mostTouched / 4
	}
	for _, info := range (Limits{}).Eligible() {
		for _, c := range t.sized(info) {
			if moves(c, t.w) <= most {
				all = append(all, c)
			}
		}
	}
	return all
}

// sized returns a scheme at some sizes; none for lists, and for schemes of an unknown kind:
// they race wherever they may. A tree has neither sizes nor moves, so half of the trainings
// are enough.
func (t training) sized(info *schemes.Info) []run.Subject {
	perTimer := powerOfTwo(uint64(t.w.N))
	switch info.Kind {
	case schemes.Tree:
		if t.w.N < longFill || !t.moving {
			return []run.Subject{{Info: info}}
		}
	case schemes.Wheel:
		return slotted(info, powerOfTwo(uint64(t.w.Longest)))
	case schemes.Hierarchy:
		return []run.Subject{{Info: info, Levels: []int{256, 256, 256}}, {Info: info, Levels: []int{64, 64, 64, 64}}}
	case schemes.HashedWheel:
		switch {
		case info.Sorted && t.w.N < longFill:
			return slotted(info, perTimer, max(1, perTimer/8))
		case info.Sorted:
			return slotted(info, perTimer)
		case t.w.N == fewTimers:
			return slotted(info, 1<<16)
		}
		return slotted(info, 1<<12, perTimer, 1<<8)
	}
	return nil
}

// run drives a candidate through the trace in parts, and returns the timing of each.
func (t training) run(c run.Subject, trace *workload.Trace) (list []timing, err error) {
	d, _, err := run.NewFilled(c, trace, trace.Timers)
	if err != nil {
		return nil, err
	}
	steps := stepsOf(c, t.w)
	for k := range schemes.Tick(timedParts) {
		started, before := d.Outcome().Started, d.Counts()
		began := time.Now()
		if err := d.RunTo(trace.Ticks*(k+1)/timedParts, nil); err != nil {
			return nil, err
		}
		took := time.Since(began)
		lives := float64(d.Outcome().Started - started)
		if lives == 0 {
			continue
		}
		if c.Info.Kind == schemes.Hierarchy { // wheels do not migrate evenly, so the part's own are counted
			steps[stepMove] = float64(d.Counts().Sub(before).Migrations) / lives
		}
		steps[stepTick] = float64(trace.Ticks) / timedParts / lives
		steps[stepBatch] = batches(1 / steps[stepTick])
		list = append(list, timing{steps, float64(took.Nanoseconds()) / lives})
	}
	return list, d.Verify()
}
