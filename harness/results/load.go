package results

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Load reads raw files, and the output of go test -bench. A line that is not of the
// format is an error that names the file and the line. Reading a sample twice is an
// error too: it would narrow an interval without adding information.
func Load(paths ...string) (*Table, error) {
	t := newTable()
	contents := map[string]string{}
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if other, ok := contents[string(data)]; ok {
			return nil, fmt.Errorf("%s: duplicate of %s (name each file once)", path, other)
		}
		contents[string(data)] = path
		f := rawFile{table: t, path: path, first: i * maxRounds}
		t.Sources = append(t.Sources, Source{Path: path})
		if err := f.remarks(data); err != nil {
			return nil, err
		}
		if err := f.results(data); err != nil {
			return nil, err
		}
	}
	if len(t.Keys) == 0 {
		return nil, fmt.Errorf("%s: no benchmark results in the file", strings.Join(paths, ", "))
	}
	t.dropFailed()
	if err := t.checkCounts(); err != nil {
		return nil, err
	}
	return t, nil
}

// maxRounds is the number of rounds reserved for each file.
const maxRounds = 1 << 20

// rawFile adds one file to a table.
type rawFile struct {
	table *Table
	path  string
	first int         // its first round in the table
	marks []roundLine // ascending
}

// roundLine is a line after which results belong to a round.
type roundLine struct{ line, round int }

func (f *rawFile) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", f.path, line, fmt.Sprintf(format, args...))
}

// remarks reads the lines that the format's own reader skips, and reports those that
// it would skip silently although they are broken.
func (f *rawFile) remarks(data []byte) error {
	number := 0
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		number++
		if err := f.remark(number, lines.Text()); err != nil {
			return err
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		return f.errorf(number, "truncated line (the file must end with a newline)")
	}
	return nil
}

func (f *rawFile) remark(number int, line string) error {
	mark, text := cutMark(line)
	switch mark {
	case skippedMark, errorMark:
		f.table.miss(text, mark == errorMark)
	case commandMark:
		f.table.Sources[len(f.table.Sources)-1].Command = text
	case roundMark:
		round, err := strconv.Atoi(text)
		if err != nil || round < 0 || round >= maxRounds {
			return f.errorf(number, "invalid round %q (use 0 to %d)", text, maxRounds-1)
		}
		f.marks = append(f.marks, roundLine{number, f.first + round})
	case streamMark:
		workload, hash, _ := strings.Cut(text, " ")
		if known, ok := f.table.streams[workload]; ok && known != hash {
			return f.errorf(number, "stream %s has hash %s here and %s before (results of different operations "+
				"cannot be pooled)",
				workload, hash, known)
		}
		f.table.streams[workload] = hash
	default:
		if !known(line) {
			return f.errorf(number, "%.60q is not a line of the Go benchmark format (use Benchmark…, Unit…, key: "+
				"value or # remark)", line)
		}
	}
	return nil
}

// cutMark splits a remark into its mark and its text.
func cutMark(line string) (mark, text string) {
	for _, mark := range []string{skippedMark, errorMark, commandMark, roundMark, streamMark} {
		if text, ok := strings.CutPrefix(line, mark); ok {
			return mark, text
		}
	}
	return "", line
}

func (t *Table) miss(line string, fail bool) {
	name, why, _ := strings.Cut(line, ": ")
	m := Missing{ParseKey(name), why, fail}
	if !slices.Contains(t.Missing, m) {
		t.Missing = append(t.Missing, m)
	}
}

// known reports whether a line can be one of the format's. A benchmark line has a
// name, a count and at least one value with its unit.
func known(line string) bool {
	switch fields := strings.Fields(line); {
	case len(fields) == 0 || line[0] == '#' || fields[0] == "Unit":
		return true
	case strings.HasPrefix(line, "Benchmark"):
		return len(fields) >= 4 && len(fields)%2 == 0
	case fields[0] == "PASS" || fields[0] == "ok":
		return true
	default:
		return strings.HasSuffix(fields[0], ":") && line[0] >= 'a' && line[0] <= 'z'
	}
}

// results adds the benchmark lines.
func (f *rawFile) results(data []byte) error {
	r := benchfmt.NewReader(bytes.NewReader(data), f.path)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return rec
		case *benchfmt.UnitMetadata:
			f.table.exact[rec.Unit] = f.table.exact[rec.Unit] || rec.Key == "assume" && rec.Value == "exact"
		case *benchfmt.Result:
			if err := f.add(rec); err != nil {
				return err
			}
		}
	}
	return r.Err()
}

// add adds the values of one benchmark line.
func (f *rawFile) add(r *benchfmt.Result) error {
	t := f.table
	_, line := r.Pos()
	for _, c := range r.Config {
		if err := t.machine(c.Key, string(c.Value)); err != nil {
			return f.errorf(line, "%v", err)
		}
	}
	k := ParseKey(string(r.Name))
	if t.samples[k] == nil {
		t.samples[k] = map[string][]sample{}
		t.Keys = append(t.Keys, k)
	}
	for _, v := range r.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return f.errorf(line, "invalid value %v %s (measurements are finite)", value, unit)
		}
		if unit == NsPerOp && value <= 0 { // a count or an allocation may be 0
			return f.errorf(line, "invalid time %v %s (times are above 0)", value, unit)
		}
		round := f.round(line, len(t.samples[k][unit]))
		if slices.ContainsFunc(t.samples[k][unit], func(s sample) bool { return s.round == round }) {
			return f.errorf(line, "duplicate: %s has a second value of %s in round %d", k, unit, round-f.first)
		}
		t.samples[k][unit] = append(t.samples[k][unit], sample{round, value})
	}
	return nil
}

// machine adds a key of a file's head. Times from different processors or compilers
// have different distributions, so they are refused; of other keys all values are kept.
func (t *Table) machine(key, value string) error {
	known, has := t.Machine[key]
	switch {
	case !has:
		t.Machine[key] = value
	case slices.Contains(strings.Split(known, valueSeparator), value):
	case key == "cpu" || key == "go" || key == "goarch":
		return fmt.Errorf("%s is %s here and %s before (results of different machines or compilers cannot be pooled)",
			key, value, known)
	default:
		t.Machine[key] += valueSeparator + value
	}
	return nil
}

// valueSeparator separates the values that several files have for one key.
const valueSeparator = "; "

// checkCounts returns an error if an exact count differs between rounds: the code
// that counted changed, or is not deterministic. A line omits counts of 0.
func (t *Table) checkCounts() error {
	for _, k := range t.Keys {
		for unit, counts := range t.samples[k] {
			if !t.exact[unit] {
				continue
			}
			for _, s := range counts {
				if s.value != counts[0].value {
					return fmt.Errorf("%s: %v and %v %s (exact counts must agree; the files measured different code)",
						k, counts[0].value, s.value, unit)
				}
			}
			if runs := len(t.samples[k][NsPerOp]); len(counts) != runs {
				return fmt.Errorf("%s: %d of %d results count %s (all or none must; the files measured different code)",
					k, len(counts), runs, unit)
			}
		}
	}
	return nil
}

// round returns the round of a line: that of the last mark before it or, in a file
// without marks, the number of samples that the cell already has.
func (f *rawFile) round(line, samples int) int {
	i, _ := slices.BinarySearchFunc(f.marks, line, func(m roundLine, line int) int { return m.line - line })
	if i == 0 {
		return f.first + samples
	}
	return f.marks[i-1].round
}
