package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Checks that no line of claims.txt can express, by the claim's identifier.
var (
	countChecks = map[string]func(*counter){
		"M-9":  residualLives,
		"S2-7": interruptsOfTimers,
		"D-2":  overflowByPhase,
		"V-8x": func(c *counter) {
			for _, f := range forms {
				f.compare(c)
			}
			c.counted(AtMost, 0.5, cost.WorstTruncation(paperWheels),
				"worst loss, as a part of the request, if intervals are truncated")
			nearest := form{"", cost.Form{Rounding: cost.Nearest, ByDigit: true}}
			c.counted(AtLeast, 0.9, nearest.round().worst(), "worst error, as a part of the request, digit's level, to the "+
				"nearest slot")
		},
		"V-9x": func(c *counter) {
			down := forms[3]
			onceDown := form{down.name + ", one migration", cost.Form{Rounding: cost.Down, ByDigit: true, Once: true}}
			for _, pair := range [][2]form{{oneMigration, forms[0]}, {onceDown, down}} {
				one, none, name := pair[0].round(), pair[1].round(), pair[1].name
				c.add(AtMost, 0.1, one.mean().over(none.mean()), independent, "mean error, one migration over none, %s",
					name)
				c.counted(AtMost, 1, one.worst()/none.worst(), "worst error, one migration over none, %s", name)
			}
			c.counted(AtLeast, 0.9, onceDown.round().worst(), "worst error, as a part of the request, %s", onceDown.name)
		},
	}
	timeChecks = map[string]func(*timings){
		"V-6": onChoice(boundDecides),
		"V-7": onChoice(stepsCost),
	}
)

// residualLives starts scheme 6 from empty, with as many timers a tick as expire, and when the longest
// interval is over compares how many of the timers are due within parts of the mean stay.
func residualLives(c *counter) {
	const n, T = 100_000, 4096
	for _, dist := range []workload.Dist{workload.Exp, workload.Uniform} {
		spec := workload.Spec{N: n, T: T, Dist: dist, Seed: seed, Arrivals: workload.Poisson, Ticks: 10 * T}
		trace, err := spec.Trace()
		c.check(err)
		s := c.new("hashunsorted", schemes.Config{Slots: 1024})
		ops := trace.Ops[trace.Prefill:]
		for now := schemes.Tick(0); now < spec.Ticks; now++ {
			s.PerTick()
			s.Expire(func(schemes.ID) {})
			for ; len(ops) > 0 && ops[0].Tick == now+1; ops = ops[1:] {
				c.start(s, ops[0].Interval, 0)
			}
		}
		outstanding, due, passed := float64(s.Len()), 0, schemes.Tick(0)
		for _, part := range []float64{0.25, 0.5, 1} {
			for ; passed < schemes.Tick(part*T); passed++ {
				due += s.PerTick()
			}
			predicted, share := cost.ResidualWithin(spec.Lives(), passed), float64(due)/outstanding
			half := quantile * math.Sqrt(predicted*(1-predicted)/outstanding)
			c.add(Equal, predicted, Value{share, share - half, share + half},
				"interval: binomial, n = 100,000 on average, as wide as the other intervals of the list",
				"share of outstanding timers due within %.2g T, %s intervals, started from empty", part, dist)
		}
	}
}

// interruptsOfTimers starts timers at their ticks, stops every second one at the start of the next, and passes the
// time between by a hardware timer that is set to the first expiry. It compares how often that interrupts the host
// with the ticks on which a timer expires.
func interruptsOfTimers(c *counter) {
	rs := makeRequests()[:2_000]
	s := c.new("ordered", schemes.Config{})
	host := s.(interface {
		schemes.Nexter
		schemes.Advancer
	})
	interrupts, idle, expiries := 0.0, 0.0, map[schemes.Tick]bool{}
	var last schemes.Handle
	for now, next := schemes.Tick(0), 0; next < len(rs) || s.Len() > 0; {
		wait, set := host.Next()
		if next < len(rs) && (!set || rs[next].start < now+wait) {
			host.Advance(rs[next].start - now)
			now = rs[next].start
			h := c.start(s, rs[next].interval, schemes.ID(next))
			if next%2 == 1 {
				s.Stop(last)
				expiries[now+rs[next].interval] = true
			}
			last, next = h, next+1
			continue
		}
		_, due := host.Advance(wait)
		now += wait
		s.Expire(func(schemes.ID) {})
		if interrupts++; due == 0 {
			idle++
		}
	}
	c.counted(Equal, float64(len(expiries)), interrupts, "interrupts of a hardware timer set to the head's expiry; "+
		"predicted: the ticks on which a timer expires, %d timers, every second stopped", len(rs))
	c.counted(Equal, 0, idle, "interrupts on which none expires")
}

