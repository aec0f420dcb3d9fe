package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"timerlab/harness/figures"
)

// ErrNotOurs is wrapped by the error of a file that would be replaced and that this program did not make.
var ErrNotOurs = errors.New("not made by this program, so not replaced")

// What files of this program have: a page, a list at its beginning, and the page that runs the schemes.
const (
	pageMark = "\nMade by the command below; do not edit.\n"
	listMark = "# Made by timerlab; do not edit. "
	htmlMark = "<title>Timing wheels, run by their own code</title>"
)

// Replaceable returns an error wrapping ErrNotOurs if one of these files exists and is no page, list or figure of this
// program.
func Replaceable(paths ...string) error {
	for _, path := range paths {
		switch data, err := os.ReadFile(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !bytes.Contains(data, []byte(pageMark)) && !bytes.HasPrefix(data, []byte(listMark)) &&
			!bytes.Contains(data, []byte(htmlMark)) && !figures.Made(data):
			return fmt.Errorf("%s: %w (move the file, or use another folder)", path, ErrNotOurs)
		}
	}
	return nil
}

// StudyFiles are the pages and lists of the main job.
var StudyFiles = []string{"README.md", "claims.md", "claims.csv", "cells.csv", "schemes.csv"}

// file is what is to be written.
type file struct {
	path string
	data []byte
}

// save writes files, the first last and each in one step, if it may replace all that exist. Figures are drawn into dir
// in one format. It returns all paths.
func save(files []file, dir, format string, drawn []figures.XY) (paths []string, err error) {
	for _, f := range drawn {
		path := filepath.Join(dir, f.Name+"."+format)
		data, err := figures.Render(f, format)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files = append(files, file{path, data})
	}
	for _, f := range files {
		paths = append(paths, f.path)
	}
	if err := Replaceable(paths...); err != nil {
		return nil, err
	}
	for _, f := range slices.Backward(files) {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
			return nil, err
		}
		if err := maybe.WriteFile(f.path, f.data, 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// SaveFigures writes figures into dir in one format, svg or png, and returns the paths.
func SaveFigures(dir, format string, all []figures.XY) ([]string, error) {
	return save(nil, dir, format, all)
}

// Save writes the page to path as Markdown, its lists beside it, and its figures into the folder figures beside it.
// It returns all paths, the page's first. The error wraps ErrNotOurs, and nothing is written, if a file of somebody
// else is in the way.
func (p *Page) Save(path string) ([]string, error) {
	folder := filepath.Dir(path)
	files := []file{{path, []byte(p.Markdown(folder))}}
	for _, l := range p.Lists {
		var b bytes.Buffer
		_ = l.WriteCSV(&b) // a Buffer takes everything
		files = append(files, file{filepath.Join(folder, l.Name+".csv"), b.Bytes()})
	}
	return save(files, filepath.Join(folder, "figures"), "svg", p.Figures())
}

// WriteCSV writes the list: a line of comment, a line of headings, the rows. An interval is in two columns of its own: a
// column "ns" with intervals is followed by "ns low" and "ns high".
func (l List) WriteCSV(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s%s\n", listMark, strings.ReplaceAll(l.About, "\n", " ")); err != nil {
		return err
	}
	return l.csv(w)
}
