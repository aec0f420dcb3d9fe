package draw

import (
	"fmt"
	"strings"

	"timerlab/schemes"
	"timerlab/teach/player"
)

// Sizes are the numbers of slots that can be set on the rim of a wheel. Two steps double a size, about evenly.
var Sizes = []int{4, 6, 8, 12, 16, 24, 32, 48, mostSlots}

// Reach returns the longest interval of a timer that is put by hand on the wheel of a state. It is 0 if the state is not
// drawn as one ring.
func Reach(s *player.State) schemes.Tick {
	if info := s.Schemes[0]; len(s.Schemes) == 1 && info.Kind.HasSlots() && s.Slots <= mostSlots {
		return info.Range(s.Config(info))
	}
	return 0
}

// rimTurn returns where on the rim a size is set, in turns from the top.
func rimTurn(i int) float64 { return 0.086 + 0.078*float64(i)/float64(len(Sizes)-1) }

// Grips returns what lies over the drawing of one wheel to be taken hold of: new timers, the hand, and the rim, which
// sets M. The page moves it, and shows the aim of what is held.
func Grips() string {
	var b strings.Builder
	b.WriteString(`<svg class="grips" viewBox="0 0 360 392"><g class="aim" hidden><circle class="hub" cx="180" cy="176" r="60.5"/>` +
		`<circle class="way round" cx="180" cy="176" r="55" hidden/><circle class="way" cx="180" cy="176" r="55"/>` +
		`<text class="clock" x="180" y="170"/><text class="number" x="180" y="191"/><text class="number" x="180" y="206"/></g>` +
		`<g class="turner" data-grip="hand"><circle class="target" cx="180" cy="118" r="17"/><circle class="knob" cx="180" cy="118" r="7"/></g>` +
		`<g class="chip supply" data-grip="timer" tabindex="0" role="button" ` +
		`aria-label="a new timer: drag it onto a slot, or choose a slot by arrow keys and press Enter">` +
		`<circle class="target" cx="30" cy="30" r="28"/><circle cx="38" cy="36" r="15"/><circle cx="34" cy="32.5" r="15"/>` +
		`<circle cx="30" cy="29" r="15"/><text x="30" y="29">+</text></g>`)
	const radius = 194.0
	x1, y1 := polar(rimTurn(0), 1, radius)
	x2, y2 := polar(rimTurn(len(Sizes)-1), 1, radius)
	arc := fmt.Sprintf("M%.1f %.1fA%g %g 0 0 1 %.1f %.1f", x1, y1, radius, radius, x2, y2)
	fmt.Fprintf(&b, `<g class="rim" data-grip="rim" tabindex="0" role="slider" aria-label="M, slots of the wheel" aria-valuenow="%d" `+
		`aria-valuemin="%[1]d" aria-valuemax="%d"><path class="target" d="%s"/><path class="track" d="%[3]s"/>`, Sizes[0], Sizes[len(Sizes)-1], arc)
	for i, size := range Sizes {
		x, y := polar(rimTurn(i), 1, radius)
		fmt.Fprintf(&b, `<circle class="stop" data-size="%d" data-turn="%.4f" cx="%.1f" cy="%.1f" r="1.8"/>`, size, rimTurn(i), x, y)
	}
	fmt.Fprintf(&b, `<circle class="knob" cx="180" cy="%g" r="8"/><text class="label end" x="357" y="17"/></g>`+
		`<g class="chip ghost" hidden><circle r="14"/><text class="id"/></g></svg>`, 176-radius)
	return b.String()
}
