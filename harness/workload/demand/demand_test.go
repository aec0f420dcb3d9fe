package demand

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
)

// must returns the distribution of a text that is valid.
func must(text string) Dist {
	d, err := workload.Parse[Dist](text)
	if err != nil {
		panic(err)
	}
	return d
}

func TestQuantiles(t *testing.T) {
	for _, test := range []struct {
		text    string
		p, want float64
	}{
		{"const:30s", 0.2, 30}, {"every:30s", 0.2, 30}, {"60s", 0.2, 60}, {"5d", 0.2, 432_000}, {"const:5d", 0.2, 432_000}, {"const:1y", 0.5, 31_557_600},
		{"uniform:1s,5s", 0.25, 2},
		{"exp:10s", 1 - math.Exp(-1), 10},
		{"lognormal:20ms,60ms", 0.5, 0.02}, {"lognormal:20ms,60ms", 0.75, 0.06},
		{"pareto:1s,2", 0.75, 2},
		{"erlang:8s", 0.5, 2 * 3.6721}, {"bimodal:9s", 0.5, 1}, {"bimodal:9s", 0.95, 81}, {"loguniform:1s", 0.5, 4 * math.Ln10 / 99.99},
		{"mix:2/3*const:30s+1/3*const:1s", 0.5, 30}, {"mix:2/3*const:30s+1/3*const:1s", 0.7, 1},
		{"mix:0.9*const:30s+0.1*uniform:1s,3s", 0.5, 30}, {"mix:0.9*const:30s+0.1*uniform:1s,3s", 0.95, 2},
	} {
		d := must(test.text)
		off := 1e-9
		if strings.HasPrefix(test.text, "erlang") || strings.Contains(test.text, "modal") || strings.HasPrefix(test.text, "log") {
			off = 2e-3 // of the table
		}
		p, part := test.p, d.parts[0]
		for i := 1; p >= part.share; i++ {
			p, part = p-part.share, d.parts[i]
		}
		assert.InEpsilon(t, test.want, part.at(p/part.share), off, test.text)
		assert.Equal(t, test.text, d.String())
	}
}

func TestBadDistributions(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `"": use 30s, uniform:1s,5s`}, {"30", `"30": invalid duration "30" (use a duration above 0`}, {"exp", `"exp": use 30s`}, {"gauss:1s", `"gauss:1s": use 30s`},
		{"const:", `invalid duration ""`}, {"const:1s,2s", "2 durations (use 1)"}, {"const:-1s", "use a duration above 0"}, {"const:0s", "above 0"}, {"const:1e9y", "above 0"},
		{"uniform:5s,1s", "1s after 5s"}, {"uniform:1s", "1 durations (use 2)"}, {"lognormal:60ms,20ms", "use durations that increase"},
		{"pareto:1s", `invalid exponent ""`}, {"pareto:1s,1", `exponent "1" (use a number above 1`}, {"pareto:x,2", `"x"`},
		{"mix:const:1s", "has no share"}, {"mix:0.5*const:1s", "shares sum to 0.5"}, {"mix:1/0*const:1s", "has no share"}, {"mix:1*exp", `part "exp"`}, {"mix:0.5*const:1s+0.5*gauss:2s", `"gauss:2s"`},
	} {
		_, err := workload.Parse[Dist](test.text)
		require.ErrorIs(t, err, workload.ErrDist, test.text)
		assert.ErrorContains(t, err, test.want, test.text)
	}
}

// Lives have the means that their distributions have, whatever their order is.
func TestLives(t *testing.T) {
	d := Preset{N: 1000, Tick: time.Millisecond, Classes: []Class{{
		Name: "x", Share: 3, Interval: must("uniform:1s,3s"), Stop: End{0.5, must("exp:1s")}, Restart: End{1, must("uniform:500ms,1500ms")},
	}, {Name: "y", Share: 1, Interval: must("const:100ms")}}}
	require.NoError(t, d.Check())
	n := d.Numbers()
	assert.InEpsilon(t, 0.75*2000+0.25*100, n.Interval, 0.001)
	assert.EqualValues(t, 3000, n.Longest)
	// A life of x stays min(J, S, R): the restart is never later than 1.5 s. By the stops:
	// P(min(J,R) > t), of which half is also P(S > t).
	above := func(x float64) float64 { // P(J > x and R > x)
		j := min(1, max(0, (3-x)/2))
		r := min(1, max(0, (1.5-x)/1))
		return j * r
	}
	stay := 0.0
	for x := 0.0; x < 3; x += 1e-4 {
		stay += above(x) * (0.5 + 0.5*math.Exp(-x)) * 1e-4
	}
	assert.InEpsilon(t, 0.75*1000*stay+0.25*100, n.MeanStay, 0.003)
	assert.InEpsilon(t, 1000/n.MeanStay, n.Rate, 1e-12)
	assert.InDelta(t, 1, n.Expired+n.Stopped+n.Restarted, 1e-9)
}

