package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	cellHeight vg.Length = 31
	mapLeft    vg.Length = 44 // for the labels of M
)

// look is how cells of one outcome are drawn: 6 dark and 7 light, so that they differ on a grey print.
type look struct {
	letter, legend string
	fill, text     color.RGBA
	hatched        bool
}

var looks = [...]look{
	Missing: {"–", "not measured", rgb(0xFFFFFF), faint, false},
	Six:     {"6", "6 hashunsorted costs less", rgb(0x4477AA), rgb(0xFFFFFF), false},
	Seven:   {"7", "7 hierarchical costs less", tint(rgb(0xEE6677), 0.38), ink, false},
	Tie:     {"=", "within the noise", rgb(0xFFFFFF), ink, true},
}

// keys lists the outcomes and rules that the map shows.
func (f WinnerMap) keys() legend {
	var seen [len(looks)]bool
	for _, row := range f.Cells {
		for _, c := range row {
			seen[c.Winner] = true
		}
	}
	var keys legend
	for _, w := range []Winner{Six, Seven, Tie, Missing} {
		if seen[w] {
			keys = append(keys, looks[w].key())
		}
	}
	for _, r := range f.rules() {
		keys = append(keys, flatKey(r.line, r.name+": 6 to the left, 7 to the right"))
	}
	return keys
}

func (k look) key() key {
	return key{k.legend, wideSample - 8, func(c draw.Canvas, box vg.Rectangle) {
		k.draw(c, []vg.Rectangle{box})
		write(c, bold(lettering(labelSize, k.text)), (box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2, -0.5, k.letter)
	}}
}

// draw paints the boxes in the look's fill, hatch and border, each as one path.
func (k look) draw(c draw.Canvas, boxes []vg.Rectangle) {
	fill(c, k.fill, boxes...)
	var hatch, border [][]vg.Point
	for _, b := range boxes {
		hatch = append(hatch, diagonals(b, 4)...)
		border = append(border, []vg.Point{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}, b.Min})
	}
	if k.hatched {
		stroke(c, draw.LineStyle{Color: rgb(0xAAAAAA), Width: 0.6}, hatch...)
	}
	if k.fill == rgb(0xFFFFFF) {
		stroke(c, draw.LineStyle{Color: rgb(0xCCCCCC), Width: 0.5}, border...)
	}
}

// diagonals are lines at 45 degrees across b, a step apart along its edges.
func diagonals(b vg.Rectangle, step vg.Length) [][]vg.Point {
	w, h := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y
	var lines [][]vg.Point
	for d := step; d < w+h; d += step {
		from := vg.Point{X: b.Min.X + max(0, d-h), Y: b.Min.Y + min(d, h)}
		to := vg.Point{X: b.Min.X + min(d, w), Y: b.Min.Y + max(0, d-w)}
		lines = append(lines, []vg.Point{from, to})
	}
	return lines
}

type mapLayout struct {
	WinnerMap
	legend legend
}

func (l mapLayout) draw(body draw.Canvas) {
	write(body, lettering(labelSize, ink), body.Min.X, body.Max.Y-yLabelHeight/2, 0,
		shortened(lettering(labelSize, ink), orElse(l.YLabel, "slots in all wheels, M"), bodyWidth))
	area := rect(body.Min.X+mapLeft, body.Min.Y+l.legend.height()+xAxisHeight,
		body.Max.X-4, body.Max.Y-yLabelHeight-tagHeight)
	p := newPlot()
	p.X.Min, p.X.Max, p.X.Tick.Marker = -0.5, float64(len(l.T))-0.5, indexTicks(l.T, area.Max.X-area.Min.X)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = -0.5, float64(len(l.M))-0.5, indexTicks(l.M, math.MaxInt)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Width, a.Tick.Length = 0, 2
		a.Tick.Width = 0.01 // a gap of the tick's length but no visible tick
		a.Tick.Color = color.White
	}
	labelX(p, orElse(l.XLabel, "mean time a timer stays, T (ticks)"), area)
	p.Add(l)
	drawAt(p, body, area)
	l.legend.draw(body)
}

