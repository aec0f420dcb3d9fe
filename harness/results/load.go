package results

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/results/units"
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

// add adds a file.
func (t *Table) add(path string, data []byte) error {
	f := rawFile{Table: t, first: len(t.Sources) * maxRounds, round: -1}
	t.Sources = append(t.Sources, Source{Path: path, sum: sha256.New()})
	f.source = &t.Sources[len(t.Sources)-1]
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		text, whole := strings.CutSuffix(line, "\n")
		err := f.line(strings.TrimSuffix(text, "\r"))
		if err == nil && !whole {
			err = errors.New("truncated line (the file must end with a newline; --resume continues the file of an " +
				"interrupted run)")
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
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
	return cmp.Or(t.checkFiles(), t.checkCounts())
}

const maxRounds = 1 << 20 // reserved for each file

// rawFile adds one file to a table.
type rawFile struct {
	*Table
	source *Source
	first  int // round of the file in the table
	round  int // of the results that follow; -1: the file has no rounds
}

func (f *rawFile) line(line string) error {
	first, rest, _ := strings.Cut(line, " ")
	key, value, isKey := strings.Cut(line, ":")
	switch {
	case first == "#":
		return f.remark(rest)
	case strings.HasPrefix(line, "Benchmark"):
		r, err := parseResult(line)
		if err != nil {
			return err
		}
		return f.result(r)
	case first == "Unit" && strings.Contains(rest, "="):
		unit, properties, _ := strings.Cut(rest, " ")
		f.exact[unit] = f.exact[unit] || slices.Contains(strings.Fields(properties), "assume=exact")
	case isKey && key != "" && !strings.Contains(key, " ") && key[0] >= 'a' && key[0] <= 'z':
		return f.key(key, strings.TrimSpace(value))
	case strings.TrimSpace(line) == "", line[0] == '#', slices.Contains([]string{"PASS", "ok"}, strings.Fields(line)[0]):
	default:
		return fmt.Errorf("%.60q is not a line of the Go benchmark format (use Benchmark…, Unit…, key: value or # remark)",
			line)
	}
	return nil
}

func (f *rawFile) remark(line string) (err error) {
	mark, text, _ := strings.Cut(line, " ")
	switch mark {
	case skippedMark, errorMark:
		head, why, _ := strings.Cut(text, ": ")
		name, kind, ok := strings.Cut(head, " ")
		if fail := mark == errorMark; ok == fail {
			return fmt.Errorf("invalid remark %.60q (use # %s NAME KIND: reason, or # %s NAME: reason)", line,
				skippedMark, errorMark)
		} else if m := (Missing{ParseKey(name), Reason{ReasonKind(kind), why}, fail}); !slices.Contains(f.Missing, m) {
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
		f.source.Shard = s
		return f.checkFiles() // rather than that their cells overlap
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
	}
	return nil
}

func (f *rawFile) result(r Result) error {
	k := ParseKey(r.Name)
	if err := f.enter(k); err != nil {
		return err
	}
	fmt.Fprintln(f.source.sum, r)
	if f.samples[k] == nil {
		c, err := k.Cell()
		if ours := !slices.Contains([]string{k.Scheme, k.N, k.Slots, k.T, k.Dist, k.Stop}, ""); err != nil && ours {
			return fmt.Errorf("%s: %w", k, err) // in names of others the same keys may have other values
		}
		f.cells[k], f.samples[k] = c, map[string]map[int]float64{}
		f.Keys = append(f.Keys, k)
	}
	for _, v := range r.Values {
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

// key adds a key of the file's head. Times from different processors or compilers have different distributions, and
// times of different code in one file are of nothing, so they are refused; of other keys all values are kept.
func (f *rawFile) key(key, value string) error {
	if key == codeKey {
		code, err := parseCode(value)
		if was := f.source.Code.String(); err == nil && was != "" && was != value {
			err = fmt.Errorf("code is %s here and %s before (results of different code cannot be pooled)", value, was)
		}
		f.source.Code = code
		if err != nil {
			return err
		}
	}
	const separator = "; "
	known, has := f.Machine[key]
	switch {
	case !has:
		f.Machine[key] = value
	case slices.Contains(strings.Split(known, separator), value):
	case key == "cpu" || key == "cpuid" || key == "go" || key == "goarch":
		return fmt.Errorf("%s is %s here and %s before (results of different machines or compilers cannot be pooled)",
			key, value, known)
	default:
		f.Machine[key] += separator + value
	}
	return nil
}

// enter records in which file a cell is. A cell of a shard is in no other file, and files have a cell of one code.
func (f *rawFile) enter(k Key) error {
	here := len(f.Sources) - 1
	was, known := f.origins[k]
	f.origins[k] = here
	if !known || was == here || k.Op == units.SpinName {
		return nil
	}
	other := f.Sources[was]
	mine, its := f.source.Code.String(), other.Code.String()
	switch {
	case f.source.Shard.Count > 0 || other.Shard.Count > 0:
		return fmt.Errorf("overlaps with %s: both have %s (every cell of a shard must be there once)", other.Path, k)
	case mine != "" && its != "" && mine != its:
		return fmt.Errorf("%s: code is %s here and %s in %s (results of different code cannot be pooled)", k, mine, its,
			other.Path)
	}
	return nil
}

// checkFiles returns an error if two files have the same results, or are a shard twice, or shards of
// different plans or code.
func (t *Table) checkFiles() error {
	empty := string(sha256.New().Sum(nil))
	for i, s := range t.Sources {
		sum := string(s.sum.Sum(nil))
		for _, o := range t.Sources[:i] {
			again := sum != empty && sum == string(o.sum.Sum(nil))
			switch {
			case again:
				return fmt.Errorf("%s has the results of %s again (name each file once)", s.Path, o.Path)
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

// A run that was interrupted continues its raw file where the file is complete.

// LoadUnfinished is Load for a file of a run that has not ended in good order, or goes on. The last sample may be
// incomplete: it is left out. There may be no sample, but there must be a command.
func LoadUnfinished(path string) (*Table, error) {
	t, _, err := loadUnfinished(path)
	return t, err
}

func loadUnfinished(path string) (t *Table, size int64, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	t = newTable()
	complete := complete(string(data))
	if err = t.add(path, data[:complete]); err == nil {
		err = t.check()
	}
	if err == nil && len(t.Keys) == 0 && t.Sources[0].Args == nil {
		err = fmt.Errorf("%s: neither a command nor benchmark results in the file", path)
	}
	return t, int64(complete), err
}

// Unfinished is the raw file of an interrupted run that is to be continued.
type Unfinished struct {
	*Table
	file *os.File
	size int64 // of what is complete
}

// Resume is LoadUnfinished for a file that is to be continued. It locks the file before it reads it, so that of two
// processes only one continues it and the other gets an error.
func Resume(path string) (*Unfinished, error) {
	f, err := openRaw(path, 0)
	if err != nil {
		return nil, err
	}
	t, size, err := loadUnfinished(path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Unfinished{t, f, size}, nil
}

// Raw is CreateRaw for the file: it cuts off what is not complete. The keys must be those of the first result.
func (u *Unfinished) Raw(keys Machine) (*Raw, error) {
	if err := u.file.Truncate(u.size); err != nil {
		return nil, err
	}
	return NewRaw(u.file, keys)
}

// Close unlocks the file, as Raw.Close does, and leaves it as it is.
func (u *Unfinished) Close() error { return u.file.Close() }

// complete returns the size of a file's text without the last sample, unless the text ends as
// Raw.Close ends it. The lines of a sample have the same keys.
func complete(text string) int {
	if strings.HasSuffix(text, "\nPASS\n") {
		return len(text)
	}
	text = text[:strings.LastIndex(text, "\n")+1]
	for last := ""; ; {
		begin := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		name, _, _ := strings.Cut(text[begin:], "\t")
		op, keys, ok := strings.Cut(name, "/")
		if !ok || !strings.HasPrefix(op, "Benchmark") || last != "" && keys != last {
			return len(text)
		}
		text, last = text[:begin], keys
	}
}

// Skipped reports whether the named cell was skipped.
func (t *Table) Skipped(name string) bool {
	k := ParseKey(name)
	return slices.ContainsFunc(t.Missing, func(m Missing) bool { return m.Key == k && !m.Fail })
}

// Has reports whether the named cell already has a sample for this round, or has
// failed, after which none of its samples count. It is for tables of a single piece.
func (t *Table) Has(name string, round int) bool {
	k := ParseKey(name)
	timed := k
	if k.Op == units.OperationsOp {
		timed.Op = units.TickOp
	}
	for _, byRound := range t.samples[timed] {
		if _, ok := byRound[round]; ok {
			return true
		}
	}
	return t.Failed(k)
}
