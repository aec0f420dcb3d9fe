package store_test

import (
	"math"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// Advance, NextEvent and Restart look at few timers, however many wait: n are in one slot or at the end of a list, and
// the links in their middle are spoiled, so that a walk over all of them panics. An operation that counts n visits or
// compares may walk. No time is measured: the test holds on a busy machine.
func TestAdvanceLooksAtFewTimers(t *testing.T) {
	const n = 1000
	debug.SetPanicOnFault(true)
	for _, info := range harness.Schemes {
		cfg := schemes.Config{Slots: 256, Heap: true}
		far := min(200*256, info.Range(cfg)) - 1
		do := func(spoiled bool, call func(s schemes.Scheme, last schemes.Handle)) (counted uint64) {
			s, err := info.New(cfg)
			require.NoError(t, err)
			var last schemes.Handle
			for id := range schemes.ID(n) {
				last, err = s.Start(far, id)
				require.NoError(t, err)
			}
			if spoiled {
				spoil(reflect.ValueOf(s).Elem(), n, last)
			}
			before := s.(schemes.Counter).Counts()
			call(s, last)
			counts := s.(schemes.Counter).Counts().Sub(before)
			return counts.Visits + counts.Compares
		}
		for name, call := range map[string]func(s schemes.Scheme, last schemes.Handle){
			"Advance":   func(s schemes.Scheme, _ schemes.Handle) { s.(schemes.Advancer).Advance(1) },
			"NextEvent": func(s schemes.Scheme, _ schemes.Handle) { s.(schemes.Sleeper).NextEvent() },
			"Restart":   func(s schemes.Scheme, last schemes.Handle) { s.(schemes.Restarter).Restart(last, far) },
		} {
			if counted := do(false, call); counted < n-1 {
				assert.NotPanics(t, func() { do(true, call) }, "%s of %s", name, info.Name)
			}
		}
	}
}

// spoil makes the links in the middle of a scheme's only ring, or its entries in the middle of a chunked slot, lead
// to no record. last is the handle of the last of n timers, whose records follow one another.
func spoil(scheme reflect.Value, n int, last schemes.Handle) {
	const nowhere = math.MaxUint32
	if m := scheme.FieldByName("Module"); m.IsValid() {
		chunks := (*store.Slab[[32]chunk.Entry])(m.FieldByName("chunks").Addr().UnsafePointer())
		for i := range uint32(chunks.Len()) {
			for at, e := range chunks.At(i) {
				if at%8 > 0 && e.Record() > 2 && int(e.Record()) < n-2 { // else a header, or at an end
					chunks.At(i)[at] |= nowhere
				}
			}
		}
		return
	}
	s := (*store.Store)(scheme.FieldByName("Store").Addr().UnsafePointer())
	for i := uint32(last) - uint32(n) + 3; i < uint32(last)-2; i++ {
		s.At(i).Next, s.At(i).Prev = nowhere, nowhere
	}
}
