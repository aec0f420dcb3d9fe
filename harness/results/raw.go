package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Raw writes results in the Go benchmark format, each line as it comes, so that
// an interrupted run keeps what it measured. Lines that are no results begin with
// #: benchstat skips them, Load reads them.
type Raw struct {
	file *wholeLines
	head string // the keys, written before the first result; then empty
	rows bool   // whether a result was written
}

// wholeLines is a file that a failed write leaves as it was before: a full disk
// must not cost the lines that are complete.
type wholeLines struct {
	disk
	size int64
}

// disk is what wholeLines needs of a file.
type disk interface {
	io.WriteCloser
	Truncate(size int64) error
}

func (f *wholeLines) Write(lines []byte) (int, error) {
	n, err := f.disk.Write(lines)
	if err != nil {
		_ = f.Truncate(f.size) // if this fails too, Load reports the broken line
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

// CreateRaw creates the file at path. The keys go before its first result; within a
// file they must not change if benchstat is to compare them. An existing file is an
// error: results are never replaced.
func CreateRaw(path string, keys [][2]string) (*Raw, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return newRaw(f, keys)
}

// AppendRaw is CreateRaw for a file that exists and is continued. The keys must be
// those of its first result.
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

// newRaw writes the units to f, and closes f if that fails.
func newRaw(f disk, keys [][2]string) (*Raw, error) {
	r := &Raw{file: &wholeLines{disk: f}}
	for _, kv := range keys {
		r.head += kv[0] + ": " + kv[1] + "\n"
	}
	if err := r.units(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// units marks counts as exact for benchstat.
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
	if _, err := r.file.Write(result.appendLine([]byte(r.head))); err != nil {
		return err
	}
	r.head, r.rows = "", true
	return nil
}

// Round writes that the following results belong to this round, so that samples of
// one round can be paired.
func (r *Raw) Round(round int) error { return r.line("%s%d\n", roundMark, round) }

// Stream writes the hash of a workload's operations. Load refuses to pool results
// of different streams.
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

// Command writes the command that measured the file.
func (r *Raw) Command(text string) error { return r.line("%s%s\n", commandMark, oneLine(text)) }

// Note writes a remark.
func (r *Raw) Note(text string) error { return r.line("# note %s\n", oneLine(text)) }

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// Close ends the results with the line PASS, as go test does and some readers of the
// format demand, and closes the file.
func (r *Raw) Close() error {
	var err error
	if r.rows {
		err = r.line("PASS\n")
	}
	return errors.Join(err, r.file.Close())
}
