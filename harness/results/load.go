package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/results/units"

	"golang.org/x/perf/benchfmt"
)

// Load reads raw files, and the output of go test -bench. A line that is not of the
// format is an error that names the file and the line. Reading a sample twice is an
// error too: it would narrow an interval without adding information.
func Load(paths ...string) (*Table, error) {
	t := newTable()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := t.add(path, data); err != nil {
			return nil, err
		}
	}
	if len(t.Keys) == 0 {
		return nil, fmt.Errorf("%s: no benchmark results in the file", strings.Join(paths, ", "))
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	return t, nil
}

// add adds a file. It passes through the lines that the format's own reader skips and those that it
// reads, in their order.
func (t *Table) add(path string, data []byte) error {
	f := rawFile{Table: t, path: path, lines: strings.SplitAfter(string(data), "\n")}
	f.begin()
	r := benchfmt.NewReader(bytes.NewReader(data), path)
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
			t.exact[rec.Unit] = t.exact[rec.Unit] || rec.Key == "assume" && rec.Value == "exact"
		case *benchfmt.Result:
			if err := f.result(rec); err != nil {
				return fmt.Errorf("%s:%d: %w", path, f.next, err)
			}
		}
	}
	if err := cmp.Or(r.Err(), f.remarks(len(f.lines))); err != nil {
		return err
	}
	if last := f.lines[len(f.lines)-1]; last != "" { // it begins after the last newline
		return fmt.Errorf("%s:%d: truncated line (the file must end with a newline; --resume continues the file of "+
			"an interrupted run)", path, f.next)
	}
	return nil
}

func (t *Table) check() error {
	t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool {
		if !t.Failed(k) {
			return false
		}
		delete(t.samples, k)
		return true
	})
	return cmp.Or(t.checkPieces(), t.checkCounts())
}

const maxRounds = 1 << 20 // reserved for each piece

// rawFile adds one file to a table. A file may hold several pieces: raw files that were joined, as those of
// shards. A piece begins with the command that measured it, and its rounds are its own.
type rawFile struct {
	*Table
	path  string
	lines []string
	next  int // index of the first line that is not read
	first int // first round of the piece in the table
	round int // of the results that follow; -1: the piece has no rounds
}

func (f *rawFile) begin() {
	f.Sources = append(f.Sources, Source{Path: f.path, sum: sha256.New()})
	f.first, f.round = (len(f.Sources)-1)*maxRounds, -1
}

func (f *rawFile) source() *Source { return &f.Sources[len(f.Sources)-1] }

// remarks reads lines up to an index, and reports those that the format's own reader
// skips although they are broken.
func (f *rawFile) remarks(end int) error {
	for f.next < end {
		line := strings.TrimRight(f.lines[f.next], "\r\n")
		f.next++
		if err := f.remark(line); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path, f.next, err)
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
		if m := (Missing{ParseKey(name), why, mark == errorMark}); !slices.Contains(f.Missing, m) {
			f.Missing = append(f.Missing, m)
		}
	case argvMark, resumedMark:
		return f.command(mark, text)
	case shardMark:
		part, plan, _ := strings.Cut(text, " ")
		s, err := ParseShard(part)
		if err != nil {
			return err
		}
		s.Plan = plan
		f.source().Shard = s
		return f.checkPieces() // rather than that their cells overlap
	case roundMark:
		if f.round, err = strconv.Atoi(text); err != nil || f.round < 0 || f.round >= maxRounds {
			return fmt.Errorf("invalid round %q (use 0 to %d)", text, maxRounds-1)
		}
	case streamMark:
		workload, hash, _ := strings.Cut(text, " ")
		if known, ok := f.streams[workload]; ok && known != hash {
			return fmt.Errorf("stream %s has hash %s here and %s before (results of different operations cannot be "+
				"pooled)", workload, hash, known)
		}
		f.streams[workload] = hash
	default:
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0, line[0] == '#', slices.Contains([]string{"PASS", "ok", "Unit"}, fields[0]): // Unit: it repeats another line
		case strings.HasSuffix(fields[0], ":") && line[0] >= 'a' && line[0] <= 'z':
		default:
			return fmt.Errorf("%.60q is not a line of the Go benchmark format (use Benchmark…, Unit…, key: value or # "+
				"remark)", line)
		}
	}
	return err
}

