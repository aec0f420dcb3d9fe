// Package lab is a lab for students: it makes their module, in which they write a scheme
// of the paper, and grades it with the conformance suite.
package lab

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"timerlab"
)

// files are the templates of a student's module and of the program that checks it, and the source of the grading.
//
//go:embed templates program tasks.json grade
var files embed.FS

// goVersion is the language version of the suite, and so of the modules that are made.
const goVersion = "1.26.0"

// ErrFolder is the error of Init about its folder.
var ErrFolder = errors.New("invalid folder")

// Init makes the module of a student who writes a scheme, which is named as in Schemes or by its
// number in the paper. The folder must be empty or not exist. The module has a copy of the contract
// and of the suite, so it needs nothing but Go:
//
//	mylab/README.md              what to do
//	mylab/scheme6.go             a stub, which compiles
//	mylab/scheme6_test.go        the stages as tests
//	mylab/writeup.md             questions
//	mylab/timerlab/              the contract, the suite and the stages
func Init(dir, scheme string) error {
	which := slices.IndexFunc(tasks, func(t task) bool { return scheme == t.Scheme || scheme == fmt.Sprint(t.Number) })
	if which < 0 {
		return fmt.Errorf("%w %q (have %s)", ErrScheme, scheme, strings.Join(Schemes(), ", "))
	}
	t := &tasks[which]
	if dir == "" { // which would be the folder that the program runs in
		return fmt.Errorf("%w: its name is empty (name one that is new or empty)", ErrFolder)
	}
	old, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(old) > 0 {
		return fmt.Errorf("%w: %s is not empty (it has %s)", ErrFolder, dir, old[0].Name())
	}
	return errors.Join(copySuite(filepath.Join(dir, "timerlab")), fill(dir, "templates/*", t, map[string]string{
		"go.mod.txt": "go.mod", "README.md": "README.md", "writeup.md": "writeup.md",
		"scheme.go.txt": t.Package() + ".go", "scheme_test.go.txt": t.Package() + "_test.go",
	}))
}

// fill writes files from templates, each under a name of its own.
func fill(dir, pattern string, data any, names map[string]string) (err error) {
	templates := template.Must(template.ParseFS(files, pattern))
	for from, to := range names {
		var filled bytes.Buffer
		err = errors.Join(err, templates.ExecuteTemplate(&filled, from, data), writeFile(filepath.Join(dir, to), filled.Bytes()))
	}
	return err
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// copySuite makes a module of the contract, the conformance suite and the stages, without their tests.
func copySuite(dir string) error {
	err := writeFile(filepath.Join(dir, "go.mod"), []byte("module timerlab\n\ngo "+goVersion+"\n"))
	for _, part := range []struct {
		from      embed.FS
		files, to string
	}{
		{timerlab.Source, "schemes/*.go", "schemes"},
		{timerlab.Source, "schemes/schemetest/*.go", "schemes/schemetest"},
		{files, "grade/*", "teach/lab/grade"},
	} {
		names, _ := fs.Glob(part.from, part.files)
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				data, readErr := part.from.ReadFile(name)
				err = errors.Join(err, readErr, writeFile(filepath.Join(dir, part.to, path.Base(name)), data))
			}
		}
	}
	return err
}
