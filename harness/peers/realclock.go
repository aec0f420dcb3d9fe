package peers

import (
	"cmp"
	"fmt"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/zeromicro/go-zero/core/collection"

	"timerlab/schemes"
)

// GoTimers is the runtime's timers: time.AfterFunc. A tick is 1 ms, an arbitrary choice,
// since the runtime has no ticks.
var GoTimers = realPeer(Peer{
	Info: schemes.Info{Number: 3, Name: "gotimers", Title: "time.AfterFunc"},
	Tick: time.Millisecond,
}, func(_ time.Duration, _ int, b *inbox) (l library[*time.Timer], err error) {
	l.start = func(d time.Duration, h schemes.Handle) *time.Timer { return time.AfterFunc(d, func() { b.put(h) }) }
	l.stop, l.close = (*time.Timer).Stop, func() {}
	return l, nil
})

// RussellLuo is RussellLuo/timingwheel, hierarchical wheels after Kafka's with a heap of the occupied slots.
// Its examples and benchmarks use a tick of 1 ms, the shortest possible, and 20 slots per wheel, and so do we,
// unless Config.Slots is set. Levels are added as intervals need them.
var RussellLuo = realPeer(Peer{
	Info: schemes.Info{Number: 7, Name: "timingwheel", Title: "RussellLuo/timingwheel"},
	Tick: time.Millisecond,
}, func(tick time.Duration, slots int, b *inbox) (l library[*timingwheel.Timer], err error) {
	slots = cmp.Or(slots, 20)
	if slots < 2 { // with one slot, every level spans as much as the one below, and Start does not return
		return l, fmt.Errorf("timingwheel: %d slots (minimum 2): %w", slots, schemes.ErrConfig)
	}
	w := timingwheel.NewTimingWheel(tick, int64(slots))
	w.Start()
	l.start = func(d time.Duration, h schemes.Handle) *timingwheel.Timer { return w.AfterFunc(d, func() { b.put(h) }) }
	l.stop, l.close = (*timingwheel.Timer).Stop, w.Stop
	return l, nil
})

// GoZero is go-zero's collection.TimingWheel, a hashed wheel with one action and a map from keys to timers, all
// in one goroutine; the keys are handles. Its documentation shows no configuration; go-zero's cache uses a tick
// of 1 s and 300 slots, and so do we, unless Config.Slots is set.
var GoZero = realPeer(Peer{
	Info: schemes.Info{Number: 6, Name: "gozero", Title: "go-zero TimingWheel"},
	Tick: time.Second,
}, func(tick time.Duration, slots int, b *inbox) (l library[schemes.Handle], err error) {
	w, err := collection.NewTimingWheel(tick, cmp.Or(slots, 300), func(key, _ any) { b.put(key.(schemes.Handle)) })
	if err != nil {
		return l, fmt.Errorf("gozero: %w: %w", schemes.ErrConfig, err)
	}
	l.start = func(d time.Duration, h schemes.Handle) schemes.Handle {
		w.SetTimer(h, nil, d)
		return h
	}
	l.stop, l.close = func(h schemes.Handle) bool { return w.RemoveTimer(h) == nil }, w.Stop
	return l, nil
})