func TestBadDemands(t *testing.T) {
	good := Class{Name: "x", Share: 1, Interval: must("const:1s")}
	with := func(change func(*Class)) []Class {
		c := good
		change(&c)
		return []Class{c}
	}
	for _, test := range []struct {
		d    Preset
		want string
	}{
		{Preset{N: 0, Tick: 1, Classes: []Class{good}}, "N = 0 timers"},
		{Preset{N: 1, Tick: 0, Classes: []Class{good}}, "tick 0s"},
		{Preset{N: 1, Tick: 1, Classes: nil}, "no class of timers"},
		{Preset{N: 1, Tick: 3, Step: 10, Classes: []Class{good}}, "tick 3ns (use one of which 10ns, which the clock passes at once, is a multiple)"},
		{Preset{N: 1, Tick: time.Hour, Classes: []Class{good}}, "shorter than a tick of 1h0m0s"},
		{Preset{N: 1, Tick: 1, Classes: with(func(c *Class) { c.Interval = must("const:1y") })}, "ticks of 1ns (use"},
		{Preset{N: 1, Tick: 1e6, Classes: with(func(c *Class) { c.Interval = must("lognormal:1m,1d") })}, "lognormal:1m,1d has a mean of "},
		{Preset{N: 1, Tick: 1e6, Classes: with(func(c *Class) { c.Restart = End{0.5, must("1s")} })},
			"timers are never restarted after 1s, as their interval const:1s ends before"},
		{Preset{N: 1, Tick: 1e6, Classes: with(func(c *Class) { c.Stop = End{1e-6, must("uniform:1s,2s")} })},
			"timers are never stopped after uniform:1s,2s"},
	} {
		err := test.d.Check()
		require.ErrorIs(t, err, workload.ErrSpec)
		assert.ErrorContains(t, err, test.want)
	}
}

// Quantiles that were meant as bounds are warned of; no preset's are.
func TestSkewed(t *testing.T) {
	for stop, warned := range map[string]bool{"lognormal:1m,1d": true, "lognormal:1m,7m": false, "pareto:1s,1.02": false, "mix:0.999*1ms+0.001*1h": false} {
		assert.Equal(t, warned, len(class(t, "30s", "0.5@"+stop, "").Skewed()) > 0, stop)
	}
	for _, p := range Presets() {
		for _, c := range p.Classes {
			assert.Empty(t, c.Skewed(), p.Name)
		}
	}
}

func class(t *testing.T, interval, stop, restart string) Class {
	t.Helper()
	c, err := ParseClass(interval, stop, restart)
	require.NoError(t, err)
	return c
}

func TestParseClass(t *testing.T) {
	assert.Equal(t, "30s, 66.7 % stopped after exp:1s, restarted after uniform:1s,2s",
		class(t, "30s", "2/3@exp:1s", "uniform:1s,2s").String())
	assert.Equal(t, "30s, 100 % stopped after exp:1s, 50 % restarted after 2s", class(t, "30s", "exp:1s", "0.5@2s").String())
	assert.Equal(t, "exp:30s", class(t, "exp:30s", "", "").String())
	for _, test := range []struct{ interval, stop, restart, want string }{
		{"", "", "", `invalid distribution ""`},
		{"30s", "2@exp:1s", "", `stop: invalid distribution "2@exp:1s" (use a share of timers from 0 to 1, @ and a distribution`},
		{"30s", "0.5", "", `invalid distribution "0.5": a share needs a time, as in 0.5@exp:2s`}, {"30s", "3", "", `"3": invalid duration "3"`}, {"30s", "", "x@1s", `restart: invalid distribution "x@1s" (use`}, {"30s", "0/0@1s", "", `stop: invalid distribution "0/0@1s" (use`},
	} {
		_, err := ParseClass(test.interval, test.stop, test.restart)
		assert.ErrorContains(t, err, test.want)
		assert.ErrorIs(t, err, workload.ErrDist)
	}
}

// Every preset is right, and says of each field where it is from.
func TestPresets(t *testing.T) {
	names := map[string]bool{}
	for _, p := range Presets() {
		t.Run(p.Name, func(t *testing.T) {
			require.False(t, names[p.Name])
			names[p.Name] = true
			require.NoError(t, p.Check())
			found, err := FindPreset(p.Name)
			require.NoError(t, err)
			require.Equal(t, p.About, found.About)
			fields := ""
			for _, n := range p.Notes {
				fields += strings.Join(n.Fields, "\n") + "\n"
			}
			for _, field := range []string{"n", "tick", "interval"} {
				assert.Contains(t, fields, field)
			}
			assert.True(t, p.Slots == 0 || strings.Contains(fields, "M\n"))
			_, err = workload.Mixture{N: p.N, Lives: p.Lives(), Step: p.StepTicks()}.Stream()
			require.NoError(t, err)
		})
	}
	_, err := FindPreset("nothing")
	assert.ErrorContains(t, err, `unknown preset "nothing" (have idle-heartbeat, `)
}

// Rare timers have their exact share, and an interval without a longest one needs room for what may come.
func TestRareTimers(t *testing.T) {
	c := class(t, "mix:0.9999915*uniform:1us,16ms+0.0000085*const:1000s", "", "")
	n := Preset{N: 1_000_000, Tick: time.Millisecond, Classes: []Class{c}}.Numbers()
	assert.InEpsilon(t, 8.5+8.5, n.MeanStay, 0.01, "half of the stay is that of the rare ones")
	assert.EqualValues(t, 1_000_000, n.Longest)
	c = class(t, "mix:0.5*100ms+0.5*30s", "0.995@const:3ms", "")
	n = Preset{N: 20_000, Tick: time.Millisecond, Classes: []Class{c}}.Numbers()
	assert.InEpsilon(t, 0.995*3+0.005*15_050, n.MeanStay, 1e-9)
	c = class(t, "exp:1s", "", "")
	assert.InDelta(t, 36_737, float64(Preset{N: 1, Tick: time.Millisecond, Classes: []Class{c}}.Numbers().Longest), 5)
}
