package pick

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// course is the operations that candidates are taken through: all timers are started, run into the steady state, and timed
// from there on. The same for all candidates and in all rounds.
type course struct {
	Workload                          // of a copy: fewer timers, and as many lives fewer a tick
	fills    map[bool]*workload.Trace // true: for schemes that restart lazily
	rest     *workload.Trace          // of the operations
	begin    schemes.Tick             // of what is timed
	loop     float64                  // ns that driving a scheme that does nothing through a tick takes
}

const (
	copyTicks  = 1 << 18 // at most, of what a copy runs or is timed for: half a millisecond if all are empty
	pieceLives = 20_000  // at least, in a piece of what is timed: a millisecond
	mostPieces = 10
)

// newCourse returns a course for n timers: with the workload's own n the course of the race, else of a copy.
func (s *race) newCourse(n int, warm, timed schemes.Tick) (*course, error) {
	c := &course{Workload: s.Workload, begin: warm}
	c.N, c.Rate = n, s.Workload.Rate*float64(n)/float64(s.Workload.N)
	stream, err := c.Stream(s.Seed)
	if err != nil {
		return nil, err
	}
	fill := stream.Fill()
	c.fills = map[bool]*workload.Trace{false: fill, true: fill}
	if c.Restarted > 0 {
		c.fills[true] = stream.Steady()
	}
	c.rest = stream.Next(warm + timed)
	return c, s.timeLoop(c)
}

// timeLoop times the course's own loop.
func (s *race) timeLoop(c *course) error {
	const empty, tries = 1 << 16, 5
	c.loop = math.Inf(1)
	for range tries {
		nothing, err := drive.Null.New(schemes.Config{})
		if err != nil {
			return err
		}
		d, began := drive.New(nothing, &workload.Trace{Ticks: empty}), s.clocks.CPU()
		if err := d.RunTo(empty, nil, nil); err != nil {
			return err
		}
		c.loop = min(c.loop, float64(s.clocks.CPU()-began)/empty)
	}
	return nil
}

// timed returns the ticks that are timed.
func (c *course) timed() float64 { return float64(c.rest.Ticks - c.begin) }

// pass is what a run of a candidate through a course measured.
type pass struct {
	pieces []time.Duration // CPU time
	counts schemes.Counts  // in what was timed
	ticks  *run.Latencies  // of single ticks, instead of pieces
	bytes  int64
	took   time.Duration // all of it
}

// errWrong is wrapped by the error of a run whose outcome is not the trace's.
var errWrong = errors.New("wrong outcome")

// take takes a fresh scheme of a candidate through a course, within a limit of CPU time. If it times single ticks, these have
// no pieces; if it weighs the scheme, garbage is collected meanwhile.
func (s *race) take(c *candidate, on *course, limit time.Duration, ticks, weigh bool) (p pass, err error) {
	began, heap := s.clocks.CPU(), 0
	if weigh {
		heap = run.LiveHeap()
	}
	fill := on.fills[c.lazy]
	scheme, err := c.Info.New(c.Config(on.N))
	if err != nil {
		return p, err
	}
	if held, ok := scheme.(schemes.Releaser); ok {
		defer held.Release() // not while another candidate is timed
	}
	d := drive.New(scheme, fill)
	stop := s.clocks.Within(limit)
	if s.Cost != nil {
		stop = func() error {
			if s.Cost(d.Counts()) > float64(limit) {
				return run.ErrTime
			}
			return nil
		}
	}
	held := func() int64 {
		if !weigh {
			return 0
		}
		return int64(run.LiveHeap() - heap - drive.HandleBytes*fill.Timers + d.OffHeap())
	}
	if err = d.RunTo(fill.From, nil, stop); err != nil {
		return p, err
	}
	p.bytes = held()
	if err = d.Continue(on.rest); err == nil {
		err = d.RunTo(on.begin, nil, stop)
	}
	if err != nil {
		return p, err
	}
	before := d.Counts()
	if ticks {
		p.ticks = run.NewLatencies()
		err = d.RunTo(on.rest.Ticks, p.ticks, stop)
	} else {
		p.pieces, err = s.pieces(d, on, stop)
	}
	p.counts, p.took = d.Counts().Sub(before), s.clocks.CPU()-began
	if s.Cost != nil {
		p.took = time.Duration(s.Cost(d.Counts()))
	}
	if p.bytes = max(p.bytes, held()); err == nil {
		if wrong := d.Verify(); wrong != nil {
			err = fmt.Errorf("%w: %w", errWrong, wrong)
		}
	}
	runtime.KeepAlive(scheme)
	return p, err
}

// pieces takes a drive to the end of a course and returns the CPU times of its pieces.
func (s *race) pieces(d *drive.Drive, on *course, stop func() error) (pieces []time.Duration, err error) {
	n := max(1, min(mostPieces, int(on.Rate*on.timed()/pieceLives)))
	for k := 1; k <= n && err == nil; k++ {
		began := s.clocks.CPU()
		err = d.RunTo(on.begin+schemes.Tick(on.timed()/float64(n)*float64(k)), nil, nil)
		if pieces = append(pieces, s.clocks.CPU()-began); err == nil {
			err = stop()
		}
	}
	return pieces, err
}

// life returns the ns of a life from the passes of a candidate through a course. Where ticks are many and nearly all empty,
// the loop would make all candidates alike; and without what any program takes to call PerTick, the ratio of what is left
// would be noise.
func (s *race) life(on *course, passes []pass) float64 {
	var pieces [][]time.Duration
	for _, p := range passes {
		pieces = append(pieces, p.pieces)
	}
	nanos := float64(run.Least(pieces))
	if s.Cost != nil {
		nanos = s.Cost(passes[0].counts)
	}
	ticks := on.timed()
	return (max(nanos-on.loop*ticks, 0) + callNanos*ticks) / (ticks * on.Rate)
}

const callNanos = 1 // of a call by an interface: some 4 cycles

// weigh returns an error if the bytes of a candidate exceed the limit.
func (s *race) weigh(bytes int64) error {
	if limit := s.Limits.Memory; limit > 0 && bytes > limit && s.Depth != Duel { // its time is not compared
		return fmt.Errorf("too large: it holds %s, the limit is %s",
			units.FormatBytes(float64(bytes)), units.FormatBytes(float64(limit)))
	}
	return nil
}
