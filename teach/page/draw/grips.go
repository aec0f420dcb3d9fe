package draw

import (
	"fmt"
	"strings"

	"timerlab/harness/results/units"
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
func rimTurn(i int) float64 { return 0.098 + 0.072*float64(i)/float64(len(Sizes)-1) }

// Grips returns what lies over the drawing of one wheel to be taken hold of: new timers, the hand, and the rim, which
// sets M. The page moves it, and shows the aim of what is held.
func Grips() string {
	var b strings.Builder
	b.WriteString(`<svg class="grips" viewBox="0 0 360 392"><g class="aim"></g>` +
		`<g class="turner" data-grip="hand"><circle class="target" cx="180" cy="118" r="17"/><circle class="knob" cx="180" cy="118" r="7"/></g>` +
		`<g class="chip supply" data-grip="timer" tabindex="0" role="button" ` +
		`aria-label="a new timer: drag it to a slot, or press arrow keys and Enter">` +
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
	fmt.Fprintf(&b, `<circle class="knob" cx="180" cy="%g" r="8"/><text class="label end" x="358" y="4"/></g>`+
		`<g class="chip ghost" hidden><circle r="14"/><text class="id"/></g></svg>`, 176-radius)
	return b.String()
}

// Aim returns the slot of a timer that is started now, and what the hub says of it: how long it waits, and the way there.
func Aim(s *player.State, ticks schemes.Tick) (slot int, svg string) {
	now, m := s.Now+s.At, schemes.Tick(s.Slots)
	rounds := (ticks + m - 1) / m
	lines := []string{"in " + units.Plural(uint64(ticks), "tick"), fmt.Sprintf("slot %d", (now+ticks)%m)}
	svg = fmt.Sprintf(`<circle class="hub" cx="180" cy="176" r="%g"/>`, bandInner-0.4)
	if rounds > 1 {
		lines = append(lines, fmt.Sprintf("%d rounds", rounds))
		svg += fmt.Sprintf(`<circle class="way round" cx="180" cy="176" r="%g"/>`, turnRadius)
	}
	svg += fmt.Sprintf(`<circle class="way" cx="180" cy="176" r="%g" pathLength="%d" stroke-dasharray="%d %d" transform="rotate(%g 180 176)"/>`,
		turnRadius, m, ticks-(rounds-1)*m, m, 360*float64(now%m)/float64(m)-90)
	for i, line := range lines {
		svg += fmt.Sprintf(`<text class="number" x="180" y="%d">%s </text>`, 170+17*i, line)
	}
	return int((now + ticks) % m), svg
}
