package claims

import (
	"math"
	"strings"

	"timerlab/harness/figures"
)

// Figures of lists, trees and simulators' wheels.

// drawPassed: the share of an ordered list that a start passes.
func drawPassed(c *chart) {
	c.X.Names = strings.Fields("exp uniform const erlang pareto bimodal")
	for _, series := range []struct{ name, rows string }{ // long batches where the longest timers stay long
		{"from the head", `
			passed/others of ordered n=200 T=1000 dist=exp,uniform warm=4T each=8T = p;
			starting/others of ordered n=200 T=1000 dist=const warm=4T each=8T = p;
			passed/others of ordered n=200 T=1000 dist=erlang warm=4T each=8T = p;
			passed/others of ordered n=200 T=1000 dist=pareto,bimodal warm=4T each=48T = p`},
		{"from the rear", `
			passed/others of ordered-rear n=200 T=1000 dist=exp,uniform,const,erlang warm=4T each=8T = 1-p;
			passed/others of ordered-rear n=200 T=1000 dist=pareto,bimodal warm=4T each=48T = 1-p`},
		{"from the head, 90 % stopped at 5 %", `
			passed/others of ordered n=200 T=200 dist=exp,uniform stop=0.9@0.05 warm=4T each=8T = p;
			starting/others of ordered n=200 T=200 dist=const stop=0.9@0.05 warm=4T each=8T = p;
			passed/others of ordered n=200 T=200 dist=erlang stop=0.9@0.05 warm=4T each=8T = p;
			passed/others of ordered n=200 T=200 dist=pareto,bimodal stop=0.9@0.05 warm=4T each=48T = p`},
	} {
		c.rows(series.name, series.rows)
	}
	c.add("the paper's text, from the head", figures.Measured, []figures.Point{{X: 0, Y: 2. / 3}, {X: 1, Y: 1. / 2}})
	head := c.Series[1].Points
	c.title(head[0].Y, head[1].Y)
}

// rows adds what lines of Counts predict and count, run by run.
func (c *chart) rows(name, lines string) {
	var predicted, counted []figures.Point
	for _, line := range parseLines(lines, parseCount) {
		for _, words := range line.runs {
			e, v, _ := c.lab.measured(words, line.measure)
			x := float64(len(counted))
			predicted = append(predicted, figures.Point{X: x, Y: line.want.value(e)})
			counted = append(counted, countedPoint(x, v))
		}
	}
	c.compare(name, name, predicted, counted)
}

// drawDepth: the timers that START of an unbalanced tree passes. A tree keeps its shape for about T, so
// batches are longer than that, but for equal intervals: there every start passes all timers.
func drawDepth(c *chart) {
	sizes := []float64{100, 300, 1_000, 3_000, 10_000}
	for _, kind := range []struct {
		dist, each string
		counted    []float64
		depth      func(n float64) float64
		name       string
	}{
		{"const", "0.125T", sizes[:4], func(n float64) float64 { return n - 1 }, "equal intervals"},
		{"uniform", "2T", sizes, math.Sqrt, "uniform intervals"},
		{"exp", "2T", sizes, func(n float64) float64 { return 1.3 * math.Log2(n) }, "exponential intervals"},
	} {
		c.compare(kind.name, kind.name, predictedPoints(sizes, kind.depth),
			countedPoints(kind.counted, func(n float64) Value {
				e := c.lab.experiment("tree-bst n=%v T=n dist=%s warm=3T each=%s", n, kind.dist, kind.each)
				return c.lab.run(e).per(starting, started)
			}))
	}
	uniform, exp := c.Series[3].Points, c.Series[5].Points
	c.title(uniform[4].Y, exp[4].Y)
}

// drawOverflow: the starts that the wheels of simulators put aside, each of which moves into the wheel
// once. Poisson starts come at any phase of the cycle.
func drawOverflow(c *chart) {
	var eighths, counted []float64
	for x := 0.0; x <= 1; x += 0.125 {
		eighths = append(eighths, x)
	}
	const slots = 256
	for _, T := range []float64{201, 51, 101, 151, 251} { // none meets the refills in step
		counted = append(counted, T/slots)
	}
	for _, wheel := range []struct {
		scheme, name string
		share        func(x float64) float64
	}{
		{"simplewheel-tegas", "TEGAS-2: refilled once a cycle", func(x float64) float64 { return min(1, x) }},
		{"simplewheel", "scheme 4: rotated every tick", func(float64) float64 { return 0 }},
	} {
		c.compare(wheel.name, wheel.scheme, predictedPoints(eighths, wheel.share),
			countedPoints(counted, func(x float64) Value {
				e := c.lab.experiment("%s M=%d n=1000 T=%v dist=const arrivals=poisson warm=8M each=16M", wheel.scheme,
					slots, x*slots)
				return c.lab.run(e).per(migrations, started)
			}))
	}
	last := len(counted) - 1
	c.title(counted[last], 100*c.Series[1].Points[last].Y)
}

// drawLazy: what lazy stops hold.
func drawLazy(c *chart) {
	var shares []float64
	for share := 0.0; share < 0.985; share += 0.02 {
		shares = append(shares, share)
	}
	c.compare("", "hashunsorted-lazy", predictedPoints(append(shares, 0.99), heldPerLive),
		countedPoints([]float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}, func(share float64) Value {
			return countHeld(c.lab, share, 2)
		}))
	counted := c.Series[1].Points
	c.title(counted[4].Y, counted[6].Y)
}
