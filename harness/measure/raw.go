package measure

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Raw writes results in the Go benchmark format, each line as it comes, so that
// an interrupted run keeps what it measured. Lines that are no results begin with
// #: benchstat passes over them, Load reads them.
type Raw struct {
	file io.WriteCloser
	w    *benchfmt.Writer
	keys []benchfmt.Config
}

// Marks of the lines that are no results.
const (
	skippedMark = "# skipped "
	errorMark   = "# error "
	commandMark = "# command "
)

// CreateRaw makes or extends the file at path and heads it with the keys, which
// must not change within a file if benchstat is to compare its results.
func CreateRaw(path string, keys [][2]string) (*Raw, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	r := &Raw{file: f, w: benchfmt.NewWriter(f)}
	for _, kv := range keys {
		r.keys = append(r.keys, benchfmt.Config{Key: kv[0], Value: []byte(kv[1]), File: true})
	}
	return r, r.units()
}

// units tells benchstat that counts are exact.
func (r *Raw) units() error {
	for _, unit := range exactUnits {
		if err := r.line("Unit %s assume=exact better=lower\n", unit); err != nil {
			return err
		}
	}
	return nil
}

func (r *Raw) line(format string, args ...any) error {
	_, err := fmt.Fprintf(r.file, format, args...)
	return err
}

// Result writes one benchmark line.
func (r *Raw) Result(result Result) error {
	return r.w.Write(&benchfmt.Result{
		Name:   benchfmt.Name(result.Name),
		Iters:  result.Iters,
		Values: result.Values,
		Config: r.keys,
	})
}

// Skip writes that a cell was not measured, and why.
func (r *Raw) Skip(name, why string) error {
	return r.line("%s%s: %s\n", skippedMark, name, oneLine(why))
}

// Fail writes that a run does not count, and why.
func (r *Raw) Fail(name string, err error) error {
	return r.line("%s%s: %s\n", errorMark, name, oneLine(err.Error()))
}

// Command writes how to make the file again.
func (r *Raw) Command(text string) error { return r.line("%s%s\n", commandMark, oneLine(text)) }

// Note writes a remark.
func (r *Raw) Note(text string) error { return r.line("# note %s\n", oneLine(text)) }

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// Close closes the file.
func (r *Raw) Close() error { return r.file.Close() }
