package results

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"timerlab/harness/results/units"
)

// A run that was interrupted continues its raw file where the file is complete.

// LoadUnfinished is Load for a file that is to be continued. If its run did not end in good
// order, the last sample may be incomplete: it is left out. There may be no sample, but there must be a command.
//
// resume is CreateRaw for the file: what is not complete is cut off. The keys must be those of its first
// result. Of two that continue a file at once only one can: the other gets an error, and the file stays as it is.
func LoadUnfinished(path string) (t *Table, resume func(keys Machine) (*Raw, error), err error) {
	read, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	t = newTable()
	size := complete(string(data))
	if err = t.add(path, data[:size]); err == nil {
		err = t.check()
	}
	if err == nil && len(t.Keys) == 0 && t.Sources[0].Args == nil {
		err = fmt.Errorf("%s: neither a command nor benchmark results in the file", path)
	}
	return t, func(keys Machine) (*Raw, error) {
		f, err := openRaw(path, 0)
		if err != nil {
			return nil, err
		}
		now, err := f.Stat()
		if err == nil && (now.Size() != read.Size() || !now.ModTime().Equal(read.ModTime())) {
			err = fmt.Errorf("%s: another run has added to the file since it was read (run the command again)", path)
		}
		if err == nil {
			err = f.Truncate(int64(size))
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return newRaw(f, keys)
	}, err
}

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
	switch k.Op {
	case units.OperationsOp:
		timed.Op = units.TickOp
	case units.InstructionsOp:
		timed.Op += units.TickOp
	}
	for _, byRound := range t.samples[timed] {
		if _, ok := byRound[round]; ok {
			return true
		}
	}
	return t.Failed(k)
}
