package peers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"testing/synctest"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/antlabs/timer"
	"github.com/gogf/gf/v2/os/gtimer"
	gotimewheel "github.com/rfyiamcool/go-timewheel"
	"github.com/zeromicro/go-zero/core/collection"

	"timerlab/schemes"
)

// GoTimers is the runtime's timers: time.AfterFunc. A tick is 1 ms, an arbitrary choice,
// since the runtime has no ticks.
var GoTimers = realPeer(3, "gotimers", "time.AfterFunc", time.Millisecond,
	func(tick time.Duration, _ int, b *inbox) (l library[*time.Timer], err error) {
		l.start = func(interval schemes.Tick, h schemes.Handle) *time.Timer {
			return time.AfterFunc(time.Duration(interval)*tick, func() { b.put(h) })
		}
		l.stop = (*time.Timer).Stop
		return l, nil
	})

// RussellLuo is RussellLuo/timingwheel, hierarchical wheels after Kafka's with a heap of the occupied slots.
// Its examples and benchmarks use a tick of 1 ms, the shortest possible, and 20 slots per wheel, and so do we,
// unless Config.Slots is set. Levels are added as intervals need them.
var RussellLuo = realPeer(7, "timingwheel", "RussellLuo/timingwheel", time.Millisecond,
	func(tick time.Duration, slots int, b *inbox) (l library[*timingwheel.Timer], err error) {
		slots = cmp.Or(slots, 20)
		if slots < 2 { // with one slot, every level spans as much as the one below, and Start does not return
			return l, fmt.Errorf("timingwheel: %d slots (minimum 2): %w", slots, schemes.ErrConfig)
		}
		w := timingwheel.NewTimingWheel(tick, int64(slots))
		w.Start()
		l.start = func(interval schemes.Tick, h schemes.Handle) *timingwheel.Timer {
			return w.AfterFunc(time.Duration(interval)*tick, func() { b.put(h) })
		}
		l.stop, l.close = (*timingwheel.Timer).Stop, w.Stop
		return l, nil
	})

// GoZero is go-zero's collection.TimingWheel, a hashed wheel with one action and a map from keys to timers, all
// in one goroutine; the keys are handles. Its documentation shows no configuration; go-zero's cache uses a tick
// of 1 s and 300 slots, and so do we, unless Config.Slots is set.
var GoZero = realPeer(6, "gozero", "go-zero TimingWheel", time.Second,
	func(tick time.Duration, slots int, b *inbox) (l library[schemes.Handle], err error) {
		w, err := collection.NewTimingWheel(tick, cmp.Or(slots, 300), func(key, _ any) { b.put(key.(schemes.Handle)) })
		if err != nil {
			return l, fmt.Errorf("gozero: %w: %w", schemes.ErrConfig, err)
		}
		l.start = func(interval schemes.Tick, h schemes.Handle) schemes.Handle {
			w.SetTimer(h, nil, time.Duration(interval)*tick)
			return h
		}
		l.stop, l.close = func(h schemes.Handle) bool { return w.RemoveTimer(h) == nil }, w.Stop
		return l, nil
	})

// GoFrame is GoFrame's gtimer, a heap of which one goroutine takes what is due on its tick. A stopped timer stays in the
// heap until its tick, one that has expired for another interval. Its package-level functions use a tick of 100 ms.
var GoFrame = realPeer(3, "goframe", "GoFrame gtimer", 100*time.Millisecond,
	func(tick time.Duration, _ int, b *inbox) (l library[*gtimer.Entry], err error) {
		w := gtimer.New(gtimer.TimerOptions{Interval: tick})
		l.start = func(interval schemes.Tick, h schemes.Handle) *gtimer.Entry {
			return w.AddOnce(context.Background(), time.Duration(interval)*tick, func(context.Context) { b.put(h) })
		}
		l.stop = func(e *gtimer.Entry) bool { e.Close(); return true }
		l.close = func() { w.Close(); time.Sleep(tick + tick/2) } // its goroutine ends on its next tick
		return l, nil
	})

// Antlabs is antlabs/timer, hierarchical wheels of 256 and four times 64 slots with a tick of 10 ms, none of which can
// be changed. Its other form, a heap, spins on a fake clock: at the very time of a timer it neither runs it nor sleeps.
var Antlabs = realPeer(7, "antlabs", "antlabs/timer", 10*time.Millisecond,
	func(tick time.Duration, _ int, b *inbox) (l library[timer.TimeNoder], err error) {
		w := timer.NewTimer()
		go w.Run()
		l.start = func(interval schemes.Tick, h schemes.Handle) timer.TimeNoder {
			return w.AfterFunc(time.Duration(interval)*tick-correction(tick/2), func() { b.put(h) })
		}
		l.stop, l.close = timer.TimeNoder.Stop, w.Stop
		return l, nil
	})

// GoTimewheel is rfyiamcool/go-timewheel, a hashed wheel with a map per slot and a map from timers to slots. A tick of
// 1 s and 360 slots are its README's, unless Config.Slots is set.
var GoTimewheel = realPeer(6, "gotimewheel", "rfyiamcool/go-timewheel", time.Second,
	func(tick time.Duration, slots int, b *inbox) (l library[*gotimewheel.Task], err error) {
		w, err := gotimewheel.NewTimeWheel(tick, cmp.Or(slots, 360))
		if err != nil {
			return l, fmt.Errorf("gotimewheel: %w: %w", schemes.ErrConfig, err)
		}
		w.Start()
		l.start = func(interval schemes.Tick, h schemes.Handle) *gotimewheel.Task {
			return w.Add(time.Duration(interval)*tick-correction(tick/2), func() { b.put(h) })
		}
		l.stop, l.close = func(t *gotimewheel.Task) bool { return w.Remove(t) == nil }, w.Stop
		return l, nil
	})

// uncorrected is set where libraries are checked against the rules, which are to show what they do by themselves.
var uncorrected bool

// correction returns by how much less than an interval is asked of a library that is late or overflows, so that it can run the
// workloads; 0 if uncorrected.
func correction(d time.Duration) time.Duration {
	if uncorrected {
		return 0
	}
	return d
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

// realPeer returns a peer with ticks of the real clock. open makes its timers, which put their handles into the
// inbox, with this tick, and with this number of slots if there is a choice; 0 is the usual one. Intervals are
// up to 146 years, half of what a time.Duration holds: timingwheel runs a timer at once that is due after April 2262.
func realPeer[T any](number int, name, title string, tick time.Duration,
	open func(tick time.Duration, slots int, b *inbox) (library[T], error)) *Peer {
	longest := func() uint64 { return uint64((math.MaxInt64 - correction(math.MaxInt64/2)) / tick) }
	return &Peer{Tick: tick, Info: schemes.Info{
		Number: number, Name: name, Title: title,
		Range: func(schemes.Config) schemes.Tick { return schemes.Tick(longest()) },
		New: func(cfg schemes.Config) (schemes.Scheme, error) {
			return newWrapper(name, cfg, longest(), func(expired func(schemes.Handle)) (library[T], error) {
				b := &inbox{}
				l, err := open(tick, cfg.Slots, b)
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
		},
	}}
}
