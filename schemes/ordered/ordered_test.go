package ordered

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{}, []schemetest.Corruption[*list]{
		{Name: "order", Corrupt: func(s *list) { s.At(s.At(waiting).Next).Key = 1000 }, Want: "order: timer"},
		{Name: "a deadline that has passed", Corrupt: func(s *list) { s.At(s.At(waiting).Next).Key = 1 }, Want: "order: timer"},
	})
}

func FuzzConformanceRear(f *testing.F) { schemetest.Fuzz(f, &Rear) }

func TestConformanceRear(t *testing.T) { schemetest.Run(t, &Rear) }

// Both directions find the same place; they differ in the timers they pass.
// Equal intervals cost one comparison from the rear, and all from the head.
func TestSearchDirection(t *testing.T) {
	head, err := Info.New(schemes.Config{})
	require.NoError(t, err)
	rear, err := Rear.New(schemes.Config{})
	require.NoError(t, err)
	for id := range schemes.ID(100) {
		for _, s := range []schemes.Scheme{head, rear} {
			_, err := s.Start(1000, id)
			require.NoError(t, err)
		}
	}
	assert.Equal(t, head.(*list).String(), rear.(*list).String())
	assert.Equal(t, uint64(100*99/2), head.(*list).Counts().Compares)
	assert.Equal(t, uint64(99), rear.(*list).Counts().Compares)
}

func FuzzConformanceDurations(f *testing.F) { schemetest.Fuzz(f, &Durations) }

func TestConformanceDurations(t *testing.T) { schemetest.Run(t, &Durations) }

func newDurations(t *testing.T) *durations {
	s, err := Durations.New(schemes.Config{})
	require.NoError(t, err)
	return s.(*durations)
}

func TestDurationsCheckNamesWhatIsBroken(t *testing.T) {
	first := func(s *durations) *store.Record { return s.At(s.At(s.lists[9].head).Next) } // of interval 10
	schemetest.CheckNames(t, &Durations, schemes.Config{}, []schemetest.Corruption[*durations]{
		{Name: "a deadline that has passed", Corrupt: func(s *durations) { first(s).Key = 1 }, Want: "interval 10: order: timer 10"},
		{Name: "a deadline before next", Corrupt: func(s *durations) { s.next = 40 }, Want: "interval 3: order: timer 3"},
		{Name: "a deadline beyond the interval", Corrupt: func(s *durations) { first(s).Key = 13 }, Want: "11 ticks left, more than"},
		{Name: "two lists of an interval", Corrupt: func(s *durations) { s.lists[9].interval = 9 }, Want: "index: the list of interval 9"},
		{Name: "a list that is not found", Corrupt: func(s *durations) { delete(s.index, 10) }, Want: "index: the list of interval 10"},
		{Name: "a list that is lost", Corrupt: func(s *durations) { s.lists = s.lists[:49] }, Want: "Len says"},
	})
}

// Start compares with no timer. A tick looks at no timer before the first deadline; then at those that are due, and at the
// next one of each list.
func TestDurationsCounts(t *testing.T) {
	d := newDurations(t)
	handles := map[schemes.Tick][]schemes.Handle{}
	for range 10 { // due from 100, 200 and 300 on, one on each tick
		for interval := schemes.Tick(100); interval <= 300; interval += 100 {
			h, err := d.Start(interval, 0)
			require.NoError(t, err)
			handles[interval] = append(handles[interval], h)
		}
		d.PerTick()
	}
	for _, h := range handles[200][:5] {
		d.Stop(h)
	}
	for _, c := range []struct{ until, visits uint64 }{
		{99, 0}, {100, 4}, {108, 36}, {109, 39}, {204, 39}, {205, 42}, {209, 53}, {299, 53}, {300, 55},
	} {
		for uint64(d.Now) < c.until {
			d.PerTick()
		}
		assert.Equal(t, c.visits, d.Counts().Visits, c)
	}
	assert.Zero(t, d.Counts().Compares)
}

// Intervals that come and go leave no lists: neither where no tick passes, nor where timers expire, nor after a peak.
func TestDurationsForgetsIntervals(t *testing.T) {
	d := newDurations(t)
	start := func(interval schemes.Tick) schemes.Handle {
		h, err := d.Start(interval, 0)
		require.NoError(t, err)
		return h
	}
	start(1 << 40)
	for interval := range schemes.Tick(10_000) {
		require.True(t, d.Stop(start(1+interval)))
	}
	assert.LessOrEqual(t, len(d.lists), 2*firstLists)
	var peak []schemes.Handle
	for interval := range schemes.Tick(10_000) {
		peak = append(peak, start(1+interval))
	}
	for _, h := range peak {
		d.Stop(h)
	}
	for interval := range schemes.Tick(1000) {
		start(1 + interval)
		d.Advance(1 + interval)
		d.Expire(func(schemes.ID) {})
	}
	assert.LessOrEqual(t, len(d.lists), 2*(1+fewEmpty))
	assert.LessOrEqual(t, cap(d.lists), 8*firstLists)
	assert.Equal(t, 1, d.Len())
	assert.NoError(t, d.Check())
}
