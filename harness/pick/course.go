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
// from there on, in segments. The same for all candidates.
type course struct {
	Workload
	fills    map[bool]*workload.Trace // true: for schemes that restart lazily
	warm     *workload.Trace
	segments []*workload.Trace // a round is one of them
	loop     float64           // ns that driving a scheme that does nothing through a tick takes
}

// newCourse returns a course for n timers: with the workload's own n the course of the race, else of a copy.
func (s *race) newCourse(n int, warm, timed schemes.Tick, segments int) (*course, error) {
	c, began := &course{Workload: s.Workload.copyOf(n)}, s.clocks.Wall()
	stream, err := c.Stream(s.Seed)
	if err != nil {
		return nil, err
	}
	fill := stream.Fill()
	c.fills = map[bool]*workload.Trace{false: fill, true: fill}
	if c.Restarted > 0 {
		c.fills[true] = stream.Steady(fill)
	}
	c.warm = stream.Next(warm)
	for range segments {
		c.segments = append(c.segments, stream.Next(timed))
	}
	lives := float64(n) + c.Rate*float64(warm+timed*schemes.Tick(segments))
	s.making = time.Duration(float64(s.clocks.Wall()-began) / lives)
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

// timed returns the ticks of a segment.
func (c *course) timed() schemes.Tick { return c.segments[0].Ticks - c.segments[0].From }

// errWrong is wrapped by the error of a run whose outcome is not the trace's.
var errWrong = errors.New("wrong outcome")

// fill makes a candidate's scheme, starts all timers and runs them into the steady state, within a limit of CPU time. It weighs
// the scheme if it is asked to: garbage is collected for that.
func (s *race) fill(c *candidate, on *course, limit time.Duration, weigh bool) (err error) {
	c.release()
	if s.timers += on.N; s.timers > 1_000_000 { // some 8 MB of handles
		runtime.GC()
		s.timers = 0
	}
	if weigh {
		c.heap = run.LiveHeap()
	}
	fill, began := on.fills[c.lazy], s.clocks.CPU()
	if c.scheme, err = c.Info.New(c.Config(on.N)); err != nil {
		return err
	}
	c.drive = drive.New(c.scheme, fill)
	stop := s.clocks.Within(limit)
	if s.Cost != nil {
		stop = func() error {
			if s.Cost(c.drive.Counts()) > float64(limit) {
				return run.ErrTime
			}
			return nil
		}
	}
	if err = c.drive.RunTo(fill.From, nil, stop); err == nil && weigh { // later, others fill the heap
		c.heap = run.LiveHeap() - c.heap - drive.HandleBytes*fill.Timers
		err = s.weigh(c, weigh)
	}
	if err == nil {
		err = c.drive.Continue(on.warm)
	}
	if err == nil {
		err = c.drive.RunTo(on.warm.Ticks, nil, stop)
	}
	took := s.clocks.CPU() - began
	if s.Cost != nil {
		took = time.Duration(s.Cost(c.drive.Counts()))
	}
	if err == nil && (s.fastest == 0 || took < s.fastest) {
		s.fastest = took
	}
	return err
}

// weigh notes the bytes that a candidate holds, and returns an error if they exceed the limit.
func (s *race) weigh(c *candidate, weigh bool) error {
	if !weigh {
		return nil
	}
	c.Bytes = max(c.Bytes, int64(c.heap+c.drive.OffHeap()))
	if limit := s.Limits.Memory; limit > 0 && c.Bytes > limit && s.Depth != Duel { // its time is not compared
		return fmt.Errorf("too large: it holds %s, the limit is %s",
			units.FormatBytes(float64(c.Bytes)), units.FormatBytes(float64(limit)))
	}
	return nil
}

// release gives a candidate's memory back at once, not while another candidate is timed.
func (c *candidate) release() {
	if s, ok := c.scheme.(schemes.Releaser); ok {
		s.Release()
	}
	c.scheme, c.drive = nil, nil
}

// run takes a candidate through the segment of a round, or where a filling serves several, through the next part of it. At the
// end it adds the times of the pieces to the passes of the round, which say what a life costs. Where ticks are many and nearly all empty, the loop would make all candidates alike; and without what any
// program takes to call PerTick, the ratio of what is left would be noise.
func (c *candidate) run(s *race, on *course, round int) error {
	segment, ticks := on.segments[round%len(on.segments)], on.timed()
	lives := float64(ticks) * on.Rate
	n, begin := max(1, min(mostPieces, int(lives/pieceLives))), len(c.pieces)
	if begin == 0 {
		if err := c.drive.Continue(segment); err != nil {
			return err
		}
		c.before = c.drive.Counts()
	}
	end := n
	if len(on.segments) > 1 {
		end = min(n, begin+(n+s.parts-1)/s.parts)
	}
	for k := begin; k < end; k++ {
		began := s.clocks.CPU()
		if err := c.drive.RunTo(segment.From+ticks*schemes.Tick(k+1)/schemes.Tick(n), nil, nil); err != nil {
			return err
		}
		c.pieces = append(c.pieces, s.clocks.CPU()-began)
	}
	if end < n {
		return nil
	}
	if err := c.drive.Verify(); err != nil {
		return fmt.Errorf("%w: %w", errWrong, err)
	}
	c.passes, c.pieces = append(c.passes, c.pieces), nil
	calls := float64(ticks) / float64(max(1, on.Step))
	done, nanos := c.drive.Counts().Sub(c.before), float64(run.Least(c.passes))
	if s.Cost != nil {
		nanos = s.Cost(done)
	}
	c.PerTimer = PerTimer{float64(done.Compares) / lives, float64(done.Visits) / lives, float64(done.Migrations) / lives}
	c.rounds[round] = (max(nanos-on.loop*calls, 0) + callNanos*calls) / lives
	if c.Raced && on.N < s.Workload.N { // a copy races, which has more ticks for a life
		c.rounds[round] = s.predicted(c, on, c.rounds[round])
	}
	return nil
}

const (
	callNanos  = 1      // of a call by an interface: some 4 cycles
	pieceLives = 20_000 // at least, in a piece: a millisecond
	mostPieces = 10

	// Where a filling serves several segments, candidates take this many turns in each, so that what disturbs one disturbs the
	// others. It serves several only of hundreds of thousands of timers, which no cache holds from one turn to the next.
	turns = 5
)