// overflowByPhase compares starts on each tick of a cycle of TEGAS-2's wheel with those on the tick before, and,
// by arithmetic, the share of the starts that overflow a wheel which moves on by half its slots each time.
func overflowByPhase(c *counter) {
	const m = 64
	overflows := func(phase int) (count int) { // of timers of all intervals up to m, started at that phase
		s := c.new("simplewheel-tegas", schemes.Config{Slots: m})
		for range phase {
			s.PerTick()
		}
		for interval := 1; interval <= m; interval++ {
			c.start(s, schemes.Tick(interval), schemes.ID(interval))
		}
		s.View(func(p schemes.Place) bool {
			if p.Level == schemes.Overflow {
				count++
			}
			return true
		})
		return count
	}
	later, before := 0.0, overflows(0)
	for phase := 1; phase < m; phase++ {
		now := overflows(phase)
		if now > before {
			later++
		}
		before = now
	}
	c.counted(Equal, m-1, later, "ticks of a cycle of %d on which more of the intervals 1 to M overflow than a tick "+
		"earlier", m)
	const slots = 256
	for _, j := range []float64{51, 128, 151, 251} {
		over := 0.0
		for phase := 1; phase <= slots/2; phase++ { // then the array has moved on, and reaches M ticks again
			if j > float64(slots-phase) {
				over++
			}
		}
		c.counted(Equal, max(0, 2*j-slots)/slots, over/(slots/2), "share of starts that overflow DECSIM's wheel, by "+
			"arithmetic, J = %g, M = %d", j, slots)
	}
}

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

// independent is the reason for the interval of a mean over requests.
var independent = fmt.Sprintf("interval: %d independent requests, as wide as the other intervals of the list",
	precisionTimers)

// request is one timer of the precision runs, and when it was due.
type request struct{ start, interval, due schemes.Tick }

func (r request) off() float64 {
	return math.Abs(float64(r.due)-float64(r.start+r.interval)) / float64(r.interval)
}

type requests []request

func (rs requests) worst() (worst float64) {
	for _, r := range rs {
		worst = max(worst, r.off())
	}
	return worst
}

// mean returns the mean size of the error. The requests are independent.
func (rs requests) mean() Value {
	var off []float64
	for _, r := range rs {
		off = append(off, r.off())
	}
	return meanOf(off)
}

func makeRequests() requests {
	rs := make(requests, precisionTimers)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range rs {
		rs[i].start = schemes.Tick(i) * day / precisionTimers
		rs[i].interval = schemes.Tick(minute * math.Pow(longest/minute, random.Float64()))
	}
	return rs
}

type form struct {
	name string
	cost.Form
}

// forms are those without migrations that differ in their error, up as in Linux; oneMigration is the most
// precise form with one. The schemes' tests hold hierarchical-nomigrate and hierarchical-once to the same arithmetic.
var (
	forms = []form{
		{"to the nearest slot", cost.Form{Rounding: cost.Nearest}},
		{"up", cost.Form{Rounding: cost.Up}},
		{"down", cost.Form{Rounding: cost.Down}},
		{"down, digit's level", cost.Form{Rounding: cost.Down, ByDigit: true}},
	}
	oneMigration = form{forms[0].name + ", one migration", cost.Form{Rounding: cost.Nearest, Once: true}}
)

func (f form) round() requests {
	rs := makeRequests()
	for i, r := range rs {
		rs[i].due = f.Due(r.start, r.interval, paperWheels)
	}
	return rs
}

// compare judges one form: no error beyond its bound.
func (f form) compare(c *counter) {
	rs := f.round()
	beyond, worst := 0.0, 0.0
	for _, r := range rs {
		early, late := f.Worst(r.interval, paperWheels)
		worst = max(worst, float64(max(early, late))/float64(r.interval))
		if r.due+early < r.start+r.interval || r.due > r.start+r.interval+late {
			beyond++
		}
	}
	c.counted(Equal, 0, beyond, "%s: timers with an error beyond its bound", f.name)
	c.counted(AtMost, worst, rs.worst(), "%s: worst error as a part of the request", f.name)
}

// onChoice returns a check of the judged grid of schemes 6 and 7.
func onChoice(check func(*timings, *choice.Choice)) func(*timings) {
	return func(t *timings) {
		c, err := t.study()
		if err != nil {
			t.missingf("%v", err)
			return
		}
		for _, k := range t.Keys {
			if choice.InGrid(k) {
				t.note(k, units.NsPerOp)
			}
		}
		check(t, c)
	}
}

// boundDecides counts the cells of linked slots, the paper's, in which the bound names the slower scheme (V-6).
func boundDecides(t *timings, c *choice.Choice) {
	linked := slices.DeleteFunc(slices.Clone(c.Cells), func(cell choice.Cell) bool { return cell.Form != choice.Linked })
	s := choice.ScoreOf(choice.Cell.Bound, linked)
	if s.Named == 0 {
		t.missingf("decided cells in which the bound says 7")
		return
	}
	const why = "a cell is decided if its interval leaves 1 out and its median the noise of the A/A pairs"
	t.add(Equal, 0, exact(float64(s.Named-s.Right)), why, "cells in which the bound says 7 and scheme 6 is faster, of "+
		"%d that are decided", s.Named)
}

// stepsCost compares the measured c7/c6 of linked slots with 20/6 and 6/20 (V-7).
func stepsCost(t *timings, c *choice.Choice) {
	const why = "interval: 95 %, of the rounds"
	measured := false
	for _, r := range c.Regimes {
		if r.Form == choice.Linked && r.Ratio.N > 0 {
			measured = true
			at := fmt.Sprintf("%s slots, n = %s", r.Form, workload.Count(r.N))
			ratio := Value{r.Ratio.Median, r.Ratio.Lo, r.Ratio.Hi}
			t.add(AtMost, 20./6, ratio, why, "c7/c6, %s: a STOP and a START against a visit, 20 to 6", at)
			t.add(AtLeast, 6./20, ratio, why, "c7/c6, %s", at)
		}
	}
	if !measured {
		t.missingf("c7/c6 of linked slots, the paper's")
	}
}
