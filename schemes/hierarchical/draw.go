package hierarchical

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/internal/draw"
)

// drawnLevels is how many wheels a drawing has at most: the lowest.
const drawnLevels = 10

// drawLevels draws the wheels, the highest first.
func drawLevels(d *draw.Drawing, levels []level, now schemes.Tick) *draw.Drawing {
	drawn := min(len(levels), drawnLevels)
	if above := len(levels) - drawn; above > 0 {
		d.Line(fmt.Sprintf("… and %d higher levels", above))
	}
	for l := drawn - 1; l >= 0; l-- {
		v, name := &levels[l], fmt.Sprintf("level %d ", l)
		d.Wheel()
		for s := range v.radix {
			d.Slot(name, uint64(s), uint64(v.digit(now)), v.head+s)
		}
	}
	return d
}
