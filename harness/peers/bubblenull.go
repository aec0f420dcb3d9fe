package peers

import (
	"time"

	"timerlab/schemes"
)

// BubbleNull describes a scheme that does nothing on a real clock: its cost is that of
// the adapter, the bubble and the sleep of each tick. It is measured along with the peers
// on a real clock, and its timers never expire.
var BubbleNull = peer(Peer{
	Info: clockedInfo("bubblenull", "Nothing: the adapter and the bubble alone", 3, time.Millisecond,
		func(schemes.Config, *inbox) (facility[struct{}], error) { return bubbleNull{}, nil }),
	Clock:    Real,
	Tick:     time.Millisecond,
	Source:   "ours",
	Settings: "a tick is 1 ms",
})

type bubbleNull struct{}

func (bubbleNull) start(time.Duration, schemes.Handle) (none struct{}) { return none }
func (bubbleNull) stop(schemes.Handle, struct{}) bool                  { return true }
func (bubbleNull) close()                                              {}
