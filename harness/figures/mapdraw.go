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
	mapLeft    vg.Length = 44 // for the labels of rows, at least
)

// A look is how cells of one outcome are drawn: 6 dark and 7 light, so that they differ on a grey print.
type look struct {
	letter, legend string
	fill, text     color.RGBA
	border         color.RGBA
}

var looks = [...]look{
	Missing: {"–", "not measured", white, faint, rgb(0xCCCCCC)},
	Six:     {"6", "6 hashunsorted costs less", rgb(0x4477AA), white, rgb(0x4477AA)},
	Seven:   {"7", "7 hierarchical costs less", rgb(0xF9C5CB), ink, rgb(0xF9C5CB)},
	Tie:     {"=", "within the noise", rgb(0xF2F2F2), ink, rgb(0xAAAAAA)},
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
			keys = append(keys, key{text: looks[w].legend, room: wideSample - 8, cell: &looks[w]})
		}
	}
	for _, r := range f.rules() {
		keys = append(keys, key{text: r.name + ": " + r.sides, room: wideSample, line: r.line()})
	}
	return keys
}

func (k look) letters() lettering { return lettering{labelSize, true, k.text} }

// draw paints the boxes, all as one path.
func (k look) draw(s *sheet, boxes []vg.Rectangle) {
	s.fill(k.fill, boxes...)
	var border [][]vg.Point
	for _, b := range boxes {
		border = append(border, []vg.Point{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}, b.Min})
	}
	s.stroke(draw.LineStyle{Color: k.border, Width: 0.5}, border...)
}

// draw draws cells, frontiers and the cells' text, which the sheet puts on top, so that no line runs
// through a number.
func (f WinnerMap) draw(s *sheet, body vg.Rectangle) {
	s.write(label, body.Min.X, body.Max.Y-yLabelHeight/2, left, label.shortened(f.YLabel, bodyWidth))
	legend := f.legend()
	area := rect(body.Min.X+f.left(), body.Min.Y+legend.height()+xAxisHeight,
		body.Max.X-4, body.Max.Y-yLabelHeight-tagHeight)
	w := area.Size().X / vg.Length(len(f.T))
	for i, step := 0, f.labelStep(w); i < len(f.T); i += step {
		s.write(label, area.Min.X+w*(vg.Length(i)+0.5), area.Min.Y-8.5, middle, Exact(f.T[i]))
	}
	for i, row := range f.Rows {
		s.write(label, area.Min.X-4, area.Min.Y+cellHeight*(vg.Length(i)+0.5), right, row)
	}
	s.axisLabel(f.XLabel, area)
	f.drawCells(s, area, w)
	f.drawFrontiers(s, area, w)
	legend.draw(s, body)
}

// left returns the room that the labels of rows need.
func (f WinnerMap) left() vg.Length {
	left := mapLeft
	for _, row := range f.Rows {
		left = max(left, label.width(row)+8)
	}
	return left
}

// labelStep is the distance of labelled columns of this width: 1 if the labels of all fit side by side.
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
	for _, r := range f.rules() {
		lines := f.frontier(r.tStar)
		for _, line := range lines {
			for i, at := range line {
				y := area.Min.Y + at.Y*cellHeight - r.shift
				line[i] = vg.Point{X: area.Min.X + at.X*w + r.shift, Y: min(max(y, area.Min.Y), area.Max.Y)}
			}
		}
		edge := r.line()
		edge.Color, edge.Width, edge.Dashes = white, edge.Width+1.6, nil
		s.stroke(edge, lines...)
		s.stroke(r.line(), lines...)
		if top := column(f.T, r.tStar[len(r.tStar)-1]); top >= 0 {
			tags = append(tags, tag{r.name, area.Min.X + vg.Length(top)*w + r.shift})
		}
	}
	s.drawTags(tags, area.Max.Y, area.Min.X-f.left(), area.Max.X+4)
}
