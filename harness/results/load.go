package results

import (
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
		t.Sources = append(t.Sources, Source{Path: path})
		f := rawFile{table: t, path: path, first: i * maxRounds, round: -1}
		if err := f.read(data); err != nil {
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
	lines []string
	next  int // index of the first line that is not read
	first int // its first round in the table
	round int // of the results that follow; -1: the file has no rounds
}

// errorf returns an error about the line read last.
func (f *rawFile) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", f.path, f.next, fmt.Sprintf(format, args...))
}

// read passes through the lines that the format's own reader skips and those that it
// reads, in their order.
func (f *rawFile) read(data []byte) error {
	f.lines = strings.SplitAfter(string(data), "\n")
	r := benchfmt.NewReader(bytes.NewReader(data), f.path)
	for r.Scan() {
		rec := r.Result()
		_, line := rec.Pos()
		if err := f.remarks(line - 1); err != nil {
			return err
		}
		f.next = line
		switch rec := rec.(type) {
		case *benchfmt.SyntaxError:
			return rec
		case *benchfmt.UnitMetadata:
			f.table.exact[rec.Unit] = f.table.exact[rec.Unit] || rec.Key == "assume" && rec.Value == "exact"
		case *benchfmt.Result:
			if err := f.result(rec); err != nil {
				return err
			}
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	last := f.lines[len(f.lines)-1] // empty: it begins after the last newline
	if err := f.remarks(len(f.lines)); err != nil || last == "" {
		return err
	}
	return f.errorf("truncated line (the file must end with a newline)")
}

// remarks reads lines up to an index, and reports those that the format's own reader
// skips although they are broken.
func (f *rawFile) remarks(end int) error {
	for f.next < end {
		line := strings.TrimRight(f.lines[f.next], "\r\n")
		f.next++
		if err := f.remark(line); err != nil {
			return err
		}
	}
	return nil
}

func (f *rawFile) remark(line string) error {
	mark, text, _ := strings.Cut(strings.TrimPrefix(line, "# "), " ")
	if !strings.HasPrefix(line, "# ") {
		mark = ""
	}
	switch mark {
	case skippedMark, errorMark:
		name, why, _ := strings.Cut(text, ": ")
		m := Missing{ParseKey(name), why, mark == errorMark}
		if !slices.Contains(f.table.Missing, m) {
			f.table.Missing = append(f.table.Missing, m)
		}
	case commandMark:
		f.table.Sources[len(f.table.Sources)-1].Command = text
	case roundMark:
		round, err := strconv.Atoi(text)
		if err != nil || round < 0 || round >= maxRounds {
			return f.errorf("invalid round %q (use 0 to %d)", text, maxRounds-1)
		}
		f.round = round
	case streamMark:
		workload, hash, _ := strings.Cut(text, " ")
		if known, ok := f.table.streams[workload]; ok && known != hash {
			return f.errorf("stream %s has hash %s here and %s before (results of different operations cannot be "+
				"pooled)", workload, hash, known)
		}
		f.table.streams[workload] = hash
	default:
		if !known(line) {
			return f.errorf("%.60q is not a line of the Go benchmark format (use Benchmark…, Unit…, key: value or "+
				"# remark)", line)
		}
	}
	return nil
}

// known reports whether a line that is neither a result nor a mark can be one of the
// format's.
func known(line string) bool {
	fields := strings.Fields(line)
	if len(fields) == 0 || line[0] == '#' || slices.Contains([]string{"PASS", "ok", "Unit"}, fields[0]) {
		return true // Unit: it repeats another line
	}
	return strings.HasSuffix(fields[0], ":") && line[0] >= 'a' && line[0] <= 'z'
}

// result adds the values of one benchmark line.
func (f *rawFile) result(line *benchfmt.Result) error {
	t := f.table
	for _, c := range line.Config {
		if err := t.machine(c.Key, string(c.Value)); err != nil {
			return f.errorf("%v", err)
		}
	}
	k := ParseKey(string(line.Name))
	if err := f.code(k, line.GetConfig(codeKey)); err != nil {
		return err
	}
	if t.samples[k] == nil {
		t.samples[k] = map[string]map[int]float64{}
		t.Keys = append(t.Keys, k)
	}
	for _, v := range asWritten(line).Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return f.errorf("invalid value %v %s (measurements are finite)", v.Value, v.Unit)
		}
		if v.Unit == NsPerOp && v.Value <= 0 { // a count or an allocation may be 0
			return f.errorf("invalid time %v %s (times are above 0)", v.Value, v.Unit)
		}
		if t.samples[k][v.Unit] == nil {
			t.samples[k][v.Unit] = map[int]float64{}
		}
		byRound := t.samples[k][v.Unit]
		round := f.round
		if round < 0 {
			round = len(byRound)
		}
		if _, ok := byRound[f.first+round]; ok {
			return f.errorf("duplicate: %s has a second value of %s in round %d", k, v.Unit, round)
		}
		byRound[f.first+round] = v.Value
	}
	return nil
}

// code records which code a cell's samples are of. Two kinds of code in a file, or in a cell,
// are an error.
func (f *rawFile) code(k Key, text string) error {
	source := &f.table.Sources[len(f.table.Sources)-1]
	if text != source.Code.String() {
		code, err := ParseCode(text)
		if err != nil {
			return f.errorf("%v", err)
		}
		if len(source.Code) > 0 {
			return f.errorf("code is %s here and %s before (results of different code cannot be pooled)", text,
				source.Code)
		}
		source.Code = code
	}
	if other := f.table.codes[k]; other != "" && text != "" && other != text {
		return f.errorf("%s: code is %s here and %s in another file (results of different code cannot be pooled)",
			k, text, other)
	}
	f.table.codes[k] = text
	return nil
}

// machine adds a key of a file's head. Times from different processors or compilers
// have different distributions, so they are refused; of other keys all values are kept.
func (t *Table) machine(key, value string) error {
	const separator = "; "
	known, has := t.Machine[key]
	switch {
	case !has:
		t.Machine[key] = value
	case slices.Contains(strings.Split(known, separator), value):
	case key == "cpu" || key == "cpuid" || key == "go" || key == "goarch":
		return fmt.Errorf("%s is %s here and %s before (results of different machines or compilers cannot be pooled)",
			key, value, known)
	default:
		t.Machine[key] += separator + value
	}
	return nil
}

// checkCounts returns an error if an exact count differs between rounds: the code
// that counted changed, or is not deterministic. A line omits counts of 0.
func (t *Table) checkCounts() error {
	for _, k := range t.Keys {
		for unit, counts := range t.samples[k] {
			if !t.exact[unit] {
				continue
			}
			values := t.Samples(k, unit)
			if low, high := slices.Min(values), slices.Max(values); low != high {
				return fmt.Errorf("%s: %v and %v %s (exact counts must agree; the files measured different code)",
					k, low, high, unit)
			}
			if runs := len(t.samples[k][NsPerOp]); len(counts) != runs {
				return fmt.Errorf("%s: %d of %d results count %s (all or none must; the files measured different "+
					"code)", k, len(counts), runs, unit)
			}
		}
	}
	return nil
}
