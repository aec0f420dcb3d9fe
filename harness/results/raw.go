package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

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
	roundsMark  = "rounds" // that the command makes
	streamMark  = "stream"
	// finishedMark follows the last result. PASS does not do: each process ends its part with it.
	finishedMark = "finished"
)

// CreateRaw creates the file at path with the arguments of the command that measures it, unless they are nil. The keys go
// before its first result; within a file they must not change if benchstat is to compare them. An existing file is an
// error: results are never replaced.
func CreateRaw(path string, keys Machine, args ...string) (*Raw, error) {
	f, err := openRaw(path, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	r, err := NewRaw(f, keys)
	if err == nil && args != nil {
		err = r.command(argvMark, args)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
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

// NewRaw is CreateRaw for a file that is open and has a command.
func NewRaw(f io.WriteCloser, keys Machine) (*Raw, error) {
	r := &Raw{file: f, head: keys.String()}
	for _, unit := range units.ExactUnits { // which benchstat then takes for exact
		if err := r.line("Unit %s assume=exact better=lower", unit); err != nil {
			return nil, err
		}
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

// Round writes that the following results belong to this round, so that samples of one round can be paired.
func (r *Raw) Round(round int) error { return r.line("# %s %d", roundMark, round) }

// Stream writes the hash of a workload's operations. Load refuses to pool results of different streams.
func (r *Raw) Stream(workload string, hash uint64) error {
	return r.line("# %s %s %016x", streamMark, workload, hash)
}

// Skip writes that a cell was not measured, and why.
func (r *Raw) Skip(name string, why Reason) error {
	return r.line("# %s %s %s: %s", skippedMark, name, why.Kind, oneLine(why.Text))
}

// Fail writes that a run does not count, and why.
func (r *Raw) Fail(name string, err error) error {
	return r.line("# %s %s: %s", errorMark, name, oneLine(err.Error()))
}

// Rounds writes how many rounds the command makes. The file is not complete until Finish.
func (r *Raw) Rounds(n int) error { return r.line("# %s %d", roundsMark, n) }

// Finish writes that the command ended in good order.
func (r *Raw) Finish() error {
	r.rows = true
	return r.line("# %s", finishedMark)
}

// Note writes a remark.
func (r *Raw) Note(text string) error { return r.line("# note %s", oneLine(text)) }

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// File returns the open file. A process that inherits it writes to it under the same lock.
func (r *Raw) File() *os.File { return r.file.(*os.File) }

// Close ends the results with the line PASS, as go test does and some readers of the
// format demand, and closes the file.
func (r *Raw) Close() error {
	var err error
	if r.rows {
		err = r.line("PASS")
	}
	return errors.Join(err, r.file.Close())
}

// CommandText returns arguments as one types them after the name of a program.
func CommandText(args ...string) string {
	words := slices.Clone(args)
	for i, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if ok && strings.HasPrefix(arg, "--") {
			words[i] = name + "=" + quote(value)
		} else {
			words[i] = quote(arg)
		}
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a shell, if it needs that. The nested modules that read results would need
// shellescape for it.
func quote(word string) string {
	special := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_@%+=:,./-", c)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// Resumed writes the arguments of the command that adds to the file. They replace the earlier arguments.
func (r *Raw) Resumed(args ...string) error { return r.command(resumedMark, args) }

func (r *Raw) command(mark string, args []string) error {
	text, _ := json.Marshal(append([]string{}, args...)) // strings can always be written
	return r.line("# %s %s", mark, text)
}

// Result is one benchmark line.
type Result struct {
	Name   string // operation and keys, without "Benchmark"
	Iters  int
	Values []benchfmt.Value
}

// Add adds a value, which replaces one of the same unit. It is rounded to six digits: far below any noise, and it halves
// the size of a file.
func (r *Result) Add(value float64, unit string) {
	value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'g', 6, 64), 64)
	for i := range r.Values {
		if r.Values[i].Unit == unit {
			r.Values[i].Value = value
			return
		}
	}
	r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: unit})
}

// Value returns the value of a unit, or 0.
func (r *Result) Value(unit string) float64 {
	i := slices.IndexFunc(r.Values, func(v benchfmt.Value) bool { return v.Unit == unit })
	if i < 0 {
		return 0
	}
	return r.Values[i].Value
}

// String returns the line as go test prints it, with a tab between fields, but without a newline. benchfmt.Writer
// separates fields with spaces, which some readers of the format reject.
func (r *Result) String() string {
	line := fmt.Sprintf("Benchmark%s\t%d", r.Name, r.Iters)
	for _, v := range r.Values {
		line += "\t" + strconv.FormatFloat(v.Value, 'f', -1, 64) + " " + v.Unit
	}
	return line
}

// ParseResult parses the format of String. Between fields there may be any white space.
func ParseResult(line string) (r Result, err error) {
	text, ok := strings.CutPrefix(line, "Benchmark")
	fields := strings.Fields(text)
	if !ok || len(fields) < 4 || len(fields)%2 != 0 {
		return r, fmt.Errorf("%.60q has no values (use a name, a number of iterations, and values with their units)", line)
	}
	r.Name = fields[0]
	if r.Iters, err = strconv.Atoi(fields[1]); err != nil {
		err = fmt.Errorf("invalid number %.60q (use a whole number of iterations)", fields[1])
	}
	for i := 2; i < len(fields); i += 2 {
		value, notNumber := strconv.ParseFloat(fields[i], 64)
		if notNumber != nil {
			err = cmp.Or(err, fmt.Errorf("invalid number %.60q (use a finite number, as in 1.5)", fields[i]))
		}
		r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: fields[i+1]})
	}
	return r, err
}
