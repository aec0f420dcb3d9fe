package study

import (
	"cmp"
	"fmt"
	"math/bits"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/systems"
)

// Netty's defaults, and the largest number of new timers that a tick moves into the wheel.
const (
	NettyTick  = 100 * time.Millisecond
	NettySlots = 512
	MostMoved  = 100_000
)

// Netty starts Netty's HashedWheelTimer (as of Netty 4.1): a hashed wheel with rounds, by default 512
// slots of 100 ms, which only its one worker accesses. Starts and cancels go into queues. On every tick
// the worker takes the cancelled timers out, moves at most MostMoved new ones into the wheel, so that the
// length of a tick is bounded, and runs what is due. It wakes up for every tick, empty or not. A timer runs
// on the tick that ends after its deadline, one of an exact multiple a whole tick later; one of no duration
// waits for a tick, too. The number of slots is rounded up to a power of two; 0 selects
// NettySlots, and a Tick of 0 NettyTick. If either is negative or slots is above schemes.MaxSlots, Netty returns an
// error wrapping schemes.ErrConfig.
//
// Differences from Netty: it starts to tick with the first timer, it sleeps in whole ms and has no ticks below
// 1 ms, and a cancelled timer counts as pending until the next tick. Its limit of pending timers, the warning
// about too many instances and the rounding of sleeps on Windows are left out.
func Netty(slots int, o systems.Options) (systems.Service, error) {
	slots = cmp.Or(slots, NettySlots)
	if slots < 0 || slots > schemes.MaxSlots {
		return nil, fmt.Errorf("%w: Slots %d (must be 0 to %d)", schemes.ErrConfig, slots, schemes.MaxSlots)
	}
	w, err := newWheel(&hashunsorted.Info, schemes.Config{Slots: 1 << bits.Len(uint(slots-1))}, cmp.Or(o.Tick, NettyTick))
	if err != nil {
		return nil, err
	}
	w.stepping = true
	b := &inbox{wheel: w}
	return open(&model{queue: b, clients: &b.mu}, 1, o), nil
}

// inbox is the queue of a model whose clients do not touch the wheel. Netty's two queues have no lock.
type inbox struct {
	*wheel
	mu          sync.Mutex
	added, gone []*task
	backlog     []*task      // taken from added, but not moved into the wheel
	tick        schemes.Tick // on which the worker last looked
}

func (b *inbox) add(t *task, _ time.Duration) (first bool, err error) {
	b.added = append(b.added, t)
	return false, nil // the worker wakes up anyway
}

func (b *inbox) cancel(t *task) { b.gone = append(b.gone, t) }

// take implements queue: on each tick it empties the queues, then it returns what is due.
func (b *inbox) take(now time.Duration) *task {
	if last := schemes.Tick(now / b.wheel.tick); b.tick < last {
		b.tick = last
		b.mu.Lock()
		b.backlog = append(b.backlog, b.added...)
		gone := b.gone
		b.added, b.gone = nil, nil
		b.mu.Unlock()
		for _, t := range gone {
			b.wheel.cancel(t)
		}
		moved := min(len(b.backlog), MostMoved)
		for _, t := range b.backlog[:moved] {
			if t.state.Load() == waiting {
				_ = b.addOn(t, schemes.Tick(t.deadline/b.wheel.tick)+1) // 292 years are within its range
			}
		}
		if b.backlog = b.backlog[moved:]; len(b.backlog) == 0 {
			b.backlog = nil
		}
	}
	return b.wheel.take(now)
}
