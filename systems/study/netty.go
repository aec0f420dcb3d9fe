package study

import (
	"cmp"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/systems"
)

// Netty's defaults, and the largest number of new timers that a tick moves into the wheel.
const (
	NettyTick  = 100 * time.Millisecond
	nettySlots = 512
	MostMoved  = 100_000
)

// Netty starts Netty's HashedWheelTimer (as of Netty 4.1): a hashed wheel with rounds, of 512 slots of 100 ms, which
// only its one worker accesses. Starts and cancels go into queues. On every tick the worker takes the cancelled
// timers out, moves at most MostMoved new ones into the wheel, so that the length of a tick is bounded, and runs what
// is due. It wakes up for every tick, empty or not. A timer runs on the tick that ends after its deadline, one of an
// exact multiple a whole tick later; one of no duration waits for a tick, too. A Tick of 0 selects NettyTick; if it
// is negative, Netty returns an error wrapping schemes.ErrConfig.
//
// Differences from Netty: it starts to tick with the first timer, it sleeps in whole ms and has no ticks below
// 1 ms, and a cancelled timer counts as pending until the next tick. Its limit of pending timers, the warning
// about too many instances and the rounding of sleeps on Windows are left out. Its queues have no lock; here clients
// and the worker share one, so that a start waits while a tick moves timers.
func Netty(o systems.Options) (systems.Service, error) {
	w := wheel{tick: cmp.Or(o.Tick, NettyTick), stepping: true, queued: true}
	return open(&model{wheel: w}, &hashunsorted.Info, schemes.Config{Slots: nettySlots}, 1, o)
}
