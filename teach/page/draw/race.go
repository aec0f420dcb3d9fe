package draw

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"timerlab/schemes"
	"timerlab/teach/player"
)

// RacePlot is the plot of a race. Its sizes are pixels, since its text must not shrink on a small screen; the style sheet
// lays the slider of the reader's flag over it.
type RacePlot struct {
	*player.Race
	Width, Height float64
	Flags         []player.Flag

	low, high float64 // looks
}

const (
	raceLeft, raceRight = 50.0, 16.0
	raceTop, raceBottom = 86.0, 24.0 // four flags above, a line of numbers below
	flagName            = 200.0      // width of the longest
)

// octaves are the marks of T in M.
var octaves = []string{"M/64", "", "M/16", "", "M/4", "", "M", "", "4 M", "", "16 M"}

func (p *RacePlot) x(t float64) float64 {
	octave := math.Log2(t/float64(p.State.Slots)) - player.LeastOctave
	return raceLeft + min(max(0, octave/float64(len(octaves)-1)), 1)*(p.Width-raceLeft-raceRight)
}

func (p *RacePlot) y(looks float64) float64 {
	return p.Height - raceBottom - math.Log(looks/p.low)/math.Log(p.high/p.low)*(p.Height-raceBottom-raceTop)
}

// String returns the plot: a line with a dot for each count of a scheme, and the flags.
func (p *RacePlot) String() string {
	p.low, p.high = 0.6, 20 // below the lowest dot there is room for a name
	for _, d := range p.Dots {
		for i := range d.Looks {
			if d.Looks[i] > 0 {
				p.low, p.high = min(p.low, 0.6*d.Each(i)), max(p.high, d.Each(i))
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="Looks at a timer over T; the table of all counts has the numbers">`,
		p.Width, p.Height)
	for i, text := range octaves {
		if x := p.x(math.Ldexp(float64(p.State.Slots), i+player.LeastOctave)); text != "" {
			fmt.Fprintf(&b, `<path class="rule" d="M%.1f %gV%.1f"/><text class="tick" x="%.1f" y="%.1f">%s</text>`,
				x, raceTop, p.y(p.low), x, p.Height-8, text)
		}
	}
	for ten := math.Pow10(int(math.Floor(math.Log10(p.low)))); ten <= p.high; ten *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if y := p.y(digit * ten); digit*ten >= p.low && digit*ten <= p.high && (digit == 1 || p.high < 1000*p.low) {
				fmt.Fprintf(&b, `<path class="rule" d="M%g %.1fH%g"/><text class="tick end" x="%g" y="%.1f">%.3g</text>`,
					raceLeft, y, p.Width-raceRight, raceLeft-6, y+4, digit*ten)
			}
		}
	}
	fmt.Fprintf(&b, `<text class="tick" transform="translate(12,%g) rotate(-90)">looks at a timer</text>`, p.Height/2)
	b.WriteString(p.line(0) + p.line(1))
	slices.SortFunc(p.Flags, func(a, b player.Flag) int { return cmp.Compare(b.T, a.T) }) // so few lines cross the names
	for row, f := range p.Flags {
		x, y, side, way := p.x(f.T), 14+18*row, "end", -1
		if x < flagName {
			side, way = "begin", 1
		}
		fmt.Fprintf(&b, `<g class="flag %s"><path d="M%.1f %dV%.1f"/><path class="cloth" d="M%.1f %dl%d 5l%d 5z"/>`+
			`<text class="%s" x="%.1f" y="%d">%s: %s</text></g>`, strings.Fields(f.Name)[0], x, y-10, p.y(p.low),
			x, y-10, 12*way, -12*way, side, x+float64(18*way), y, f.Name, p.InM(f.T))
	}
	return b.String() + "</svg>"
}

// line draws what a scheme has counted. The dots of the second are squares.
func (p *RacePlot) line(scheme int) string {
	var line, dots strings.Builder
	x, y, name := 0.0, 0.0, -12.0
	for _, t := range p.counted() {
		d, size := p.Dots[t], 3.5
		if t == p.State.T {
			size = 7
		}
		x, y = p.x(float64(t)), p.y(d.Each(scheme))
		if name = -12; d.Each(scheme) < d.Each(1-scheme) {
			name = 22
		}
		fmt.Fprintf(&line, "%c%.1f %.1f", "ML"[min(line.Len(), 1)], x, y)
		fmt.Fprintf(&dots, `<rect class="mark%d" x="%.1f" y="%.1f" width="%g" height="%g" rx="%g"/>`,
			scheme, x-size, y-size, 2*size, 2*size, size*float64(1-scheme))
	}
	if line.Len() == 0 {
		return ""
	}
	return fmt.Sprintf(`<path class="line line%d" d="%s"/>%s<text class="who end" x="%.1f" y="%.1f">%s</text>`,
		scheme, line.String(), dots.String(), max(x, raceLeft+80), y+name, p.Who(scheme))
}

// counted returns the T that have a dot, ascending.
func (p *RacePlot) counted() []schemes.Tick {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.Dots)), func(t schemes.Tick) bool {
		return p.Dots[t].Refused != "" || min(p.Dots[t].Looks[0], p.Dots[t].Looks[1]) == 0
	})
}

// Table returns the plot as the rows of a table.
func (p *RacePlot) Table() string {
	text := fmt.Sprintf(`<thead><tr><th scope="col">T, ticks</th><th scope="col">in M</th><th scope="col">%s</th>`+
		`<th scope="col">%s</th></tr></thead><tbody>`, p.Who(0), p.Who(1))
	for _, t := range p.counted() {
		text += fmt.Sprintf(`<tr><th scope="row">%d</th><td>%s</td><td>%.3f</td><td>%.3f</td></tr>`,
			t, p.InM(float64(t)), p.Dots[t].Each(0), p.Dots[t].Each(1))
	}
	return text + "</tbody>"
}
