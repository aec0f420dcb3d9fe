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
	Revealed bool
	workload string
	costs    [][3]float64    // by the place in Sizes: the paper's formula, the refined one, and as counted
	tried    map[int]bool    // by M
	guess    map[int]float64 // by the place in Sizes
	last     int             // place of the guess made last
}

const (
	plotStep   = 40.0 // from size to size
	plotHeight = 180.0
)

// Try leaves a dot at the M of a state. Another workload has other dots.
func (c *Curve) Try(s *player.State) error {
	if workload := fmt.Sprint(s.Spec()); workload != c.workload {
		var costs [][3]float64
		for _, size := range Sizes {
			paper, refined, counted, err := s.CostOfTick(size)
			if err != nil {
				return err
			}
			costs = append(costs, [3]float64{paper, refined, counted})
		}
		c.workload, c.costs, c.tried = workload, costs, map[int]bool{}
	}
	c.tried[s.Slots] = true
	return nil
}

// top is the highest cost that the plot has room for.
func (c *Curve) top() float64 { return 1.1 * max(c.costs[0][0], c.costs[0][1]) }

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

// line draws one of the costs at every size.
func (c *Curve) line(class string, which int) string {
	path := ""
	for i, costs := range c.costs {
		path += fmt.Sprintf("%c%g %.1f", "ML"[min(i, 1)], plotStep*float64(i), c.y(costs[which]))
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
	if c.Revealed {
		b.WriteString(c.line("line1", 0) + c.line("line0", 1))
	}
	guessed := ""
	for i, size := range Sizes {
		x, guess, class := plotStep*float64(i), "-", "counted"
		fmt.Fprintf(&b, `<text class="axis" x="%g" y="%g">%d</text>`, x+6, plotHeight+19, size)
		if cost, ok := c.guess[i]; ok {
			guess = fmt.Sprintf("%.1f", cost)
			guessed += fmt.Sprintf("%c%g %.1f", "ML"[min(len(guessed), 1)], x, c.y(cost))
		}
		if !c.tried[size] || !c.Revealed {
			continue
		}
		if size == s.Slots {
			class += " here"
		}
		paper, refined, counted := c.costs[i][0], c.costs[i][1], c.costs[i][2]
		fmt.Fprintf(&b, `<circle class="%s" cx="%g" cy="%.1f" r="5"/>`, class, x, c.y(counted))
		rows += fmt.Sprintf(`<tr><th scope="row">%d</th><td>%s</td><td>%.1f</td><td>%.1f</td><td>%.1f</td></tr>`,
			size, guess, counted, paper, refined)
	}
	fmt.Fprintf(&b, `<path class="line guess" d="%s"/>`, guessed)
	return b.String(), rows
}
