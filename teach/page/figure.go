package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"timerlab/teach/page/draw"
	"timerlab/teach/player"
)

const (
	figureWidth = 360 // of a scheme's drawing
	captionLine = 24  // above it: the scheme's title
	mostAcross  = 4
)

var (
	drawingStyle = regexp.MustCompile(
		`(?m)^(svg text|\.(chip|dot|slot|cell|turn|way|migration|number|clock|label|note|chain|tray)\b).*$`)
	styleVariable = regexp.MustCompile(`(--[a-z-]+): (#[0-9a-f]+);`)
	chipPlace     = regexp.MustCompile(`style="transform:translate\(([-\d.]+)px,([-\d.]+)px\)"`)
)

// writeFigure writes an SVG file of its own with a drawing for each scheme of a state, side
// by side, in the colours of the page.
func writeFigure(w io.Writer, fragment string) error {
	p, err := player.Open(fragment)
	if err != nil {
		return err
	}
	f := p.Frame()
	var body strings.Builder
	columns, y, rowHeight := min(len(f.Lanes), mostAcross), 0, 0
	for i := range f.Lanes {
		if i > 0 && i%columns == 0 {
			y, rowHeight = y+rowHeight, 0
		}
		x := i % columns * figureWidth
		drawing, height := draw.Lane(&p.State, &f.Lanes[i], f.Tick)
		rowHeight = max(rowHeight, height+captionLine)
		fmt.Fprintf(&body, `<text class="note" x="%d" y="%d">%s: tick %d</text>`+"\n",
			x+figureWidth/2, y+captionLine-6, player.Name(f.Lanes[i].Info), f.Tick)
		body.WriteString(strings.Replace(drawing, `<svg class="lane"`, fmt.Sprintf(
			`<svg x="%d" y="%d" width="%d" height="%d"`, x, y+captionLine, figureWidth, height), 1) + "\n")
	}
	// The rules of the style sheet that drawings use, without variables, which not every program that shows SVG has.
	sheet := read("style.css")
	rules := strings.Join(drawingStyle.FindAllString(sheet, -1), "\n")
	for _, v := range styleVariable.FindAllStringSubmatch(sheet, -1) {
		rules = strings.ReplaceAll(rules, "var("+v[1]+")", v[2])
	}
	width, height := columns*figureWidth, y+rowHeight
	_, err = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
<style>
%s
</style>
<rect width="100%%" height="100%%" fill="#fff"/>
%s</svg>
`, width, height, width, height, rules,
		chipPlace.ReplaceAllString(body.String(), `transform="translate($1,$2)"`))
	return err
}
