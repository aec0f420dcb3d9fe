package results

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is a part of the cells that a command measures: the Index-th of Count, from 1. A comparison is in one shard
// as a whole, so that a ratio is of samples of one machine. The zero Shard is all cells.
type Shard struct {
	Index, Count int
	Plan         string // identifies all cells; Split sets it
}

// ParseShard parses the format of String, as in 2/4.
func ParseShard(text string) (Shard, error) {
	first, second, ok := strings.Cut(text, "/")
	index, indexErr := strconv.Atoi(first)
	count, countErr := strconv.Atoi(second)
	if !ok || indexErr != nil || countErr != nil || index < 1 || count < index {
		return Shard{}, fmt.Errorf("invalid shard %q (use an index from 1 and a count, as in 2/4)", text)
	}
	return Shard{Index: index, Count: count}, nil
}

// String returns the index and the count, or "" for all cells.
func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Split returns which cells are in the shard. The comparisons are dealt out in the order of their hashes: the result
// is a function of the set of names. Split identifies the plan by the names and the seed.
func (s *Shard) Split(names []string, seed uint64) (keep func(name string) bool) {
	if s.Count == 0 {
		return func(string) bool { return true }
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	s.Plan = digestText(fmt.Sprint(seed, names))[:12]
	var all []Key
	for _, name := range names {
		if k := ParseKey(name).Comparison(); !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b Key) int { return cmp.Compare(digestText(a.String()), digestText(b.String())) })
	return func(name string) bool {
		at := slices.Index(all, ParseKey(name).Comparison())
		return at >= 0 && at%s.Count == s.Index-1
	}
}

func digestText(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
