package peers

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"testing/synctest"
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
}, func(_ time.Duration, _ int, b *inbox) (c clock[*time.Timer], err error) {
	c.start = func(d time.Duration, h schemes.Handle) *time.Timer { return time.AfterFunc(d, func() { b.put(h) }) }
	c.stop, c.close = (*time.Timer).Stop, func() {}
	return c, nil
})

// RussellLuo is RussellLuo/timingwheel, hierarchical wheels after Kafka's with a heap of the occupied slots.
// Its examples and benchmarks use a tick of 1 ms, the shortest possible, and 20 slots per wheel, and so do we,
// unless Config.Slots is set. Levels are added as intervals need them.
var RussellLuo = realPeer(Peer{
	Info: schemes.Info{Number: 7, Name: "timingwheel", Title: "RussellLuo/timingwheel"},
	Tick: time.Millisecond,
}, func(tick time.Duration, slots int, b *inbox) (c clock[*timingwheel.Timer], err error) {
	slots = cmp.Or(slots, 20)
	if slots < 2 { // with one slot, every level spans as much as the one below, and Start does not return
		return c, fmt.Errorf("timingwheel: %d slots (minimum 2): %w", slots, schemes.ErrConfig)
	}
	w := timingwheel.NewTimingWheel(tick, int64(slots))
	w.Start()
	c.start = func(d time.Duration, h schemes.Handle) *timingwheel.Timer { return w.AfterFunc(d, func() { b.put(h) }) }
	c.stop, c.close = (*timingwheel.Timer).Stop, w.Stop
	return c, nil
})

// GoZero is go-zero's collection.TimingWheel, a hashed wheel with one action and a map from keys to timers, all
// in one goroutine; the keys are handles. Its documentation shows no configuration; go-zero's cache uses a tick
// of 1 s and 300 slots, and so do we, unless Config.Slots is set.
var GoZero = realPeer(Peer{
	Info: schemes.Info{Number: 6, Name: "gozero", Title: "go-zero TimingWheel"},
	Tick: time.Second,
}, func(tick time.Duration, slots int, b *inbox) (c clock[schemes.Handle], err error) {
	w, err := collection.NewTimingWheel(tick, cmp.Or(slots, 300), func(key, _ any) { b.put(key.(schemes.Handle)) })
	if err != nil {
		return c, fmt.Errorf("gozero: %w: %w", schemes.ErrConfig, err)
	}
	c.start = func(d time.Duration, h schemes.Handle) schemes.Handle {
		w.SetTimer(h, nil, d)
		return h
	}
	c.stop, c.close = func(h schemes.Handle) bool { return w.RemoveTimer(h) == nil }, w.Stop
	return c, nil
})

// clock is a third party's timers, which have their own clock. T is its type of a timer.
type clock[T any] struct {
	start func(d time.Duration, h schemes.Handle) T // makes a timer that puts h into the inbox after d
	stop  func(T) bool                              // false: the timer had expired; some report nothing
	close func()                                    // ends the library's goroutines
}

// inbox takes the expiries that a peer's goroutines report. Only it is shared with them.
type inbox struct {
	mu    sync.Mutex
	fired []schemes.Handle
	taken []schemes.Handle // the other slice
}

func (b *inbox) put(h schemes.Handle) {
	b.mu.Lock()
	b.fired = append(b.fired, h)
	b.mu.Unlock()
}

// realPeer completes a peer with ticks of the real clock. open makes its timers with this tick, and with this
// number of slots if there is a choice; 0 is the usual one.
func realPeer[T any](p Peer, open func(tick time.Duration, slots int, b *inbox) (clock[T], error)) *Peer {
	name, tick, longest := p.Info.Name, p.Tick, uint64(math.MaxInt64/p.Tick)
	p.Info.Range = func(schemes.Config) schemes.Tick { return schemes.Tick(longest) }
	p.Info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		return newAdapter(name, cfg, longest, func(expired func(schemes.Handle)) (l library[T], err error) {
			b := &inbox{}
			c, err := open(tick, cfg.Slots, b)
			l.start = func(interval schemes.Tick, h schemes.Handle) T { return c.start(time.Duration(interval)*tick, h) }
			l.stop, l.close = c.stop, c.close
			l.pass = func() { // on the fake clock; an exact peer's timers are due at the end, after all that happens then
				time.Sleep(tick)
				synctest.Wait()
			}
			l.report = func() {
				b.mu.Lock()
				b.fired, b.taken = b.taken[:0], b.fired
				b.mu.Unlock()
				for _, h := range b.taken {
					expired(h)
				}
			}
			return l, err
		})
	}
	return &p
}
