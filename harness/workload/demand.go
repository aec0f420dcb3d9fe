package workload

import (
	"errors"
	"fmt"
	"math"
	"time"

	"timerlab/schemes"
)

// Demand is what a program asks of its timers.
type Demand struct {
	N       int           // timers outstanding
	Tick    time.Duration // length of a tick
	Classes []Class
}

// Class is one kind of timer. A timer of it asks for an interval; it is stopped or
// restarted when a time drawn for that has passed, if the interval has not.
type Class struct {
	Name     string
	Share    float64 // of the lives that begin
	Interval Durations
	Stop     Durations
	Stops    float64 // share of lives to which Stop applies
	Restart  Durations
}

// String tells what the class does, without its share.
func (c Class) String() string {
	text := c.Interval.String()
	if c.Stops > 0 {
		text += fmt.Sprintf(", %.3g %% stopped after %v", 100*c.Stops, c.Stop)
	}
	if !c.Restart.Never() {
		text += fmt.Sprintf(", restarted after %v", c.Restart)
	}
	return text
}

// ErrDemand is wrapped by the errors about a Demand.
var ErrDemand = errors.New("bad workload")

func badDemand(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDemand, fmt.Sprintf(format, args...))
}

// Check returns what is wrong with the demand, if anything.
func (d Demand) Check() error {
	if d.N < 1 || d.N > MaxOps {
		return badDemand("n = %d timers, allowed 1 to %d", d.N, MaxOps)
	}
	if d.Tick <= 0 {
		return badDemand("tick %v, allowed above 0", d.Tick)
	}
	if len(d.Classes) == 0 {
		return badDemand("no kind of timer, want one or more")
	}
	for _, c := range d.Classes {
		if err := c.check(d.Tick); err != nil {
			return fmt.Errorf("%w (%s)", err, c.Name)
		}
	}
	return nil
}

func (c Class) check(tick time.Duration) error {
	switch {
	case !(c.Share > 0):
		return badDemand("share %v, allowed above 0", c.Share)
	case c.Interval.Never():
		return badDemand("no interval, want a distribution: %s", forms)
	case !(c.Stops >= 0 && c.Stops <= 1):
		return badDemand("share of stops %v, allowed 0 to 1", c.Stops)
	case c.Stops > 0 && c.Stop.Never():
		return badDemand("stops without a time after which, want a distribution: %s", forms)
	}
	short, most := 0, 0.0
	for i := range points {
		s := c.Interval.Quantile((float64(i) + 0.5) / points)
		if most = max(most, s); s < tick.Seconds()*(1-1e-9) {
			short++
		}
	}
	if short > points/2 {
		return badDemand("interval %v: %.0f %% of all are below a tick of %v; want a shorter tick", c.Interval, 100*float64(short)/points, tick)
	}
	if ticks := most / tick.Seconds(); ticks > float64(MaxTicks) {
		return badDemand("interval %v is up to %.3g ticks of %v, allowed %d", c.Interval, ticks, tick, MaxTicks)
	}
	return nil
}

// points is how many lives of a class Lives has. The error of their means is about
// 1/points of the spread, as they are spread evenly and not at random.
const points = 4096

// Lives returns the lives from which those of the demand are drawn, in ticks: rounded
// up, as a timer must not expire early. Those that are alike are one.
func (d Demand) Lives() []Life {
	type kind struct {
		interval, stay schemes.Tick
		restarts       bool
	}
	shares, order := map[kind]float64{}, []kind{}
	all := 0.0
	for _, c := range d.Classes {
		all += c.Share
	}
	for _, c := range d.Classes {
		for i := range points {
			interval, stay, restarts := c.life(i, d.Tick)
			k := kind{interval, stay, restarts && stay < interval}
			if _, known := shares[k]; !known {
				order = append(order, k)
			}
			shares[k] += c.Share / all / points
		}
	}
	lives := make([]Life, len(order))
	for i, k := range order {
		lives[i] = Life{Interval: k.interval, Stay: k.stay, Share: shares[k], Restarts: k.restarts}
	}
	return lives
}

// life returns the i-th life of a class. Its four draws are a point of a sequence that
// fills the cube evenly (Roberts' generalised golden ratio of four dimensions: powers of
// 1/φ, with φ^5 = φ + 1).
func (c Class) life(i int, tick time.Duration) (interval, stay schemes.Tick, restarts bool) {
	const phi = 1.1673039782614187
	draw := func(k float64) float64 {
		_, u := math.Modf(0.5 + float64(i+1)*math.Pow(phi, -k))
		return min(max(u, 1e-9), 1-1e-9)
	}
	u := (float64(i) + 0.5) / points
	interval = inTicks(c.Interval.Quantile(u), tick)
	stay = interval
	if c.Stops > 0 && draw(1) < c.Stops {
		stay = min(stay, inTicks(c.Stop.Quantile(draw(2)), tick))
	}
	if !c.Restart.Never() {
		if again := inTicks(c.Restart.Quantile(draw(3)), tick); again < stay {
			return interval, again, true
		}
	}
	return interval, stay, false
}

func inTicks(s float64, tick time.Duration) schemes.Tick {
	return schemes.Tick(max(1, min(math.Ceil(s/tick.Seconds()-1e-9), float64(MaxTicks))))
}

// Mixture returns the workload of a run of so many ticks.
func (d Demand) Mixture(ticks schemes.Tick, seed uint64) Mixture {
	return Mixture{N: d.N, Lives: d.Lives(), Ticks: ticks, Seed: seed}
}

// Numbers are a demand in the paper's terms.
type Numbers struct {
	N         int
	Rate      float64      // λ, lives begun a tick: n/R
	Residence float64      // R, the mean stay, in ticks; the paper's T
	Interval  float64      // the mean interval, in ticks
	Longest   schemes.Tick // interval
	Stopped   float64      // share of lives
	Restarted float64
	Expired   float64
}

// Numbers returns the demand in the paper's terms.
func (d Demand) Numbers() Numbers { return NumbersOf(d.N, d.Lives()) }

// NumbersOf returns those of n timers with some lives, whose shares sum to 1.
func NumbersOf(timers int, lives []Life) Numbers {
	n := Numbers{N: timers}
	for _, l := range lives {
		n.Residence += l.Share * float64(l.Stay)
		n.Interval += l.Share * float64(l.Interval)
		n.Longest = max(n.Longest, l.Interval)
		switch {
		case l.Expires():
			n.Expired += l.Share
		case l.Restarts:
			n.Restarted += l.Share
		default:
			n.Stopped += l.Share
		}
	}
	n.Rate = float64(timers) / n.Residence
	return n
}

// Little completes n, λ (timers begun a second) and R (seconds that one stays) of which
// two or three are given, the others 0. All three must agree to a hundredth, the accuracy
// that such figures have when they are typed.
func Little(n, rate, residence float64) (float64, float64, float64, error) {
	given := 0
	for _, v := range []float64{n, rate, residence} {
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, 0, badDemand("%v, allowed above 0", v)
		}
		if v > 0 {
			given++
		}
	}
	switch {
	case given < 2:
		return 0, 0, 0, badDemand("%d of n, rate and residence, want two: n = rate × residence", given)
	case n == 0:
		n = rate * residence
	case rate == 0:
		rate = n / residence
	case residence == 0:
		residence = n / rate
	case math.Abs(rate*residence-n) > 0.01*n:
		return 0, 0, 0, badDemand("n = %.6g, but rate × residence = %.6g/s × %.6gs = %.6g (Little's law); want two of them, or three that agree", n, rate, residence, rate*residence)
	}
	return n, rate, residence, nil
}
