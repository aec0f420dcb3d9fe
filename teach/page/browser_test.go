package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/teach/player"
)

// The page counts what the native code counts, and expires the same timers on the same ticks.
func TestCountsEqualNative(t *testing.T) {
	b := browser(t)
	b.open("")
	for seed := 1; seed <= 3; seed++ {
		fragment := fmt.Sprintf("v=1&lesson=0&schemes=%s&n=30&T=60&M=512&m=3&workload=uniform&stop=0.3@0.5&seed=%d&ticks=500&t=500",
			strings.Join(harness.Names(), ","), seed)
		b.openHere(fragment)
		got := eval[map[string]string](b, "Object.fromEntries(page.now.lanes.map((lane) => [lane.name, lane.outcome]))")
		native, err := player.Open(fragment)
		require.NoError(t, err)
		lanes := native.Frame().Lanes
		require.Len(t, got, len(lanes))
		for _, l := range lanes {
			assert.Equal(t, fmt.Sprintf("%+v %+v", l.Outcome, l.Total), got[l.Info.Name], l.Info.Name)
		}
	}
}

// What a link says is what the page shows, after loading it as after going there.
func TestLinkRoundTrip(t *testing.T) {
	b := browser(t)
	for _, fragment := range []string{
		"v=1&lesson=7&t=40&step=1", "v=1&lesson=0&schemes=ordered,tree-bst&n=40&T=300&t=17",
		"v=1&lesson=2&edit=7:stop:3,7:restart:4:20,9:start:5&t=9",
	} {
		b.open(fragment)
		assert.Equal(t, fragment, b.fragment())
		b.until(fmt.Sprintf("location.hash === %q", "#"+fragment))
		assert.Empty(t, b.text("#message"))
	}
	b.openHere("v=1&n=many&edit=5:stop:9999")
	assert.Contains(t, b.text("#message"), "edit 5:stop:9999 has no effect: timer 9999 is not outstanding on tick 5")
	assert.Contains(t, b.text("#message"), `invalid n "many" (use a whole number from 0 to 10000)`)
	assert.False(t, eval[bool](b, "document.querySelector('#message').hidden"))
}

// press presses a key on the page.
func (b *tab) press(key string, shift bool) {
	b.Helper()
	b.js("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: %q, shiftKey: %v, bubbles: true}))", key, shift)
}

