package pick

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
)

// Case is a workload on which a pick is judged.
type Case struct {
	demand.Preset
	Limits Limits
}

// Workload returns the workload of the case.
func (c Case) Workload() Workload { return FromPreset(c.Preset) }

// Cases returns the workloads on which picks are judged: all presets, and random ones of up to
// most timers, of which every third has a limit of memory.
func Cases(random, most int, seed uint64) (all []Case) {
	for _, p := range demand.Presets() {
		all = append(all, Case{Preset: p})
	}
	for i := range random {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		c := Case{Preset: randomPreset(r, most)}
		c.Name = fmt.Sprintf("random-%03d", i+1)
		if i%3 == 0 { // so little that not all candidates fit
			in, _ := candidates(c.Workload(), Limits{}, 0)
			slices.SortFunc(in, func(a, b run.Subject) int { return cmp.Compare(memory(a, c.N), memory(b, c.N)) })
			c.Limits.Memory = memory(in[len(in)/2], c.N)
		}
		all = append(all, c)
	}
	return all
}

// evenly draws from low to high, evenly in the logarithm.
func evenly(r *rand.Rand, low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }

// randomPreset draws a workload: n from 10 to most and mean intervals from 4 to 10 million ticks;
// one in ten has bursts, and one in ten deadlines on multiples of a period.
func randomPreset(r *rand.Rand, most int) (p demand.Preset) {
	p.N, p.Tick = int(evenly(r, 10, float64(most))), time.Millisecond
	kind := r.IntN(10)
	if period := schemes.Tick(evenly(r, 2, 1e5)); kind < 2 {
		p.About = fmt.Sprintf("in bursts every %d ms", period)
		groups := schemes.Tick(1 + r.IntN(50)) // each on a tick of its own, for as many periods
		interval := demand.Phased(groups*period, func(timer schemes.Tick) schemes.Tick { return 1 + timer%groups*period })
		intervals := fmt.Sprintf("const:%dms", interval(0, 1))
		if kind == 1 {
			p.About = fmt.Sprintf("deadlines on multiples of %d ms", period)
			interval = rounded(period)
			intervals = fmt.Sprintf("mix:0.25*const:%dms+0.5*const:%dms+0.25*const:%dms", period, 2*period, 3*period)
		}
		p.Phases = interval
		p.Classes = []demand.Class{class(intervals, "", "")}
		return p
	}
	for range 1 + r.IntN(3) {
		c := randomClass(r, evenly(r, 4, 1e7))
		c.Share = evenly(r, 0.01, 1)
		p.Classes = append(p.Classes, c)
		p.About += c.String() + "; "
	}
	p.About = p.About[:len(p.About)-2]
	return p
}

// randomClass draws timers of a mean interval in ticks, which are of 1 ms.
func randomClass(r *rand.Rand, mean float64) demand.Class {
	ms := func(x float64) string { return fmt.Sprintf("%.0fms", math.Max(1, x)) }
	interval := []string{
		"const:" + ms(mean), "exp:" + ms(mean), "uniform:" + ms(mean/4) + "," + ms(2*mean+2),
		"lognormal:" + ms(mean/2) + "," + ms(mean+2), "pareto:" + ms(mean/4) + ",1.5", "erlang:" + ms(mean),
		"bimodal:" + ms(mean), "mix:0.99*exp:" + ms(mean/100) + "+0.01*const:" + ms(mean),
	}[r.IntN(5+3*min(1, int(mean/1000)))] // the last three have parts far below the mean
	after := ms(mean * evenly(r, 0.001, 0.5))
	after = []string{"exp:" + after, "const:" + after, "uniform:1us," + after}[r.IntN(3)]
	share := fmt.Sprintf("%v@", 0.01+0.99*r.Float64())
	switch r.IntN(4) {
	case 0:
		return class(interval, share+after, "")
	case 1:
		return class(interval, "", after)
	case 2:
		return class(interval, "", share+after)
	}
	return class(interval, "", "")
}

// class returns the class of texts that are valid.
func class(interval, stop, restart string) demand.Class {
	c, err := demand.ParseClass(interval, stop, restart)
	if err != nil {
		panic(err)
	}
	c.Name, c.Share = "timer", 1
	return c
}

// rounded makes timers expire on the first multiple of a period that is half to two and a half periods
// later. They start on multiples, so a quarter of the intervals are a period, half of them two.
func rounded(period schemes.Tick) workload.Phases {
	return func(timer int, now schemes.Tick) schemes.Tick {
		after := now + period/2 + 1 + schemes.Tick(workload.Mix(now, schemes.ID(timer)))%(2*period)
		return (after+period-1)/period*period - now
	}
}
