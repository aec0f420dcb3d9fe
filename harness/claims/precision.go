package claims

import (
	"fmt"
	"math"
	"math/rand/v2"

	"timerlab/harness/cost"
	"timerlab/schemes"
)

// Scheme 7 without migrations, or with one: time traded for precision (section
// 6.2).

var precisionChecks = map[string]func(*lab){
	"V-8y": func(l *lab) {
		rs := makeRequests()
		for i, r := range rs {
			rs[i] = nearestByDigit(r)
		}
		l.counted(0.9, rs.worst(), "worst error, as a part of the request, digit's level, to the nearest slot").
			as(AtLeast)
	},
	"V-8x": func(l *lab) {
		for _, form := range roundings {
			form.compare(l)
		}
	},
}

// nearestByDigit returns the request as it would be due if its expiry were rounded to the nearest
// slot on the level of the highest digit in which it differs from the clock.
func nearestByDigit(r request) request {
	expiry, width := r.start+r.interval, schemes.Tick(1)
	r.due = expiry
	for _, radix := range paperWheels {
		if r.start/width != expiry/width {
			r.due = (expiry + width/2) / width * width
		}
		width *= schemes.Tick(radix)
	}
	return r
}

// precisionTimers is how many timers are started for each form. Their intervals are
// log-uniform from 1 minute to 50 days, and they start evenly over a day.
const (
	precisionTimers = 20_000
	minute          = 60 // seconds, which are the ticks here
	day             = 24 * 60 * minute
	longest         = 50 * day
)

// request is one timer of the precision runs, and when it was due.
type request struct{ start, interval, due schemes.Tick }

// off returns its error as a part of the interval: below 0 early, above 0 late.
func (r request) off() float64 {
	return (float64(r.due) - float64(r.start+r.interval)) / float64(r.interval)
}

type requests []request

// worst returns the largest error either way.
func (rs requests) worst() (worst float64) {
	for _, r := range rs {
		worst = max(worst, math.Abs(r.off()))
	}
	return worst
}

// mean returns the mean size of the error. The requests are independent.
func (rs requests) mean() Value {
	var off []float64
	for _, r := range rs {
		off = append(off, math.Abs(r.off()))
	}
	return meanOf(off)
}

// errorsOf starts the timers on a form of scheme 7 with the paper's wheels and waits
// until all are due.
func errorsOf(l *lab, scheme string) requests {
	s := l.new(scheme, schemes.Config{Levels: paperWheels})
	rs := makeRequests()
	last := schemes.Tick(3*longest + 2*day)
	left := len(rs)
	next := 0
	for now := schemes.Tick(0); left > 0 && now < last; now++ {
		if now > 0 && s.PerTick() > 0 {
			s.Expire(func(id schemes.ID) { rs[id].due = now; left-- })
		}
		for ; next < len(rs) && rs[next].start == now; next++ {
			l.start(s, rs[next].interval, schemes.ID(next))
		}
	}
	if left > 0 {
		l.check(fmt.Errorf("claims: %s: %d timers are not due after three times the longest interval", scheme, left))
	}
	l.rows = append(l.rows, fmt.Sprintf(
		"BenchmarkPrecision/scheme=%s/m=60x60x24x100 %d %.6g mean-error %.6g worst-error",
		scheme, len(rs), rs.mean().Mean, rs.worst()))
	return rs
}

// makeRequests returns the requests, by start.
func makeRequests() requests {
	rs := make(requests, precisionTimers)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range rs {
		rs[i].start = schemes.Tick(i) * day / precisionTimers
		rs[i].interval = schemes.Tick(minute * math.Pow(longest/minute, random.Float64()))
	}
	return rs
}

// rounding is what a form does to the expiry, and what the error is by that.
type rounding struct {
	scheme string
	mean   func(interval schemes.Tick, radices []int) float64 // mean size of the error, in ticks, over all clocks
	worst  func(interval schemes.Tick, radices []int) (early, late schemes.Tick)
}

var roundings = []rounding{
	{"hierarchical-nomigrate", cost.Up.Mean, cost.Up.Worst},
}

// meanOver returns the mean size of the error over requests, each as a part of its interval.
func (f rounding) meanOver(rs requests) (mean float64) {
	for _, r := range rs {
		mean += f.mean(r.interval, paperWheels) / float64(r.interval) / float64(len(rs))
	}
	return mean
}

// compare judges one form: no error beyond its bound, and the mean over the
// requests' intervals.
func (f rounding) compare(l *lab) {
	rs := errorsOf(l, f.scheme)
	beyond, worst := 0.0, 0.0
	var difference []float64 // of sizes of errors, from their means
	for _, r := range rs {
		early, late := f.worst(r.interval, paperWheels)
		worst = max(worst, float64(max(early, late))/float64(r.interval))
		if r.due+early < r.start+r.interval || r.due > r.start+r.interval+late {
			beyond++
		}
		mean := f.mean(r.interval, paperWheels) / float64(r.interval)
		difference = append(difference, math.Abs(r.off())-mean)
	}
	predicted := f.meanOver(rs)
	l.sampledErrors(predicted, meanOf(difference).plus(predicted), "%s: mean error as a part of the request", f.scheme)
	l.counted(0, beyond, "%s: timers with an error beyond its bound", f.scheme)
	l.counted(worst, rs.worst(), "%s: worst error as a part of the request", f.scheme).as(AtMost)
}

// sampledErrors is sampled with the reason for independent requests.
func (l *lab) sampledErrors(predicted float64, measured Value, format string, args ...any) *Point {
	p := l.sampled(predicted, measured, format, args...)
	p.Why = fmt.Sprintf("interval: %d independent requests, as wide as the other intervals of the list",
		precisionTimers)
	return p
}