func TestKeys(t *testing.T) {
	b := browser(t)
	b.open("v=1&lesson=2")
	for _, c := range []struct {
		key   string
		shift bool
		look  string
		want  any
	}{
		{"ArrowRight", false, "page.now.tick", 7.0}, {"ArrowLeft", false, "page.now.tick", 6.0},
		{"PageDown", false, "page.now.tick", 7.0}, {"PageUp", false, "page.now.tick", 6.0},
		{"ArrowRight", true, "page.now.tick + page.now.step / 10", 7.1}, {"ArrowLeft", true, "page.now.tick", 6.0},
		{"End", false, "page.now.tick", 200.0}, {"Home", false, "page.now.tick", 0.0},
		{"+", false, "Math.round(page.rate)", 5.0}, {"-", false, "page.rate", 3.2},
		{"=", false, "Math.round(page.rate)", 5.0}, {"2", false, "page.run.shown.join()", "unordered,ordered"},
		{"3", false, "page.run.shown.join()", "unordered,ordered,tree"}, {"4", false, "page.run.shown.length", 4.0},
		{"5", false, "page.run.shown.length", 5.0}, {"6", false, "page.run.shown.length", 6.0},
		{"7", false, "page.run.shown.pop()", "hierarchical"}, {"1", false, "page.run.shown[0]", "ordered"},
		{"7", false, "page.run.shown.pop()", "hashunsorted"},
		{"c", false, "document.getElementById('numbers').hidden", true},
		{"c", false, "document.getElementById('numbers').hidden", false}, {" ", false, "playing()", true},
		{".", false, "playing()", false}, {"?", false, "document.getElementById('help').open", true},
	} {
		b.press(c.key, c.shift)
		assert.Equal(t, c.want, eval[any](b, c.look), "key %q", c.key)
	}
	b.js("document.getElementById('help').close()")
	b.press("l", false)
	b.until("document.getElementById('copied').textContent !== ''")
	b.js("document.querySelector('#parameters [name=n]').dispatchEvent(new KeyboardEvent('keydown', {key: '3', bubbles: true}))")
	assert.Contains(t, eval[[]string](b, "page.run.shown"), "tree", "a digit in a field is no key")

	b.openHere("v=1&lesson=7&t=40") // where a timer that has the focus says what is known of it, and keeps the focus
	b.js(`document.querySelector('#lanes [data-k=t10]').focus()`)
	assert.Equal(t, "timer 10: due at 82, in 42 ticks, 6 rounds left", b.text("#tip"))
	b.js("actions.tick()")
	assert.Equal(t, "timer 10: due at 82, in 41 ticks, 6 rounds left", b.text("#tip"))
	b.js(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}))`)
	assert.NotContains(t, b.text("#tip"), "timer 10")
}

// An edit in the past forks, and the browser's Back undoes it. A slider changes the run at the present tick, and the
// link with it.
func TestChanges(t *testing.T) {
	b := browser(t)
	b.open("v=1&lesson=2&edit=9:start:5&t=7")
	b.fill("#edit [name=interval]", "4")
	b.click("#edit [name=start]")
	assert.Equal(t, "v=1&lesson=2&edit=7:start:4&t=7", b.fragment())
	b.js("history.back()")
	b.until("page.now.fragment.includes('9:start')")
	b.fill("#edit [name=interval]", "0")
	b.click("#edit [name=start]")
	assert.Contains(t, b.text("#message"), "interval 0 is out of range (use 1 to")
	b.fill("#edit [name=interval]", "")
	b.fill("#edit [name=timer]", "x")
	b.click("#edit [name=restart]")
	assert.Equal(t, "Tick 7: to restart a timer, give an interval, a whole number of ticks, and a timer, the number in its circle.", b.text("#message"))
	b.openHere("v=1&lesson=7&t=20")
	b.js("const m = document.querySelector('#knobs [name=M]'); m.value = 32; m.dispatchEvent(new Event('input', {bubbles: true}))")
	assert.Equal(t, "v=1&lesson=7&M=32&t=20", b.fragment())
	assert.Equal(t, "32", b.text("#knobs [name=MText]"))
	b.fill("#parameters [name=n]", "40")
	b.click("#parameters [type=submit]")
	assert.Equal(t, "v=1&lesson=7&M=32&n=40&t=0", b.fragment())
	b.openHere("v=1&lesson=9")
	assert.True(t, eval[bool](b, "document.getElementById('knobs').hidden"), "there is no workload to change")
}

// In every lesson the code judges the prediction, right and wrong, and steps back show what the steps forward have shown.
// Nothing chosen is no answer. A question is about the moment at which it was put, so stepping on shows what becomes of it.
func TestLessons(t *testing.T) {
	b := browser(t)
	b.open("")
	for lesson := range player.Lessons {
		for want, right := range map[string]bool{"Right.": true, "Not so.": false} {
			b.openHere(fmt.Sprintf("v=1&lesson=%d", lesson+1))
			require.False(t, eval[bool](b, "document.getElementById('question').hidden"), lesson+1)
			assert.NotEmpty(t, b.text("#prompt"))
			answer := eval[string](b, fmt.Sprintf(`(() => {
				const choices = [...document.querySelectorAll('#choices [type=radio]')].map((choice) => choice.value);
				return (choices.length ? choices : [...Array(400).keys()].map(String)).find((text) => timerlab.answer(text).right === %v);
			})()`, right))
			b.answer(answer)
			assert.Contains(t, b.text("#verdict"), want, "lesson %d: %s", lesson+1, answer)
		}
		assert.True(t, eval[bool](b, `(() => {
			const shown = () => ['where', 'sentence', 'lanes', 'counts'].map((id) => $(id).textContent).join();
			const moments = [...Array(12)].map(() => { const now = shown(); actions.step(); return now; });
			return moments.reverse().every((moment) => { actions.stepback(); return moment === shown(); });
		})()`), "lesson %d", lesson+1)
	}
	b.openHere("v=1&lesson=0")
	assert.True(t, eval[bool](b, "document.getElementById('question').hidden"))
	b.openHere("v=1&lesson=8")
	b.click("#answer [type=submit]")
	assert.Equal(t, "Answer first.", b.text("#verdict"))
	b.openHere("v=1&lesson=1")
	b.js("actions.tick(); actions.tick(); actions.tick(); actions.tick()")
	b.answer("1")
	assert.Contains(t, b.text("#verdict"), "Right.")
	assert.Contains(t, b.text("#revealed"), "never early, never late")
}

// Any operation's source can be read.
func TestSourceShown(t *testing.T) {
	b := browser(t)
	b.open("v=1&lesson=8")
	b.until("document.querySelector('#source .file')")
	assert.Contains(t, b.text("#source .file + pre + .file"), "schemes/hashsorted/hashsorted.go")
	assert.Contains(t, b.text("#source .paper"), "while the deadline of the slot's first record = now")
	b.fill("#source select", "hashunsorted")
	b.fill("#source select:nth-of-type(2)", "Start")
	assert.Contains(t, b.text("#source mark"), "func (w *wheel) Start(")
	assert.Contains(t, b.text("#source pre:last-child"), "func (w *wheel) PerTick(")
	assert.Positive(t, eval[int](b, "document.querySelector('#source pre:last-child').scrollTop"), "the operation is in view")
	assert.Contains(t, b.text("#source .file + pre + .file"), "schemes/hashunsorted/hashunsorted.go")
	b.js("page.operation = ''")
	b.openHere("v=1&lesson=4")
	assert.Contains(t, b.text("#source mark"), "func (h *heap) down(", "what PerTick calls")
}

// The drawings can be saved as an SVG file.
func TestSavedDrawings(t *testing.T) {
	b := browser(t)
	b.open("v=1&lesson=8")
	text := eval[string](b, `(() => {
		let saved;
		URL.createObjectURL = (blob) => { saved = blob; return 'about:blank#'; };
		HTMLAnchorElement.prototype.click = () => {};
		document.getElementById('save').click();
		return saved.type + ' ' + saved.size;
	})()`)
	assert.Regexp(t, "^image/svg.xml [0-9]{5}$", text)
}

// Whatever is pressed in whatever order, the console stays silent, and the link leads to what is shown.
func TestAnyOrder(t *testing.T) {
	b := browser(t)
	b.open("")
	b.js(`window.monkey = (seed) => {
		const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff; return (seed >> 16) - n * Math.floor((seed >> 16) / n); };
		const pick = (list) => list[random(list.length)];
		const names = Object.keys(actions).filter((name) => !['help', 'copy'].includes(name));
		for (let i = 0; i < 40; i++) {
			switch (random(6)) {
			case 0: go(pick(['v=1&lesson=' + (1 + random(12)), 'n=' + random(50), 'levels=3x0'])); break;
			case 1: toggleScheme(random(7)); break;
			case 2: edit(pick(['start:' + random(40), 'stop:' + random(20), 'restart:' + random(20) + ':' + random(40)])); break;
			case 3: $('answer').requestSubmit(); break;
			case 4: { const k = pick([...$('knobs').elements].filter((e) => e.type === 'range')); k.value = random(100); k.dispatchEvent(new Event('input', {bubbles: true})); break; }
			default: actions[pick(names)]();
			}
		}
		pause();
		const shown = $('lanes').textContent + $('counts').textContent;
		open(page.now.fragment);
		return shown === $('lanes').textContent + $('counts').textContent;
	}`)
	for seed := 1; seed <= 2; seed++ {
		assert.True(t, eval[bool](b, fmt.Sprintf("monkey(%d)", seed)), "seed %d: %s", seed, b.fragment())
	}
}

// The page is small. Without scripts there are the lessons' texts and the first drawing.
func TestWithoutScripts(t *testing.T) {
	b := browser(t)
	html, err := built()
	require.NoError(t, err)
	var sent bytes.Buffer
	w := gzip.NewWriter(&sent)
	_, err = w.Write(html)
	require.NoError(t, errors.Join(err, w.Close()))
	assert.LessOrEqual(t, sent.Len(), 1_250_000)
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, html, 0o600))
	_, err = chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	b.run(chromedp.Navigate("file://"+path), chromedp.WaitVisible(chromedp.CSS("article .static svg")),
		chromedp.WaitNotVisible(chromedp.CSS("#controls")))
	text, err := chromedp.Run(b.ctx, chromedp.TextContent(chromedp.CSS("#lesson")))
	require.NoError(t, err)
	for _, l := range player.Lessons {
		assert.Contains(t, text, l.Title)
	}
}

// Nothing is wider than a small telephone, and motion stops for those who ask for that.
func TestNarrowAndStill(t *testing.T) {
	b := browser(t)
	b.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch))
	b.prefer("reduced-motion", "reduce")
	b.open("")
	for lesson := range player.Lessons {
		b.openHere(fmt.Sprintf("v=1&lesson=%d", lesson+1))
		assert.Equal(t, "", eval[string](b, `[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > 361 &&
			!e.closest('pre, .sr, .skip, table')).map((e) => e.tagName + '#' + e.id + '.' + e.className).join(' ')`), "lesson %d", lesson+1)
		assert.Equal(t, 360, eval[int](b, "document.documentElement.scrollWidth"))
	}
	b.openHere("v=1&lesson=2")
	b.run(chromedp.Tap(chromedp.CSS("[data-do=tick]")))
	b.until("page.now.tick === 7")
	b.run(chromedp.Tap(chromedp.CSS("#lanes .chip")))
	b.until("document.querySelector('#edit [name=timer]').value !== ''")
	assert.Equal(t, "0s", eval[string](b, "getComputedStyle(document.querySelector('.chip')).transitionDuration"))
}

// On a projector of 1280 by 720 every lesson is seen whole, and every digit is 18 pixels high or more.
func TestProjector(t *testing.T) {
	b := browser(t)
	b.size(1280, 720)
	b.open("")
	b.press("f", false)
	for lesson := range player.Lessons {
		b.openHere(fmt.Sprintf("v=1&lesson=%d", lesson+1))
		b.js("actions.tick()")
		assert.Equal(t, "", eval[string](b, `(() => {
			const wrong = [];
			const controls = document.getElementById('controls').getBoundingClientRect().top + 1;
			const seen = (e) => e.getClientRects().length > 0;
			for (const e of [...document.querySelectorAll('main *, #controls *')].filter(seen)) {
				const box = e.getBoundingClientRect();
				if ((e.closest('svg') === null || e.matches('svg')) && (box.bottom > controls && e.closest('main') || box.bottom > 721 || box.right > 1281 || box.top < -1)) {
					wrong.push('outside: ' + e.tagName + e.id + e.className);
				}
				const svg = e.closest('svg');
				const scale = svg ? svg.getScreenCTM().a : 1;
				if (e.childNodes.length && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) * scale < 17.95) {
					wrong.push('small: ' + e.textContent + ' ' + parseFloat(getComputedStyle(e).fontSize) * scale);
				}
			}
			return wrong.join('; ');
		})()`), "lesson %d", lesson+1)
	}
	const asked = "document.getElementById('question').getClientRects().length > 0"
	assert.False(t, eval[bool](b, asked))
	b.press("q", false)
	assert.True(t, eval[bool](b, asked))
	b.answer("2")
	assert.Contains(t, b.text("#verdict"), "The code says 2.")
	b.press("Escape", false)
	assert.True(t, eval[bool](b, asked+" && !document.documentElement.className.includes('projector')"))
}

// At twice the size, the drawing and what moves it are seen together.
func TestTwiceTheSize(t *testing.T) {
	b := browser(t)
	b.size(640, 450)
	b.open("v=1&lesson=7")
	assert.True(t, eval[bool](b, `(() => {
		document.querySelector('svg.lane').scrollIntoView();
		const [bar, play] = ['controls', 'play'].map((id) => $(id).getBoundingClientRect());
		return document.querySelector('svg.lane').getBoundingClientRect().bottom <= bar.top && play.bottom <= innerHeight;
	})()`))
}

// A lesson shows what the claims that it names say.
func TestClaimsShown(t *testing.T) {
	b := browser(t)
	b.open("v=1&lesson=10")
	b.click("article.open .claim")
	assert.Contains(t, b.text("[popover]:popover-open"), "section 6.2: beyond T* = m·M·c7/c6 scheme 7 costs less; judged by time.")
}

// axe-core finds nothing that keeps anybody out: in each lesson, after an answer, and on a small screen.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	require.NoError(t, err)
	b := browser(t)
	b.open("")
	b.js("%s", axe)
	for _, fragment := range []string{"", "v=1&lesson=1", "v=1&lesson=2", "v=1&lesson=5", "v=1&lesson=7", "v=1&lesson=9", "v=1&lesson=11", "v=1&lesson=12", "v=1&lesson=13", "v=1&lesson=14",
		"v=1&lesson=0&schemes=all&n=300&M=512&levels=128x128", "v=1&race=hashunsorted,hierarchical",
		"v=1&race=hashunsorted,hierarchical&M=1024", "v=1&n=wrong"} {
		b.openHere(fragment)
		if strings.HasSuffix(fragment, "=2") || strings.HasSuffix(fragment, "=5") { // to a projector, with the question, and back
			b.js("actions.project(); actions.predict()")
		}
		if strings.HasSuffix(fragment, "1024") {
			b.js("reveal()")
			b.until("race.known")
		}
		if strings.HasSuffix(fragment, "11") {
			b.answer("scheme 7, hierarchical wheels")
		}
		if strings.HasSuffix(fragment, "wrong") {
			b.press("?", false)
		}
		colours := "light"
		if strings.HasSuffix(fragment, "7") || strings.HasSuffix(fragment, "13") {
			colours = "dark"
		}
		b.prefer("color-scheme", colours)
		for _, width := range []int64{1280, 360} {
			b.size(width, 800)
			b.js("window.found = undefined; axe.run(document).then((r) => { window.found = r.violations; })")
			b.until("window.found !== undefined")
			assert.Equal(t, "", eval[string](b, `found.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120) + ' ' +
				n.failureSummary).join(' | ')).join('\n')`), "%s at %d", fragment, width)
		}
	}
}
