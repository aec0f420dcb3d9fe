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

// NettyOptions configure Netty.
type NettyOptions struct {
	systems.Options     // a Tick of 0 selects NettyTick
	Slots           int // M, rounded up to a power of two; 0 selects NettySlots

	// MaxPending limits the pending timers; 0 is no limit. A start beyond it returns an error
	// wrapping systems.ErrPending.
	MaxPending int
}

// Netty starts Netty's HashedWheelTimer (as of Netty 4.1): a hashed wheel with rounds, by default 512
// slots of 100 ms, which only its one worker accesses. Starts and cancels go into queues. On every tick
// the worker takes the cancelled timers out, moves at most MostMoved new ones into the wheel, so that the
// length of a tick is bounded, and runs what is due. It wakes up for every tick, empty or not. A timer runs on the tick that ends after its deadline, one of an exact multiple a whole
// tick later; one of no duration waits for a tick, too. If an option is negative or Slots is above
// schemes.MaxSlots, Netty returns an error wrapping schemes.ErrConfig.
//
// Differences from Netty: it starts to tick with the first timer, it sleeps in whole ms and has no ticks below 1 ms, and a cancelled timer counts
// as pending until the next tick. For long it counted one cancelled in the wheel twice as no longer
// pending (netty/netty#14959), which weakened its limit. The warning about too many instances and the rounding of sleeps on Windows are left out.
func Netty(o NettyOptions) (systems.Service, error) {
	o.Tick, o.Slots = cmp.Or(o.Tick, NettyTick), cmp.Or(o.Slots, NettySlots)
	if o.Slots < 0 || o.MaxPending < 0 {
		return nil, fmt.Errorf("%w: Slots %d, MaxPending %d (must not be negative)",
			schemes.ErrConfig, o.Slots, o.MaxPending)
	}
	if o.Slots > schemes.MaxSlots {
		return nil, fmt.Errorf("%w: Slots %d (must be at most %d)", schemes.ErrConfig, o.Slots, schemes.MaxSlots)
	}
	w, err := newWheel(&hashunsorted.Info, schemes.Config{Slots: 1 << bits.Len(uint(o.Slots-1))}, o.Tick)
	if err != nil {
		return nil, err
	}
	w.stepping = true
	b := &inbox{wheel: w, most: o.MaxPending}
	b.model = &model{queue: b, clients: &b.mu}
	return open(b.model, 1, o.Options), nil
}

// inbox is the queue of a model whose clients do not touch the wheel. Netty's two queues have no lock.
type inbox struct {
	*wheel
	most        int // limit of pending tasks; 0 is no limit
	model       *model
	mu          sync.Mutex
	added, gone []*task
	backlog     []*task      // taken from added, but not moved into the wheel
	tick        schemes.Tick // on which the worker last looked
}

func (b *inbox) add(t *task, _ time.Duration) (first bool, err error) {
	if n := int(b.model.pending.Load()) + 1; b.most > 0 && n > b.most {
		return false, fmt.Errorf("%w: %d (at most %d)", systems.ErrPending, n, b.most)
	}
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
