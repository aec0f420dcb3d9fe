package tracefile

import (
	"slices"
	"strings"

	"timerlab/schemes"
)

// History is the number of timers outstanding over time: the maximum of each of at most
// 128 stretches of equal width, which doubles when they do not suffice.
type History struct {
	Width schemes.Tick // of a stretch
	Most  []int
	n     int // at present
}

const stretches = 128

func (h *History) note(now schemes.Tick, n int) {
	h.Width = max(h.Width, 1)
	for now/h.Width >= stretches {
		h.Most = halved(h.Most)
		h.Width *= 2
	}
	for len(h.Most) <= int(now/h.Width) {
		h.Most = append(h.Most, h.n)
	}
	h.n = n
	at := &h.Most[now/h.Width]
	*at = max(*at, n)
}

// halved returns the maxima of pairs, in place.
func halved(most []int) []int {
	half := most[:0]
	for pair := range slices.Chunk(most, 2) {
		half = append(half, slices.Max(pair))
	}
	return half
}

// Spark returns a line that draws the history, and how many ticks a column of it covers.
func (h History) Spark() (line string, column schemes.Tick) {
	for column = h.Width; len(h.Most) > 64; column *= 2 {
		h.Most = halved(slices.Clone(h.Most))
	}
	peak := max(1, slices.Max(h.Most))
	var b strings.Builder
	for _, n := range h.Most {
		b.WriteRune([]rune(" ▁▂▃▄▅▆▇█")[(n*8+peak-1)/peak])
	}
	return b.String(), column
}
