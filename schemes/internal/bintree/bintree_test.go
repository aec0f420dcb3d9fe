package bintree

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// one is a leftist heap.
type one struct {
	Leftist
	top uint32
}

// heapOf returns a heap of nodes 1, 2 and so on, pushed in this order.
func heapOf(deadlines ...uint64) *one {
	h := &one{Leftist: NewLeftist(0, false)}
	for k, deadline := range deadlines {
		h.top, _ = h.Push(h.top, uint32(k+1), deadline)
	}
	return h
}

func (h *one) check(limit int) (int, error) {
	return h.Check(h.top, limit, func(uint32, uint64) error { return nil })
}

// TestAnyOrder pushes and removes nodes anywhere, and compares with a plain
// list; a number that is free again is used again.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, deadline, free := heapOf(), map[uint32]uint64{}, []uint32{}
		next := uint32(1)
		for range rapid.IntRange(1, 200).Draw(t, "operations") {
			i, compares, n := uint32(0), uint64(0), len(deadline)
			if x := rapid.Uint64Range(0, 60).Draw(t, "deadline, 0: remove"); x > 0 {
				if i = next; len(free) > 0 {
					i, free = free[len(free)-1], free[:len(free)-1]
				} else {
					next++
				}
				deadline[i] = x
				h.top, compares = h.Push(h.top, i, x)
			} else if len(deadline) > 0 {
				nodes := make([]uint32, 0, len(deadline))
				for i := range deadline {
					nodes = append(nodes, i)
				}
				slices.Sort(nodes)
				i = rapid.SampledFrom(nodes).Draw(t, "node")
				h.top, compares = h.Remove(h.top, i)
				delete(deadline, i)
				free = append(free, i)
			}
			require.LessOrEqual(t, compares, uint64(2*bits.Len(uint(n+1))))
			verify(t, h, deadline)
		}
	})
}

func verify(t *rapid.T, h *one, deadline map[uint32]uint64) {
	first := uint64(0)
	for _, x := range deadline {
		if first == 0 || x < first {
			first = x
		}
	}
	count, err := h.check(len(deadline))
	require.NoError(t, err)
	require.Equal(t, len(deadline), count)
	require.Equal(t, first, h.At(h.top).Deadline)
	require.Equal(t, Node{}, *h.At(None))
	for i, x := range deadline {
		require.Equal(t, x, h.At(i).Deadline)
	}
}

// TestLongWayLeft makes a heap that is a list along the left, whose null-path
// lengths are all 1: nothing depends on how deep it is.
func TestLongWayLeft(t *testing.T) {
	const n = 200_000
	h := &one{Leftist: NewLeftist(n, false)}
	compares := uint64(0)
	for i := uint32(1); i <= n; i++ {
		var c uint64
		h.top, c = h.Push(h.top, i, uint64(n-i))
		compares += c
	}
	assert.Equal(t, uint64(n-1), compares, "each is before all others, so one comparison does")
	depth := 0
	for i := h.top; i != None; i = h.At(i).Left {
		require.Equal(t, uint32(1), h.At(i).npl)
		depth++
	}
	assert.Equal(t, n, depth)
	for i := uint32(2); i < n; i += 2 {
		var c uint64
		h.top, c = h.Remove(h.top, i)
		require.Zero(t, c, "one side is empty: nothing to merge")
	}
	count, err := h.check(n)
	require.NoError(t, err)
	assert.Equal(t, n/2+1, count)
}

// TestRepair removes nodes of heaps where a null-path length above changes, and
// where none does: then what is further up is not looked at.
func TestRepair(t *testing.T) {
	h := heapOf(1, 2, 3)
	require.Equal(t, uint32(2), h.At(h.top).npl)
	h.top, _ = h.Remove(h.top, 3)
	assert.Equal(t, uint32(1), h.At(h.top).npl)

	h = heapOf(4, 3, 2, 1) // a list along the left
	h.At(h.top).npl = 77
	h.top, _ = h.Remove(h.top, 1)
	assert.Equal(t, uint32(77), h.At(h.top).npl)
}

// Check names each invariant that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	tests := []struct {
		name    string
		corrupt func(h *one)
		want    string
	}{
		{"order", func(h *one) { h.At(h.top).Deadline = 1000 }, "order: node"},
		{"sides", func(h *one) { n := h.At(lopsided(h)); n.Left, n.Right = n.Right, n.Left }, "on its left"},
		{"null-path length", func(h *one) { h.At(h.At(h.top).Left).npl++ }, "null-path length"},
		{"a top below another node", func(h *one) { h.top = h.At(h.top).Left }, "does not lead back to 0"},
		{"a parent link", func(h *one) { h.At(h.At(h.top).Left).Parent = h.At(h.top).Right }, "does not lead back"},
		{"a link to nowhere", func(h *one) { h.At(h.top).Right = 4000 }, "node 4000, which does not exist"},
		{"a circle", func(h *one) { n := h.At(h.At(h.top).Left); n.Left = h.top }, "does not lead back"},
		{"the same on both sides", func(h *one) { n := h.At(h.top); n.Right = n.Left }, "more nodes than the 20"},
	}
	deadlines := []uint64{4, 3, 2, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := heapOf(deadlines...)
			_, err := h.check(20)
			require.NoError(t, err)
			test.corrupt(h)
			_, err = h.check(20)
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// lopsided returns a node whose left has a larger null-path length than its
// right.
func lopsided(h *one) uint32 {
	i := uint32(1)
	for at := h.At(i); h.At(at.Left).npl == h.At(at.Right).npl; at = h.At(i) {
		i++
	}
	return i
}

func TestWalkTakesNodesBeforeThoseBelow(t *testing.T) {
	h := heapOf(4, 3, 2, 1, 8, 7, 6, 5)
	seen := map[uint32]bool{None: true}
	count, err := h.Walk(h.top, 8, func(i uint32, at *Node) error {
		assert.True(t, seen[at.Parent])
		seen[i] = true
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, 8, count)
	_, err = h.Walk(h.top, 7, func(uint32, *Node) error { return nil })
	assert.ErrorContains(t, err, "more nodes than the 7 live timers")
	count, err = h.Walk(None, 0, nil)
	assert.NoError(t, err)
	assert.Zero(t, count)
}
