package hashunsorted

import (
	"fmt"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Absolute describes scheme 6 with deadlines in place of rounds.
var Absolute = describe("absolute", "Hashed wheel, unsorted lists of deadlines", hashedBy(0)).ForStudy()

// Mulhash describes Absolute with a multiplicative hash in place of mod M.
var Mulhash = describe("mulhash", "Hashed wheel, multiplicative hash of deadlines", hashedBy(golden)).ForStudy()

// describe returns scheme 6 with a suffix to its name and another New.
func describe(suffix, title string, build func(name string, cfg schemes.Config) (schemes.Scheme, error)) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) { return build(v.Name, cfg) }
	return v
}

// golden is 2^64 divided by the golden ratio, made odd: its multiples, mod 2^64,
// divide the whole as evenly as those of any number (Knuth, TAOCP 3, section 6.4).
const golden = 0x9e3779b97f4a7c15

// absolute is the module of scheme 6 with deadlines. Invariant: a
// waiting timer's Key is its deadline, later than Now, and its slot that
// deadline's home; the pointer is at the clock's.
type absolute struct {
	store.Wheel
	factor uint64 // of the multiplicative hash, odd; 0: the home is the deadline mod M
}

func hashedBy(factor uint64) func(name string, cfg schemes.Config) (schemes.Scheme, error) {
	return func(name string, cfg schemes.Config) (schemes.Scheme, error) {
		w, err := store.NewWheel(name, cfg, 0)
		if err != nil {
			return nil, err
		}
		a := &absolute{w, factor}
		a.Pointer = a.home(a.Now)
		return a, nil
	}
}

// home returns the slot of a tick. O(1): a division, or two multiplications,
// which scale the hash from 2^64 to M.
func (a *absolute) home(t schemes.Tick) schemes.Tick {
	if a.factor == 0 {
		return t % a.M
	}
	slot, _ := bits.Mul64(uint64(t)*a.factor, uint64(a.M))
	return schemes.Tick(slot)
}

// Start puts the timer into its slot. O(1).
func (a *absolute) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !a.Accepts(interval) {
		return a.Admit(a, interval, id)
	}
	i, r := a.Make(id, uint64(a.Now+interval))
	a.Insert(a.slot(interval), i, r)
	return r.Handle(), nil
}

// slot returns the head of the slot for a timer of this interval.
func (a *absolute) slot(interval schemes.Tick) uint32 {
	if a.factor == 0 {
		return a.Slot(interval) // the home too, without a division if M is a power of two
	}
	return store.FirstSlot + uint32(a.home(a.Now+interval))
}

// PerTick compares the clock with every timer of its slot. O(n/M) on average
// where intervals are long against M, O(n) at worst.
func (a *absolute) PerTick() int {
	if a.Ended() {
		return 0
	}
	slot := a.turn(1)
	if !a.Occupied(slot) {
		a.Tally.EmptySlots++
		return 0
	}
	return a.moveExact(slot)
}

// moveExact moves the timers of the slot at head whose deadline is the present tick to the
// due list and returns their number. O(timers in the slot).
func (a *absolute) moveExact(head uint32) (due int) {
	visits := 0
	for i := a.At(head).Next; i != head; visits++ {
		r := a.At(i)
		next := r.Next
		if r.Key == uint64(a.Now) {
			a.MakeDue(i, r)
			due++
		}
		i = next
	}
	a.Tally.Visits += uint64(visits)
	return due
}

// turn advances the clock by n ticks and the pointer to the clock's home.
func (a *absolute) turn(n schemes.Tick) uint32 {
	if a.factor == 0 {
		return a.TurnBy(n)
	}
	a.Now += n
	a.Pointer = a.home(a.Now)
	return store.FirstSlot + uint32(a.Pointer)
}

// Restart moves the timer to its new slot. O(1).
func (a *absolute) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !a.Names(h) || !a.Renews(h, interval) {
		return a.Replace(a, h, interval)
	}
	r := a.At(uint32(h))
	h = a.Renew(h, r, uint64(a.Now+interval))
	a.Insert(a.slot(interval), uint32(h), r)
	return h, nil
}

// Next looks at all timers. O(n + M).
func (a *absolute) Next() (wait schemes.Tick, ok bool) { return a.Clock.Earliest(a.View) }

// Advance looks for the earliest deadline, but no further than max, and goes there. With mod M the search ends
// where no slot can hold an earlier timer; with a multiplicative hash it looks at all. O(M/64 + n).
func (a *absolute) Advance(max schemes.Tick) (passed schemes.Tick, due int) {
	passed = a.Limit(max, a.AnyDue())
	if passed == 0 {
		return 0, 0
	}
	wait := func(head uint32, _ schemes.Tick) schemes.Tick { return schemes.Tick(a.Least(head)) - a.Now }
	if a.factor == 0 {
		passed, _ = a.Earliest(passed, wait)
	} else {
		for d, found := a.Ahead(1, a.M); found; d, found = a.Ahead(d+1, a.M) {
			passed = min(passed, wait(a.SlotAhead(d), d))
		}
	}
	if slot := a.turn(passed); a.Occupied(slot) {
		due = a.moveExact(slot)
	}
	return passed, due
}

// Check verifies the wheel. O(n + M).
func (a *absolute) Check() error {
	return a.CheckStore(func() (int, error) {
		return a.CheckTimers(a.home(a.Now), func(slot schemes.Tick, r *store.Record) error {
			if deadline := schemes.Tick(r.Key); deadline <= a.Now || a.home(deadline) != slot {
				return fmt.Errorf("timer %d expires at %d, which is past or has another home", r.ID, r.Key)
			}
			return nil
		})
	})
}

// NextEvent looks for the first occupied slot. With a multiplicative hash every slot may be the
// next. O(M/64).
func (a *absolute) NextEvent() (wait schemes.Tick, ok bool) {
	wait, ok = a.Wheel.NextEvent()
	if a.factor != 0 {
		wait = min(wait, 1)
	}
	return wait, ok
}
