package peers

import (
	"fmt"
	"time"

	"github.com/RussellLuo/timingwheel"

	"timerlab/schemes"
)

// RussellLuo is RussellLuo/timingwheel, hierarchical wheels after Kafka's with
// a heap of the occupied slots. Its examples and benchmarks use a tick of 1 ms, the
// shortest possible, and 20 slots per wheel, and so do we, unless Config.Slots is set.
// Levels are added as intervals need them.
var RussellLuo = peer(Peer{
	Info:     clockedInfo("timingwheel", "RussellLuo/timingwheel", 7, time.Millisecond, newRussellLuo),
	Clock:    Real,
	Tick:     time.Millisecond,
	Source:   "github.com/RussellLuo/timingwheel@v0.0.0-20220218152713-54845bda3108",
	Settings: "a tick is 1 ms, 20 slots per wheel or Config.Slots, AfterFunc",
})

type russellLuo struct {
	*inbox
	wheel *timingwheel.TimingWheel
}

func newRussellLuo(cfg schemes.Config, b *inbox) (facility[*timingwheel.Timer], error) {
	slots := sizeOr(cfg, 20)
	if slots < 2 { // with one slot, every level spans as much as the one below, and Start does not return
		return nil, fmt.Errorf("timingwheel: %d slots (minimum 2): %w", slots, schemes.ErrConfig)
	}
	w := timingwheel.NewTimingWheel(time.Millisecond, int64(slots))
	w.Start()
	return russellLuo{b, w}, nil
}

func (r russellLuo) start(d time.Duration, h schemes.Handle) *timingwheel.Timer {
	return r.wheel.AfterFunc(d, func() { r.put(h) })
}

func (r russellLuo) stop(_ schemes.Handle, t *timingwheel.Timer) bool { return t.Stop() }

func (r russellLuo) close() { r.wheel.Stop() }
