package results

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"timerlab/harness/results/units"
)

// Load reads raw files, and the output of go test -bench, where it skips and counts lines that cannot be results. A
// line that may be a part of one, such as a half line, is an error that names the file and the line, and so is FAIL.
// Reading a sample twice is an error too: it would narrow an interval without adding information.
func Load(paths ...string) (*Table, error) {
	t := newTable()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := t.add(path, string(data)); err != nil {
			return nil, err
		}
	}
	if len(t.Keys) == 0 {
		return nil, fmt.Errorf("%s: no benchmark results in the file (lines of other text: %d)", strings.Join(paths, ", "),
			t.OtherText)
	}
	return t.checked()
}

// ErrTorn means that the last line of a file breaks off: its writer was interrupted.
var ErrTorn = errors.New("truncated line (the file must end with a newline)")

// packed is what files of gzip, bzip2, xz, zstd and zip begin with.
var packed = []string{"\x1f\x8b", "BZh", "\xfd7zXZ", "\x28\xb5\x2f\xfd", "PK\x03\x04"}

// add adds a file. Some editors put a mark before UTF-8.
func (t *Table) add(path, text string) (err error) {
	switch {
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		return fmt.Errorf("%s: the text is UTF-16 (save it as UTF-8)", path)
	case slices.ContainsFunc(packed, func(magic string) bool { return strings.HasPrefix(text, magic) }):
		return fmt.Errorf("%s: the file is compressed (unpack it first)", path)
	case strings.Contains(text[:min(len(text), 64)], "\x00"): // further on, a line that is named has it
		return fmt.Errorf("%s: the text is UTF-16 or binary (save it as UTF-8)", path)
	}
	f := rawFile{Table: t, first: len(t.Sources) * maxRounds, round: -1}
	t.Sources = append(t.Sources, Source{Path: path})
	f.source = &t.Sources[len(t.Sources)-1]
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line, whole := strings.CutSuffix(line, "\n")
		if err = ErrTorn; whole {
			err = f.line(strings.TrimSuffix(line, "\r"))
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	half := len(f.source.lines) / 2
	first, second := f.source.lines[:half], f.source.lines[half:]
	if slices.Equal(first, second) && len(pairs(first)) >= leastPairs {
		return fmt.Errorf("%s has its first half again (name each run once)", path)
	}
	f.source.pairs = pairs(f.source.lines)
	return nil
}

// checked returns the table with its final keys, without the cells that failed, unless what it pools differs.
func (t *Table) checked() (*Table, error) {
	pkgs, procs := t.origins()
	t = t.named(len(pkgs) > 1, len(procs) > 1)
	t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool {
		if !t.Failed(k) {
			return false
		}
		t.rows[k].samples = nil
		return true
	})
	for i, s := range t.Sources {
		if err := s.isNew(t.Sources[:i]); err != nil {
			return nil, err
		}
	}
	return t, t.checkCounts()
}

// CheckCopies returns an error if a file of another table has the results of a file of the table again.
func (t *Table) CheckCopies(other *Table) error {
	for _, s := range other.Sources {
		if err := s.isNew(t.Sources); err != nil {
			return err
		}
	}
	return nil
}

// isNew returns an error if the file has the results of one of the others again.
func (s Source) isNew(others []Source) error {
	for _, o := range others {
		if copied(s, o) {
			return fmt.Errorf("%s has the results of %s again (name each file once, and no copy of it)", s.Path, o.Path)
		}
	}
	return nil
}

// leastPairs is how many pairs of results two runs have in common if one is a copy.
const leastPairs = 3

// copied reports whether two files have samples in common. A copy of a file from before has most of its results, in the
// same order. So what counts is pairs: two timed results, one after the other, that are in both files. A single result
// is no sign, since times of four digits, or near the clock's resolution, come again in other runs. Of simulated runs
// whose times have only five values, fewer than one in 100 is taken for a copy of another.
func copied(s, o Source) bool {
	common := 0 // of a copy at least half of the pairs in the file that has fewer
	for pair := range s.pairs {
		if o.pairs[pair] {
			common++
		}
	}
	return common >= leastPairs && 2*common >= min(len(s.pairs), len(o.pairs)) ||
		len(s.lines) > 0 && slices.Equal(s.lines, o.lines)
}

// pairs returns the results with a time that are in a file once, each with the next of them. The others say nothing
// about copies.
func pairs(lines []string) map[[2]string]bool {
	times := map[string]int{}
	for _, line := range lines {
		times[line]++
	}
	once := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return times[line] > 1 || !strings.Contains(line, units.NsPerOp)
	})
	all := map[[2]string]bool{}
	for i := 1; i < len(once); i++ {
		all[[2]string{once[i-1], once[i]}] = true
	}
	return all
}

// checkCounts returns an error if an exact count differs between rounds: the code
// that counted changed, or is not deterministic. A line omits counts of 0.
func (t *Table) checkCounts() error {
	for _, k := range t.Keys {
		for unit, counts := range t.samples(k) {
			if !t.exact[unit] {
				continue
			}
			values := t.Samples(k, unit)
			if low, high := slices.Min(values), slices.Max(values); low != high {
				return fmt.Errorf("%s: %v and %v %s (exact counts must agree; the files measured different code)",
					k, low, high, unit)
			}
			timed := units.NsPerOp
			if unit == units.MostMigrations || unit == units.MostExpiries {
				timed = units.ClockLimit // times of single ticks may be below it, and are left out
			}
			if runs := len(t.ByRound(k, timed)); len(counts) != runs {
				return fmt.Errorf("%s: %d of its results count %s and %d have a time in %s (all or none must; the files "+
					"measured different code, or have another unit)", k, len(counts), unit, runs, timed)
			}
		}
	}
	return nil
}
