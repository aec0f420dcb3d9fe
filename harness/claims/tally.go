package claims

import (
	"fmt"
	"math"
	"strings"

	"timerlab/harness/drive"
	"timerlab/schemes"
)

// quantity is something that is counted.
type quantity int

const (
	ticks quantity = iota
	started
	stopped
	expired
	ended // stopped or expired
	compares
	starting
	stopping
	visits
	wasted
	links
	migrations
	empty
	occupied

	// Of single ticks only.
	busy
	outstanding // summed over the ends of the ticks
	held        // likewise
	others      // timers that the starts find outstanding, summed
	numQuantities
)

// quantityWords are the name of a quantity in lines of Counts, what it is in sentences, what it is
// there after "per" if others are counted for it, and the unit of a row if it is in rows.
type quantityWords struct{ name, noun, per, unit string }

var quantities = [numQuantities]quantityWords{
	ticks:       {"ticks", "ticks", "tick", "ticks/op"},
	started:     {"started", "started", "START", ""},
	stopped:     {"stopped", "stopped", "STOP", "stops/op"},
	expired:     {"expired", "expiries", "expiry", ""},
	ended:       {"ended", "ended", "timer", ""},
	compares:    {"compares", "comparisons", "", "compares/op"},
	starting:    {"starting", "comparisons of STARTs", "", ""},
	stopping:    {"stopping", "comparisons of STOPs", "", ""},
	visits:      {"visits", "visits", "", "visits/op"},
	wasted:      {"wasted", "visits that expire nothing", "", ""},
	links:       {"links", "links", "", "links/op"},
	migrations:  {"migrations", "migrations", "", "migrations/op"},
	empty:       {"empty", "ticks on an empty slot", "", "empty-slots/op"},
	occupied:    {"occupied", "ticks on an occupied slot", "", ""},
	busy:        {"busy", "ticks with an expiry", "", ""},
	outstanding: {"outstanding", "timers outstanding", "live timer", ""},
	held:        {"held", "records held", "", ""},
	others:      {"others", "others", "timer that STARTs find", ""},
}

// counter counts something in a batch.
type counter struct {
	noun   string // in sentences
	count  func(batch) float64
	singly bool // of single ticks only
}

// counters are what lines of Counts count, by name: the quantities, and sums of some.
var counters = func() map[string]counter {
	all := map[string]counter{
		"handled": {"timers looked at or moved",
			func(b batch) float64 { return b[compares] + b[visits] + b[migrations] }, false},
		"instructions": {"VAX instructions", vaxInstructions, false},
		"passed": {"timers passed by STARTs", // a search ends at one more
			func(b batch) float64 { return b[starting] - b[started] }, false},
		"stopsteps": {"comparisons of STOPs and 1", // for the timer itself
			func(b batch) float64 { return b[stopping] + b[stopped] }, false},
	}
	for q, text := range quantities {
		all[text.name] = counter{text.noun, func(b batch) float64 { return b[q] }, quantity(q) >= busy}
	}
	return all
}()

// vaxInstructions are those of ticks of scheme 6, at the paper's unit costs.
func vaxInstructions(b batch) float64 { return 4*b[ticks] + 6*b[visits] + 9*b[expired] }

// batch is what was counted in some ticks.
type batch [numQuantities]float64

// tally is the batches of a run.
type tally []batch

// running is a scheme on its way through a run. It is the run's watch, which
// counts by laps instead of timing them.
type running struct {
	counting
	drive *drive.Drive
	begun schemes.Counts
	laps  [drive.NumLaps]schemes.Counts
}

// Begin, End and Each make running a run.Watch, for which ticks without operations between them may be
// one lap.
func (r *running) Begin() { r.begun = r.Counts() }

func (r *running) End(lap drive.Lap, _ int) {
	r.laps[lap] = r.laps[lap].Add(r.Counts().Sub(r.begun))
}

func (r *running) Each() bool { return false }

// batch runs from a tick to the end of the batch.
func (r *running) batch(from schemes.Tick, e experiment) (batch, error) {
	if !e.singly && e.tick == nil {
		return r.runTo(from+e.each, e.each)
	}
	var sum batch
	for t := from + 1; t <= from+e.each; t++ {
		one, err := r.runTo(t, 1)
		if err != nil {
			return sum, err
		}
		r.completeTick(&one)
		if e.tick != nil {
			e.tick(one)
		}
		sum = sum.add(one)
	}
	return sum, nil
}

// completeTick completes the batch of a single tick. Its operations are over: the last of
// k starts found all but itself outstanding, the first k fewer than there are now.
func (r *running) completeTick(one *batch) {
	n := float64(r.Len())
	one[outstanding], one[held] = n, n
	if h, ok := r.counting.(schemes.Holder); ok {
		one[held] = float64(h.Held())
	}
	k := one[started]
	one[others] = k*n - k*(k+1)/2
	one[busy] = min(1, one[expired])
}

// runTo runs to a tick, which is the given number of ticks away, and returns the counts
// of these ticks.
func (r *running) runTo(tick, length schemes.Tick) (batch, error) {
	counts, outcome := r.Counts(), r.drive.Outcome()
	r.laps = [drive.NumLaps]schemes.Counts{}
	err := r.drive.RunTo(tick, r, nil)
	c, now := r.Counts().Sub(counts), r.drive.Outcome()
	b := batch{
		ticks:      float64(length),
		started:    float64(now.Started - outcome.Started),
		stopped:    float64(now.Stopped - outcome.Stopped),
		expired:    float64(now.Expired - outcome.Expired),
		compares:   float64(c.Compares),
		starting:   float64(r.laps[drive.Starts].Compares),
		stopping:   float64(r.laps[drive.Stops].Compares),
		visits:     float64(c.Visits),
		links:      float64(c.Links),
		migrations: float64(c.Migrations),
		empty:      float64(c.EmptySlots),
	}
	b[ended], b[wasted], b[occupied] = b[stopped]+b[expired], b[visits]-b[expired], b[ticks]-b[empty]
	return b, err
}

func (b batch) add(c batch) batch {
	for q := range b {
		b[q] += c[q]
	}
	return b
}

func (t tally) sum() (all batch) {
	for _, b := range t {
		all = all.add(b)
	}
	return all
}

// per returns the ratio of two quantities over the run.
func (t tally) per(num, den quantity) Value {
	return t.ratio(func(b batch) float64 { return b[num] }, den)
}

// ratio returns the ratio of two sums over the run, with the interval that the spread
// of the batches gives it: that of a ratio estimator, whose residuals are
// num - ratio·den.
func (t tally) ratio(num func(batch) float64, den quantity) Value {
	n, d := 0.0, 0.0
	for _, b := range t {
		n, d = n+num(b), d+b[den]
	}
	ratio, square := n/d, 0.0
	for _, b := range t {
		r := num(b) - ratio*b[den]
		square += r * r
	}
	k := float64(len(t))
	half := quantile * math.Sqrt(square/(k-1)*k) / d
	return around(ratio, half)
}

// row writes what a run counted as a line of the Go benchmark format.
func (t tally) row(name string) string {
	b := t.sum()
	var s strings.Builder
	fmt.Fprintf(&s, "BenchmarkCount/%s %.0f", name, b[ended])
	for q, text := range quantities {
		if text.unit != "" && b[q] > 0 {
			fmt.Fprintf(&s, " %.6g %s", b[q]/b[ended], text.unit)
		}
	}
	return s.String()
}
