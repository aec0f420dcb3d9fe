package draw

import (
	"fmt"
	"math"
	"strings"

	"timerlab/teach/player"
)

// RaceView is how a race is drawn: in pixels, since its text must not shrink on a small screen.
type RaceView struct {
	Width, Height float64
	Guess         float64 // the reader's flag, in octaves of M
	Shown         bool    // whether the other flags are
	Measured      float64 // J in M, for the flag; 0: none
}

// The room around the plot. The style sheet lays the slider of the reader's flag over the plot.
const (
	raceLeft, raceRight = 44.0, 16.0
	flagHeight          = 18.0
	raceTop             = 4*flagHeight + 14
	raceBottom          = 40.0
)

// plot is a race's plot in the making.
type plot struct {
	strings.Builder
	RaceView
	low, high float64 // looks
}

// Race returns the plot of looks at a timer over T, with a dot for each count and a flag for each crossing.
func Race(r *player.Race, v RaceView) string {
	p := plot{RaceView: v, low: 1, high: 20}
	for _, d := range r.Dots {
		for i := range d.Looks {
			if each := d.Each(i); d.Refused == nil && each > 0 {
				p.low, p.high = min(p.low, each), max(p.high, each)
			}
		}
	}
	p.axes()
	for i := range r.State.Schemes {
		p.line(r, i)
	}
	flags := []player.Flag{{Name: "your flag", T: math.Exp2(v.Guess) * float64(r.State.Slots)}}
	if v.Shown {
		flags = append(flags, r.Flags(v.Measured)...)
	}
	for i, f := range flags {
		p.flag(i, f, r)
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %g %g" role="img" aria-label="Looks at a timer over T, for both schemes; the table `+
		`of all counts has the numbers">%s</svg>`, v.Width, v.Height, p.String())
}

func (p *plot) x(octave float64) float64 {
	share := (octave - player.LeastOctave) / (player.MostOctave - player.LeastOctave)
	return raceLeft + share*(p.Width-raceLeft-raceRight)
}

func (p *plot) y(looks float64) float64 {
	share := math.Log(looks/p.low) / math.Log(p.high/p.low)
	return p.Height - raceBottom - share*(p.Height-raceBottom-raceTop)
}

// axes draws the lines of the plot, with numbers at every second octave of M, and at 1, 2, 5, 10 and so on or, on a high
// axis, at the powers of ten.
func (p *plot) axes() {
	bottom := p.Height - raceBottom
	for octave := player.LeastOctave; octave <= player.MostOctave; octave += 2 {
		text := map[bool]string{true: fmt.Sprintf("M/%d", 1<<max(0, -octave)), false: fmt.Sprintf("%d M", 1<<max(0, octave))}[octave < 0]
		if octave == 0 {
			text = "M"
		}
		x := p.x(float64(octave))
		fmt.Fprintf(p, `<path class="rule" d="M%.1f %gV%.1f"/><text class="tick" x="%.1f" y="%.1f">%s</text>`,
			x, raceTop, bottom, x, bottom+16, text)
	}
	digits := []float64{1, 2, 5}
	if p.high/p.low > 1000 {
		digits = digits[:1]
	}
	for ten := math.Pow10(int(math.Floor(math.Log10(p.low)))); ten <= p.high; ten *= 10 {
		for _, digit := range digits {
			if looks := digit * ten; looks >= p.low && looks <= p.high {
				y := p.y(looks)
				fmt.Fprintf(p, `<path class="rule" d="M%g %.1fH%g"/><text class="tick end" x="%g" y="%.1f">%.3g</text>`,
					raceLeft, y, p.Width-raceRight, raceLeft-6, y+4, looks)
			}
		}
	}
	fmt.Fprintf(p, `<text class="tick" x="%.1f" y="%.1f">T, the mean time a timer stays, in M</text>`, p.x(-1), bottom+34)
}

// line draws what a scheme has counted: dots, which are squares for the second, and the line through them.
func (p *plot) line(r *player.Race, scheme int) {
	var path, dots strings.Builder
	var x, y float64
	above := true
	for _, d := range r.Dots {
		octave := math.Log2(float64(d.T) / float64(r.State.Slots))
		if d.Refused != nil || d.Each(scheme) == 0 || octave < player.LeastOctave || octave > player.MostOctave {
			continue
		}
		x, y = p.x(octave), p.y(d.Each(scheme))
		above = d.Each(scheme) >= d.Each(1-scheme)
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(path.Len(), 1)], x, y)
		size := 3.5
		if d.T == r.State.T {
			size = 7
		}
		fmt.Fprintf(&dots, `<rect class="mark%d" x="%.1f" y="%.1f" width="%g" height="%g" rx="%g"/>`,
			scheme, x-size, y-size, 2*size, 2*size, size*float64(1-scheme))
	}
	if path.Len() == 0 {
		return
	}
	below := map[bool]float64{true: -12, false: 22}[above]
	anchor := map[bool]string{true: "end", false: "begin"}[x > p.Width/2]
	fmt.Fprintf(p, `<path class="line line%d" d="%s"/>%s<text class="who %s" x="%.1f" y="%.1f">%s</text>`,
		scheme, path.String(), dots.String(), anchor, x, y+below, player.Who(r.State.Schemes[scheme]))
}

// flag draws a flag in a row of its own above the plot, so that no two hide each other.
func (p *plot) flag(row int, f player.Flag, r *player.Race) {
	octave := math.Log2(f.T / float64(r.State.Slots))
	x, y := p.x(min(max(octave, player.LeastOctave), player.MostOctave)), 14+float64(row)*flagHeight
	anchor, way := "begin", 1.0
	if x > p.Width/2 {
		anchor, way = "end", -1
	}
	class := strings.Fields(f.Name)[0]
	fmt.Fprintf(p, `<g class="flag %s"><path d="M%.1f %.1fV%.1f"/><path class="cloth" d="M%.1f %.1fl%g 5l%g 5z"/>`+
		`<text class="%s" x="%.1f" y="%.1f">%s: %s</text></g>`, strings.TrimSuffix(class, "'s"), x, y-10, p.Height-raceBottom,
		x, y-10, 12*way, -12*way, anchor, x+18*way, y, f.Name, r.InM(f.T))
}
