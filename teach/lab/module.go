package lab

import (
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
	"strings"
)

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
	m := &Module{}
	if err != nil || json.Unmarshal(out, m) != nil || m.Module.Path == "" {
		return nil, fmt.Errorf("%q: %w (there is no go.mod here)", dir, ErrModule)
	}
	switch {
	case m.Name == "main":
		return nil, fmt.Errorf("%q: %w (package main cannot be imported; use another name)", dir, ErrModule)
	case m.Module.Path == "timerlab":
		return nil, fmt.Errorf("%q: %w (it is a part of timerlab itself)", dir, ErrModule)
	case m.Module.Path < "1": // see keyReader
		return nil, fmt.Errorf("%q: %w (begin the name of module %s with a letter)", dir, ErrModule, m.Module.Path)
	}
	return m, nil
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
	dir    string // temporary
	binary string
	key    string // of its records, which a child reads before the student's code runs
}

// program is the source of what is built.
const program = `package main

import (
	"timerlab/teach/lab/grade"

	key "0/internal/%[2]s"
	student %[1]q
)

func main() { grade.Main(&student.Info, string(key.%[2]s[:])) }
`

// keyReader is the source of a package that reads the key. Packages are initialized in the order of their paths, so
// this is before the student's, which can neither import it nor guess its name.
const keyReader = `package %[1]s

import "syscall"

var %[1]s [26]byte

func init() {
	for n := 0; n < len(%[1]s); {
		more, err := syscall.Read(syscall.Stdin, %[1]s[n:])
		if more <= 0 && err != syscall.EINTR {
			return
		}
		n += max(more, 0)
	}
}
`

// goMod is the go.mod of what is built, which finds the suite and the module in their folders.
const goMod = `module 0

go %s

require (
	timerlab v0.0.0
	%[3]s v0.0.0
)

replace (
	timerlab => %[2]q
	%[3]s => %[4]q
)
`

// build compiles the module in an empty folder with this program's own suite. If the module does not compile, unbuilt is
// what the compiler says.
func (m *Module) build(ctx context.Context, dir string) (p *built, unbuilt string, err error) {
	p = &built{module: m, dir: dir, binary: filepath.Join(dir, "grading.exe"), key: rand.Text()}
	suite, name := filepath.Join(dir, "timerlab"), "K"+rand.Text()
	err = errors.Join(copySuite(suite),
		writeFile(filepath.Join(dir, "go.mod"), fmt.Appendf(nil, goMod, goVersion, suite, m.Module.Path, m.Module.Dir)),
		writeFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, program, m.Package, name)),
		writeFile(filepath.Join(dir, "internal", name, "key.go"), fmt.Appendf(nil, keyReader, name)))
	if err != nil {
		return nil, "", err
	}
	build := goCommand(ctx, dir, "build", "-mod=mod", "-trimpath", "-ldflags=-s -w", "-o", p.binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, m.readable(dir, string(out)), ctx.Err()
	}
	return p, "", nil
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
