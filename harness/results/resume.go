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
func LoadUnfinished(path string) (*Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := newTable()
	if err = t.add(path, data[:complete(data)]); err == nil {
		err = t.check()
	}
	if err == nil && len(t.Keys) == 0 && t.Sources[0].Args == nil {
		err = fmt.Errorf("%s: neither a command nor benchmark results in the file", path)
	}
	return t, err
}

// ContinueRaw is CreateRaw for a file that LoadUnfinished has read: what is not complete is cut off. The keys must be
// those of its first result.
func ContinueRaw(path string, keys Machine) (*Raw, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(complete(data))); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return newRaw(f, keys)
}

// complete returns the size of a file's text without the last sample, unless the text ends as
// Raw.Close ends it. The lines of a sample have the same keys.
func complete(data []byte) int {
	text := string(data)
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