// indexTicks labels the values at 0, 1, 2, …; only every second one and so on if all do not fit
// side by side into width.
func indexTicks(values []float64, width vg.Length) plot.ConstantTicks {
	widest := vg.Length(0)
	for _, v := range values {
		widest = max(widest, lettering(labelSize, ink).Width(Exact(v))+6)
	}
	step := int(math.Ceil(float64(widest * vg.Length(len(values)) / width)))
	var ticks plot.ConstantTicks
	for i := 0; i < len(values); i += step {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: Exact(values[i])})
	}
	return ticks
}

// Plot draws cells, frontiers and then the cells' text, so that no line runs through a number; it
// makes mapLayout a plot.Plotter.
func (l mapLayout) Plot(c draw.Canvas, _ *plot.Plot) {
	w := (c.Max.X - c.Min.X) / vg.Length(len(l.T))
	h := (c.Max.Y - c.Min.Y) / vg.Length(len(l.M))
	var boxes [len(looks)][]vg.Rectangle
	for i, row := range l.Cells {
		for j, cell := range row {
			x, y := c.Min.X+w*vg.Length(j), c.Min.Y+h*vg.Length(i)
			boxes[cell.Winner] = append(boxes[cell.Winner], rect(x+0.6, y+0.6, x+w-0.6, y+h-0.6))
		}
	}
	for winner, b := range boxes {
		looks[winner].draw(c, b)
	}
	for i, row := range l.Cells {
		for j, cell := range row {
			cell.write(c, vg.Point{X: c.Min.X + w*(vg.Length(j)+0.5), Y: c.Min.Y + h*(vg.Length(i)+0.5)}, w)
		}
	}
	l.drawRules(c, w, h)
}

// write puts letter and ratio into a cell of width w, the ratio as small as it must be but only if it is readable.
func (cell Cell) write(c draw.Canvas, mid vg.Point, w vg.Length) {
	k := looks[cell.Winner]
	ratio := ""
	if cell.Winner != Missing && placed(cell.Ratio) {
		ratio = ratioText(cell.Ratio)
	}
	s := lettering(labelSize-0.5, k.text)
	if wide := s.Width(ratio); wide > w-4 {
		s.Font.Size *= (w - 4) / wide
	}
	if s.Font.Size < 5.5 {
		ratio = ""
	}
	up := vg.Length(0)
	if ratio != "" {
		up = 6
	}
	if k.hatched {
		half := max(s.Width(ratio)/2, 4) + 1.5
		fill(c, k.fill, rect(mid.X-half, mid.Y-6-up, mid.X+half, mid.Y+6+up))
	}
	write(c, bold(lettering(labelSize+1, k.text)), mid.X, mid.Y+up, -0.5, k.letter)
	if ratio != "" {
		write(c, s, mid.X, mid.Y-up-0.5, -0.5, ratio)
	}
}

// ratioText writes 1.32×, 13.2×, 132×, 1.32k×.
func ratioText(r float64) string {
	if r >= 999.5 {
		return Count.Label(r) + "×"
	}
	return fmt.Sprintf("%.*f×", max(0, 2-int(math.Log10(max(1, rounded(r))))), r)
}

// drawRules draws the frontiers with a white edge that lifts them off dark cells, and names them above the map.
func (l mapLayout) drawRules(c draw.Canvas, w, h vg.Length) {
	var tags []tag
	for _, r := range l.rules() {
		var lines [][]vg.Point
		for _, steps := range r.steps(l.T) {
			for i, s := range steps {
				steps[i] = vg.Point{X: c.Min.X + s.X*w + r.shift, Y: min(max(c.Min.Y+s.Y*h-r.shift, c.Min.Y), c.Max.Y)}
			}
			lines = append(lines, steps)
		}
		stroke(c, draw.LineStyle{Color: color.White, Width: r.line.Width + 1.6}, lines...)
		stroke(c, r.line, lines...)
		if top := column(l.T, r.tStar[len(r.tStar)-1]); top >= 0 {
			tags = append(tags, tag{r.name, c.Min.X + vg.Length(top)*w + r.shift})
		}
	}
	drawTags(c, tags, c.Max.Y+1, c.Min.X-mapLeft, c.Max.X+4, labelSize-0.5, ink)
}
