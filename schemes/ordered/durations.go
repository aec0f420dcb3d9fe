package ordered

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Durations describes scheme 2 with a list for each interval in use.
var Durations = func() schemes.Info {
	v := Info
	v.Name, v.Title = "ordered-durations", "A sorted list for each interval"
	v.Sorted = false // Start searches no list
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		if cfg.Capacity > 0 {
			cfg.Capacity += firstLists // the heads of lists are records, too
		}
		s, err := store.New(v.Name, cfg, 0)
		if err != nil {
			return nil, err
		}
		d := &durations{Store: s, next: math.MaxUint64}
		d.sweep() // it makes room for lists
		return d, nil
	}
	v.Bytes = func(n int, cfg schemes.Config) int64 { // with firstLists intervals in use
		if n < 0 || cfg.Capacity < 0 {
			return 0
		}
		return store.Bytes(n, cfg, firstLists) + firstLists*(24+2*4)
	}
	return v
}()

const (
	firstLists = 64 // that there is room for at first
	fewEmpty   = 8  // lists that may stay: a timer that is started again when it expires finds its list
)

// durations is scheme 2 with a list for each interval in use. The clock never goes back, so of two timers of one
// interval the later one to start is the later one to be due: at the end of its interval's list, a timer is in its place.
//
// Invariants: a waiting timer's Key is its deadline, later than Now by no more than its interval, and keys never fall along a
// list. next is at most the from of any list that is not empty. An interval has one list at most.
type durations struct {
	store.Store
	next  uint64         // no deadline is earlier
	last  *sameInterval  // the list that was found last
	lists []sameInterval // also those that have become empty since the last sweep
	table []uint32       // a hash table with open addressing, at least half empty: 1 + the index in lists, or 0
}

// sameInterval is a list. A tick reads it, and no record of the list, before from.
type sameInterval struct {
	interval schemes.Tick
	from     uint64 // no deadline in the list is earlier
	head     uint32 // a record in which no timer lives
}

// Start appends the timer to the list of its interval. O(1).
func (d *durations) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !d.Accepts(interval) {
		return d.StartSlow(d, interval, id)
	}
	if !d.find(interval) {
		d.add(interval) // it may take the record that Accepts has seen
		return d.Start(interval, id)
	}
	deadline := uint64(d.Now + interval)
	i, r := d.Make(id, deadline)
	d.append(i, r)
	return r.Handle(), nil
}

// append puts record i, which is r, at the end of the list that was found last. O(1).
func (d *durations) append(i uint32, r *store.Record) {
	if l := d.last; d.Link(l.head, i, r) == l.head { // the list was empty
		l.from = r.Key
		d.next = min(d.next, r.Key)
	}
}

// find makes the interval's list the last one, and reports whether there is one. O(1) on average.
func (d *durations) find(interval schemes.Tick) bool {
	if d.last != nil && d.last.interval == interval {
		return true
	}
	at := d.place(interval)
	if d.table[at] == 0 {
		return false
	}
	d.last = &d.lists[d.table[at]-1]
	return true
}

// place returns where in the table the interval is, or belongs. O(1) on average.
func (d *durations) place(interval schemes.Tick) (at uint64) {
	mask := uint64(len(d.table) - 1)
	const spread = 0x9E3779B97F4A7C15 // an odd number near 2^64 over the golden ratio: the upper bits of the product are mixed
	for at = uint64(interval) * spread >> bits.LeadingZeros64(mask); ; at = (at + 1) & mask {
		if i := d.table[at]; i == 0 || d.lists[i-1].interval == interval {
			return at
		}
	}
}

// add makes a list for the interval, which has none, or room for more lists: then it must be called again. It needs a free
// record. O(1) on average.
func (d *durations) add(interval schemes.Tick) {
	if len(d.lists) == cap(d.lists) {
		d.sweep()
		return
	}
	head, r := d.Make(0, 0)
	d.Tally.Links-- // Make counts two, and Counts takes off one for each record in use
	r.Link, r.Next, r.Prev = store.NoTimer, head, head
	d.lists = append(d.lists, sameInterval{interval, math.MaxUint64, head})
	d.table[d.place(interval)] = uint32(len(d.lists))
}

// sweep drops the empty lists, and makes more room if half of it or more is in use, or less if not an eighth is. So memory is
// bounded by the timers outstanding, and a sweep pays: most of the lists that it looks at have been added since the last one,
// or have become empty. O(lists).
func (d *durations) sweep() {
	d.last = nil
	d.lists = slices.DeleteFunc(d.lists, func(l sameInterval) bool {
		r := d.At(l.head)
		empty := r.Next == l.head
		if empty {
			d.Free(l.head, r)
			d.Tally.Links-- // the other one that Make counted
		}
		return empty
	})
	if room, kept := cap(d.lists), len(d.lists); 2*kept >= room || 8*kept < room && room > firstLists {
		for room = firstLists; room <= 2*kept; {
			room *= 2
		}
		d.lists = append(make([]sameInterval, 0, room), d.lists...)
		d.table = make([]uint32, 2*room)
	}
	clear(d.table)
	for i, l := range d.lists {
		d.table[d.place(l.interval)] = uint32(i + 1)
	}
}

