package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built is the page, made once for all tests.
var built = sync.OnceValues(Build)

// tab is a tab of a browser that shows the page.
type tab struct {
	*testing.T
	ctx      context.Context
	mu       sync.Mutex
	problems []string // what the console said
}

// chromium starts the browser of all tests; without one its context is nil.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-headless-shell", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, nil
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU)
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
	parent, err := chromium()
	if parent == nil {
		t.Skip("needs chromium, which .ci/run installs")
	}
	require.NoError(t, err)
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx}
	require.NoError(t, chromedp.Do(ctx))
	require.NoError(t, chromedp.Listen(ctx, b.listen))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		assert.Empty(t, b.problems, "the console")
	})
	return b
}

// listen collects what the page writes to the console, and its exceptions.
func (b *tab) listen(event any) {
	name := fmt.Sprintf("%T", event)
	for _, bad := range []string{"ExceptionThrown", "ConsoleAPICalled", "EntryAdded"} {
		if strings.Contains(name, bad) {
			b.mu.Lock()
			text, _ := json.Marshal(event)
			b.problems = append(b.problems, string(text))
			b.mu.Unlock()
		}
	}
}

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
	b.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(format, args...)))
}

// until waits until a condition holds.
func (b *tab) until(condition string) {
	b.Helper()
	b.run(chromedp.Poll[chromedp.Void](condition))
}

// answer gives an answer to the present question.
func (b *tab) answer(text string) {
	b.Helper()
	b.js(fillAnswer, text)
	b.run(chromedp.Click(chromedp.CSS("#answer [type=submit]")))
}

// open opens the page from a file and waits until it is ready.
func (b *tab) open(fragment string) {
	b.Helper()
	html, err := built()
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "page.html")
	require.NoError(b, os.WriteFile(path, html, 0o600))
	_, err = chromedp.Call(b.ctx, log.Enable, cdp.Empty{})
	require.NoError(b, err)
	b.run(chromedp.Navigate("file://"+path+"#"+fragment), chromedp.WaitReady(chromedp.CSS("html[data-ready]")))
}

// eval returns the value of an expression.
func eval[T any](b *tab, expression string) (value T) {
	b.Helper()
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
