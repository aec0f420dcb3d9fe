package peers

import (
	"fmt"
	"time"

	"github.com/rfyiamcool/go-timewheel"

	"timerlab/schemes"
)

// GoTimewheel is rfyiamcool/go-timewheel, a hashed wheel whose slots are maps. Its
// README uses a tick of 1 s and 360 slots, and so do we, unless Config.Slots is set. Of
// its two ways to start a timer, Add costs less.
var GoTimewheel = peer(Peer{
	Info:     clockedInfo("gotimewheel", "rfyiamcool/go-timewheel", 6, time.Second, newGoTimewheel),
	Clock:    Real,
	Tick:     time.Second,
	Source:   "github.com/rfyiamcool/go-timewheel@v1.1.0",
	Settings: "a tick is 1 s, 360 slots or Config.Slots, Add and Remove",
})

type goTimewheel struct {
	*inbox
	wheel *timewheel.TimeWheel
}

func newGoTimewheel(cfg schemes.Config, b *inbox) (facility[*timewheel.Task], error) {
	w, err := timewheel.NewTimeWheel(time.Second, sizeOr(cfg, 360))
	if err != nil {
		return nil, fmt.Errorf("gotimewheel: %w: %w", schemes.ErrConfig, err)
	}
	w.Start()
	return goTimewheel{b, w}, nil
}

func (g goTimewheel) start(d time.Duration, h schemes.Handle) *timewheel.Task {
	return g.wheel.Add(d, func() { g.put(h) })
}

func (g goTimewheel) stop(_ schemes.Handle, t *timewheel.Task) bool { return g.wheel.Remove(t) == nil }

func (g goTimewheel) close() { g.wheel.Stop() }
