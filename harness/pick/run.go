package pick

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"timerlab/harness/run"

	"timerlab/schemes"
)

// run drives a candidate through the trace, and returns the time for each life. With
// ticks it times each PerTick instead.
func (x *running) run(c *Result, ticks *run.Latencies) (ns float64, err error) {
	before := run.LiveHeap()
	cfg := c.Config(x.Trace.Timers)
	s, err := c.Info.New(cfg)
	if err != nil {
		return 0, err
	}
	d := run.NewDrive(s, x.Trace)
	if err := d.Fill(); err != nil {
		return 0, err
	}
	counter, _ := s.(schemes.Counter)
	if c.Bytes == 0 {
		c.Bytes = int64(run.LiveHeap() - before - run.HandleBytes*x.Trace.Timers + run.OffHeap(s))
	}
	if limit := x.Limits.Memory; limit > 0 && c.Bytes > limit { // nobody is compared with its time
		return 0, fmt.Errorf("%w %s, allowed %s", errMemory, FormatBytes(c.Bytes), FormatBytes(limit))
	}
	counts := counter.Counts()
	if err := d.RunTo(0, nil); err != nil { // what is made before the first tick is no part of the run
		return 0, err
	}
	began := time.Now()
	if err := x.drive(c, d, ticks, began); err != nil {
		return 0, err
	}
	took := time.Since(began)
	err = d.Verify()
	lives := float64(x.Trace.Lifetimes())
	c.Counts = perLife(counter.Counts().Sub(counts), lives)
	return float64(took.Nanoseconds()) / lives, err
}

const (
	stretches     = 64                     // of a run, between which it may be given up
	early         = 32                     // of them before a run is compared with the shortest: half
	slowButSteady = 10                     // times the best that a candidate may take which may be the only one to keep a limit
	hopeless      = 3                      // times the time that the shortest run took so far: given up
	brief         = 200 * time.Millisecond // what a run may always take: a disturbance can be as long as a short run
)

var (
	errHopeless = errors.New("given up")
	errMemory   = errors.New("it takes")
)

// patience is how many times the time of the best a candidate may take: more while it is
// not known who keeps the limit of a tick's time, since that may be one of the slow ones.
func (x *running) patience(c *Result) float64 {
	switch {
	case slices.Contains(x.Keep, c.Candidate.String()):
		return math.Inf(1)
	case x.Limits.Tail > 0 && c.Worst == 0:
		return slowButSteady
	}
	return hopeless
}

// drive takes the drive to the trace's end, unless another candidate was far faster up to
// the same tick. The margin is wide, because wheels do not migrate evenly: one of 64 slots
// has done so by then, and one of 256 may have it all before it.
func (x *running) drive(c *Result, d *run.Drive, ticks *run.Latencies, began time.Time) error {
	var watch run.Watch
	if ticks != nil {
		watch = ticks
	}
	var pace [stretches]time.Duration
	for k := range stretches {
		if err := d.RunTo(x.Trace.Ticks*schemes.Tick(k+1)/stretches, watch); err != nil {
			return err
		}
		pace[k] = time.Since(began)
		best := x.pace[k]
		whole := x.pace[stretches-1]
		switch {
		case whole > 0 && float64(pace[k]) > max(x.patience(c)*float64(whole), float64(brief)):
			return fmt.Errorf("%w after %d %% of a run: %.2g times the time of the best for all of it", errHopeless, 100*(k+1)/stretches, float64(pace[k])/float64(whole))
		case k >= early && best > 0 && float64(pace[k]) > max(x.patience(c)*float64(best), float64(brief)):
			return fmt.Errorf("%w after %d %% of a run: %.2g times the time of the best", errHopeless, 100*(k+1)/stretches, float64(pace[k])/float64(best))
		case pace[k] > x.Budget/2:
			x.short = true
			return fmt.Errorf("%w after %d %% of a run, which took half of the budget, %v", errHopeless, 100*(k+1)/stretches, x.Budget)
		}
	}
	if last := x.pace[stretches-1]; last == 0 || pace[stretches-1] < last {
		x.pace = pace
	}
	return nil
}

// perLife divides counts by lives, in thousandths.
func perLife(c schemes.Counts, lives float64) schemes.Counts {
	each := func(n uint64) uint64 { return uint64(1000 * float64(n) / lives) }
	return schemes.Counts{Compares: each(c.Compares), Visits: each(c.Visits), Links: each(c.Links), Migrations: each(c.Migrations), EmptySlots: each(c.EmptySlots)}
}

// qualify times every tick of all. The pace of the race does not come from these runs: the
// fastest may be out.
func (x *running) qualify(ctx context.Context, progress run.Progress) error {
	defer func() { x.pace = [stretches]time.Duration{} }()
	return x.latencies(ctx, len(x.all), progress)
}

// latencies times every PerTick of the first in the race, once, and puts out who exceeds
// the limit. With a limit, whoever there was no time for cannot win.
func (x *running) latencies(ctx context.Context, most int, progress run.Progress) error {
	at := x.racing()
	for _, i := range at[:min(len(at), most)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &x.all[i]
		if c.Worst > 0 {
			continue
		}
		if x.Limits.Tail > 0 && x.pace[stretches-1] > 0 && time.Since(x.began) > x.Budget/2 {
			c.Dropped, c.Cut = "there was no time for its ticks", true
			continue
		}
		progress(x.runs, x.runs+1, fmt.Sprintf("every tick of %v", c.Candidate))
		var l *run.Latencies
		err := x.quiet.run(ctx, func() (err error) {
			l = run.NewLatencies()
			_, err = x.run(c, l)
			return err
		})
		switch {
		case errors.Is(err, errHopeless) && c.quartile() > 0: // something disturbed it
			continue
		case err != nil:
			x.out(c, err)
			continue
		}
		c.P50, c.Tail, c.Worst = l.At(50), l.At(99.9), l.Worst()
		if x.Limits.Tail > 0 && c.Tail > x.Limits.Tail {
			c.Dropped = fmt.Sprintf("99.9 %% of its ticks take up to %v, allowed %v", c.Tail, x.Limits.Tail)
		}
	}
	return nil
}
