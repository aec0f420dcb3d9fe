package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
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
	times, err := measured("../..")
	if err != nil {
		return nil, err
	}
	p, err := player.Open("")
	if err != nil {
		return nil, err
	}
	drawn, f := "", p.Frame() // the first moment of the first lesson, for readers without scripts
	for i := range f.Lanes {
		drawing, _ := draw.Lane(&p.State, &f.Lanes[i], f.Tick)
		drawn += drawing
	}
	t := template.Must(template.New("page").Option("missingkey=error").Parse(read("page.html")))
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{
		"Style": read("style.css"), "Exec": string(exec), "Script": read("app.js") + read("control.js") + read("ask.js") + read("race.js"),
		"Player": pack(wasm), "Source": pack(text), "Lessons": player.Lessons, "Drawn": drawn, "Schemes": harness.Schemes,
		"Measured": times, "Sides": []string{"first", "second"},
	})
	return out.Bytes(), err
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

// compile returns the player as a module for a browser, and the script that starts it, which
// must be the compiler's own. Without inlining the module is smaller by a twentieth.
func compile() (wasm, script []byte, err error) {
	tmp, err := os.MkdirTemp("", "page")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	file := filepath.Join(tmp, "player.wasm")
	build := exec.Command("go", "build", "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w -buildid=", "-o", file, "./wasm")
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

// pack compresses data into text that a script element may have.
func pack(data []byte) string {
	var compressed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(compressed.Bytes())
}