// PerTick does nothing before the clock reaches next: O(1). Then it looks for the lists that may have a timer that is due, and
// at their first timers: O(lists + timers due). There may be none, if timers were stopped or restarted.
func (d *durations) PerTick() (due int) {
	if d.Ended() {
		return 0
	}
	if d.Now++; uint64(d.Now) < d.next {
		return 0
	}
	next, empty := uint64(math.MaxUint64), 0
	for i := range d.lists {
		l := &d.lists[i]
		if l.from <= uint64(d.Now) {
			due += d.expireList(l)
		}
		if next = min(next, l.from); l.from == math.MaxUint64 {
			empty++ // or its timers are due on the clock's last tick
		}
	}
	d.next = next
	if empty > len(d.lists)/2+fewEmpty {
		d.sweep()
	}
	return due
}

// expireList moves the due timers of the list, which are its first. O(1 + timers due).
func (d *durations) expireList(l *sameInterval) (due int) {
	l.from = math.MaxUint64
	for i := d.At(l.head).Next; i != l.head; i = d.At(l.head).Next {
		r := d.At(i)
		d.Tally.Visits++
		if r.Key > uint64(d.Now) {
			l.from = r.Key
			break // nor are any after it due
		}
		d.MakeDue(i, r)
		due++
	}
	return due
}

// Restart appends the timer to the list of its interval. O(1).
func (d *durations) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !d.Names(h) || !d.Renews(h, interval) || !d.find(interval) {
		return d.RestartSlow(d, h, interval)
	}
	r := d.At(uint32(h))
	h = d.Renew(h, r, uint64(d.Now+interval))
	d.append(uint32(h), r)
	return h, nil
}

// Next looks at the first timers of the lists. O(lists).
func (d *durations) Next() (wait schemes.Tick, ok bool) {
	if d.AnyDue() || d.Len() == 0 {
		return 0, d.AnyDue()
	}
	first := uint64(math.MaxUint64)
	for _, l := range d.lists {
		if l.from < first && d.At(l.head).Next != l.head {
			first = min(first, d.First(l.head))
		}
	}
	return schemes.Tick(first) - d.Now, true
}

// NextEvent returns the ticks to next: the timer that next belonged to may have been stopped. O(1).
func (d *durations) NextEvent() (wait schemes.Tick, ok bool) {
	if d.AnyDue() || d.Len() == 0 {
		return 0, d.AnyDue()
	}
	return schemes.Tick(d.next) - d.Now, true
}

// Advance goes to the earliest deadline. O(lists + timers due).
func (d *durations) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	if passed = d.Limit(max, d.AnyDue()); passed == 0 {
		return 0, 0
	}
	if wait, ok := d.Next(); ok && wait > 0 {
		passed = min(passed, wait)
	}
	d.Now += passed - 1
	return passed, d.PerTick()
}

// Len returns the number of outstanding timers, without the heads. O(1).
func (d *durations) Len() int { return d.Store.Len() - len(d.lists) }

// Check verifies the lists and the table. O(n + lists).
func (d *durations) Check() error {
	return d.CheckStore(func() (records int, err error) {
		for i, l := range d.lists {
			if at := d.table[d.place(l.interval)]; at != uint32(i+1) {
				return 0, fmt.Errorf("table: the list of interval %d is %d, not %d", l.interval, at, i+1)
			}
			last := max(uint64(d.Now)+1, d.next, l.from)
			n, err := d.CheckList(l.head, func(i uint32, r *store.Record) error {
				if r.Key < last {
					return fmt.Errorf("order: timer %d expires at %d, its place is for %d or later", r.ID, r.Key, last)
				} else if left := schemes.Tick(r.Key) - d.Now; left > l.interval {
					return fmt.Errorf("timer %d has %d ticks left, more than its interval", r.ID, left)
				}
				last = r.Key
				return nil
			})
			if err != nil {
				return 0, fmt.Errorf("interval %d: %w", l.interval, err)
			}
			records += 1 + n
		}
		return records, nil
	})
}

// View yields the timers list by list, each as a level of its own. O(n + lists).
func (d *durations) View(yield func(schemes.Place) bool) { d.Places(d.levels(), nil)(yield) }

func (d *durations) levels() (all []store.Slots) {
	for i, l := range d.lists {
		all = append(all, store.Slots{First: l.head, Level: i, Label: fmt.Sprintf("interval %d:", l.interval)})
	}
	return all
}

func (d *durations) String() string {
	return store.Draw(d.Now, d.Len(), "id(deadline)", d.levels(), d.View)
}
