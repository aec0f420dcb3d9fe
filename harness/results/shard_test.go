package results

import (
	"fmt"
	"slices"
	"testing"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseShard(t *testing.T) {
	s, err := ParseShard("2/4")
	require.NoError(t, err)
	assert.Equal(t, Shard{Index: 2, Count: 4}, s)
	assert.Equal(t, "2/4", s.String())
	assert.Empty(t, Shard{}.String())
	for _, text := range []string{"", "2", "0/4", "5/4", "-1/4", "1/0", "a/4", "1/4/2", "1 / 4"} {
		_, err := ParseShard(text)
		assert.ErrorContains(t, err, fmt.Sprintf("invalid shard %q (use an index from 1", text))
	}
}

func cellNames() (names []string) {
	for _, n := range []string{"1k", "10k", "100k"} {
		for _, scheme := range []string{"null", "tree", "tree-again", "hierarchical"} {
			keys := "/scheme=" + scheme + "/n=" + n + "/M=%d/T=10/dist=exp/stop=0"
			for _, slots := range []int{64, 128} {
				names = append(names, fmt.Sprintf("Lifetime"+keys, slots), fmt.Sprintf("Operations"+keys, slots))
			}
		}
	}
	return names
}

// Every cell is in one shard, a comparison as a whole, whatever the order of the cells.
func TestSplit(t *testing.T) {
	names := cellNames()
	for _, count := range []int{1, 2, 4, 6, 9} {
		of, cells, plans := map[Key]int{}, 0, map[string]bool{}
		for index := 1; index <= count; index++ {
			s := Shard{Index: index, Count: count}
			keep := s.Split(names, 1)
			plans[s.Plan] = true
			kept := 0
			for _, name := range names {
				if keep(name) {
					comparison := ParseKey(name).Comparison()
					if of[comparison] == 0 {
						kept++
					}
					assert.Contains(t, []int{0, index}, of[comparison], name)
					of[comparison] = index
					cells++
				}
			}
			assert.InDelta(t, 6/float64(count), kept, 1, "shards are of about the same size")
		}
		assert.Len(t, names, cells)
		assert.Len(t, plans, 1)
	}
	backwards := slices.Clone(names)
	slices.Reverse(backwards)
	a := Shard{Index: 1, Count: 2}
	b, c := a, a
	first, second, all := a.Split(names, 1), b.Split(backwards, 1), new(Shard).Split(names, 1)
	for _, name := range names {
		assert.Equal(t, []bool{first(name), true}, []bool{second(name), all(name)}, name)
	}
	assert.Equal(t, a.Plan, b.Plan)
	c.Split(names, 2)
	assert.NotEqual(t, a.Plan, c.Plan, "another seed is another plan")
}

// shardFile makes a file of one shard with one cell.
func shardFile(t *testing.T, index int, plan, code, cell string) string {
	return writeShard(t, Machine{{"cpu", "one"}, {"code", code}}, Shard{index, 3, plan}, func(r *Raw) {
		for round := range 2 {
			require.NoError(t, r.Round(round))
			require.NoError(t, r.Result(result(units.SpinName, 1, 0)), "every shard has a probe")
			require.NoError(t, r.Result(result(cell, float64(index*10+round), 0)))
		}
	})
}

func TestMergedShards(t *testing.T) {
	one, two := shardFile(t, 1, "p", "a=1", "Start/scheme=x/n=1"), shardFile(t, 2, "p", "a=1", "Start/scheme=x/n=2")
	table := loaded(t, one, two)
	assert.Len(t, table.Keys, 3)
	assert.Equal(t, []float64{20, 21}, table.Samples(ParseKey("Start/scheme=x/n=2"), units.NsPerOp))
	assert.Contains(t, table.Incomplete(), "of 3 shards, these are missing: 3")
	require.Len(t, table.Sources, 2)
	assert.Equal(t, "run", table.Sources[1].Command)
	for want, other := range map[string]string{
		"both have shard 1/3 (name each shard once)": shardFile(t, 1, "p", "a=1", "Start/scheme=x/n=3"),
		"of plan q, but":                           shardFile(t, 3, "q", "a=1", "Start/scheme=x/n=3"),
		"measured code a=2, but shard 1/3":         shardFile(t, 3, "p", "a=2", "Start/scheme=x/n=3"),
		"both have Start/scheme=x/n=1 (every cell": shardFile(t, 3, "p", "a=1", "Start/scheme=x/n=1"),
		"overlaps with": write(t, Machine{{"cpu", "one"}}, func(r *Raw) {
			require.NoError(t, r.Round(0))
			require.NoError(t, r.Result(result("Start/scheme=x/n=1", 1, 0)))
		}),
	} {
		refused(t, want, one, two, other)
	}
}
