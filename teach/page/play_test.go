package main

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/teach/page/draw"
	"timerlab/teach/player"
)

// way is a place of a wheel's drawing: turns from the top, and how far out.
type way [2]float64

var supply = way{-0.127, 209}

// drag presses the mouse at a place, carries it round by others, and releases it at the last; or a finger, if touch.
func (b *tab) drag(touch bool, by ...way) {
	b.Helper()
	send := func(mouse input.DispatchMouseEventType, finger input.DispatchTouchEventType, to way) {
		x, y := 180+to[1]*math.Sin(2*math.Pi*to[0]), 176-to[1]*math.Cos(2*math.Pi*to[0])
		p := eval[[2]float64](b, fmt.Sprintf(`(({ x, y }) => [x, y])(new DOMPoint(%g, %g).matrixTransform(document.querySelector('.grips').getScreenCTM()))`, x, y))
		if !touch {
			b.run(chromedp.MouseEvent(mouse, p[0], p[1], func(p *input.DispatchMouseEventParams) { p.Button, p.Buttons, p.ClickCount = "left", 1, 1 }))
			return
		}
		points := []*input.TouchPoint{{X: p[0], Y: p[1]}}
		if finger == "touchEnd" {
			points = nil
		}
		_, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: finger, TouchPoints: points})
		require.NoError(b, err)
	}
	send("mousePressed", "touchStart", by[0])
	for i, to := range by[1:] {
		from := by[i]
		for k := 1.0; k <= 4; k++ {
			send("mouseMoved", "touchMove", way{from[0] + (to[0]-from[0])*k/4, from[1] + (to[1]-from[1])*k/4})
		}
	}
	send("mouseReleased", "touchEnd", by[len(by)-1])
}

// What the page opens with is a wheel for the hands: a mouse, a finger on a small telephone, or keys.
func TestPlay(t *testing.T) {
	b := browser(t)
	b.prefer("reduced-motion", "reduce")
	for _, touch := range []bool{false, true} {
		b.size(1280, 900)
		if touch {
			b.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch))
		}
		b.open("")
		assert.False(t, eval[bool](b, "playing()"))
		assert.Equal(t, eval[int](b, "innerWidth"), eval[int](b, "document.documentElement.scrollWidth"))
		edits := play
		for _, c := range []struct {
			by               []way
			edit, tick, hint string
		}{
			{[]way{supply, {5. / 12, 200}, {5. / 12, 110}}, ",0:start:5", "", "round the wheel twice"},
			{[]way{supply, {5. / 12, 200}, {5. / 12, 110}, {1, 110}, {17. / 12, 110}}, ",0:start:17", "", "Drag the hand"},
			{[]way{supply, {-0.1, 110}, {2. / 12, 110}}, ",0:start:2", "", "Drag the hand"}, // over the hand, but not round
			{[]way{{4. / 12, 105}, {4. / 12, 190}}, ",0:stop:0", "", "Drag the hand"},
			{[]way{{9. / 12, 105}, {7. / 12, 105}}, ",0:restart:1:7", "", "Drag the hand"},
			{[]way{supply, {-0.2, 215}}, "", "", "Drag the hand"},
			{[]way{{7. / 12, 105}, {7. / 12, 115}}, "", "", "Drag the hand"},
			{[]way{{0, 58}, {0.5, 58}, {1, 58}, {15. / 12, 58}}, "", "&t=15", "rather tick"},
			{[]way{{3. / 12, 58}, {-4. / 12, 58}}, "", "&t=8", "rather tick"},
			{[]way{{8. / 12, 58}, {0, 58}, {-1, 58}}, "", "", "rather tick"},
		} {
			b.drag(touch, c.by...)
			edits += c.edit
			require.Equal(t, edits+c.tick, b.fragment(), "%v", c.by)
			assert.Contains(t, b.text("#hint p"), c.hint, "%v", c.by)
		}
	}
	b.size(1280, 900)
	b.js(`{ const box = document.querySelector('.supply').getBoundingClientRect(); // out of the drawing in one move
		const at = (type, x, y, buttons, on) => on.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, buttons, button: 0, pointerId: 1, bubbles: true }));
		lanes.setPointerCapture = () => {};
		at('pointerdown', box.x + 5, box.y + 5, 1, document.querySelector('.supply .target, .supply'));
		at('pointermove', 3, box.y, 1, document.body);
		at('pointerup', 3, box.y, 0, document.body);
		delete lanes.setPointerCapture; }`)
	assert.True(t, eval[bool](b, "held === null && lanes.querySelector('.ghost').hasAttribute('hidden')"))
	b.key(".supply", "ArrowRight", 5)
	assert.Equal(t, "in 5 ticks slot 5 ", b.text("#aim"))
	b.key(".supply", "Escape", 1)
	b.key(".supply", "ArrowLeft", 1)
	b.key(".supply", "ArrowRight", 7)
	b.key(".supply", "Enter", 1)
	b.key("[data-k=t2]", "Delete", 1)
	b.js("document.querySelector('[data-slot=\"3\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
	b.click("#compare")
	assert.Contains(t, b.fragment(), "schemes=unordered,tree,hashunsorted&")
	assert.Regexp(t, ",0:start:18,0:stop:2,0:start:3$", b.fragment())

	b.prefer("reduced-motion", "no-preference") // the wheel turns by itself, but while something is held
	b.open("")
	b.until("page.now.tick > 0")
	b.js("hold(lanes.querySelector('.supply'))")
	tick := eval[int](b, "page.now.tick")
	time.Sleep(1500 * time.Millisecond)
	assert.Equal(t, tick, eval[int](b, "page.now.tick"))
	b.js("aim(30); drop()")
	b.until(fmt.Sprintf("page.now.tick > %d", tick))
	b.size(360, 300)
	b.js("scrollTo(0, document.body.scrollHeight)")
	b.until("page.away")
}

