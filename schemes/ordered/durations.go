package ordered

import (
	"fmt"
	"math"
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
		return &durations{Store: s, next: math.MaxUint64, lists: make([]sameInterval, 0, firstLists),
			index: make(map[schemes.Tick]int, firstLists)}, nil
	}
	v.Bytes = func(n int, cfg schemes.Config) int64 { // with firstLists intervals in use
		if n < 0 || cfg.Capacity < 0 {
			return 0
		}
		return store.Bytes(n, cfg, firstLists) + firstLists*(16+32) // with an entry of the map
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
// list. No deadline is earlier than next. An interval has one list at most.
type durations struct {
	store.Store
	next  uint64
	last  int                  // the index of the list that was found last
	lists []sameInterval       // also those that have become empty since the last sweep
	index map[schemes.Tick]int // of lists, by interval
}

// sameInterval is a list. Its head is a record in which no timer lives.
type sameInterval struct {
	interval schemes.Tick
	head     uint32
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
	d.Link(d.lists[d.last].head, i, r)
	d.next = min(d.next, r.Key)
}

// find makes the interval's list the last one, and reports whether there is one. O(1).
func (d *durations) find(interval schemes.Tick) bool {
	if d.last < len(d.lists) && d.lists[d.last].interval == interval {
		return true
	}
	at, ok := d.index[interval]
	if ok {
		d.last = at
	}
	return ok
}

// add makes a list for the interval, which has none. Its head takes the free record. If half of the lists must be empty, add
// drops these instead, and must be called again. So memory is bounded by the timers outstanding. O(1) on average.
func (d *durations) add(interval schemes.Tick) {
	if len(d.lists) > 2*d.Len()+firstLists {
		d.sweep()
		return
	}
	head, r := d.Make(0, 0)
	d.Tally.Links-- // Make counts two, and Counts takes off one for each record in use
	r.Link, r.Next, r.Prev = store.NoTimer, head, head
	d.index[interval] = len(d.lists)
	d.lists = append(d.lists, sameInterval{interval, head})
}

// sweep drops the empty lists. O(lists).
func (d *durations) sweep() {
	d.lists = slices.DeleteFunc(d.lists, func(l sameInterval) bool {
		empty := d.isEmpty(l)
		if empty {
			d.Free(l.head, d.At(l.head))
			d.Tally.Links-- // the other one that Make counted
		}
		return empty
	})
	if clear(d.index); cap(d.lists) > 4*(len(d.lists)+firstLists) { // after a peak
		d.lists = append(make([]sameInterval, 0, len(d.lists)+firstLists), d.lists...)
		d.index = make(map[schemes.Tick]int, cap(d.lists))
	}
	for i, l := range d.lists {
		d.index[l.interval] = i
	}
}

func (d *durations) isEmpty(l sameInterval) bool { return d.At(l.head).Next == l.head }

// PerTick does nothing before the clock reaches next: O(1). Then it looks at the first timer of each list:
// O(lists + timers due). None may be due, if timers were stopped or restarted.
func (d *durations) PerTick() (due int) {
	if d.Ended() {
		return 0
	}
	if d.Now++; uint64(d.Now) < d.next {
		return 0
	}
	empty := 0
	d.next = math.MaxUint64
	for _, l := range d.lists {
		i := d.At(l.head).Next
		for ; i != l.head && d.At(i).Key <= uint64(d.Now); i = d.At(l.head).Next {
			d.Tally.Visits++
			d.MakeDue(i, d.At(i))
			due++
		}
		if i == l.head {
			empty++
			continue
		}
		d.Tally.Visits++
		d.next = min(d.next, d.At(i).Key)
	}
	if empty > len(d.lists)/2+fewEmpty {
		d.sweep()
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
	d.next = math.MaxUint64
	for _, l := range d.lists {
		if !d.isEmpty(l) {
			d.next = min(d.next, d.First(l.head))
		}
	}
	return schemes.Tick(d.next) - d.Now, true
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

// Check verifies the lists and the index. O(n + lists).
func (d *durations) Check() error {
	return d.CheckStore(func() (records int, err error) {
		for i, l := range d.lists {
			if at, ok := d.index[l.interval]; at != i || !ok {
				return 0, fmt.Errorf("index: the list of interval %d is %d, not %d", l.interval, at, i)
			}
			last := max(uint64(d.Now)+1, d.next)
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
