package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"unicode/utf8"

	"timerlab/harness"
	"timerlab/schemes"
	"timerlab/teach/page/draw"
	"timerlab/teach/player"
)

//go:embed ui
var ui embed.FS

// lesson is a lesson as the template shows it.
type lesson struct {
	Number              int
	Title               string
	Text, Reveal, Drawn string // HTML
	Fragment            string
}

// content is what the template is filled with.
type content struct {
	Style, Exec, Script string
	Player, Source      string // packed
	Lessons             []lesson
	Kinds               any
	Schemes             []*schemes.Info
}

// Build returns the page.
func Build() ([]byte, error) {
	c := content{Kinds: player.Kinds, Schemes: harness.Schemes}
	wasm, exec, err := compile()
	if err != nil {
		return nil, err
	}
	sources, err := CutSources()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(sources)
	if err != nil {
		return nil, err
	}
	c.Exec, c.Style = lean(string(exec)), lean(read("style.css"))
	c.Script = lean(read("app.js") + read("control.js") + read("ask.js"))
	c.Player, c.Source = pack(wasm), pack(text)
	if c.Lessons, err = lessons(); err != nil {
		return nil, err
	}
	t, err := template.New("page").Parse(read("page.html"))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, c)
	return out.Bytes(), err
}

// lean returns a script or style without its indents.
func lean(text string) string { return indents.ReplaceAllString(text, "") }

func read(name string) string {
	text, err := ui.ReadFile("ui/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// lessons returns the lessons. The first is drawn, for readers without scripts.
func lessons() (all []lesson, err error) {
	for i, l := range player.Lessons {
		n := i + 1
		drawn := &strings.Builder{}
		if n == player.FirstLesson {
			if err := printDrawings(drawn, fmt.Sprintf("lesson=%d", n)); err != nil {
				return nil, err
			}
		}
		all = append(all, lesson{n, l.Title, l.Text, l.Reveal, drawn.String(),
			fmt.Sprintf("v=1&lesson=%d", n)})
	}
	return all, nil
}

// frameOf returns the state that a fragment names, and what it shows.
func frameOf(fragment string) (state player.State, f player.Frame, err error) {
	if state, err = player.Parse(fragment); err != nil {
		return state, f, err
	}
	p, err := player.New(state, nil)
	if err != nil {
		return state, f, err
	}
	return state, p.Frame(), nil
}

// printDrawings prints a drawing for each scheme of a state.
func printDrawings(w io.Writer, fragment string) error {
	state, f, err := frameOf(fragment)
	if err != nil {
		return err
	}
	for i := range f.Lanes {
		if _, err := fmt.Fprintln(w, draw.Lane(&state, &f.Lanes[i], f.Tick)); err != nil {
			return err
		}
	}
	return nil
}

// compile returns the player as a module for a browser, and the script that starts it, which
// must be the compiler's own. Without inlining the module is smaller by a twentieth.
func compile() (wasm, exec []byte, err error) {
	tmp, err := os.MkdirTemp("", "page")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	file := filepath.Join(tmp, "player.wasm")
	build := command("go", "build", "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w -buildid=", "-o", file, "./wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("building the player: %w\n%s", err, out)
	}
	if wasm, err = os.ReadFile(file); err != nil {
		return nil, nil, err
	}
	root, err := command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, nil, err
	}
	exec, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return wasm, exec, err
}

// command is a command of the Go tool in the folder of this module.
func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	if mod, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "timerlab/teach/page").Output(); err == nil {
		cmd.Dir = strings.TrimSpace(string(mod))
	}
	return cmd
}

// indents are what a browser does not need of a script or style: indents and lines of comment.
var indents = regexp.MustCompile(`(?m)^[ \t]+(//.*\n)?`)

// pack compresses data into characters that a script element may have: seven bits a
// character. NUL, CR and a < that may begin a tag are written as other characters, of two
// bytes. That takes 16 % more than the bytes, where base64 takes 33 %.
func pack(data []byte) string {
	var compressed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	var out []byte
	bits, have := uint(0), 0
	put := func(b byte) {
		if b == 0 || b == '\r' {
			out = utf8.AppendRune(out, shifted+rune(b))
		} else {
			out = append(out, b)
		}
	}
	for _, b := range compressed.Bytes() {
		bits, have = bits<<8|uint(b), have+8
		for have >= 7 {
			put(byte(bits >> (have - 7) & 127))
			have -= 7
		}
	}
	if have > 0 {
		put(byte(bits << (7 - have) & 127))
	}
	tag := string(shifted + '<')
	return strings.NewReplacer("</", tag+"/", "<!", tag+"!").Replace(string(out))
}

// shifted is the distance of characters that are written as others.
const shifted rune = 0x81
