package peers

import (
	googlebtree "github.com/google/btree"
	tidwallbtree "github.com/tidwall/btree"

	"timerlab/schemes"
)

// GoogleBTree is google/btree, the generic form. Its documentation names no
// degree; its benchmarks and most programs use 32.
var GoogleBTree = virtualPeer(Peer{
	Info:     schemes.Info{Name: "googlebtree", Title: "google/btree"},
	Source:   "github.com/google/btree@v1.1.3",
	Settings: "BTreeG of degree 32, keys of deadline and slot",
}, func(cfg schemes.Config) (schemes.Scheme, error) {
	return newSorted("googlebtree", cfg, googleBTree{googlebtree.NewG(32, less)})
})

type googleBTree struct{ tree *googlebtree.BTreeG[key] }

func (g googleBTree) insert(k key)       { g.tree.ReplaceOrInsert(k) }
func (g googleBTree) remove(k key)       { g.tree.Delete(k) }
func (g googleBTree) least() (key, bool) { return g.tree.Min() }
func (g googleBTree) popLeast()          { g.tree.DeleteMin() }

// TidwallBTree is tidwall/btree, the generic form without its lock, since a scheme
// is not safe for concurrent use either.
var TidwallBTree = virtualPeer(Peer{
	Info:     schemes.Info{Name: "tidwallbtree", Title: "tidwall/btree"},
	Source:   "github.com/tidwall/btree@v1.8.2",
	Settings: "BTreeG with NoLocks and the default degree of 32, keys of deadline and slot",
}, func(cfg schemes.Config) (schemes.Scheme, error) {
	tree := tidwallbtree.NewBTreeGOptions(less, tidwallbtree.Options{NoLocks: true})
	return newSorted("tidwallbtree", cfg, tidwallBTree{tree})
})

type tidwallBTree struct{ tree *tidwallbtree.BTreeG[key] }

func (t tidwallBTree) insert(k key)       { t.tree.Set(k) }
func (t tidwallBTree) remove(k key)       { t.tree.Delete(k) }
func (t tidwallBTree) least() (key, bool) { return t.tree.Min() }
func (t tidwallBTree) popLeast()          { t.tree.PopMin() }

// key orders timers in a third party's tree: by deadline, and for equal deadlines by slot,
// which no two live timers share.
type key struct {
	deadline uint64
	slot     uint32
}

func less(a, b key) bool {
	return a.deadline < b.deadline || a.deadline == b.deadline && a.slot < b.slot
}

// ordered is a sorted set of keys.
type ordered interface {
	insert(key)
	remove(key)
	least() (key, bool)
	popLeast()
}

// sorted is a scheme over a sorted set. O(log n) per start, stop and expiry; a
// tick without an expiry does not access the set.
type sorted struct {
	table[key]
	set   ordered
	first uint64 // no key is before it
}

func newSorted(name string, cfg schemes.Config, set ordered) (schemes.Scheme, error) {
	t, err := newTable[key](name, cfg)
	if err != nil {
		return nil, err
	}
	return &sorted{t, set, endOfClock}, nil
}

// Start inserts a key.
func (s *sorted) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, slot, err := s.add(interval, endOfClock, id)
	if err != nil {
		return 0, err
	}
	slot.peer = key{s.now + uint64(interval), uint32(h)}
	s.first = min(s.first, slot.peer.deadline)
	s.set.insert(slot.peer)
	return h, nil
}

// Stop removes the key.
func (s *sorted) Stop(h schemes.Handle) bool {
	k, waits, ok := s.stop(h)
	if waits {
		s.set.remove(k)
	}
	return ok
}

// PerTick removes the first key while it is due.
func (s *sorted) PerTick() int {
	if s.now == endOfClock {
		return 0
	}
	if s.now++; s.first > s.now {
		return 0
	}
	before := len(s.due)
	k, ok := s.set.least()
	for ; ok && k.deadline <= s.now; k, ok = s.set.least() {
		s.set.popLeast()
		s.expired(s.handle(k.slot), &s.slots[k.slot])
	}
	s.first = endOfClock
	if ok {
		s.first = k.deadline
	}
	return len(s.due) - before
}
