// Package draw draws schemes as SVG: the page, its static form and figures for notes use
// the same drawing. A timer's element has a key, by which a page moves it from one
// drawing to the next. Colours are classes of the page's style sheet.
package draw

import (
	"fmt"
	"html"
	"math"
	"strings"

	"timerlab/harness/results/units"
	"timerlab/schemes"
	"timerlab/teach/player"
)

const (
	width  = 360.0
	margin = 10.0
	tray   = 40.0 // height of the list of due timers, below each drawing
)

// canvas is a drawing in the making.
type canvas struct {
	strings.Builder
	chips  strings.Builder // which lie over all else, so that no name is covered
	state  *player.State
	frame  *player.LaneFrame
	now    schemes.Tick // of the scheme's clock
	before map[schemes.ID]schemes.Place
	looks  map[schemes.ID]string
	start  *schemes.Place     // the one timer that has been started, or nil
	drawn  map[schemes.ID]int // chips of an ID so far
}

// Lane returns the drawing of a scheme at a moment, and its height: the structure, and below that the due timers.
func Lane(s *player.State, f *player.LaneFrame, tick schemes.Tick) (svg string, height int) {
	c := &canvas{state: s, frame: f, now: s.Now + tick, drawn: map[schemes.ID]int{}}
	c.look()
	due := 0 // which come first
	for due < len(f.Places) && f.Places[due].Due {
		due++
	}
	waiting, y := f.Places[due:], 0.0
	switch info := f.Info; {
	case f.Refused != "":
		y = c.refused()
	case len(waiting) > mostChips && !info.Kind.HasSlots() && !info.Kind.HasLevels():
		y = c.crowd(waiting)
	case info.Kind == schemes.Tree:
		y = c.tree(waiting)
	case info.Kind.HasSlots():
		y = c.wheel(waiting)
	case info.Kind.HasLevels():
		y = c.wheels(waiting)
	default:
		y = c.list(waiting, 0, "head")
	}
	c.due(f.Places[:due], y)
	height = int(math.Round(y + tray))
	return fmt.Sprintf(`<svg class="lane" viewBox="0 0 %g %d" role="group" aria-label="%s">%s%s</svg>`, width, height,
		html.EscapeString(describe(s, f, tick, due)), c.String(), c.chips.String()), height
}

// describe is the drawing in words.
func describe(s *player.State, f *player.LaneFrame, tick schemes.Tick, due int) string {
	text := fmt.Sprintf("%s at tick %d: ", player.Name(f.Info), tick)
	if f.Refused != "" {
		return text + f.Refused
	}
	text += fmt.Sprintf("%d timers", len(f.Places))
	switch {
	case f.Info.Kind.HasSlots():
		text += fmt.Sprintf(" in %d slots", s.Slots)
	case f.Info.Kind.HasLevels():
		text += fmt.Sprintf(" in %d wheels", len(s.Radices(f.Info)))
	}
	if due > 0 {
		text += fmt.Sprintf(", %d of them due", due)
	}
	return text
}

// refused explains why there is no drawing.
func (c *canvas) refused() float64 {
	y := 60.0
	for _, part := range strings.SplitAfter(c.frame.Refused, ", ") {
		fmt.Fprintf(c, `<text class="note" x="%g" y="%g">%s</text>`, width/2, y, html.EscapeString(part))
		y += 18
	}
	return y + 22
}

// look finds what the last step did to each timer: new, visited or moved.
func (c *canvas) look() {
	c.before, c.looks = map[schemes.ID]schemes.Place{}, map[schemes.ID]string{}
	for _, p := range c.frame.Before {
		c.before[p.ID] = p
	}
	started := 0
	for i, p := range c.frame.Places {
		old, was := c.before[p.ID]
		switch {
		case p.Due:
			c.looks[p.ID] = "due"
		case !was || old.Deadline != p.Deadline:
			c.looks[p.ID] = "new"
			c.start = &c.frame.Places[i]
			started++
		case old.Level != p.Level:
			c.looks[p.ID] = "moved"
		case old.Key != p.Key:
			c.looks[p.ID] = "visited"
		}
	}
	if started != 1 {
		c.start = nil
	}
}

// digitsHeight is the least size of a digit that is read from the last row of a room.
const digitsHeight = 12.5

// chip draws a timer: its ID, in scheme 6 the rounds left, and below the circle a small text.
// Its label is what pointing at it shows.
func (c *canvas) chip(p schemes.Place, x, y, r float64, below string) {
	key := fmt.Sprintf("t%d", p.ID)
	if n := c.drawn[p.ID]; n > 0 {
		key += fmt.Sprintf("-%d", n)
	}
	c.drawn[p.ID]++
	label, left, middle, rounds := fmt.Sprintf("timer %d is due", p.ID), schemes.Tick(0), 0.0, ""
	if !p.Due {
		left = p.Deadline - c.now
		label = fmt.Sprintf("timer %d: due at %d, in %s", p.ID, p.Deadline-c.state.Now, units.Plural(uint64(left), "tick"))
		if c.frame.Info.Kind == schemes.HashedWheel && p.Key != uint64(p.Deadline) {
			label += ", " + units.Plural(p.Key, "round") + " left"
			if r > digitsHeight && (p.Key > 1 || c.state.N > 0) { // whose workload has longer intervals
				middle, rounds = -5.5, fmt.Sprint(p.Key)
			}
		}
	}
	w := &c.chips
	fmt.Fprintf(w, `<g class="chip %s" data-k="%s" data-left="%d" role="img" aria-label="%s" tabindex="-1" `+
		`style="transform:translate(%.1fpx,%.1fpx)"><circle r="%.3g"/>`, c.looks[p.ID], key, left, label, x, y, r)
	if r >= 6 {
		digits := float64(len(fmt.Sprint(p.ID)))
		fmt.Fprintf(w, `<text class="id" y="%g" style="font-size:%.1fpx">%d</text>`, middle, min(digitsHeight, r*2.6/digits), p.ID)
	}
	if rounds != "" {
		fmt.Fprintf(w, `<path class="bar" d="M%g .5H%g"/><text class="rounds" y="7">%s</text>`, 3-r, r-3, rounds)
	}
	if below != "" {
		fmt.Fprintf(w, `<text class="key" y="%g">%s</text>`, r+11, below)
	}
	w.WriteString("</g>")
}

// due draws the due timers, or those that have expired on this tick.
func (c *canvas) due(places []schemes.Place, y float64) {
	label, ids := "due", []schemes.ID{}
	for _, p := range places {
		ids = append(ids, p.ID)
	}
	if len(ids) == 0 && len(c.frame.Expired) > 0 {
		label, ids = "expired", c.frame.Expired
	}
	middle := y + tray/2
	fmt.Fprintf(c, `<rect class="tray" x="%g" y="%g" width="%g" height="%g" rx="8"/>`,
		margin, y+4, width-2*margin, tray-8)
	fmt.Fprintf(c, `<text class="label" x="%g" y="%g">%s</text>`, margin+10, middle+4, label)
	const most = 10
	for i, id := range ids {
		x := margin + 76 + float64(i)*25
		if i == most && len(ids) > most+1 {
			fmt.Fprintf(c, `<text class="label" x="%g" y="%g">+%d</text>`, x-8, middle+4, len(ids)-most)
			break
		}
		c.looks[id] = "due"
		c.chip(schemes.Place{ID: id, Due: true}, x, middle, 11, "")
	}
}
