package peers

import (
	"time"

	"timerlab/schemes"
)

// GoTimers is the runtime's timers: time.AfterFunc. A tick is 1 ms, an arbitrary choice,
// since the runtime has no ticks.
var GoTimers = peer(Peer{
	Info: clockedInfo("gotimers", "time.AfterFunc", 3, time.Millisecond,
		func(_ schemes.Config, b *inbox) (facility[*time.Timer], error) { return goTimers{b}, nil }),
	Clock:    Real,
	Tick:     time.Millisecond,
	Source:   "std time",
	Settings: "a tick is 1 ms",
})

type goTimers struct{ *inbox }

func (g goTimers) start(d time.Duration, h schemes.Handle) *time.Timer {
	return time.AfterFunc(d, func() { g.put(h) })
}

func (g goTimers) stop(_ schemes.Handle, t *time.Timer) bool { return t.Stop() }

func (g goTimers) close() {}
