package draw

import (
	"fmt"
	"math"
	"strings"

	"timerlab/teach/player"
)

// Curve is a plot of what a tick of scheme 6 costs over M. The reader draws a guess; then the paper's formula and the
// refined one are drawn as lines, and each M that has been tried leaves a dot, as counted.
type Curve struct {
	Revealed bool
	workload string
	costs    []player.TickCost // by Sizes
	tried    map[int]bool      // by M
	guess    []float64         // by Sizes; NaN: none yet
	last     int               // the size guessed last
}

// Try leaves a dot at the M of a state. Another workload has other dots.
func (c *Curve) Try(s *player.State) error {
	spec := s.Spec()
	spec.Ticks = 0
	if workload := fmt.Sprint(spec); workload != c.workload {
		c.workload, c.costs, c.tried = workload, nil, map[int]bool{}
		for _, size := range Sizes {
			cost, err := s.CostOfTick(size)
			if err != nil {
				return err
			}
			c.costs = append(c.costs, cost)
		}
	}
	c.tried[s.Slots] = true
	return nil
}

// Guess sets the reader's guess of the cost at a size or, if on, from the size guessed last up to it.
func (c *Curve) Guess(i int, cost float64, on bool) {
	for len(c.guess) < len(Sizes) {
		c.guess = append(c.guess, math.NaN())
	}
	if !on {
		c.last = i
	}
	from, steps := c.guess[c.last], max(i-c.last, c.last-i)
	for k := 1; k < steps; k++ {
		c.guess[c.last+(i-c.last)*k/steps] = from + (cost-from)*float64(k)/float64(steps)
	}
	c.guess[i], c.last = cost, i
}

// Top is the highest cost that the plot has room for.
func (c *Curve) Top() float64 { return 1.1 * max(c.costs[0].Paper, c.costs[0].Refined) }

// A plot's origin is at the highest cost of the lowest size.
const (
	plotStep   = 40.0 // from size to size
	plotHeight = 180.0
)

// place returns where the cost at a size is drawn.
func (c *Curve) place(i int, cost float64) (x, y float64) {
	return plotStep * float64(i), plotHeight * (1 - cost/c.Top())
}

// line draws a cost at every size, but for those that are NaN.
func (c *Curve) line(class string, cost func(i int) float64) string {
	path := ""
	for i := range Sizes {
		if v := cost(i); !math.IsNaN(v) {
			x, y := c.place(i, v)
			path += fmt.Sprintf("%c%.1f %.1f", "ML"[min(len(path), 1)], x, y)
		}
	}
	return fmt.Sprintf(`<path class="line %s" d="%s"/>`, class, path)
}

// Draw returns what is in the plot of a wheel with some slots, and its numbers as rows of a table.
func (c *Curve) Draw(slots int) (svg, rows string) {
	var b strings.Builder
	for step, cost := round(c.Top()/2), 0.0; cost < c.Top(); cost += step {
		_, y := c.place(0, cost)
		fmt.Fprintf(&b, `<path class="rule" d="M0 %.1fH%g"/><text class="axis" x="-7" y="%.1f">%g</text>`,
			y, plotStep*float64(len(Sizes)-1), y+4, cost)
	}
	if c.guess != nil {
		b.WriteString(c.line("guess", func(i int) float64 { return c.guess[i] }))
	}
	if c.Revealed {
		b.WriteString(c.line("line1", func(i int) float64 { return c.costs[i].Paper }))
		b.WriteString(c.line("line0", func(i int) float64 { return c.costs[i].Refined }))
	}
	for i, size := range Sizes {
		x, _ := c.place(i, 0)
		fmt.Fprintf(&b, `<text class="axis" x="%g" y="%g">%d</text>`, x+6, plotHeight+19, size)
		if c.Revealed && c.tried[size] {
			_, y := c.place(i, c.costs[i].Counted)
			class, guess := "counted", "-"
			if size == slots {
				class += " here"
			}
			fmt.Fprintf(&b, `<circle class="%s" cx="%.1f" cy="%.1f" r="5"/>`, class, x, y)
			if c.guess != nil && !math.IsNaN(c.guess[i]) {
				guess = fmt.Sprintf("%.0f", c.guess[i])
			}
			rows += fmt.Sprintf("<tr><th scope=\"row\">%d</th><td>%s</td><td>%.1f</td><td>%.1f</td><td>%.1f</td></tr>",
				size, guess, c.costs[i].Counted, c.costs[i].Paper, c.costs[i].Refined)
		}
	}
	return b.String(), rows
}
