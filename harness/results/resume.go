package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/results/units"
)

// A run that was interrupted continues its raw file where the file is complete.

// LoadUnfinished is Load for a file of a run that has not ended in good order, or goes on. The last sample may be
// incomplete: it is left out. There may be no sample, but there must be a command.
func LoadUnfinished(path string) (*Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, text := newTable(), complete(string(data))
	if err := t.add(path, text); err != nil {
		return nil, err
	}
	if t.Sources[0].size = len(text); len(t.Keys) == 0 && t.Sources[0].Args == nil {
		return nil, fmt.Errorf("%s: neither a command nor benchmark results in the file (remove it and measure anew)", path)
	}
	return t.checked()
}

// Unfinished is the raw file of an interrupted run that is to be continued.
type Unfinished struct {
	*Table
	file *os.File
}

// Resume is LoadUnfinished for a file that is to be continued. It locks the file before it reads it: if two
// processes try, one gets an error.
func Resume(path string) (*Unfinished, error) {
	f, err := openRaw(path, 0)
	if err != nil {
		return nil, err
	}
	t, err := LoadUnfinished(path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Unfinished{t, f}, nil
}

// Raw is CreateRaw for the file: it cuts off what is not complete. The keys must equal the keys before the file's first result.
func (u *Unfinished) Raw(keys Machine) (*Raw, error) {
	if err := u.file.Truncate(int64(u.Sources[0].size)); err != nil {
		return nil, err
	}
	return NewRaw(u.file, keys)
}

// Close unlocks the file, as Raw.Close does, and leaves it as it is.
func (u *Unfinished) Close() error { return u.file.Close() }

// Incomplete returns which files are not all that their commands measure, since a run was interrupted.
func (t *Table) Incomplete() (why []string) {
	for _, s := range t.Sources {
		if s.rounds > 0 && !s.finished {
			why = append(why, fmt.Sprintf("%s: %d of %d rounds, interrupted", filepath.Base(s.Path), s.begun, s.rounds))
		}
	}
	return why
}

// complete returns a file's text without the last sample, unless the text ends as
// Raw.Close ends it. The lines of a sample have the same keys.
func complete(text string) string {
	if strings.HasSuffix(text, "\nPASS\n") {
		return text
	}
	text = text[:strings.LastIndex(text, "\n")+1]
	for last := ""; ; {
		begin := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		name, _, _ := strings.Cut(text[begin:], "\t")
		op, keys, ok := strings.Cut(name, "/")
		if !ok || !strings.HasPrefix(op, "Benchmark") || last != "" && keys != last {
			return text
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
	for _, byRound := range t.samples(timed) {
		if _, ok := byRound[round]; ok {
			return true
		}
	}
	return t.Failed(k)
}
