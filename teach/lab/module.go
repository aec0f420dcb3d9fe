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
	"time"
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
	image  []byte // the program
	name   string // that it is started under
}

// program is the source of what is built.
const program = `package main

import (
	"timerlab/teach/lab/grade"

	given "0/internal/%[2]s"
	"0/internal/output"
	student %[1]q
)

func main() { grade.Main(&student.Info, given.%[2]s, output.Records) }
`

// reader is the source of a package that reads what the child is given. Packages are initialized in the order of their paths,
// so this is before the student's, which can neither import it nor guess its name.
const reader = `package %[1]s

import "syscall"

var %[1]s []byte

func init() {
	for part := make([]byte, 1024); ; {
		n, err := syscall.Read(syscall.Stdin, part)
		if n <= 0 && err != syscall.EINTR {
			return
		}
		%[1]s = append(%[1]s, part[:max(n, 0)]...)
	}
}
`

// output is the source of a package that keeps what a scheme prints away from the records, likewise before.
const output = `package output

import "os"

var Records = os.Stdout

func init() { os.Stdout = os.Stderr }
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
	suite, name, binary := filepath.Join(dir, "timerlab"), "K"+rand.Text(), filepath.Join(dir, "grading.exe")
	err = errors.Join(copySuite(suite),
		writeFile(filepath.Join(dir, "go.mod"), fmt.Appendf(nil, goMod, goVersion, suite, m.Module.Path, m.Module.Dir)),
		writeFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, program, m.Package, name)),
		writeFile(filepath.Join(dir, "internal", name, "reader.go"), fmt.Appendf(nil, reader, name)),
		writeFile(filepath.Join(dir, "internal", "output", "output.go"), []byte(output)))
	if err != nil {
		return nil, "", err
	}
	limited, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	build := goCommand(limited, dir, "build", "-mod=mod", "-trimpath", "-ldflags=-s -w", "-o", binary, ".")
	if out, err := build.CombinedOutput(); limited.Err() != nil {
		return nil, fmt.Sprintf("compiling took longer than %v", buildTime), ctx.Err()
	} else if err != nil {
		return nil, m.readable(dir, string(out)), nil
	}
	if info, err := os.Stat(binary); err != nil || info.Size() > maxProgram {
		return nil, fmt.Sprintf("the program has more than %d MiB", maxProgram>>20), err
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
