package schemetest

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// eighth is a scheme that is not in the paper: a slice in the order of deadlines,
// the four operations and nothing else, with an O(n) Stop that waits as well.
type eighth struct {
	now    schemes.Tick
	last   schemes.Handle
	timers []sliced
	wait   time.Duration
}

type sliced struct {
	deadline schemes.Tick
	handle   schemes.Handle
	id       schemes.ID
}

func eighthInfo(wait time.Duration) *schemes.Info {
	return &schemes.Info{
		Name: "sortedslice", Title: "Sorted slice", Doc: "A slice in the order of deadlines.",
		New: func(cfg schemes.Config) (schemes.Scheme, error) {
			if cfg.Capacity < 0 {
				return nil, fmt.Errorf("sortedslice: capacity %d: %w", cfg.Capacity, schemes.ErrConfig)
			}
			return &eighth{now: cfg.Now, timers: make([]sliced, 0, cfg.Capacity+1000), wait: wait}, nil
		},
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	}
}

func (e *eighth) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval == 0 || interval > math.MaxUint64-e.now {
		return 0, fmt.Errorf("sortedslice: interval %d: %w", interval, schemes.ErrInterval)
	}
	e.last++
	t := sliced{e.now + interval, e.last, id}
	at, _ := slices.BinarySearchFunc(e.timers, t, func(a, b sliced) int {
		if a.deadline <= b.deadline {
			return -1
		}
		return 1
	})
	e.timers = slices.Insert(e.timers, at, t)
	return e.last, nil
}

func (e *eighth) Stop(h schemes.Handle) bool {
	for began := time.Now(); time.Since(began) < e.wait; {
	}
	at := slices.IndexFunc(e.timers, func(t sliced) bool { return t.handle == h })
	if at < 0 {
		return false
	}
	e.timers = slices.Delete(e.timers, at, at+1)
	return true
}

func (e *eighth) PerTick() (moved int) {
	if e.now == math.MaxUint64 {
		return 0
	}
	e.now++
	for _, t := range e.timers {
		if t.deadline > e.now {
			break
		}
		if t.deadline == e.now {
			moved++
		}
	}
	return moved
}

func (e *eighth) Expire(action func(schemes.ID)) {
	for len(e.timers) > 0 && e.timers[0].deadline <= e.now {
		id := e.timers[0].id
		e.timers = slices.Delete(e.timers, 0, 1)
		action(id)
	}
}

// A scheme that is not in the paper needs the four operations only.
func TestEighthSchemePasses(t *testing.T) { require.NoError(t, VerifyShort(eighthInfo(0))) }

// A rule may take as long as it likes if the operations return: it makes do with
// fewer of them.
func TestSlowSchemeIsNoHang(t *testing.T) {
	s := newSuite(eighthInfo(20*time.Microsecond), false)
	s.patience, s.longRun = time.Second, 100*time.Millisecond
	for i := range rules {
		if name := rules[i].Name; name == "handle-peak" || name == "handle-reuse" || name == "allocation" {
			require.Nil(t, s.apply(&rules[i]))
		}
	}
}
