package claims

import (
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Figures of lists, trees and simulators' wheels.

// drawPassed: the share of an ordered list that a start passes.
func drawPassed(c *chart) {
	dists := passingDists()
	var columns []float64
	for i, dist := range dists {
		c.X.Names, columns = append(c.X.Names, dist.String()), append(columns, float64(i))
	}
	for _, kind := range []struct {
		name        string
		stops, rear bool
	}{
		{"from the head", false, false},
		{"from the rear", false, true},
		{"from the head, 90 % stopped at 5 %", true, false},
	} {
		search := func(column float64) passing { return passing{dists[int(column)], kind.stops, kind.rear} }
		c.compare(kind.name, kind.name,
			predictedPoints(columns, func(x float64) float64 { return search(x).predicted(passingN) }),
			countedPoints(columns, func(x float64) Value { return search(x).share(c.lab, passingN) }))
	}
	c.add("the paper's text, from the head", figures.Measured, []figures.Point{{X: 0, Y: 2. / 3}, {X: 1, Y: 1. / 2}})
	c.caption(passingN)
	head := c.Series[1].Points
	c.title(head[0].Y, head[1].Y)
}

// drawDepth: the timers that START of an unbalanced tree passes.
func drawDepth(c *chart) {
	sizes := []float64{100, 300, 1_000, 3_000, 10_000}
	for _, kind := range []struct {
		dist  workload.Dist
		depth func(n float64) float64
		name  string
	}{
		{workload.Const(), func(n float64) float64 { return n - 1 }, "equal intervals"},
		{workload.Uniform(), math.Sqrt, "uniform intervals"},
		{workload.Exp(), func(n float64) float64 { return 1.3 * math.Log2(n) }, "exponential intervals"},
	} {
		counted := sizes
		if kind.dist == workload.Const() {
			counted = sizes[:4] // every start passes all timers: slow, and always the same
		}
		c.compare(kind.name, kind.name, predictedPoints(sizes, kind.depth),
			countedPoints(counted, func(n float64) Value {
				e := treeRun(int(n), kind.dist)
				if kind.dist == workload.Const() {
					e.each /= 16
				}
				return c.lab.run(e).per(starting, started)
			}))
	}
	c.caption()
	uniform, exp := c.Series[3].Points, c.Series[5].Points
	c.title(uniform[4].Y, exp[4].Y)
}

// drawOverflow: the starts that the wheels of simulators put aside.
func drawOverflow(c *chart) {
	var eighths, counted []float64
	for x := 0.0; x <= 1; x += 0.125 {
		eighths = append(eighths, x)
	}
	for _, j := range overflowed {
		counted = append(counted, float64(j)/overflowSlots)
	}
	for _, wheel := range []struct {
		scheme, name string
		share        func(x float64) float64
	}{
		{"simplewheel-tegas", "TEGAS-2: refilled once a cycle", func(x float64) float64 { return min(1, x) }},
		{"simplewheel-decsim", "DECSIM: rotated by half", func(x float64) float64 { return min(1, max(0, 2*x-1)) }},
		{"simplewheel", "scheme 4: rotated every tick", func(float64) float64 { return 0 }},
	} {
		c.compare(wheel.name, wheel.scheme, predictedPoints(eighths, wheel.share),
			countedPoints(counted, func(x float64) Value {
				return overflows(c.lab, wheel.scheme, schemes.Tick(x*overflowSlots))
			}))
	}
	c.caption(overflowSlots)
	last := len(counted) - 1
	c.title(counted[last], 100*c.Series[1].Points[last].Y, 100*c.Series[3].Points[last].Y)
}

// drawLazy: what lazy stops hold.
func drawLazy(c *chart) {
	var shares []float64
	for share := 0.0; share < 0.985; share += 0.02 {
		shares = append(shares, share)
	}
	c.compare("", "hashunsorted-lazy",
		predictedPoints(append(shares, 0.99), func(share float64) float64 {
			return cost.HeldPerLive(lazySpec(share).Lives())
		}),
		countedPoints([]float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}, func(share float64) Value {
			return lazily(c.lab, share, 2)
		}))
	c.caption()
	counted := c.Series[1].Points
	c.title(counted[4].Y, counted[6].Y)
}
