package lab

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// special matches import paths that the go command treats in another way than mylab.
var special = regexp.MustCompile(`^gopkg\.in/|(^|/)(v\d+|internal|vendor|main)(/|$)`)

// ErrModule is the error of a folder that has no module with a scheme.
var ErrModule = errors.New("no module to grade")

// Module is a student's package, which has a variable Info, and its module, as the go command describes them.
type Module struct {
	Package string `json:"ImportPath"`
	Name    string
	Module  struct{ Path, Dir string }
}

// Open reads what the go command says of a folder. The error wraps ErrModule if there is
// no package that can be graded.
func Open(ctx context.Context, dir string) (*Module, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%q: %w (there is no such folder)", dir, ErrModule)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(names) == 0 {
		return nil, fmt.Errorf("%q: %w (there is no Go file here)", dir, ErrModule)
	}
	list := goCommand(ctx, dir, "list", "-e", "-json=ImportPath,Name,Module", ".")
	out, err := list.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("grading compiles the module: %w", err)
	}
	m, reason := &Module{}, "there is no go.mod here"
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && !bytes.Contains(exit.Stderr, []byte("go.mod file not found")) {
		reason = string(bytes.TrimSpace(exit.Stderr))
	}
	if err != nil || json.Unmarshal(out, m) != nil || m.Module.Path == "" {
		return nil, fmt.Errorf("%q: %w (%s)", dir, ErrModule, reason)
	}
	switch {
	case m.Name == "main":
		return nil, fmt.Errorf("%q: %w (package main cannot be imported; use another name)", dir, ErrModule)
	case m.Module.Path == "timerlab":
		return nil, fmt.Errorf("%q: %w (it is a part of timerlab itself)", dir, ErrModule)
	case m.Module.Path < "1": // see program/reader.go.txt
		return nil, fmt.Errorf("%q: %w (begin the name of module %s with a letter)", dir, ErrModule, m.Module.Path)
	case special.MatchString(m.Package):
		return nil, fmt.Errorf("%q: %w (use another name than %s: a part of it is special to Go)", dir, ErrModule, m.Package)
	}
	return m, nil
}

// withKey are imports with which a package can read memory, or its input before the reader does: see program/reader.go.txt.
var withKey = []string{"assembly", "plugin", "reflect", "runtime/debug", "syscall", "unsafe"}

// refused says which of these imports the student's packages have, of a folder that has been built.
func refused(ctx context.Context, dir string) (reason string, err error) {
	const imports = `{{if not .Standard}}{{$path := "?"}}{{with .Module}}{{$path = .Path}}{{end}}
		{{if not (or (eq $path "0") (eq $path "timerlab"))}}{{join .Imports "\n"}}{{if or .SFiles .SysoFiles}}
assembly{{end}}{{end}}{{end}}`
	out, err := goCommand(ctx, dir, "list", "-mod=mod", "-deps", "-f", imports, ".").Output()
	for _, name := range strings.Fields(string(out)) {
		if slices.Contains(withKey, name) {
			return fmt.Sprintf("it uses %s, which a scheme does not need and the grading does not allow", name), err
		}
	}
	return "", err
}

// goCommand returns a call of the go command that reads no workspace and no network.
func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0",
		"PWD="+dir)
	return cmd
}

// built is a student's scheme, compiled with the suite.
type built struct {
	module *Module
	image  []byte // the program
	name   string // that it is started under
}

// The most that a module may take before it runs.
const (
	buildTime  = 10 * time.Minute // for the standard library, too, on a slow machine
	maxProgram = 64 << 20         // bytes; 4 MB are usual
)

// build compiles the module in an empty folder with this program's own suite. If the module does not compile, unbuilt is
// what the compiler says.
func (m *Module) build(ctx context.Context) (p *built, unbuilt string, err error) {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	filled := struct {
		*Module
		Go, Suite, Secret string
	}{m, goVersion, filepath.Join(dir, "timerlab"), "K" + rand.Text()}
	err = errors.Join(copySuite(filled.Suite), fill(dir, "program/*", filled, map[string]string{
		"go.mod.txt": "go.mod", "main.go.txt": "main.go", "output.go.txt": "internal/output/output.go",
		"reader.go.txt": "internal/" + filled.Secret + "/reader.go",
	}))
	if err != nil {
		return nil, "", err
	}
	limited, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	binary := filepath.Join(dir, "grading.exe")
	build := goCommand(limited, dir, "build", "-mod=mod", "-trimpath", "-ldflags=-s -w", "-o", binary, ".")
	if out, err := build.CombinedOutput(); limited.Err() != nil {
		return nil, fmt.Sprintf("compiling took longer than %v", buildTime), ctx.Err()
	} else if err != nil {
		return nil, m.readable(dir, string(out)), nil
	}
	if info, err := os.Stat(binary); err != nil || info.Size() > maxProgram {
		return nil, fmt.Sprintf("the program has more than %d MiB", maxProgram>>20), err
	}
	unbuilt, err = refused(limited, dir)
	if unbuilt != "" || err != nil {
		return nil, unbuilt, err
	}
	image, err := os.ReadFile(binary)
	return &built{m, image, "lab"}, "", err
}

// readable is the compiler's output with paths as the student knows them.
func (m *Module) readable(from, text string) string {
	const separator = string(filepath.Separator)
	relative, _ := filepath.Rel(from, m.Module.Dir)
	text = strings.NewReplacer(m.Module.Dir+separator, "", cmp.Or(relative, m.Module.Dir)+separator, "").Replace(text)
	text = progressLine.ReplaceAllString(text, "")
	switch {
	case strings.Contains(text, "undefined: student.Info"):
		return "package " + m.Name + " has no variable Info, of type schemes.Info"
	case strings.Contains(text, "student.Info"):
		text += "\n(the variable Info must be of type schemes.Info)"
	case strings.Contains(text, "GOPROXY=off"), strings.Contains(text, "no required module provides"):
		text += "\n(use only the standard library and the packages of timerlab that came with the lab)"
	}
	return strings.TrimSpace(text)
}

// progressLine matches what the go command prints in addition to errors.
var progressLine = regexp.MustCompile(`(?m)^(go: finding .*|# .*)\n`)
