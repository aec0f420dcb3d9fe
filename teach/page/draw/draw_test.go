package draw

import (
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
	"timerlab/teach/player"
)

// Every scheme can be drawn at any size, as XML, with a chip for each timer while there are few.
func TestLane(t *testing.T) {
	for _, sizes := range []string{"n=1&M=1&levels=1x1", "n=12&M=7&levels=5x100", "n=20&M=64&levels=64x64", "n=90&M=65&levels=200x3",
		"n=500&M=5000&levels=8x8x8x8", "n=12&M=16&levels=65536x65536x65536x65536x65536", "n=0&edit=0:start:1,0:start:1"} {
		for _, info := range harness.Schemes {
			p, err := player.Open("lesson=0&T=20&ticks=60&workload=uniform&schemes=" + info.Name + "&" + sizes)
			require.NoError(t, err)
			for _, tick := range []int{0, 1, 33} {
				p.Seek(33, 1)
				p.Seek(schemes.Tick(tick), player.WholeTick)
				f := p.Frame()
				svg, _ := Lane(&p.State, &f.Lanes[0], f.Tick)
				wellFormed(t, svg)
				if info.Kind.HasSlots() || info.Kind.HasLevels() {
					uncovered(t, svg)
				}
				if f.Lanes[0].Refused == "" && p.State.N == 12 && p.State.Slots == 16 && !info.Kind.HasLevels() {
					for _, place := range f.Lanes[0].Places {
						assert.Contains(t, svg, fmt.Sprintf("data-k=\"t%d\"", place.ID), info.Name)
					}
				}
			}
			history := p.History()
			wellFormed(t, Chart(history, &p.State))
			wellFormed(t, Timeline(history, &p.State))
		}
	}
}

var drawnChip = regexp.MustCompile(`data-k="t(\d+)[^>]*translate\(([-\d.]+)px,([-\d.]+)px\)"><circle r="([\d.]+)"`)

// No timer covers another one, in any lesson at any moment of its first hundred ticks, and all have their names in the
// drawing but for some of lesson 13's crowd. Drawings have the height of a projector's picture, on which their digits are
// 18 pixels high.
func TestNothingIsCovered(t *testing.T) {
	for lesson := range player.Lessons {
		p, err := player.Open(fmt.Sprintf("lesson=%d", lesson+1))
		require.NoError(t, err)
		missing := 0
		for moment := range 2 * 101 {
			p.Seek(schemes.Tick(moment/2), []int{1, player.WholeTick}[moment%2])
			f := p.Frame()
			for i := range f.Lanes {
				svg, height := Lane(&p.State, &f.Lanes[i], f.Tick)
				assert.LessOrEqual(t, height, 400, "lesson %d", lesson+1)
				missing += len(f.Lanes[i].Places) + len(f.Lanes[i].Expired) - len(uncovered(t, svg))
			}
		}
		assert.LessOrEqual(t, missing, map[int]int{12: 120}[lesson], "names in lesson %d", lesson+1)
	}
}

// The drawing of lesson 9 has the number of the slot that its timer waits in, and the clock as its text has it.
func TestClock(t *testing.T) {
	p, err := player.Open("lesson=9&edit=0:start:3045&t=2129")
	require.NoError(t, err)
	f := p.Frame()
	svg, _ := Lane(&p.State, &f.Lanes[0], f.Tick)
	assert.Contains(t, svg, ">clock 11:10:59:59<")
	assert.Regexp(t, `class="number"[^>]*>11</text>.*wheel 1`, svg)
	p.Seek(0, player.WholeTick)
	f = p.Frame()
	svg, _ = Lane(&p.State, &f.Lanes[0], f.Tick)
	assert.Contains(t, svg, "deadline 11:11:15:15<")
}

// uncovered fails where two timers of a drawing overlap, and returns the names drawn.
func uncovered(t *testing.T, svg string) (names []string) {
	t.Helper()
	var all [][3]float64
	for _, m := range drawnChip.FindAllStringSubmatch(svg, -1) {
		var at [3]float64
		for i := range at {
			var err error
			at[i], err = strconv.ParseFloat(m[i+2], 64)
			require.NoError(t, err)
		}
		for i, other := range all {
			assert.GreaterOrEqual(t, math.Hypot(at[0]-other[0], at[1]-other[1]), at[2]+other[2]-0.1, "%s and %s", m[1], names[i])
		}
		all, names = append(all, at), append(names, m[1])
	}
	return names
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	assert.NotRegexp(t, "NaN|Inf|%!", svg)
	assert.NoError(t, xml.Unmarshal([]byte(svg), new(struct{})))
}
