package claims

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat"

	"timerlab/schemes"
)

// Schemes 5 and 6: hashed wheels (section 6.1), BSD's callouts, which are a form of scheme 6, and
// hardware assistance: a timer set to the head of a list (section 3.2), and a counter that steps through the
// slots and interrupts the host where timers are (appendix A.1).

var hashedChecks = map[string]func(*lab){
	"H-1": func(l *lab) {
		const interval = 3*256 + 20
		s := l.new("hashunsorted", schemes.Config{Now: 10, Slots: 256})
		l.start(s, interval, 77)
		at := l.place(s, 77)
		l.counted(30, float64(at.Slot), "slot of an interval of 3·256 + 20 with the pointer at 10")
		l.counted(3+1, float64(at.Key), "rounds to go: the 3 in the high-order bits, and the one that expires it")
	},
	"H-9": func(l *lab) {
		b := burstsOf(l)
		l.sampled(burstN/float64(hashM), b.mean, "mean visits of a tick, spread").about(burstN/(2.*farTurns*hashM),
			"T is finite: n/(2T) visits more")
		l.sampled(burstN/float64(hashM), b.oneMean, "mean visits of a tick, all in one slot")
		l.sampled(1, b.oneDev.over(b.dev), "deviation of a tick's visits, one slot over spread").as(AtLeast)
	},
	"H-9x": func(l *lab) {
		b, relative := burstsOf(l), math.Sqrt(hashM/float64(burstN))
		l.sampled(relative, b.dev, "standard deviation over mean of a tick's visits, spread, n = %d, M = %d, T = %d M",
			burstN, hashM, farTurns).about(relative/(2*farTurns)+relative/(2*hashM),
			"T is finite: n/M + n/(2T) visits, and n timers are in M slots, not infinitely many: relative "+
				"1/(2 T/M) + 1/(2M)")
		l.sampled(math.Sqrt(hashM-1), b.oneDev, "standard deviation over mean of a tick's visits, all in one slot")
	},
	"H-14": func(l *lab) {
		for _, e := range []experiment{l.experiment("hashunsorted oneslot M=256 n=2000 T=8M each=M"),
			l.experiment("hashunsorted M=256 n=2000 T=16M each=M")} {
			most := 0.0
			for _, b := range l.run(e) {
				most = max(most, b[visits]-b[started])
			}
			l.counted(2000, most, "visits of %d successive ticks at most, less the timers started meanwhile, %s",
				hashM, e.name()).as(AtMost)
		}
	},
	// The check stops every second timer when the next one starts.
	"S2-7": func(l *lab) {
		rs := makeRequests()[:2_000]
		expiries := map[schemes.Tick]bool{}
		for i := 1; i < len(rs); i += 2 {
			expiries[rs[i].start+rs[i].interval] = true
		}
		all, idle := interruptsOf(l, rs)
		l.counted(float64(len(expiries)), all, "interrupts of a hardware timer set to the head's expiry; predicted: the "+
			"ticks on which a timer expires, %d timers, every second stopped", len(rs))
		l.counted(0, idle, "interrupts on which none expires")
	},
	"A-2": func(l *lab) {
		e := l.experiment("hashunsorted M=256 n=100 T=1000 stop=0.5@0.5 warm=2T each=4T")
		idle := 0.0
		e.tick = func(b batch) {
			if b[occupied] > b[visits] {
				idle++
			}
		}
		l.run(e)
		l.counted(0, idle, "interrupts for a slot that holds no timer, n = 100, M = %d, half stopped halfway", hashM)
	},
	"A-3x": func(l *lab) {
		for _, n := range interruptSizes {
			l.sampled(saturation(float64(n)), interrupts(l, n), "share of ticks with an interrupt, n = %d, M = %d", n,
				hashM).about(saturation(float64(n)*(1+1/(2.*farTurns)))-saturation(float64(n)),
				"T is finite: n/(2T) timers more in a slot")
		}
		one := l.run(l.experiment("hashunsorted oneslot M=256 n=10000 T=8M")).sum()
		l.counted(1./hashM, one[occupied]/one[ticks], "share of ticks with an interrupt, n = 10,000 in one slot of %d",
			hashM)
	},
}

const (
	hashM    = 256 // M
	farTurns = 64  // T, in M, of runs in which it is to be far above M
)

// Runs of which the spread of a tick's visits is measured: with timers spread, and all in one slot.
const (
	burstN      = 2048
	burstSpread = "hashunsorted M=256 n=2048 T=64M warm=T"
	burstInOne  = "hashunsorted oneslot M=256 n=2048 T=64M"
)

// bursts is the standard deviation over the mean of a tick's visits, and the mean, of both runs.
type bursts struct{ dev, mean, oneDev, oneMean Value }

func burstsOf(l *lab) (b bursts) {
	b.dev, b.mean = deviations(l, l.experiment(burstSpread+" each=2T"))
	b.oneDev, b.oneMean = deviations(l, l.experiment(burstInOne))
	return b
}

// deviations returns the standard deviation over the mean of single ticks' visits
// by batch, and their mean.
func deviations(l *lab, e experiment) (dev, mean Value) {
	var now []float64
	var devs []float64
	e.tick = func(b batch) {
		if now = append(now, b[visits]); len(now) == int(e.each) {
			devs = append(devs, relativeDeviation(now))
			now = now[:0]
		}
	}
	t := l.run(e)
	return meanOf(devs), t.per(visits, ticks)
}

// relativeDeviation returns the standard deviation of a population over its mean.
func relativeDeviation(values []float64) float64 {
	mean, deviation := stat.PopMeanStdDev(values, nil)
	return deviation / mean
}

// interruptSizes are the n of the runs on interrupts.
var interruptSizes = []int{4, 64, 256, 1024, 10_000}

// interrupts returns the share of ticks on a slot with timers.
func interrupts(l *lab, n int) Value {
	each := 1 // in T
	if n < 100 {
		each = 16
	}
	return l.run(l.experiment("hashunsorted M=256 n=%d T=64M warm=T each=%dT", n, each)).per(occupied, ticks)
}

// saturation is the share of slots with a timer, if n are spread at random: 1 -
// (1 - 1/M)^n, which is 1 - e^(-n/M) for large M.
func saturation(n float64) float64 { return 1 - math.Pow(1-1./hashM, n) }

// interruptsOf starts timers at their ticks, stops every second one at the start of the next, and passes the
// time between by a hardware timer that is set to the first expiry. It returns how often that interrupts the
// host, and how often no timer is due then.
func interruptsOf(l *lab, rs requests) (all, idle float64) {
	s := l.new("ordered", schemes.Config{})
	host, ok := s.(interface {
		schemes.Nexter
		schemes.Advancer
	})
	if !ok {
		l.check(errors.New("claims: ordered has no Next and Advance"))
	}
	var last schemes.Handle
	for now, next := schemes.Tick(0), 0; next < len(rs) || s.Len() > 0; {
		wait, set := host.Next()
		if next < len(rs) && (!set || rs[next].start < now+wait) {
			host.Advance(rs[next].start - now)
			now = rs[next].start
			h := l.start(s, rs[next].interval, schemes.ID(next))
			if next%2 == 1 {
				s.Stop(last)
			}
			last, next = h, next+1
			continue
		}
		_, due := host.Advance(wait)
		now += wait
		s.Expire(func(schemes.ID) {})
		if all++; due == 0 {
			idle++
		}
	}
	return all, idle
}
