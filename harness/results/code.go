package results

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"hash"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Code identifies what a file measured: a digest of the source of each part, such as
// "schemes". A file without one has an empty Code.
type Code map[string]string

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

// ParseCode parses the format of String.
func ParseCode(text string) (Code, error) {
	c := Code{}
	for field := range strings.FieldsSeq(text) {
		part, digest, ok := strings.Cut(field, "=")
		if !ok || part == "" || digest == "" || c[part] != "" {
			return nil, fmt.Errorf("invalid code %q (use a digest of each part, as in schemes=0123456789ab)", text)
		}
		c[part] = digest
	}
	return c, nil
}

// Changed returns the parts of the code that differ from those that the files measured, in
// order, and whether every file records its code.
func (t *Table) Changed(now Code) (parts []string, recorded bool) {
	recorded = true
	for _, s := range t.Sources {
		recorded = recorded && len(s.Code) > 0
		for part, digest := range s.Code {
			if now[part] != digest {
				parts = append(parts, part)
			}
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts), recorded
}

// DigestSource returns a digest of the source below a file system. It changes with what is
// compiled: comments other than directives, white space, Markdown, tests and packages of tests do
// not count, except that a file named in also counts although it is a test.
func DigestSource(source fs.FS, also ...string) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		test := strings.HasSuffix(name, "_test.go") || path.Ext(name) == ".md" || strings.HasSuffix(path.Dir(name), "test")
		if err != nil || d.IsDir() || test && !slices.Contains(also, name) {
			return err
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "file %s\n", name)
		if path.Ext(name) != ".go" {
			_, err = sum.Write(data)
			return err
		}
		return digestGo(sum, name, data)
	})
	return fmt.Sprintf("%x", sum.Sum(nil)[:6]), err
}

// digestGo adds the tokens of a Go file.
func digestGo(sum hash.Hash, name string, data []byte) error {
	var (
		s    scanner.Scanner
		errs []error
	)
	files := token.NewFileSet()
	note := func(at token.Position, text string) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", name, at.Line, text))
	}
	s.Init(files.AddFile(name, -1, len(data)), data, note, scanner.ScanComments)
	for {
		at, t, text := s.Scan()
		switch {
		case t == token.EOF:
			return errors.Join(errs...)
		case t == token.SEMICOLON:
			text = ";" // its text is a newline where the line ends
		case t == token.COMMENT:
			if _, ok := ast.ParseDirective(at, text); !ok {
				continue
			}
		}
		fmt.Fprintf(sum, "%s %s\n", t, text)
	}
}

// CodeOf returns the code that a cell was measured with, in the format of Code.String; "" if its file
// does not record it.
func (t *Table) CodeOf(k Key) string { return t.origins[k].code }
