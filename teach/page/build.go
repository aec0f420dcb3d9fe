package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"timerlab/harness"
	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/teach/page/draw"
	"timerlab/teach/player"
)

//go:embed ui
var ui embed.FS

// Build returns the page. The working directory must be this module's.
func Build() ([]byte, error) {
	wasm, exec, err := compile()
	if err != nil {
		return nil, err
	}
	sources, err := FindSources()
	if err != nil {
		return nil, err
	}
	text, _ := json.Marshal(sources) // strings and numbers
	claims, err := claims()
	if err != nil {
		return nil, err
	}
	times, err := measured("../..")
	if err != nil {
		return nil, err
	}
	funcs := template.FuncMap{"name": player.Name, "linked": linked}
	t := template.Must(template.New("page").Option("missingkey=error").Funcs(funcs).Parse(read("page.html")))
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{
		"Style": bare(read("style.css")), "Exec": bare(string(exec)),
		"Script": bare(read("app.js") + read("control.js") + read("play.js") + read("ask.js") + read("race.js")),
		"Player": pack(wasm), "Source": pack(text), "Lessons": player.Lessons, "Claims": claims, "Schemes": harness.Schemes,
		"First": drawn("lesson=1"), "Play": play, "Wheel": drawn(play), "Grips": draw.Grips(), "Sizes": draw.Sizes, // before the player runs, and without scripts
		"Measured": times, "Sides": []string{"first", "second"},
	})
	return out.Bytes(), err
}

// play is the state that the page opens with: a wheel to put timers on.
const play = "v=1&lesson=0&M=12&n=0&ticks=600&edit=0:start:4,0:start:9"

// drawn returns the drawing of a state with one scheme.
func drawn(fragment string) string {
	p, _ := player.Open(fragment) // a test opens both
	f := p.Frame()
	svg, _ := draw.Lane(&p.State, &f.Lanes[0], f.Tick)
	return svg
}

// claims returns the table of claims for lectures: a line each, then its ID, section and text.
func claims() (lines [][]string, err error) {
	table, err := os.ReadFile("../links.md")
	return regexp.MustCompile(`(?m)^\| <a id=".*"></a>(\S+) \| (\S+) \| (.*) \|$`).FindAllStringSubmatch(
		strings.ReplaceAll(string(table), "*time*", "judged by time"), -1), err
}

// linked makes a button of each claim that a text names, which shows it.
func linked(text string) string {
	return regexp.MustCompile(`\bclaim\s+(\w+-\d+\w*)`).ReplaceAllString(text, `<button type="button" class="claim" popovertarget="claim-$1">$0</button>`)
}

// Measured is what the results of a machine say of schemes 6 and 7.
type Measured struct {
	Machine  string  // its folder; "": there are no results
	J, Slots float64 // as choice.BreakEven returns them
}

// measured reads the results from which the answer on the front page is.
func measured(root string) (m Measured, err error) {
	front, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return m, err
	}
	_, answer, _ := strings.Cut(string(front), "\n## The answer\n")
	folder := regexp.MustCompile(`results/[^/]+`).FindString(answer)
	files, _ := filepath.Glob(filepath.Join(root, folder, "bench-*.txt")) // the pattern is valid
	if len(files) == 0 {
		return m, nil
	}
	table, err := results.Load(files...)
	if err != nil {
		return m, err
	}
	judged, err := choice.Judge(table)
	if err == nil {
		m.Machine = filepath.Base(folder)
		m.J, m.Slots = judged.BreakEven()
	}
	return m, err
}

func read(name string) string {
	text, err := ui.ReadFile("ui/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// bare returns a script or a style sheet without indentation and lines of comments.
func bare(text string) string {
	return regexp.MustCompile(`(?m)^[ \t]*(//.*\n)?`).ReplaceAllString(text, "")
}

// compile returns the player as a module for a browser, and the script that starts it, which
// must be the compiler's own. Without inlining the module is smaller by a twentieth.
func compile() (wasm, script []byte, err error) {
	tmp, err := os.MkdirTemp("", "page")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	overlay, err := withoutTexts(tmp)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(tmp, "player.wasm")
	build := exec.Command("go", "build", "-trimpath", "-overlay", overlay, "-gcflags=all=-l", "-ldflags=-s -w -buildid=", "-o", file, "./wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("building the player: %w\n%s", err, out)
	}
	if wasm, err = os.ReadFile(file); err != nil {
		return nil, nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, nil, err
	}
	script, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return wasm, script, err
}

// withoutTexts returns the overlay of a build in which lessons have no texts, which the page has itself.
func withoutTexts(dir string) (overlay string, err error) {
	text, err := filepath.Abs("../player/lessons.txt")
	if err != nil {
		return "", err
	}
	var heads strings.Builder
	for _, l := range player.Lessons {
		fmt.Fprintf(&heads, "\n# %s\n%s\n%s %d\n\n", l.Title, l.State, l.Kind, l.Interval)
	}
	short, overlay := filepath.Join(dir, "lessons.txt"), filepath.Join(dir, "overlay.json")
	replace, _ := json.Marshal(map[string]any{"Replace": map[string]string{text: short}}) // strings
	return overlay, errors.Join(os.WriteFile(short, []byte(heads.String()), 0o600), os.WriteFile(overlay, replace, 0o600))
}

// pack compresses data into text that a script element may have.
func pack(data []byte) string {
	var compressed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(compressed.Bytes())
}
