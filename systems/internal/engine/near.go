package engine

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"
)

// near is where goroutines with one hash start timers: the index of a shard, and the time at which one of them last found
// the shard's lock taken. At first it is the first shard, since each shard in use has wake-ups and memory of its own.
type near struct{ atomic.Uint64 }

// A near holds the index in its lowest bits, and above them the time in units of 1024 ns.
const indexBits, unitBits = 12, 10

func (n *near) get() (at uint32, met time.Duration) {
	v := n.Load()
	return uint32(v & (1<<indexBits - 1)), time.Duration(v >> indexBits << unitBits)
}

func (n *near) set(at uint32, met time.Duration) {
	n.Store(uint64(met)>>unitBits<<indexBits | uint64(at))
}

const (
	// contended is the time between two meetings at a lock within which the lock counts as contended. A lock that is held 1 %
	// of the time does not spread its goroutines: of a hundred starts a second with one hash, one meets it.
	contended = 10 * time.Millisecond

	// calm is the time without a taken lock after which goroutines return to the first shards.
	calm = time.Second
)

// lockShard locks a shard for a start: the one of the goroutine, so that its timers are in few shards, which its
// processor has in its cache. Where goroutines meet at a lock, one of them moves on to the next shard. If they do so again
// soon, it stays there; so does a goroutine whose shard has many more timers than another one.
func (v *Service) lockShard() *shard {
	if len(v.shards) == 1 {
		v.shards[0].mu.Lock()
		return v.shards[0]
	}
	near := &v.near[goroutineHash()&uint32(len(v.near)-1)]
	at, met := near.get()
	s := v.shards[at]
	if !s.mu.TryLock() {
		s = v.lockNext(near, at, met)
	}
	if s.taken++; s.taken%balanceEvery != 0 {
		return s
	}
	s.mu.Unlock()
	at, met = near.get()
	at = v.balanced(at, v.clock()-met >= calm)
	near.set(at, met)
	s = v.shards[at]
	s.mu.Lock()
	return s
}

// lockNext locks the next shard whose lock is free, or waits for the goroutine's own if none is.
func (v *Service) lockNext(near *near, at uint32, met time.Duration) *shard {
	now, next := max(0, v.clock()), at
	for range len(v.shards) - 1 {
		next = (next + 1) % uint32(len(v.shards))
		if s := v.shards[next]; s.mu.TryLock() {
			if met > 0 && now-met < contended {
				at = next
			}
			near.set(at, now)
			return s
		}
	}
	near.set(at, now)
	s := v.shards[at]
	s.mu.Lock()
	return s
}

// A scheme moves all that is due on a tick at once, under the lock, which takes about 10 ns a timer. So
// no shard has many more timers than another, whatever their deadlines are, and whatever Resets make of
// them. Of timers that no one stops, a shard has 10,000 more than its share at most.
const (
	mostAhead    = 4096 // timers that a shard may have more than another one
	balanceEvery = 256  // starts of a shard between two comparisons
)

// balanced returns the index of the shard with the fewest timers if the given one has many more, and if calm, that of the
// first one that does not have half as many more. It leaves out those whose locks are taken, but waits for one if they are
// more than half: then goroutines that do not run hold them, and one that does would start all timers of its time slice in
// one shard.
func (v *Service) balanced(at uint32, calm bool) uint32 {
	least, fewest, own, taken := at, math.MaxInt, 0, 0
	for i := range uint32(len(v.shards)) {
		next := (at + i) % uint32(len(v.shards)) // the given one first
		s := v.shards[next]
		if !s.mu.TryLock() {
			if taken++; taken != len(v.shards)/2 {
				continue
			}
			s.mu.Lock()
		}
		if i == 0 {
			own = s.pending
		}
		if s.pending < fewest {
			least, fewest = next, s.pending
		}
		s.mu.Unlock()
	}
	if own > fewest+mostAhead {
		return least
	}
	for first := range at {
		s := v.shards[first]
		if !calm || !s.mu.TryLock() {
			continue
		}
		n := s.pending
		s.mu.Unlock()
		if n <= fewest+mostAhead/2 {
			return first
		}
	}
	return at
}

// goroutineHash returns a hash of the goroutine: of where its stack is. That is a hint only: a
// stack moves when it grows.
func goroutineHash() uint32 {
	const stackBits, factor = 13, 2654435769 // log2 of the bytes of a usual stack; 2^32 / the golden ratio
	var here byte
	return uint32(uintptr(unsafe.Pointer(&here))>>stackBits) * factor >> 16
}
