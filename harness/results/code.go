package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Code identifies what is measured: a digest of the source of each part, such as "schemes".
type Code map[string]string

// AdapterPart begins the part of an adapter, which is not in this repository and so is not compared with the present code.
const AdapterPart = "adapter-"

// codeKey is the key of a file's Code, which Machine.WithCode adds.
const codeKey = "code"

// WithCode returns the keys of a file that measures this code.
func (m Machine) WithCode(c Code) Machine {
	return append(slices.Clone(m), [2]string{codeKey, c.String()})
}

// String returns the parts in order: driver=0123456789ab schemes=ba9876543210.
func (c Code) String() string {
	var parts []string
	for _, part := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, part+"="+c[part])
	}
	return strings.Join(parts, " ")
}

// Changed returns the parts of the code that differ from those that the files measured, in
// order, and whether every file records its code.
func (t *Table) Changed(now Code) (parts []string, recorded bool) {
	recorded = true
	for _, s := range t.Sources {
		recorded = recorded && s.code != ""
		for field := range strings.FieldsSeq(s.code) {
			part, digest, _ := strings.Cut(field, "=")
			if now[part] != digest && !strings.HasPrefix(part, AdapterPart) {
				parts = append(parts, part)
			}
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts), recorded
}

// DigestSource returns a digest of the files of some folders of a file system that count. Of Go files, comments other
// than directives and white space do not change it.
func DigestSource(source fs.FS, folders []string, counts func(name string) bool) (string, error) {
	sum := sha256.New()
	var errs error
	for _, folder := range folders {
		errs = errors.Join(errs, fs.WalkDir(source, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !counts(name) {
				return err
			}
			data, err := fs.ReadFile(source, name)
			fmt.Fprintf(sum, "file %s\n", name)
			if err != nil || path.Ext(name) != ".go" {
				sum.Write(data)
				return err
			}
			return digestGo(sum, name, data)
		}))
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6]), errs
}

// IsCompiled reports whether a file is part of a program: it is no document, no test data, no test and not in a package
// of tests.
func IsCompiled(name string) bool {
	dir := path.Dir(name)
	return !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(dir, "test") &&
		!strings.Contains(dir, "testdata") && path.Ext(name) != ".md"
}

// digestGo adds the tokens of a Go file without its comments, and its directives. A formatted file without
// comments would not do: gofmt aligns and separates by what the comments left.
func digestGo(sum io.Writer, name string, data []byte) (err error) {
	var s scanner.Scanner
	note := func(at token.Position, text string) {
		err = cmp.Or(err, fmt.Errorf("%s:%d: %s", name, at.Line, text))
	}
	s.Init(token.NewFileSet().AddFile(name, -1, len(data)), data, note, 0)
	var tokens bytes.Buffer
	for _, t, text := s.Scan(); t != token.EOF; _, t, text = s.Scan() {
		if t == token.SEMICOLON {
			text = ";" // its text is a newline where the line ends
		}
		tokens.WriteString(t.String() + " " + text + "\n")
	}
	sum.Write(tokens.Bytes())
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("//go:")) {
			sum.Write(line)
		}
	}
	return err
}

// CodeOf returns the code that a cell was measured with, in the format of Code.String; "" if its file
// does not record it.
func (t *Table) CodeOf(k Key) string {
	if r := t.rows[k]; r != nil {
		return t.Sources[r.source].code
	}
	return ""
}
