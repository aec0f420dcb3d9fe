package draw

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
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
			s, err := player.Parse("lesson=0&T=20&ticks=60&workload=uniform&schemes=" + info.Name + "&" + sizes)
			require.NoError(t, err)
			p, err := player.New(s, nil)
			require.NoError(t, err)
			for _, tick := range []int{0, 1, 33} {
				p.Seek(33, 1)
				p.Seek(schemes.Tick(tick), player.WholeTick)
				f := p.Frame()
				svg := Lane(&p.State, &f.Lanes[0], f.Tick)
				wellFormed(t, svg)
				if f.Lanes[0].Refused == "" && s.N == 12 && s.Slots == 16 && !info.Kind.HasLevels() {
					for _, place := range f.Lanes[0].Places {
						assert.Contains(t, svg, fmt.Sprintf("data-k=\"t%d\"", place.ID), info.Name)
					}
				}
			}
			wellFormed(t, Chart(p.History(), &p.State))
			wellFormed(t, Timeline(p.History(), &p.State))
		}
	}
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	assert.NotContains(t, svg, "NaN")
	assert.NotContains(t, svg, "Inf")
	assert.NotContains(t, svg, "%!")
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if !assert.NoError(t, err) {
			return
		}
	}
}
