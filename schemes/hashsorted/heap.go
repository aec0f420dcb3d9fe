package hashsorted

import (
	"errors"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/bintree"
	"timerlab/schemes/internal/store"
)

// Heap describes scheme 5 with a heap in each slot in place of a sorted list.
var Heap = describeHeap().ForStudy()

func describeHeap() schemes.Info {
	v := Info
	v.Name += "-heap"
	v.Title = "Hashed wheel, heaps"
	v.New = newHeaps
	v.Bytes = func(n int, cfg schemes.Config) int64 {
		wheel := store.WheelBytes(n, cfg)
		if wheel == 0 {
			return 0
		}
		return wheel + bintree.Bytes(n, cfg.Capacity)
	}
	return v
}

// heaps is scheme 5 with leftist heaps. Invariant: a waiting timer's Key is its
// deadline, later than Now; it is in the heap of the slot that is its
// deadline mod M. The Next of a slot's head is the record on top of its heap, or the head
// itself. A timer's node is its record's number without
// the heads.
type heaps struct {
	store.Wheel
	nodes bintree.Leftist
}

// newHeaps returns an empty wheel. It uses cfg.Now, cfg.Capacity and cfg.Slots.
func newHeaps(cfg schemes.Config) (schemes.Scheme, error) {
	w, err := store.NewWheel("hashsorted-heap", cfg, 0)
	if err != nil {
		return nil, err
	}
	h := &heaps{w, bintree.NewLeftist(cfg.Capacity, cfg.Heap)}
	h.Others = append(h.Others, &h.nodes)
	return h, nil
}

// node and record lead from a timer's record to its node and back: the first
// timer's record, after the heads of the M slots, has node 1.
func (w *heaps) node(record uint32) uint32 { return record - uint32(w.Slots()) }

func (w *heaps) record(node uint32) uint32 { return node + uint32(w.Slots()) }

// top returns the node on top of the heap in the slot at head, or bintree.None.
func (w *heaps) top(head uint32) uint32 {
	if top := w.At(head).Next; top != head {
		return w.node(top)
	}
	return bintree.None
}

// Start puts the timer into its slot's heap. O(1) on average if n < M, O(log b)
// at worst, for the b timers of the slot.
func (w *heaps) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	deadline := uint64(w.Now + interval)
	if err := w.Accepts(interval); err != nil {
		return 0, err
	}
	i, r := w.Make(id, deadline)
	w.push(w.Slot(interval), w.node(i), deadline)
	return w.Handle(i, r), nil
}

// push puts a node into the heap of the slot at head.
func (w *heaps) push(head, node uint32, deadline uint64) {
	top, compares := w.nodes.Push(w.top(head), node, deadline)
	w.At(head).Next = w.record(top)
	w.Mark(head)
	w.Tally.Compares += compares
	w.Tally.Links++
}

// Stop takes the timer out of its slot's heap, or off the due list. O(log b).
func (w *heaps) Stop(h schemes.Handle) bool {
	i, r := uint32(h), w.Find(h)
	if r == nil || r.Key == 0 {
		return w.Store.Stop(h)
	}
	w.remove(w.Slot(w.Wait(r.Key)), w.node(i))
	w.Tally.Links++
	w.Free(i, r)
	return true
}

// remove takes a node out of the heap of the slot at head.
func (w *heaps) remove(head, node uint32) {
	top, compares := w.nodes.Remove(w.top(head), node)
	w.At(head).Next = w.record(top)
	if top == bintree.None {
		w.At(head).Next = head
	}
	w.Tally.Compares += compares
}

// PerTick looks at the top of the heap in the pointer's next slot. O(1), and
// O(log b) for each timer due.
func (w *heaps) PerTick() int {
	if w.Ended() {
		return 0
	}
	head := w.TurnBy(1)
	if !w.Occupied(head) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.moveExpired(head)
}

