package store

import (
	"fmt"
	"iter"
	"math"

	"timerlab/schemes"
)

// Clock is what the storage of all schemes has in common, whether slots are rings or arrays: the time, the
// counts, and the errors that name the scheme.
type Clock struct {
	Now   schemes.Tick
	Tally schemes.Counts
	Name  string
	stale error // of BadHandle, once it was needed
}

// Counts returns the operations counted so far.
func (c *Clock) Counts() schemes.Counts { return c.Tally }

// Ended reports whether the clock has reached its last tick, where PerTick does
// nothing.
func (c *Clock) Ended() bool { return c.Now == math.MaxUint64 }

// Refuses reports whether no timer of this interval can be started, if intervals up
// to longest are in range.
func (c *Clock) Refuses(interval, longest schemes.Tick) bool {
	return interval-1 >= longest || interval > math.MaxUint64-c.Now // 0-1 is beyond everything
}

// BadInterval returns the error of an interval that Refuses refuses.
func (c *Clock) BadInterval(interval, longest schemes.Tick) error {
	allowed := fmt.Sprintf("allowed 1 to %d", min(longest, math.MaxUint64-c.Now))
	if c.Ended() {
		allowed = "none allowed: the clock is at its last tick"
	}
	return fmt.Errorf("%s: interval %d (%s): %w", c.Name, interval, allowed, schemes.ErrInterval)
}

// BadHandle returns the error of a stale handle. Clients restart timers that may have
// expired, so it is made once and does not include the handle.
func (c *Clock) BadHandle() error {
	if c.stale == nil {
		c.stale = fmt.Errorf("%s: no outstanding timer has this handle: %w", c.Name, schemes.ErrHandle)
	}
	return c.stale
}

// Full returns the error of a Start for which there is no storage.
func (c *Clock) Full(outstanding int) error {
	return fmt.Errorf("%s: %d timers outstanding, no room for more: %w", c.Name, outstanding, schemes.ErrFull)
}

// Limit returns how many ticks an Advance of at most max may pass: not beyond the
// clock's end, and 1 if something is due already.
func (c *Clock) Limit(max schemes.Tick, anyDue bool) schemes.Tick {
	if anyDue {
		max = min(max, 1)
	}
	return min(max, math.MaxUint64-c.Now)
}

// Earliest returns the ticks until the earliest of the timers that a scheme's View yields is due; false if
// there is none. It is Next of schemes that have no quicker one.
func (c *Clock) Earliest(view iter.Seq[schemes.Place]) (wait schemes.Tick, ok bool) {
	for p := range view {
		if p.Due {
			return 0, true
		}
		if left := p.Deadline - c.Now; !ok || left < wait {
			wait, ok = left, true
		}
	}
	return wait, ok
}

// BadCapacity returns the error of a Config.Capacity that is not in 0 to most.
func BadCapacity(name string, capacity, most int) error {
	return fmt.Errorf("%s: capacity %d (allowed 0 to %d): %w", name, capacity, most, schemes.ErrConfig)
}

// BadSlots returns the error of a number of slots that is not in 1 to most.
func BadSlots(name string, slots, most int) error {
	return fmt.Errorf("%s: %d slots (allowed 1 to %d): %w", name, slots, most, schemes.ErrConfig)
}
