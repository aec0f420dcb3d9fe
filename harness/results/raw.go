package results

import (
	"errors"
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
	file *wholeLines
	w    *benchfmt.Writer
	keys []benchfmt.Config
}

// wholeLines is a file that a failed write leaves as it was before: a disk that
// is full must not cost the lines that are complete.
type wholeLines struct {
	disk
	size int64
}

// disk is what is needed of a file.
type disk interface {
	io.WriteCloser
	Truncate(size int64) error
}

func (f *wholeLines) Write(lines []byte) (int, error) {
	n, err := f.disk.Write(lines)
	if err != nil {
		_ = f.Truncate(f.size) // what cannot be undone is found by Load
		return 0, err
	}
	f.size += int64(n)
	return n, nil
}

// Marks of the lines that are no results.
const (
	skippedMark = "# skipped "
	errorMark   = "# error "
	commandMark = "# command "
	roundMark   = "# round "
	streamMark  = "# stream "
)

// CreateRaw makes the file at path and heads its results with the keys, which must
// not change within a file if benchstat is to compare them. A file that exists is
// an error: results are never replaced.
func CreateRaw(path string, keys [][2]string) (*Raw, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return newRaw(f, keys)
}

// AppendRaw is CreateRaw for a file that exists and goes on. The keys must be
// those at its head.
func AppendRaw(path string, keys [][2]string) (*Raw, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r, err := newRaw(f, keys)
	if err == nil {
		r.file.size += info.Size()
	}
	return r, err
}

// newRaw begins a file, or closes it.
func newRaw(f disk, keys [][2]string) (*Raw, error) {
	file := &wholeLines{disk: f}
	r := &Raw{file: file, w: benchfmt.NewWriter(file)}
	for _, kv := range keys {
		r.keys = append(r.keys, benchfmt.Config{Key: kv[0], Value: []byte(kv[1]), File: true})
	}
	if err := r.units(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// units tells benchstat that counts are exact.
func (r *Raw) units() error {
	for _, unit := range ExactUnits {
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

// Round writes that what follows is of this round, so that samples of one round
// can be paired.
func (r *Raw) Round(round int) error { return r.line("%s%d\n", roundMark, round) }

// Stream writes the hash of the operations that a workload stands for. Load
// refuses to pool different ones.
func (r *Raw) Stream(workload string, hash uint64) error {
	return r.line("%s%s %016x\n", streamMark, workload, hash)
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
