package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"timerlab/harness/results/units"
)

// Raw writes results in the Go benchmark format, each line as it comes, so that
// an interrupted run keeps what it measured. Lines that are no results begin with
// #: benchstat skips them, Load reads them.
type Raw struct {
	file io.WriteCloser
	head string // the keys, written before the first result; then empty
	rows bool   // whether results were written, and no line broke off since
}

// Marks of the lines that are no results, between "# " and the text.
const (
	skippedMark = "skipped"
	errorMark   = "error"
	argvMark    = "argv"    // the arguments of a command, as JSON
	resumedMark = "resumed" // likewise, of one that added to the file
	roundMark   = "round"
	streamMark  = "stream"
	shardMark   = "shard"
)

// CreateRaw creates the file at path. The keys go before its first result; within a
// file they must not change if benchstat is to compare them. An existing file is an
// error: results are never replaced.
func CreateRaw(path string, keys Machine) (*Raw, error) {
	f, err := openRaw(path, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	return newRaw(f, keys)
}

// openRaw opens a file and locks it until it is closed, or the process ends.
func openRaw(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	if lock(f) {
		err = fmt.Errorf("%s is being written by another process (wait until it has ended)", path)
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// newRaw marks counts as exact for benchstat in f, and closes f if that fails.
func newRaw(f io.WriteCloser, keys Machine) (*Raw, error) {
	r := &Raw{file: f, head: keys.String()}
	var err error
	for _, unit := range units.ExactUnits {
		if err == nil {
			err = r.line("Unit %s assume=exact better=lower", unit)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// line writes a line. If that fails, as on a full disk, the line breaks off: Load reports it, and LoadUnfinished leaves
// it out.
func (r *Raw) line(format string, args ...any) error {
	_, err := fmt.Fprintf(r.file, format+"\n", args...)
	if err != nil {
		r.rows = false
	}
	return err
}

// Result writes the lines of a sample, all of them or none.
func (r *Raw) Result(sample ...Result) error {
	lines := make([]string, len(sample))
	for i := range sample {
		lines[i] = sample[i].String()
	}
	if err := r.line("%s%s", r.head, strings.Join(lines, "\n")); err != nil {
		return err
	}
	r.head, r.rows = "", true
	return nil
}

// Round writes that the following results belong to this round, so that samples of
// one round can be paired.
func (r *Raw) Round(round int) error { return r.line("# %s %d", roundMark, round) }

// Stream writes the hash of a workload's operations. Load refuses to pool results
// of different streams.
func (r *Raw) Stream(workload string, hash uint64) error {
	return r.line("# %s %s %016x", streamMark, workload, hash)
}

// Skip writes that a cell was not measured, and why.
func (r *Raw) Skip(name, why string) error {
	return r.line("# %s %s: %s", skippedMark, name, oneLine(why))
}

// Fail writes that a run does not count, and why.
func (r *Raw) Fail(name string, err error) error {
	return r.line("# %s %s: %s", errorMark, name, oneLine(err.Error()))
}

// Shard writes which part of the command's cells the file holds.
func (r *Raw) Shard(s Shard) error { return r.line("# %s %v %s", shardMark, s, s.Plan) }

// Note writes a remark.
func (r *Raw) Note(text string) error { return r.line("# note %s", oneLine(text)) }

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// Close ends the results with the line PASS, as go test does and some readers of the
// format demand, and closes the file.
func (r *Raw) Close() error {
	var err error
	if r.rows {
		err = r.line("PASS")
	}
	return errors.Join(err, r.file.Close())
}
