package pick

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Workload is what candidates are measured on.
type Workload struct {
	workload.Numbers
	Source  string           `json:"source"`
	Assumed []string         `json:"assumed,omitempty"` // what no source says
	Tick    time.Duration    `json:"tick_ns"`
	Slots   int              `json:"slots_in_use,omitempty"` // M of a hashed wheel that serves it today
	Lives   []workload.Life  `json:"-"`                      // shares sum to 1
	Script  *workload.Script `json:"-"`                      // the phases of the timers; nil: random
	passed  float64          // share of a sorted list that START passes
}

// NewWorkload returns the workload of n timers with these lives.
func NewWorkload(n int, lives []workload.Life) Workload {
	return Workload{Numbers: workload.NumbersOf(n, lives), Lives: lives, passed: cost.PassedFromHead(lives)}
}

// FromPreset returns the workload of a preset.
func FromPreset(p workload.Preset) Workload {
	w := NewWorkload(p.N, p.Lives())
	w.Script, w.Slots, w.Tick, w.Assumed = p.Script, p.Slots, p.Tick, p.Assumed()
	w.Source = fmt.Sprintf("preset %s: %s", p.Name, p.About)
	return w
}

// Observation is what a trace shows of a program's timers.
type Observation struct {
	Source  string
	N       float64         // timers outstanding, on average
	Lives   []workload.Life // drawn at random from those that ended
	Longest schemes.Tick    // interval
	Tick    time.Duration   // its length; 0 if the trace does not say
	Left    float64         // share of the timers left at the end
	Missing []string        // what the trace may lack
}

// FromTrace returns the workload of a trace. A tick of 0 means the trace's own.
func FromTrace(s Observation, tick time.Duration) (w Workload, err error) {
	tick = cmp.Or(tick, s.Tick)
	switch {
	case len(s.Lives) == 0:
		return w, fmt.Errorf("%s: no timer ends within the trace", s.Source)
	case s.Longest > workload.MaxTicks:
		return w, fmt.Errorf("%s: an interval of %d ticks (at most %d)", s.Source, s.Longest, workload.MaxTicks)
	case tick == 0:
		return w, badRequest("%s does not say how long a tick is (give the tick)", s.Source)
	}
	w = NewWorkload(max(1, int(math.Round(s.N))), s.Lives)
	w.Tick, w.Source = tick, "trace "+s.Source
	if s.Left > 0.01 {
		w.Assumed = append(w.Assumed, fmt.Sprintf("the %.2g %% of timers left at the trace's end expire", 100*s.Left))
	}
	if len(s.Missing) > 0 {
		w.Assumed = append(w.Assumed, "nothing is missing but "+strings.Join(s.Missing, ", "))
	}
	return w, nil
}

// Spanning returns the workload with room for intervals of up to longest that are too rare
// to be among its lives.
func (w Workload) Spanning(longest schemes.Tick) Workload {
	w.Longest = max(w.Longest, longest)
	return w
}

// SpanSeconds returns the workload with room for intervals of this many seconds.
func (w Workload) SpanSeconds(seconds float64) (Workload, error) {
	ticks := math.Ceil(seconds / w.Tick.Seconds())
	if ticks < float64(w.Longest) || ticks > float64(workload.MaxTicks) {
		return w, badRequest("a longest interval of %.4g ticks (use %d, the longest that occurs, to %d)",
			ticks, w.Longest, workload.MaxTicks)
	}
	return w.Spanning(schemes.Tick(ticks)), nil
}

// PerSecond converts a number per tick.
func (w Workload) PerSecond(perTick float64) float64 { return perTick / w.Tick.Seconds() }

const (
	minLives    = 1_000     // fewer say nothing
	wantedLives = 300_000   // of a run, where possible
	mostLives   = 6_000_000 // 150 MB of operations
	wheelTicks  = 256       // a revolution of the lowest wheel of most hierarchies
	mostTicks   = 1 << 21   // some milliseconds if all are empty
)

// Length returns how many ticks a run of the race has: some hundred thousand lives, and two
// revolutions of the lowest wheel, so that it migrates, unless those are too many lives. A
// workload with fixed phases runs for its longest interval. The error wraps
// workload.ErrSpec if timers start too seldom.
func (w Workload) Length() (schemes.Tick, error) {
	ticks := max(wantedLives/w.Rate, min(2*wheelTicks, mostLives/w.Rate))
	if w.Script != nil {
		ticks = max(ticks, min(float64(w.Longest), mostLives/w.Rate))
	}
	ticks = min(ticks, mostTicks)
	if lives := ticks * w.Rate; lives < minLives {
		return 0, badRequest("%.3g timers start a tick, and %d ticks have %.3g of the %d that a race needs "+
			"(use a longer tick)", w.Rate, mostTicks, lives, minLives)
	}
	whole := schemes.Tick(ticks)
	if whole > wheelTicks {
		whole -= whole % wheelTicks
	}
	return max(whole, 1), nil
}

// Trace makes the trace of a race.
func (w Workload) Trace(seed uint64) (*workload.Trace, error) {
	ticks, err := w.Length()
	if err != nil {
		return nil, err
	}
	if w.Script != nil {
		script := *w.Script
		script.Ticks, script.Seed = ticks, seed
		return script.Trace()
	}
	return workload.Mixture{N: w.N, Lives: w.Lives, Ticks: ticks, Seed: seed}.Trace()
}
