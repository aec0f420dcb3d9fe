package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built is the page, made once for all tests.
var built = sync.OnceValues(Build)

// tab is a tab of a browser that shows the page.
type tab struct {
	*testing.T
	ctx context.Context // of Chromium; nil in Firefox, which has one tab
}

// chromium starts the browser of all tests.
var chromium = sync.OnceValues(func() (context.Context, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	// Events that this version of the protocol does not know are noise.
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	closeBrowser = cancel
	return ctx, chromedp.Do(ctx)
})

var closeBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// browser returns a new tab. It skips the test if there is no browser.
func browser(t *testing.T) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := &tab{T: t}
	if fox == nil {
		parent, err := chromium()
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("needs chromium, which .ci/run installs")
		}
		require.NoError(t, err)
		ctx, cancel := chromedp.NewContext(parent)
		t.Cleanup(cancel)
		b.ctx = ctx
		require.NoError(t, chromedp.Do(ctx)) // without a time limit, which would be the tab's
	}
	t.Cleanup(b.silent)
	return b
}

// listener collects what the page writes to the console, and its errors.
const listener = `<head><script>window.problems = [];
for (const name of ['error', 'unhandledrejection']) addEventListener(name, (e) => problems.push(String(e.message || e.reason || e.target)), true);
for (const name of ['log', 'info', 'warn', 'error']) console[name] = (...all) => problems.push(all.join());</script>`

func (b *tab) silent() { assert.Empty(b, eval[[]string](b, "window.problems || []"), "the console") }

// run runs actions, with a time limit.
func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 60*time.Second)
	defer cancel()
	require.NoError(b, chromedp.Do(ctx, actions...))
}

// js runs a statement.
func (b *tab) js(format string, args ...any) {
	b.Helper()
	eval[int](b, fmt.Sprintf(format, args...)+"\n;0")
}

// until waits until a condition holds.
func (b *tab) until(condition string) {
	b.Helper()
	for begin := time.Now(); !eval[bool](b, "!!("+condition+")"); time.Sleep(10 * time.Millisecond) {
		require.Less(b, time.Since(begin), time.Minute, condition)
	}
}

func (b *tab) click(selector string) {
	b.Helper()
	b.js("document.querySelector(%q).click()", selector)
}

// fill sets the value of a field.
func (b *tab) fill(selector, value string) {
	b.Helper()
	b.js("{ const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event('change')); }", selector, value)
}

// size sets the size of what is seen of the page.
func (b *tab) size(width, height int64) {
	b.Helper()
	if b.ctx != nil {
		b.run(chromedp.EmulateViewport(width, height))
		return
	}
	frame := eval[[2]int64](b, "[outerWidth - innerWidth, outerHeight - innerHeight]")
	marionette(b.T, "WebDriver:SetWindowRect", map[string]int64{"width": width + frame[0], "height": height + frame[1]}, nil)
}

// prefer sets what the reader's system prefers.
func (b *tab) prefer(name, value string) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-" + name, Value: value}},
	})
	require.NoError(b, err)
}

// answer gives an answer to the present question.
func (b *tab) answer(text string) {
	b.Helper()
	b.js("document.getElementById('answer').elements.value.value = %q", text)
	b.click("#answer [type=submit]")
}

// open opens the page from a file and waits until it is ready.
func (b *tab) open(fragment string) {
	b.Helper()
	b.silent()
	html, err := built()
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "page.html")
	require.NoError(b, os.WriteFile(path, bytes.Replace(html, []byte("<head>"), []byte(listener), 1), 0o600))
	if url := "file://" + path + "#" + fragment; b.ctx != nil {
		b.run(chromedp.Navigate(url))
	} else {
		marionette(b.T, "WebDriver:Navigate", map[string]string{"url": url}, nil)
	}
	b.until("document.documentElement.dataset.ready")
}

// eval returns the value of an expression.
func eval[T any](b *tab, expression string) (value T) {
	b.Helper()
	if b.ctx == nil { // where a script sees the page's constants only by the page's eval
		marionette(b.T, "WebDriver:ExecuteScript", map[string]any{"script": "return window.eval(arguments[0])",
			"args": []string{expression}, "sandbox": nil}, &value)
		return value
	}
	ctx, cancel := context.WithTimeout(b.ctx, 60*time.Second)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(b, err, expression)
	return value
}

func (b *tab) fragment() string { return eval[string](b, "page.now.fragment") }

func (b *tab) text(selector string) string {
	return eval[string](b, fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

// openHere opens a fragment without loading the page again.
func (b *tab) openHere(fragment string) {
	b.Helper()
	b.js("go(%q)", fragment)
}
