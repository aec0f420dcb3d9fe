package draw

import (
	"fmt"
	"math"
	"strings"

	"timerlab/teach/player"
)

// Curve is a plot of what a tick of scheme 6 costs over M. The reader draws a guess; then the formulas are drawn, and a
// dot for each M that has been tried, as counted. Its origin is at the highest cost of the first of Sizes.
type Curve struct {
	Revealed                       bool
	workload                       string
	paper, refined, counted, guess map[int]float64 // by the place in Sizes; counted has those tried
	last                           int             // place of the guess made last
}

const (
	plotStep   = 40.0 // from size to size
	plotHeight = 180.0
)

// Try counts what a tick costs at the M of a state. Another workload has other dots.
func (c *Curve) Try(s *player.State) error {
	spec := s.Spec()
	spec.Ticks = 0
	same := c.workload == fmt.Sprint(spec)
	if !same {
		c.workload, c.paper, c.refined, c.counted = fmt.Sprint(spec), map[int]float64{}, map[int]float64{}, map[int]float64{}
	}
	for i, size := range Sizes {
		if same && size != s.Slots {
			continue
		}
		paper, refined, counted, err := s.CostOfTick(size)
		if err != nil {
			return err
		}
		c.paper[i], c.refined[i] = paper, refined
		if size == s.Slots {
			c.counted[i] = counted
		}
	}
	return nil
}

// top is the highest cost that the plot has room for.
func (c *Curve) top() float64 { return 1.1 * max(c.paper[0], c.refined[0]) }

// Guess draws the reader's guess at a place of the plot or, if on, from the last one to there.
func (c *Curve) Guess(x, y float64, on bool) {
	i := max(0, min(len(Sizes)-1, int(math.Round(x/plotStep))))
	cost := c.top() * max(0, min(1, 1-y/plotHeight))
	if c.guess == nil {
		c.guess = map[int]float64{}
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

func (c *Curve) y(cost float64) float64 { return plotHeight * (1 - cost/c.top()) }

// line draws the costs at some sizes.
func (c *Curve) line(class string, costs map[int]float64) string {
	path := ""
	for i := range Sizes {
		if cost, ok := costs[i]; ok {
			path += fmt.Sprintf("%c%g %.1f", "ML"[min(len(path), 1)], plotStep*float64(i), c.y(cost))
		}
	}
	return fmt.Sprintf(`<path class="line %s" d="%s"/>`, class, path)
}

// Draw returns what is in the plot, and its numbers as rows of a table.
func (c *Curve) Draw(s *player.State) (svg, rows string) {
	var b strings.Builder
	for cost := 0.0; cost < c.top(); cost += round(c.top() / 2) {
		fmt.Fprintf(&b, `<path class="rule" d="M0 %.1fH%g"/><text class="axis" x="-7" y="%.1f">%g</text>`,
			c.y(cost), plotStep*float64(len(Sizes)-1), c.y(cost)+4, cost)
	}
	b.WriteString(c.line("guess", c.guess))
	if c.Revealed {
		b.WriteString(c.line("line1", c.paper) + c.line("line0", c.refined))
	}
	for i, size := range Sizes {
		x, class := plotStep*float64(i), "counted"
		fmt.Fprintf(&b, `<text class="axis" x="%g" y="%g">%d</text>`, x+6, plotHeight+19, size)
		counted, tried := c.counted[i]
		if !tried || !c.Revealed {
			continue
		}
		if size == s.Slots {
			class += " here"
		}
		fmt.Fprintf(&b, `<circle class="%s" cx="%g" cy="%.1f" r="5"/>`, class, x, c.y(counted))
		guess := "-"
		if cost, ok := c.guess[i]; ok {
			guess = fmt.Sprintf("%.1f", cost)
		}
		rows += fmt.Sprintf(`<tr><th scope="row">%d</th><td>%s</td><td>%.1f</td><td>%.1f</td><td>%.1f</td></tr>`,
			size, guess, counted, c.paper[i], c.refined[i])
	}
	return b.String(), rows
}