// key presses a key on an element of the drawing.
func (b *tab) key(selector, key string, times int) {
	b.Helper()
	for range times {
		b.js("{ const e = document.querySelector('#lanes %s'); e.focus(); e.dispatchEvent(new KeyboardEvent('keydown', {key: %q, bubbles: true})); }", selector, key)
	}
}

// The rim changes M at the same tick and with the same timers, which fly to their slots. Each M leaves the cost that the
// library counts on the plot, after the reader has drawn what to expect.
func TestRim(t *testing.T) {
	b := browser(t)
	b.prefer("reduced-motion", "reduce")
	b.size(1280, 900)
	b.open("v=1&lesson=7&edit=20:start:50&t=20")
	b.js("document.querySelector('.grips').kept = true")
	place := func() string { return eval[string](b, "document.querySelector('[data-k=t10]').style.transform") }
	before := place()
	assert.Equal(t, before, eval[string](b, "(() => { setSize(stops()[8]); return document.querySelector('[data-k=t10]').style.transform; })()"))
	b.until(fmt.Sprintf("document.querySelector('[data-k=t10]').style.transform !== %q", before))
	assert.True(t, eval[bool](b, "document.querySelector('.grips').kept"))
	assert.Equal(t, "v=1&lesson=7&M=64&edit=20:start:50&t=20", b.fragment())
	b.drag(false, way{0.17, 194}, way{0.107, 194})
	assert.Equal(t, "v=1&lesson=7&M=6&edit=20:start:50&t=20", b.fragment())
	b.key(".rim", "ArrowRight", 6)
	b.key(".rim", "ArrowLeft", 7)
	assert.Equal(t, "4", eval[string](b, "document.querySelector('.rim').getAttribute('aria-valuenow')"))
	b.js("play()")
	b.drag(false, way{0.1, 194}, way{0.17, 194}) // the address has M while the clock runs, too
	b.until("playing() && slots() > 4 && location.hash.includes(`&M=${slots()}&`)")
	b.js("pause(); setSize(stops()[0])")

	plot := eval[[3]float64](b, "(({ left, right, top }) => [left, right, top])(document.getElementById('costs').getBoundingClientRect())")
	for _, event := range []input.DispatchMouseEventType{"mousePressed", "mouseMoved", "mouseReleased"} {
		b.run(chromedp.MouseEvent(event, plot[0]+40, plot[2]+80, func(p *input.DispatchMouseEventParams) { p.Button, p.Buttons = "left", 1 }))
		plot[0] = plot[1] - 70 // which the line is drawn to
	}
	assert.Equal(t, len(draw.Sizes), eval[int](b, "document.querySelector('#costs .guess').getAttribute('d').split(/[ML]/).length - 1"))
	b.js("{ const key = document.querySelector('#guesses input'); key.value = 90; key.dispatchEvent(new Event('input', {bubbles: true})); }")
	b.click("#countCosts")
	want := "4 43.5 39.9 79.0 39.7;" // a guess of half the height
	p, err := player.Open("v=1&lesson=7")
	require.NoError(t, err)
	for _, slots := range draw.Sizes[1:] {
		paper, refined, counted, err := p.State.CostOfTick(slots)
		require.NoError(t, err)
		want += fmt.Sprintf("%d %.1f %.1f %.1f;", slots, counted, paper, refined)
	}
	assert.Equal(t, want, eval[string](b, `[...document.querySelectorAll('#costTable tr')].map((row) => [...row.cells].map((c) => c.textContent).filter((text, i, all) => i !== 1 || all[0] === '4').join(' ') + ';').join('')`))
	assert.Equal(t, len(draw.Sizes), eval[int](b, "document.querySelectorAll('#costs .counted').length"))
}