func (f *rawFile) result(line *benchfmt.Result) error {
	for _, c := range line.Config {
		if err := f.machine(c.Key, string(c.Value)); err != nil {
			return err
		}
	}
	k := ParseKey(string(line.Name))
	if err := f.enter(k, line.GetConfig(codeKey)); err != nil {
		return err
	}
	written := asWritten(line)
	fmt.Fprintln(f.source().sum, written)
	if f.samples[k] == nil {
		c, err := k.cell()
		if ours := !slices.Contains([]string{k.Scheme, k.N, k.Slots, k.T, k.Dist, k.Stop}, ""); err != nil && ours {
			return fmt.Errorf("%s: %w", k, err) // in names of others the same keys may have other values
		}
		f.cells[k], f.samples[k] = c, map[string]map[int]float64{}
		f.Keys = append(f.Keys, k)
	}
	for _, v := range written.Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("invalid value %v %s (measurements are finite)", v.Value, v.Unit)
		}
		if v.Unit == units.NsPerOp && v.Value <= 0 { // a count or an allocation may be 0
			return fmt.Errorf("invalid time %v %s (times are above 0)", v.Value, v.Unit)
		}
		if f.samples[k][v.Unit] == nil {
			f.samples[k][v.Unit] = map[int]float64{}
		}
		byRound, round := f.samples[k][v.Unit], f.round
		if round < 0 {
			round = len(byRound)
		}
		if _, ok := byRound[f.first+round]; ok {
			return fmt.Errorf("duplicate: %s has a second value of %s in round %d", k, v.Unit, round)
		}
		byRound[f.first+round] = v.Value
	}
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

// enter records in which piece a cell is and which code its samples are of. A cell of a shard
// is in no other piece. Two kinds of code in a piece, or in a cell, are an error.
func (f *rawFile) enter(k Key, code string) error {
	source := f.source()
	if code != source.Code.String() {
		parsed, err := parseCode(code)
		if err != nil {
			return err
		}
		if len(source.Code) > 0 {
			return fmt.Errorf("code is %s here and %s before (results of different code cannot be pooled)", code,
				source.Code)
		}
		source.Code = parsed
	}
	was, known := f.origins[k]
	f.origins[k] = origin{len(f.Sources) - 1, code}
	if !known || was.piece == len(f.Sources)-1 || k.Op == units.SpinName {
		return nil
	}
	other := f.Sources[was.piece]
	switch {
	case source.Shard.Count > 0 || other.Shard.Count > 0:
		return fmt.Errorf("overlaps with %s: both have %s (every cell of a shard must be there once)", other.Path, k)
	case code != "" && was.code != "" && was.code != code:
		return fmt.Errorf("%s: code is %s here and %s in %s (results of different code cannot be pooled)", k, code,
			was.code, other.Path)
	}
	return nil
}

// origin is the latest piece that has samples of a cell, and their code; "": not recorded.
type origin struct {
	piece int
	code  string
}

// checkPieces returns an error if two pieces have the same results, or are a shard twice, or shards of
// different plans or code.
func (t *Table) checkPieces() error {
	empty := string(sha256.New().Sum(nil))
	for i, s := range t.Sources {
		sum := string(s.sum.Sum(nil))
		for _, o := range t.Sources[:i] {
			again := sum != empty && sum == string(o.sum.Sum(nil))
			switch {
			case again:
				return fmt.Errorf("%s has the results of %s again (name and join each file once)", s.Path, o.Path)
			case s.Shard.Count == 0 || o.Shard.Count == 0:
			case s.Shard.Count != o.Shard.Count || s.Shard.Plan != o.Shard.Plan:
				return fmt.Errorf("%s is shard %v of plan %s, but %s is shard %v of plan %s (merge shards of one command)",
					s.Path, s.Shard, s.Shard.Plan, o.Path, o.Shard, o.Shard.Plan)
			case s.Shard.Index == o.Shard.Index:
				return fmt.Errorf("%s: overlaps with %s, both have shard %v (name each shard once)", s.Path, o.Path, s.Shard)
			case len(s.Code) > 0 && len(o.Code) > 0 && s.Code.String() != o.Code.String():
				return fmt.Errorf("%s: shard %v measured code %s, but shard %v in %s measured %s (merge shards of the "+
					"same code)", s.Path, s.Shard, s.Code, o.Shard, o.Path, o.Code)
			}
		}
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
			if runs := len(t.samples[k][units.NsPerOp]); len(counts) != runs {
				return fmt.Errorf("%s: %d of its results count %s and %d have a time in %s (all or none must; the files "+
					"measured different code, or have another unit)", k, len(counts), unit, runs, units.NsPerOp)
			}
		}
	}
	return nil
}
