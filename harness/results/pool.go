package results

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// What may be pooled in one table is decided here. A file may hold several pieces: raw files that were
// joined, as those of shards. A piece begins with the command that measured it, and its rounds are its own.

// source is that of the piece being read.
func (f *rawFile) source() *Source { return &f.table.Sources[len(f.table.Sources)-1] }

// begin begins a piece.
func (f *rawFile) begin() {
	f.table.Sources = append(f.table.Sources, Source{Path: f.path, sum: sha256.New()})
	f.first, f.round = (len(f.table.Sources)-1)*maxRounds, -1
}

// enter records in which piece a cell is and which code its samples are of. A cell of a shard
// is in no other piece. Two kinds of code in a piece, or in a cell, are an error.
func (f *rawFile) enter(k Key, code string) error {
	source := f.source()
	if code != source.Code.String() {
		parsed, err := ParseCode(code)
		if err != nil {
			return f.errorf("%v", err)
		}
		if len(source.Code) > 0 {
			return f.errorf("code is %s here and %s before (results of different code cannot be pooled)", code,
				source.Code)
		}
		source.Code = parsed
	}
	was, known := f.table.origins[k]
	f.table.origins[k] = origin{len(f.table.Sources) - 1, code}
	if !known || was.piece == len(f.table.Sources)-1 || k.Op == SpinName {
		return nil
	}
	other := f.table.Sources[was.piece]
	switch {
	case source.Shard.Count > 0 || other.Shard.Count > 0:
		return f.errorf("overlaps with %s: both have %s (every cell of a shard must be there once)", other.Path, k)
	case code != "" && was.code != "" && was.code != code:
		return f.errorf("%s: code is %s here and %s in %s (results of different code cannot be pooled)", k, code,
			was.code, other.Path)
	}
	return nil
}

// origin is the latest piece that has samples of a cell, and their code; "": not recorded.
type origin struct {
	piece int
	code  string
}

// checkPieces returns an error if two pieces have the same results, or if shards do not fit
// together.
func (t *Table) checkPieces() error {
	seen := map[string]string{}
	empty := string(sha256.New().Sum(nil))
	for _, s := range t.Sources {
		sum := string(s.sum.Sum(nil))
		if other, ok := seen[sum]; ok && sum != empty {
			if other == s.Path {
				return fmt.Errorf("%s has the results of a run twice (join each file once)", s.Path)
			}
			return fmt.Errorf("%s has the results of %s again (name one of them)", s.Path, other)
		}
		seen[sum] = s.Path
	}
	return t.checkShards()
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
				return fmt.Errorf("%s: %d of its results count %s and %d have a time in %s (all or none must; the files "+
					"measured different code, or have another unit)", k, len(counts), unit, runs, NsPerOp)
			}
		}
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

// stream records the hash of a stream of operations.
func (t *Table) stream(text string) error {
	workload, hash, _ := strings.Cut(text, " ")
	if known, ok := t.streams[workload]; ok && known != hash {
		return fmt.Errorf("stream %s has hash %s here and %s before (results of different operations cannot be "+
			"pooled)", workload, hash, known)
	}
	t.streams[workload] = hash
	return nil
}
