package store

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// ringed is the least scheme over a Wheel: it keeps the deadline as the key.
type ringed struct{ Wheel }

func (w *ringed) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	i, r := w.Make(id, uint64(w.Now+interval))
	w.Insert(w.Slot(interval), i, r)
	return r.Handle(), nil
}

func (w *ringed) PerTick() int { return w.MoveDue(w.TurnBy(1)) }

func (w *ringed) Check() error {
	return w.CheckWheel(func(schemes.Tick, *Record) error { return nil })
}

var ringedInfo = schemes.Info{Name: "test", New: func(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := NewWheel("test", cfg, 0)
	return &ringed{w}, err
}}

func newRinged(t *testing.T, cfg schemes.Config) *ringed {
	t.Helper()
	w, err := ringedInfo.New(cfg)
	require.NoError(t, err)
	return w.(*ringed)
}

// Check names each invariant of the wheel that is broken. At tick 2, the timers of slots 1 and 2 are due.
func TestCheckNamesWhatIsBrokenInWheel(t *testing.T) {
	inSlot := func(w *ringed, s uint32) uint32 { return w.At(FirstSlot + s).Next }
	schemetest.CheckNames(t, &ringedInfo, schemes.Config{Slots: 8}, []schemetest.Corruption[*ringed]{
		{Name: "pointer", Corrupt: func(w *ringed) { w.Pointer = 5 }, Want: "pointer is at slot 5"},
		{Name: "waiting timer marked as due", Corrupt: func(w *ringed) { w.At(inSlot(w, 3)).Key = 0 }, Want: "marked as due"},
		{Name: "due timer marked as waiting", Corrupt: func(w *ringed) { w.At(w.At(Due).Next).Key = 4 }, Want: "marked as waiting"},
		{Name: "timer in no ring", Corrupt: func(w *ringed) { w.Unlink(w.At(inSlot(w, 3))) }, Want: "35 timers wait and 14 are due, Len says 50"},
		{Name: "free record in a slot", Corrupt: func(w *ringed) { w.Free(inSlot(w, 3), w.At(inSlot(w, 3))) }, Want: "holds no timer"},
		{Name: "the bit of an occupied slot", Corrupt: func(w *ringed) { w.Clear(FirstSlot + 3) }, Want: "says occupied: false"},
		{Name: "due list's links", Corrupt: func(w *ringed) {
			i := inSlot(w, 3)
			w.Unlink(w.At(i))
			w.AddDue(i, w.At(i))
			w.Insert(FirstSlot, i, w.At(i))
		}, Want: "does not lead back"},
	})
}

func TestFull(t *testing.T) {
	w := newRinged(t, schemes.Config{Slots: 8})
	var err error
	w.records.limit = 64 // with the due list and 8 slots: 55 timers
	var last schemes.Handle
	for id := range schemes.ID(55) {
		last, err = w.Start(1, schemes.ID(id))
		require.NoError(t, err)
	}
	counts := w.Counts()
	_, err = w.Start(1, schemes.ID(99))
	require.ErrorIs(t, err, schemes.ErrFull)
	assert.ErrorContains(t, err, "test: 55 timers outstanding")
	assert.Equal(t, 55, w.Len())
	assert.Equal(t, counts, w.Counts())
	require.True(t, w.Stop(last))
	_, err = w.Start(1, schemes.ID(99))
	assert.NoError(t, err)
}

func TestDrawingStaysSmall(t *testing.T) {
	w := newRinged(t, schemes.Config{Slots: 1000})
	for interval := schemes.Tick(1); interval <= 1000; interval++ {
		for range 30 {
			_, err := w.Start(interval, schemes.ID(interval))
			require.NoError(t, err)
		}
	}
	draw := func() string { return Draw(w.Now, w.Len(), "id(k)", w.Slots(), w.Places(w.Slots(), nil)) }
	assert.LessOrEqual(t, strings.Count(draw(), "\n"), 8+3)
	w.TurnBy(500)
	text := draw()
	assert.Contains(t, text, "slot [500]:", "the pointer's slot is always shown")
	assert.Contains(t, text, "… and 991 more slots")
	assert.Contains(t, text, "500(500) …\n", "a line ends after some timers")
}

// A timer whose record is worn out is restarted in another one, or not at all if there is no room.
func TestRestartOfAWornOutRecord(t *testing.T) {
	w := newRinged(t, schemes.Config{Now: 10, Slots: 8})
	for interval := schemes.Tick(1); interval < 10; interval++ {
		_, err := w.Start(interval, schemes.ID(interval))
		require.NoError(t, err)
	}
	worn := w.At(FirstSlot + 5).Next
	id := w.At(worn).ID
	w.At(worn).Gen = math.MaxUint32
	h := w.At(worn).Handle()
	fresh, err := w.RestartSlow(w, h, 4)
	require.NoError(t, err)
	assert.NotEqual(t, worn, uint32(fresh))
	assert.Equal(t, id, w.At(uint32(fresh)).ID)
	require.NoError(t, w.Check())
	_, err = w.RestartSlow(w, h, 4)
	require.ErrorIs(t, err, schemes.ErrHandle)
	assert.Equal(t, 9, w.Len())

	w.records.limit = 64
	for err = nil; err == nil; {
		_, err = w.Start(1, schemes.ID(7))
	}
	w.At(uint32(fresh)).Gen = math.MaxUint32
	h, counts := w.At(uint32(fresh)).Handle(), w.Counts()
	_, err = w.RestartSlow(w, h, 4)
	require.ErrorIs(t, err, schemes.ErrFull)
	assert.Equal(t, counts, w.Counts())
	require.True(t, w.Stop(h), "the timer stays")
	require.NoError(t, w.Check())
}
