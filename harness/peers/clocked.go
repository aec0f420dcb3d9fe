package peers

import (
	"math"
	"sync"
	"testing/synctest"
	"time"

	"timerlab/schemes"
)

// library is a third party's timers, which have their own clock. T is its type of a timer.
type library[T any] struct {
	start func(d time.Duration, h schemes.Handle) T // makes a timer that puts h into the inbox after d
	stop  func(T) bool                              // false: the timer had expired; some report nothing
	close func()                                    // ends the library's goroutines
}

// opener makes a library's timers with this tick, and with this number of slots if there is
// a choice; 0 is the usual one.
type opener[T any] func(tick time.Duration, slots int, b *inbox) (library[T], error)

// inbox takes the expiries that a peer's goroutines report.
type inbox struct {
	mu    sync.Mutex
	fired []schemes.Handle
}

func (b *inbox) put(h schemes.Handle) {
	b.mu.Lock()
	b.fired = append(b.fired, h)
	b.mu.Unlock()
}

// clocked makes a scheme of a library: its ticks are of the real clock. Only the inbox is
// shared with the library's goroutines.
type clocked[T any] struct {
	table[T]
	inbox
	library library[T]
	tick    time.Duration
	longest uint64           // interval: what a time.Duration can hold
	taken   []schemes.Handle // the inbox's other slice

	strays  []schemes.Handle // reported after they had ended, or twice
	refused int              // stops that the peer reported as too late
}

// realPeer completes a peer with ticks of the real clock.
func realPeer[T any](p Peer, open opener[T]) *Peer {
	name, tick, longest := p.Info.Name, p.Tick, uint64(math.MaxInt64/p.Tick)
	p.Info.Range = func(schemes.Config) schemes.Tick { return schemes.Tick(longest) }
	p.Info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		t, err := newTable[T](name, cfg)
		if err != nil {
			return nil, err
		}
		c := &clocked[T]{table: t, tick: tick, longest: longest}
		if c.library, err = open(tick, cfg.Slots, &c.inbox); err != nil {
			return nil, err
		}
		return c, nil
	}
	return &p
}

// Start starts one of the peer's timers.
func (c *clocked[T]) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, h, err := c.add(interval, c.longest, id)
	if err != nil {
		return 0, err
	}
	c.keep(i, c.library.start(time.Duration(interval)*c.tick, h))
	return h, nil
}

// Stop stops the peer's timer, unless it has been reported already. A timer that the peer
// can no longer stop ends anyway: a later report is dropped.
func (c *clocked[T]) Stop(h schemes.Handle) bool {
	timer, waits, ok := c.stop(h)
	if waits && !c.library.stop(timer) {
		c.refused++
	}
	return ok
}

// PerTick sleeps for a tick of the fake clock and collects what the peer has reported by its end: the moment at
// which an exact peer's timers are due, after everything that happens then.
func (c *clocked[T]) PerTick() int {
	if c.now == endOfClock {
		return 0
	}
	c.now++
	time.Sleep(c.tick)
	synctest.Wait()
	return c.collect()
}

// collect moves the reported timers to the due list and returns their number.
func (c *clocked[T]) collect() int {
	c.mu.Lock()
	c.fired, c.taken = c.taken[:0], c.fired
	c.mu.Unlock()
	before := len(c.due)
	for _, h := range c.taken {
		if i, ok := c.find(h); ok && c.places[i] < isDue {
			c.expired(i)
		} else {
			c.strays = append(c.strays, h)
		}
	}
	return len(c.due) - before
}

// Close ends the peer's goroutines. Outstanding timers never expire, except those of
// GoTimers, which has no goroutine to end.
func (c *clocked[T]) Close() { c.library.close() }
