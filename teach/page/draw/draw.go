// Package draw draws schemes as SVG: the page, its static form and figures for notes use
// the same drawing. A timer's element has a key, by which a page moves it from one
// drawing to the next. Colours are classes of the page's style sheet.
package draw

import (
	"fmt"
	"math"
	"strings"

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
	state *player.State
	frame *player.LaneFrame
	now   schemes.Tick // of the scheme's clock
	looks map[schemes.ID]string
	drawn map[schemes.ID]int // chips of an ID so far

	badges strings.Builder // what lies over all chips
}

// Lane returns the drawing of a scheme at a moment.
func Lane(s *player.State, f *player.LaneFrame, tick schemes.Tick) string {
	c := &canvas{state: s, frame: f, now: s.Now + tick, drawn: map[schemes.ID]int{}}
	c.looks = looks(f)
	body, height := c.structure()
	c.due(height)
	height += tray
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="lane" viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, math.Round(height),
		escape(describe(s, f, tick)))
	out.WriteString(body)
	out.WriteString(c.String())
	out.WriteString("</svg>")
	return out.String()
}

// structure draws everything but the due timers, and returns its height.
func (c *canvas) structure() (svg string, height float64) {
	waiting := waitingPlaces(c.frame.Places)
	switch info := c.frame.Info; {
	case c.frame.Refused != "":
		height = c.refused()
	case len(waiting) > mostChips && !info.Kind.HasSlots() && !info.Kind.HasLevels():
		height = c.crowd(waiting)
	case info.Kind == schemes.Tree:
		height = c.tree(waiting)
	case info.Kind.HasSlots():
		height = c.wheel(waiting)
	case info.Kind.HasLevels():
		height = c.wheels(waiting)
	default:
		height = c.list(waiting, 0, "head")
	}
	svg = c.String()
	c.Reset()
	return svg, height
}

// refused says why there is no drawing.
func (c *canvas) refused() float64 {
	words, line, y := strings.Fields(c.frame.Refused), "", 60.0
	for _, word := range words {
		if len(line)+len(word) > 44 {
			fmt.Fprintf(c, `<text class="note" x="%g" y="%g">%s</text>`, width/2, y, escape(line))
			line, y = "", y+18
		}
		line += word + " "
	}
	fmt.Fprintf(c, `<text class="note" x="%g" y="%g">%s</text>`, width/2, y, escape(line))
	return y + 40
}

// waitingPlaces returns the places of timers that are not due.
func waitingPlaces(all []schemes.Place) []schemes.Place {
	for i, p := range all {
		if !p.Due {
			return all[i:]
		}
	}
	return nil
}

// looks returns what the last step did to each timer: new, visited or moved.
func looks(f *player.LaneFrame) map[schemes.ID]string {
	before := map[schemes.ID]schemes.Place{}
	for _, p := range f.Before {
		before[p.ID] = p
	}
	all := map[schemes.ID]string{}
	for _, p := range f.Places {
		old, was := before[p.ID]
		switch {
		case p.Due:
			all[p.ID] = "due"
		case !was || old.Deadline != p.Deadline:
			all[p.ID] = "new"
		case old.Level != p.Level:
			all[p.ID] = "moved"
		case old.Key != p.Key:
			all[p.ID] = "visited"
		}
	}
	return all
}

// chip draws a timer: its ID, below that a small text, and what to show on pointing.
func (c *canvas) chip(p schemes.Place, x, y, r float64, below string) {
	key := fmt.Sprintf("t%d", p.ID)
	if n := c.drawn[p.ID]; n > 0 {
		key += fmt.Sprintf("-%d", n)
	}
	c.drawn[p.ID]++
	fmt.Fprintf(c, `<g class="chip %s" data-k="%s" style="transform:translate(%.1fpx,%.1fpx)">`,
		c.looks[p.ID], key, x, y)
	fmt.Fprintf(c, `<title>%s</title><circle r="%g"/>`, c.title(p), r)
	if r >= 6 {
		fmt.Fprintf(c, `<text class="id" style="font-size:%.1fpx">%d</text>`, idSize(p.ID, r), p.ID)
	}
	if below != "" {
		fmt.Fprintf(c, `<text class="key" y="%g">%s</text>`, r+9, below)
	}
	c.WriteString("</g>")
}

// idSize is the size of an ID's text that fits a chip.
func idSize(id schemes.ID, r float64) float64 {
	digits := float64(len(fmt.Sprint(id)))
	return min(r*1.1, r*2.6/digits)
}

// title says what is known of a timer.
func (c *canvas) title(p schemes.Place) string {
	if p.Due {
		return fmt.Sprintf("timer %d is due", p.ID)
	}
	deadline := p.Deadline - c.state.Now
	text := fmt.Sprintf("timer %d: deadline %d, in %d ticks", p.ID, deadline, p.Deadline-c.now)
	if p.Key != uint64(p.Deadline) {
		text += fmt.Sprintf("; the scheme keeps %d", p.Key)
	}
	return text
}

// due draws the due timers, or those that have expired on this tick.
func (c *canvas) due(y float64) {
	label, ids := "due", []schemes.ID{}
	for _, p := range c.frame.Places {
		if p.Due {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) == 0 && len(c.frame.Expired) > 0 {
		label, ids = "expired", c.frame.Expired
	}
	middle := y + tray/2
	fmt.Fprintf(c, `<rect class="tray" x="%g" y="%g" width="%g" height="%g" rx="8"/>`,
		margin, y+4, width-2*margin, tray-8)
	fmt.Fprintf(c, `<text class="label" x="%g" y="%g">%s</text>`, margin+10, middle+4, label)
	const most = 11
	for i, id := range ids {
		x := margin + 76 + float64(i)*24
		if i == most && len(ids) > most+1 {
			fmt.Fprintf(c, `<text class="label" x="%g" y="%g">+%d</text>`, x-8, middle+4, len(ids)-most)
			break
		}
		c.looks[id] = "due"
		c.chip(schemes.Place{ID: id, Due: true}, x, middle, 10, "")
	}
}

// describe is the drawing in words.
func describe(s *player.State, f *player.LaneFrame, tick schemes.Tick) string {
	text := fmt.Sprintf("%s at tick %d: ", f.Info.Title, tick)
	if f.Refused != "" {
		return text + f.Refused
	}
	due := 0
	text += fmt.Sprintf("%d timers", len(f.Places))
	for _, p := range f.Places {
		if p.Due {
			due++
		}
	}
	switch {
	case f.Info.Kind.HasSlots():
		text += fmt.Sprintf(" in %d slots", s.Slots)
	case f.Info.Kind.HasLevels():
		text += fmt.Sprintf(" in %d wheels", len(s.Radices()))
	}
	if due > 0 {
		text += fmt.Sprintf(", %d of them due", due)
	}
	return text
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(text string) string { return escaper.Replace(text) }