// moveExpired moves the timers of the slot at head that are due to the due list and
// returns their number. O(1), and O(log b) for each timer due.
func (w *heaps) moveExpired(head uint32) (moved int) {
	visits := uint64(0)
	for top := w.top(head); top != bintree.None; top = w.top(head) {
		if visits++; w.nodes.At(top).Deadline > uint64(w.Now) {
			break
		}
		w.remove(head, top)
		i := w.record(top)
		w.AddDue(i, w.At(i))
		moved++
	}
	w.Tally.Visits += visits
	return moved
}

// Restart moves the timer from one heap to another, or within one. O(log b).
func (w *heaps) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i := uint32(h)
	r, err := w.Renewable(h, interval)
	if err != nil {
		return 0, err
	}
	if r.Key == 0 {
		w.Unlink(r)
	} else {
		w.remove(w.Slot(w.Wait(r.Key)), w.node(i))
		w.Tally.Links++
	}
	deadline := uint64(w.Now + interval)
	i, r = w.Reuse(i, r, deadline)
	w.push(w.Slot(interval), w.node(i), deadline)
	return w.Handle(i, r), nil
}

// Next looks at the tops of the heaps up to the earliest deadline. O(M/64 + slots
// looked at).
func (w *heaps) Next() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Earliest(math.MaxUint64, w.first)
}

// first returns the ticks until the timer on top of the heap at head is due.
func (w *heaps) first(head uint32, _ schemes.Tick) (schemes.Tick, bool) {
	return w.Wait(w.nodes.At(w.top(head)).Deadline), true
}

// Advance looks as Next does, but no further than max, and goes there. O(M/64 +
// slots looked at), and O(log b) for each timer due.
func (w *heaps) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = w.Limit(max, w.AnyDue()); passed == 0 {
		return 0, 0
	}
	passed, _ = w.Earliest(passed, w.first)
	return passed, w.moveExpired(w.TurnBy(passed))
}

// Check verifies the wheel. O(n + M).
func (w *heaps) Check() error {
	return w.CheckStore(func() (int, error) { return w.CheckSlots(w.Now%w.Slots(), w.checkSlot) })
}

func (w *heaps) checkSlot(slot uint64) (int, error) {
	head := store.FirstSlot + uint32(slot)
	top := w.top(head)
	if w.At(head).Prev != head {
		return 0, errors.New("a timer outside the heap")
	}
	if err := w.CheckBit(head, top != bintree.None); err != nil {
		return 0, err
	}
	return w.nodes.Check(top, w.Len(), func(node uint32, deadline uint64) error {
		r, ok := w.Live(w.record(node))
		switch {
		case !ok:
			return fmt.Errorf("node %d is of record %d, which holds no timer", node, w.record(node))
		case r.Key != deadline:
			return fmt.Errorf("timer %d expires at %d, its node says %d", r.ID, r.Key, deadline)
		case deadline <= uint64(w.Now) || deadline%uint64(w.Slots()) != slot:
			return fmt.Errorf("timer %d expires at %d, which is not a coming turn of this slot", r.ID, deadline)
		}
		return nil
	})
}

// View yields the timers slot by slot, each after the one above it. O(n + M).
func (w *heaps) View(yield func(schemes.Place) bool) {
	if !w.ViewDue(yield) {
		return
	}
	for slot := range int(w.M) {
		positions := map[uint32]int{bintree.None: -1} // by node
		_, err := w.nodes.Walk(w.top(store.FirstSlot+uint32(slot)), w.Len(), func(node uint32, at *bintree.Node) error {
			r := w.At(w.record(node))
			positions[node] = len(positions) - 1
			p := schemes.Place{ID: r.ID, Deadline: schemes.Tick(r.Key), Key: r.Key, Slot: slot,
				Position: positions[node], Parent: positions[at.Parent]}
			if !yield(p) {
				return errors.New("enough")
			}
			return nil
		})
		if err != nil {
			return
		}
	}
}

// String draws the wheel: of each slot the top of its heap first and every timer after the
// one above it.
func (w *heaps) String() string {
	d := store.Drawing{Legend: "id(deadline)", Wheels: w.Drawn()}
	return d.Draw(w.Now, w.Len(), w.View)
}
