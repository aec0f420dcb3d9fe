package claims

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Checks that no line of claims.txt can express, by the claim's identifier.
var (
	countChecks = map[string]func(*counter){
		"V-8x": func(c *counter) {
			none, byDigit := errorsOf(c.expire("hierarchical-nomigrate")), makeRequests()
			for i, r := range byDigit {
				byDigit[i].due = onFirstWheel(r.start, r.start+r.interval)
			}
			c.add(AtMost, 1, exact(floats.Max(none)), isExact, "worst error, as a part of the request, rounded up")
			c.add(AtLeast, 0.9, exact(floats.Max(errorsOf(byDigit))), isExact,
				"worst error, as a part of the request, on the wheel that the digits name")
		},
		"V-9x": func(c *counter) {
			one, none := errorsOf(c.expire("hierarchical-once")), errorsOf(c.expire("hierarchical-nomigrate"))
			c.add(AtMost, 0.1, meanOf(one).over(meanOf(none)), fmt.Sprintf(
				"interval: %d independent requests, as wide as the other intervals of the list", precisionTimers),
				"mean error, one migration over none")
			c.add(AtMost, 1, exact(floats.Max(one)/floats.Max(none)), isExact, "worst error, one migration over none")
		},
	}
	// They read the choice between schemes 6 and 7, without which they are not measured.
	timeChecks = map[string]func(*timings){
		"V-6": boundDecides,
		"V-7": stepsCost,
	}
)

// paperWheels is the paper's hierarchy: seconds, minutes, hours and days.
var paperWheels = []int{60, 60, 24, 100}

// Timers whose precision is judged: their intervals are log-uniform from 1 minute to 50 days, and they start
// evenly over a day.
const (
	precisionTimers = 20_000
	minute          = 60 // seconds, which are the ticks here
	day             = 24 * 60 * minute
	longest         = 50 * day
)

// request is one timer of the precision runs, and when it was due.
type request struct{ start, interval, due schemes.Tick }

// errorsOf returns by which part of its interval each request was off. The errors are independent.
func errorsOf(rs []request) (off []float64) {
	for _, r := range rs {
		off = append(off, math.Abs(float64(r.due)-float64(r.start+r.interval))/float64(r.interval))
	}
	return off
}

func makeRequests() []request {
	rs := make([]request, precisionTimers)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range rs {
		rs[i].start = schemes.Tick(i) * day / precisionTimers
		rs[i].interval = schemes.Tick(minute * math.Pow(longest/minute, random.Float64()))
	}
	return rs
}

// expire returns the requests with the ticks on which a scheme expired them.
func (c *counter) expire(scheme string) []request {
	rs, next := makeRequests(), 0
	s := c.new(scheme, schemes.Config{Levels: paperWheels})
	for now := schemes.Tick(0); next < len(rs) || s.Len() > 0; now++ {
		for ; next < len(rs) && rs[next].start == now; next++ {
			c.start(s, rs[next].interval, schemes.ID(next))
		}
		s.PerTick()
		s.Expire(func(id schemes.ID) { rs[id].due = now + 1 })
	}
	return rs
}

// onFirstWheel returns when a timer is due that stays on the wheel of the highest digit in which its expiry differs from
// the clock: its expiry, rounded down to a multiple of what a slot of that wheel lasts.
func onFirstWheel(clock, expiry schemes.Tick) schemes.Tick {
	due, width := expiry, schemes.Tick(1)
	for _, radix := range paperWheels {
		if clock/width != expiry/width {
			due = expiry / width * width
		}
		width *= schemes.Tick(radix)
	}
	return due
}

// boundDecides counts the cells of linked slots, the paper's, in which the bound names the slower scheme (V-6). One by chance
// does not refute it: Student's t counts, with Holm's correction for all such cells.
func boundDecides(t *timings) {
	named, slower := 0, 0
	var p []float64 // of the cells in which scheme 6 is faster; 1 of the others
	for _, cell := range t.choice.Cells {
		if cell.Form != choice.Linked || cell.Bound() != 7 {
			continue
		}
		p = append(p, 1)
		named += min(1, int(cell.Winner)) // Tie is 0
		if six, _ := choice.SixOf(cell.Key); cell.Winner == 6 {
			slower++
			p[len(p)-1] = chance(t.Ratios(six, cell.Key, units.NsPerOp), AtLeast, 1)
		}
	}
	if named == 0 {
		t.lacks(AtMost, "decided cells in which the bound says 7")
		return
	}
	refuting := 0
	for _, adjusted := range results.Holm(p) {
		if adjusted <= level {
			refuting++
		}
	}
	t.add(AtMost, 0, Value{float64(slower), float64(refuting), float64(slower)}, fmt.Sprintf(
		"a cell is decided if its interval excludes 1; the lower end counts the cells with p ≤ %.0f %% by Student's t, with "+
			"Holm's correction for %d", 100*level, len(p)),
		fmt.Sprintf("cells in which the bound says 7 and scheme 6 is faster, of %d that are decided", named))
}

// stepsCost compares the measured c7/c6 of linked slots with 20/6 and 6/20 (V-7).
func stepsCost(t *timings) {
	measured := false
	for _, r := range t.choice.Regimes {
		if r.Form == choice.Linked && r.Ratio.N > 0 {
			measured = true
			what := fmt.Sprintf("c7/c6, %s slots, n = %s", r.Form, workload.Count(r.N))
			ratio, why := Value{r.Ratio.Median, r.Ratio.Lo, r.Ratio.Hi}, intervalOf(r.Ratio, "ratios of slopes")
			t.add(AtMost, 20./6, ratio, why, what+": a STOP and a START against a visit, 20 to 6")
			t.add(AtLeast, 6./20, ratio, why, what)
		}
	}
	if !measured {
		t.lacks(AtMost, "c7/c6 of linked slots, the paper's")
	}
}
