// Package lab is a lab for students: it makes their module, in which they write a scheme
// of the paper, and grades it with the conformance suite.
package lab

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"timerlab"
	"timerlab/teach/lab/grade"
)

// files are the templates of a student's module, and the source of the grading.
//
//go:embed templates grade/*.go
var files embed.FS

// goVersion is the language version of the modules that are made: that of the suite.
const goVersion = "1.26.0"

// ErrExists is the error of a folder that is not empty.
var ErrExists = errors.New("folder is not empty")

// Schemes returns the numbers of the schemes for which there is a lab, the usual one first.
func Schemes() (numbers []int) {
	for _, t := range tasks {
		numbers = append(numbers, t.Number)
	}
	return numbers
}

// Init makes the module of a student who writes the scheme of a number, in a folder that
// is empty or does not exist. It has a copy of the contract and of the suite, so it needs
// nothing but Go.
func Init(dir string, number int) error {
	old, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(old) > 0 {
		return fmt.Errorf("%s: %w (it has %s)", dir, ErrExists, old[0].Name())
	}
	t, err := taskOf(number)
	if err != nil {
		return err
	}
	for from, to := range map[string]string{
		"go.mod.txt": "go.mod", "README.md": "README.md", "writeup.md": "writeup.md",
		"scheme.go.txt": t.Package() + ".go", "scheme_test.go.txt": t.Package() + "_test.go",
	} {
		if err := t.write(from, filepath.Join(dir, to)); err != nil {
			return err
		}
	}
	return copySuite(filepath.Join(dir, "timerlab"))
}

// write fills in a template.
func (t *task) write(from, to string) error {
	text, err := files.ReadFile("templates/" + from)
	if err != nil {
		return err
	}
	parsed, err := template.New(from).Parse(string(text))
	if err != nil {
		return err
	}
	var filled strings.Builder
	if err := parsed.Execute(&filled, t); err != nil {
		return err
	}
	return writeFile(to, []byte(filled.String()))
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// copySuite makes a module of the contract, the conformance suite and the stages.
func copySuite(dir string) error {
	err := writeFile(filepath.Join(dir, "go.mod"), []byte("module timerlab\n\ngo "+goVersion+"\n"))
	for _, folder := range []string{"schemes", "schemes/schemetest"} {
		err = errors.Join(err, copyPackage(timerlab.Source, folder, filepath.Join(dir, folder)))
	}
	return errors.Join(err, copyPackage(files, "grade", filepath.Join(dir, "teach", "lab", "grade")))
}

// copyPackage copies the Go files of a folder, without tests.
func copyPackage(from fs.FS, folder, to string) error {
	names, err := fs.Glob(from, path.Join(folder, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, readErr := fs.ReadFile(from, name)
		err = errors.Join(err, readErr, writeFile(filepath.Join(to, path.Base(name)), data))
	}
	return err
}

// Stages returns the stages, for the README.
func (t *task) Stages() []grade.Stage { return grade.Stages }
