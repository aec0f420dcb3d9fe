package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/teach/player"
)

// The counts of a race in the page are those of the native code, for 30 links.
func TestRaceCounts(t *testing.T) {
	b := browser(t)
	b.open("")
	for i := range 30 {
		first, second := harness.Schemes[i%7], harness.Schemes[(i+1+i/7)%len(harness.Schemes)]
		link := fmt.Sprintf("v=1&race=%s,%s&n=%d&M=%d&m=%d&T=%d&stop=%s&seed=%d", first.Name, second.Name, 100*(1+i%5), 64<<(i%3), 2+i%3,
			16+7*i, []string{"0", "0.5@0.5", "0.9@0.05"}[i%3], i)
		native := player.Race{}
		require.NoError(t, native.Open(link))
		d, share := native.Run(native.State.T)
		for share < 1 {
			d, share = native.Run(native.State.T)
		}
		b.openHere(link)
		b.until(fmt.Sprintf("timerlab.run(%d).share === 1", native.State.T))
		for k := range d.Looks {
			want := any(d.Each(k))
			if d.Refused != "" {
				want = nil
			}
			assert.Equal(t, want, eval[any](b, fmt.Sprintf("timerlab.run(%d).each[%d]", native.State.T, k)), link)
		}
	}
}

// A reader sets a flag by the keyboard, and sees where the schemes cross; with stops that is a tenth of it, and the address says so.
// The screen is seen whole, and a lesson leads out of it.
func TestRace(t *testing.T) {
	b := browser(t)
	b.size(1280, 720)
	b.open("v=1&race=hashunsorted,hierarchical&T=512")
	assert.NotContains(t, b.text("#plot"), "counted")
	b.js(`{ const flag = $('plot').lastChild; flag.value = 1; flag.dispatchEvent(new Event('input', { bubbles: true }));
		flag.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })); }`)
	b.until("race.known")
	for _, flag := range []string{"your flag: 2 M", "counted: 1.4 M", "the paper's bound: 4 M", "measured time: 0.5 M"} {
		assert.Contains(t, b.text("#plot"), flag)
	}
	assert.Contains(t, b.text("#outcome"), "beyond, scheme 7 does less.")
	assert.LessOrEqual(t, eval[int](b, "document.documentElement.scrollHeight"), 720)
	b.js("raceForm().stop.value = '0.9@0.05'; raceForm().stop.dispatchEvent(new Event('input', { bubbles: true }))")
	b.until("race.known")
	assert.Contains(t, b.text("#plot"), "counted: 0.14 M")
	b.until("location.hash === '#v=1&race=hashunsorted,hierarchical&T=512&stop=0.9@0.05'")
	assert.Contains(t, b.text("#command"), "-T 512 --stop 0.9@0.05")
	b.openHere("v=1&race=hashunsorted,hierarchical&n=100&M=1024")
	assert.NotContains(t, b.text("#plot"), "measured", "where M is so large")
	b.openHere("v=1&race=hashunsorted,hierarchical&T=77")
	b.js("raceForm().n.value = raceForm().n.options[0].value; raceForm().n.dispatchEvent(new Event('input', { bubbles: true }))")
	assert.Contains(t, eval[string](b, "race.of.fragment"), "&T=77", "another knob was turned")
	b.openHere("v=1&race=hashunsorted,hierarchical&n=0")
	assert.Contains(t, b.text("#message"), "use a whole number from 1 to 10000")
	b.openHere("v=1&lesson=7")
	b.press("f", false)
	b.openHere("v=1&race=hashunsorted,hierarchical")
	assert.True(t, eval[bool](b, "document.querySelector('header').getBoundingClientRect().height > 20 && !document.documentElement.classList.contains('projector')"))
	b.size(500, 800)
	assert.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth"), eval[int](b, "innerWidth"))
	b.openHere("v=1&lesson=7")
	assert.False(t, eval[bool](b, "racing() || document.getElementById('race').getClientRects().length > 0"))
}

// What was measured is the rule that the front page has for lists.
func TestMeasured(t *testing.T) {
	m, err := measured("../..")
	require.NoError(t, err)
	front, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	assert.Contains(t, string(front), fmt.Sprintf("6 if slots are lists, J ≤ M/%g and M ≤ %g n;", math.Round(1/m.J), m.Slots))
	assert.DirExists(t, filepath.Join("../../results", m.Machine))
}
