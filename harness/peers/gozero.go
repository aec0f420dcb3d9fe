package peers

import (
	"fmt"
	"time"

	"github.com/zeromicro/go-zero/core/collection"

	"timerlab/schemes"
)

// GoZero is go-zero's collection.TimingWheel, a hashed wheel with one action and
// a map from keys to timers, all in one goroutine. Its documentation shows no
// configuration; go-zero's cache uses a tick of 1 s and 300 slots, and so do we,
// unless Config.Slots is set.
var GoZero = peer(Peer{
	Info:     clockedInfo("gozero", "go-zero TimingWheel", 6, time.Second, newGoZero),
	Clock:    Real,
	Tick:     time.Second,
	Source:   "github.com/zeromicro/go-zero@v1.10.3",
	Settings: "a tick is 1 s, 300 slots or Config.Slots, SetTimer and RemoveTimer with handles for keys",
})

type goZero struct{ wheel *collection.TimingWheel }

func newGoZero(cfg schemes.Config, b *inbox) (facility[struct{}], error) {
	w, err := collection.NewTimingWheel(time.Second, sizeOr(cfg, 300),
		func(key, _ any) { b.put(key.(schemes.Handle)) })
	if err != nil {
		return nil, fmt.Errorf("gozero: %w: %w", schemes.ErrConfig, err)
	}
	return goZero{w}, nil
}

func (g goZero) start(d time.Duration, h schemes.Handle) (none struct{}) {
	g.wheel.SetTimer(h, nil, d)
	return none
}

func (g goZero) stop(h schemes.Handle, _ struct{}) bool { return g.wheel.RemoveTimer(h) == nil }

func (g goZero) close() { g.wheel.Stop() }
