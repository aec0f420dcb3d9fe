package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	cellHeight vg.Length = 31
	mapLeft    vg.Length = 44 // for the labels of M
)

// A look is how cells of one outcome are drawn: 6 dark and 7 light, so that they differ on a grey print.
type look struct {
	letter, legend string
	fill, text     color.RGBA
	hatched        bool
}

var looks = [...]look{
	Missing: {"–", "not measured", white, faint, false},
	Six:     {"6", "6 hashunsorted costs less", rgb(0x4477AA), white, false},
	Seven:   {"7", "7 hierarchical costs less", tint(rgb(0xEE6677), 0.38), ink, false},
	Tie:     {"=", "within the noise", white, ink, true},
}

// legend lists the outcomes and rules that the map shows.
func (f WinnerMap) legend() legend {
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
	for _, r := range f.frontiers() {
		keys = append(keys, flatKey(r.line, r.name+": 6 to the left, 7 to the right"))
	}
	return keys
}

func (k look) letters() lettering { return lettering{labelSize, true, k.text} }

func (k look) key() key {
	return key{text: k.legend, room: wideSample - 8, sample: func(s *sheet, box vg.Rectangle) {
		k.draw(s, []vg.Rectangle{box})
		s.write(k.letters(), centre(box).X, centre(box).Y, middle, k.letter)
	}}
}

// draw paints the boxes in the look's fill, hatch and border, each as one path.
func (k look) draw(s *sheet, boxes []vg.Rectangle) {
	s.fill(k.fill, boxes...)
	var hatch, border [][]vg.Point
	for _, b := range boxes {
		hatch = append(hatch, diagonals(b, 4)...)
		border = append(border, []vg.Point{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}, b.Min})
	}
	if k.hatched {
		s.stroke(draw.LineStyle{Color: rgb(0xAAAAAA), Width: 0.6}, hatch...)
	}
	if k.fill == white {
		s.stroke(draw.LineStyle{Color: rgb(0xCCCCCC), Width: 0.5}, border...)
	}
}

// diagonals are lines at 45 degrees across b, a step apart along its edges.
func diagonals(b vg.Rectangle, step vg.Length) [][]vg.Point {
	w, h := across(b), b.Max.Y-b.Min.Y
	var lines [][]vg.Point
	for d := step; d < w+h; d += step {
		from := vg.Point{X: b.Min.X + max(0, d-h), Y: b.Min.Y + min(d, h)}
		to := vg.Point{X: b.Min.X + min(d, w), Y: b.Min.Y + max(0, d-w)}
		lines = append(lines, []vg.Point{from, to})
	}
	return lines
}

// draw draws cells, frontiers and the cells' text, which the sheet puts on top, so that no line runs
// through a number.
func (f WinnerMap) draw(s *sheet, body vg.Rectangle) {
	s.write(label, body.Min.X, body.Max.Y-yLabelHeight/2, left, label.shortened(f.YLabel, bodyWidth))
	legend := f.legend()
	area := rect(body.Min.X+mapLeft, body.Min.Y+legend.height()+xAxisHeight,
		body.Max.X-4, body.Max.Y-yLabelHeight-tagHeight)
	w := across(area) / vg.Length(len(f.T))
	for i, step := 0, f.labelStep(w); i < len(f.T); i += step {
		s.write(label, area.Min.X+w*(vg.Length(i)+0.5), area.Min.Y-8.5, middle, Exact(f.T[i]))
	}
	for i, m := range f.M {
		s.write(label, area.Min.X-4, area.Min.Y+cellHeight*(vg.Length(i)+0.5), right, Exact(m))
	}
	s.axisLabel(f.XLabel, area)
	f.drawCells(s, area, w)
	f.drawFrontiers(s, area, w)
	legend.draw(s, body)
}

// labelStep is 1 if the labels of all columns of this width fit side by side, else every how many do.
func (f WinnerMap) labelStep(w vg.Length) int {
	widest := vg.Length(0)
	for _, v := range f.T {
		widest = max(widest, label.width(Exact(v))+6)
	}
	return max(1, int(math.Ceil(float64(widest/w))))
}

func (f WinnerMap) drawCells(s *sheet, area vg.Rectangle, w vg.Length) {
	var boxes [len(looks)][]vg.Rectangle
	for i, row := range f.Cells {
		for j, cell := range row {
			x, y := area.Min.X+w*vg.Length(j), area.Min.Y+cellHeight*vg.Length(i)
			boxes[cell.Winner] = append(boxes[cell.Winner], rect(x+0.6, y+0.6, x+w-0.6, y+cellHeight-0.6))
		}
	}
	for winner, b := range boxes {
		looks[winner].draw(s, b)
	}
	for i, row := range f.Cells {
		for j, cell := range row {
			cell.write(s, area.Min.Add(vg.Point{X: w * (vg.Length(j) + 0.5), Y: cellHeight * (vg.Length(i) + 0.5)}), w)
		}
	}
}

// write puts letter and ratio into a cell of width w, the ratio as small as it must be but only if it is readable.
func (cell Cell) write(s *sheet, mid vg.Point, w vg.Length) {
	k := looks[cell.Winner]
	ratio := ""
	if cell.Winner != Missing && placed(cell.Ratio) {
		ratio = ratioText(cell.Ratio)
	}
	small := lettering{labelSize - 0.5, false, k.text}
	small.size *= min(1, (w-4)/max(1, small.width(ratio)))
	if small.size < 5.5 {
		ratio = ""
	}
	up := vg.Length(0)
	if ratio != "" {
		up = 6
	}
	if k.hatched {
		half := max(small.width(ratio)/2, 4) + 1.5
		s.fill(k.fill, rect(mid.X-half, mid.Y-6-up, mid.X+half, mid.Y+6+up))
	}
	letters := k.letters()
	letters.size++
	s.write(letters, mid.X, mid.Y+up, middle, k.letter)
	s.write(small, mid.X, mid.Y-up-0.5, middle, ratio)
}

// ratioText writes 1.32×, 13.2×, 132×, 1.32k×.
func ratioText(r float64) string {
	if r >= 999.5 {
		return Count.Label(r) + "×"
	}
	return fmt.Sprintf("%.*f×", max(0, 2-int(math.Log10(max(1, rounded(r))))), r)
}

// drawFrontiers draws the frontiers with a white edge that lifts them off dark cells, and names them
// above the map.
func (f WinnerMap) drawFrontiers(s *sheet, area vg.Rectangle, w vg.Length) {
	var tags []tag
	for _, r := range f.frontiers() {
		lines := r.steps(f.T)
		for _, steps := range lines {
			for i, at := range steps {
				y := area.Min.Y + at.Y*cellHeight - r.shift
				steps[i] = vg.Point{X: area.Min.X + at.X*w + r.shift, Y: min(max(y, area.Min.Y), area.Max.Y)}
			}
		}
		s.stroke(draw.LineStyle{Color: white, Width: r.line.Width + 1.6}, lines...)
		s.stroke(r.line, lines...)
		if top := column(f.T, r.tStar[len(r.tStar)-1]); top >= 0 {
			tags = append(tags, tag{r.name, area.Min.X + vg.Length(top)*w + r.shift})
		}
	}
	s.drawTags(tags, area.Max.Y, area.Min.X-mapLeft, area.Max.X+4)
}
