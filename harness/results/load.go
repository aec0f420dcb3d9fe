package results

import (
	"bytes"
	"cmp"
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
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			return nil, fmt.Errorf("%s is named twice (name each file once)", path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := t.add(path, data); err != nil {
			return nil, err
		}
	}
	if err := t.check(paths...); err != nil {
		return nil, err
	}
	return t, nil
}

// add adds a file.
func (t *Table) add(path string, data []byte) error {
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return fmt.Errorf("%s: gzip-compressed (decompress it first, as with gunzip)", path)
	}
	f := rawFile{table: t, path: path}
	f.begin()
	return f.read(data)
}

// check completes a table of these files.
func (t *Table) check(paths ...string) error {
	if len(t.Keys) == 0 {
		return fmt.Errorf("%s: no benchmark results in the file", strings.Join(paths, ", "))
	}
	t.dropFailed()
	return cmp.Or(t.checkPieces(), t.checkCounts())
}

// maxRounds is the number of rounds reserved for each piece.
const maxRounds = 1 << 20

// rawFile adds one file to a table.
type rawFile struct {
	table *Table
	path  string
	lines []string
	next  int // index of the first line that is not read
	first int // first round of the piece in the table
	round int // of the results that follow; -1: the piece has no rounds
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
	return f.errorf("truncated line (the file must end with a newline; --resume continues the file of an interrupted run)")
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

func (f *rawFile) remark(line string) (err error) {
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
	case commandMark, argvMark, resumedMark:
		err = f.command(mark, text)
	case shardMark:
		if f.source().Shard, err = parseShardMark(text); err == nil {
			err = f.table.checkShards() // rather than that their cells overlap
		}
	case rerunsMark:
		var more Reruns
		more, err = parseReruns(text)
		f.table.Reruns.Add(more)
	case roundMark:
		err = f.beginRound(text)
	case streamMark:
		err = f.table.stream(text)
	default:
		if !known(line) {
			err = fmt.Errorf("%.60q is not a line of the Go benchmark format (use Benchmark…, Unit…, key: value "+
				"or # remark)", line)
		}
	}
	if err != nil {
		err = f.errorf("%v", err)
	}
	return err
}

func (f *rawFile) beginRound(text string) error {
	round, err := strconv.Atoi(text)
	if err != nil || round < 0 || round >= maxRounds {
		return fmt.Errorf("invalid round %q (use 0 to %d)", text, maxRounds-1)
	}
	f.round = round
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
	if err := f.enter(k, line.GetConfig(codeKey)); err != nil {
		return err
	}
	written := asWritten(line)
	fmt.Fprintln(f.source().sum, written)
	if t.samples[k] == nil {
		c, err := k.Cell()
		if err != nil && k.own() {
			return f.errorf("%s: %v", k, err)
		}
		t.cells[k] = c
		t.samples[k] = map[string]map[int]float64{}
		t.Keys = append(t.Keys, k)
	}
	for _, v := range written.Values {
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
