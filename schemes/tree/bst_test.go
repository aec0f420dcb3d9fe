package tree

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Check names each invariant of the search tree that is broken. The timers of the test are a list along the right.
func TestCheckNamesWhatIsBrokenInBST(t *testing.T) {
	expire := func(s *tree, i uint32, deadline uint64) {
		s.At(i).Key, s.queue.(*bst).at(i).deadline = deadline, deadline
	}
	schemetest.CheckNames(t, &Unbalanced, schemes.Config{}, []schemetest.Corruption[*tree]{
		{Name: "order", Corrupt: func(s *tree) { expire(s, s.queue.top(), 1000) }, Want: "order: record"},
		{Name: "an equal timer on the left", Corrupt: func(s *tree) {
			raiseRight(s.queue.(*bst))
			expire(s, s.first.record, s.first.deadline+1)
		}, Want: "order: record"},
		{Name: "leftmost", Corrupt: func(s *tree) { s.queue.(*bst).leftmost++ }, Want: "leftmost: record"},
		{Name: "a link", Corrupt: func(s *tree) { b := s.queue.(*bst); b.at(b.root).left = b.root + 1 }, Want: "is on both sides of"},
		{Name: "a link to nowhere", Corrupt: func(s *tree) { b := s.queue.(*bst); b.at(b.root).right = 4000 }, Want: "node 4000, which does not exist"},
		{Name: "a circle", Corrupt: func(s *tree) { b := s.queue.(*bst); b.at(b.at(b.root).right).right = b.root }, Want: "does not lead back to"},
		{Name: "a parent link", Corrupt: func(s *tree) { b := s.queue.(*bst); b.at(b.at(b.root).right).parent = 40 }, Want: "does not lead back to"},
		{Name: "a top below another node", Corrupt: func(s *tree) { b := s.queue.(*bst); b.root = b.at(b.root).right }, Want: "does not lead back to 0"},
	})
}

// raiseRight puts the node on the top's right on top, and the top on its left.
func raiseRight(b *bst) {
	top, right := b.root, b.at(b.root).right
	b.at(top).right, b.at(top).parent = none, right
	b.at(right).left, b.at(right).parent = top, none
	b.root = right
}

// With equal intervals the tree is a list: a start compares with every timer, a
// stop with none, and a timer that expires is followed by the one right below.
func TestDegeneration(t *testing.T) {
	const n = 1000
	s, handles := started(t, &Unbalanced, slices.Repeat([]schemes.Tick{2 * n}, n)...)
	assert.Equal(t, uint64(n*(n-1)/2), s.Counts().Compares)
	before := s.Counts().Compares
	_, err := s.Start(2*n, n)
	require.NoError(t, err)
	assert.Equal(t, uint64(n), s.Counts().Compares-before)
	before = s.Counts().Compares
	for i := 1; i < n; i += 2 {
		require.True(t, s.Stop(handles[i]))
	}
	assert.Equal(t, before, s.Counts().Compares)
	assert.Len(t, drain(t, s, 2*n), n/2+1)
	assert.Equal(t, before+n/2, s.Counts().Compares)
}

// A timer with one on each side gives its place to its successor, here at the
// end of a long way left. The records stay where they are, so handles stay good.
func TestStopBetweenTwo(t *testing.T) {
	intervals := []schemes.Tick{10, 5}
	for interval := schemes.Tick(300); interval > 10; interval-- {
		intervals = append(intervals, interval)
	}
	s, handles := started(t, &Unbalanced, intervals...)
	successor := uint32(handles[len(handles)-1])
	before := s.Counts().Compares
	require.True(t, s.Stop(handles[0]))
	assert.Equal(t, uint64(290), s.Counts().Compares-before)
	assert.Equal(t, successor, s.queue.top())
	require.NoError(t, s.Check())

	before = s.Counts().Compares
	require.True(t, s.Stop(handles[len(handles)-1]))
	assert.Equal(t, uint64(289), s.Counts().Compares-before)
	require.True(t, s.Stop(handles[2]), "the far end of the way left")
	assert.Len(t, drain(t, s, 300), len(intervals)-3)
}

// Timers of one tick expire in the order of their starts, whatever was stopped in
// between, and looking for the next one passes each timer at most once.
func TestOrderOfEqualTimers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var intervals []schemes.Tick
	for range 600 {
		intervals = append(intervals, 1+schemes.Tick(rng.IntN(40)))
	}
	s, handles := started(t, &Unbalanced, intervals...)
	for _, i := range rng.Perm(len(handles))[:300] {
		require.True(t, s.Stop(handles[i]))
	}
	before := s.Counts().Compares
	ids := drain(t, s, 40)
	require.Len(t, ids, 300)
	for k := 1; k < len(ids); k++ {
		if intervals[ids[k-1]] == intervals[ids[k]] {
			assert.Less(t, ids[k-1], ids[k])
		}
	}
	assert.LessOrEqual(t, s.Counts().Compares-before, uint64(300))
}
