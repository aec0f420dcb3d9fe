// Package schemes defines what a timer scheme is: the four operations of
// Varghese and Lauck's model (Hashed and Hierarchical Timing Wheels, SOSP 1987,
// section 2), the configuration that sizes a scheme, and the operation counts
// by which schemes are compared. Each scheme is a package below this one; the
// registry of all of them is timerlab/harness.
//
// Symbols, everywhere in this module:
//
//	n  timers outstanding
//	M  slots in all wheels together
//	m  levels of a hierarchy
//	T  mean time a timer stays, from its start to its stop or expiry, in ticks
package schemes

import (
	"errors"
	"math"
)

// Tick is a number of ticks of the virtual clock: a moment (absolute, counted
// from the clock's zero) or an interval. The clock ends at 2^64-1.
type Tick uint64

// ID is the client's Request_ID. A scheme hands it back at expiry and never
// looks into it; one ID may be started many times, as independent timers.
type ID uint64

// Handle names one started timer of one scheme. The zero Handle names no timer.
type Handle uint64

// Scheme is one timer module. It is not safe for concurrent use.
type Scheme interface {
	// Start makes a timer that becomes due in the interval-th following
	// PerTick, exactly (START_TIMER). It returns an error wrapping ErrInterval,
	// and changes nothing, if interval is 0, above the scheme's range, or leads
	// past the clock's end; one wrapping ErrFull if storage cannot grow.
	Start(interval Tick, id ID) (Handle, error)

	// Stop forgets the timer that h names (STOP_TIMER) and reports whether that
	// prevented its expiry. A timer that is due but not yet handed out can be
	// stopped. A handle that is zero, foreign, stopped or expired is refused: Stop
	// returns false and has no effect.
	Stop(h Handle) bool

	// PerTick advances the clock by one tick, moves the timers that are now due
	// to the due list and returns how many it moved (PER_TICK_BOOKKEEPING). It
	// runs no action. At the clock's end it returns 0 and changes nothing.
	PerTick() int

	// Expire hands every due timer to action, each exactly once and after
	// forgetting it, earlier ticks first (EXPIRY_PROCESSING). The order
	// within one tick is unspecified but deterministic. action may call Start,
	// Stop, Restart, Len, Check, Counts and String, not PerTick, Advance or
	// Expire. If it panics, the panic goes through and the timers not yet
	// handed out are still due.
	Expire(action func(ID))
}

// Config sizes a scheme. Its zero value means the documented defaults; fields
// that a scheme does not use are ignored.
type Config struct {
	// Now is the clock's first value.
	Now Tick

	// Capacity is n, the outstanding timers expected, for which storage is allocated up
	// front. It grows beyond that, up to 2^32-1 records, slots included; up to 2^29-2^16
	// timers in chunked forms.
	Capacity int

	// Slots is M, for schemes 4, 5 and 6: any size from 1, default DefaultSlots. Powers of
	// two are the fast case.
	Slots int

	// Levels are the slots of each wheel, lowest first, for scheme 7: any radices from 1,
	// default DefaultLevels. Powers of two are the fast case.
	Levels []int

	// Heap keeps all records in Go's heap. Otherwise arrays from 256 KiB on are mapped
	// outside it, in huge pages, where the system allows that: see OffHeaper.
	Heap bool
}

// MaxSlots bounds the slots of all wheels of one scheme together: 2^31, or 2^31-2
// where an int has 32 bits. A chunked form allows 2^28-1.
const MaxSlots = min(1<<31, math.MaxInt-1)

// DefaultSlots is the M that a zero Config.Slots means.
const DefaultSlots = 256

// DefaultLevels returns the radices that a nil Config.Levels means: four wheels
// of 256 slots, a range of 2^32 ticks.
func DefaultLevels() []int { return []int{256, 256, 256, 256} }

// Counts are the operations of a scheme since it was made. They are exact and
// the same on every machine.
type Counts struct {
	// Compares counts timers compared with on the way to a place in an ordered list or
	// tree, the one that ends the search included, and timers passed in a tree that closes
	// a gap.
	Compares uint64

	// Visits counts timers that PerTick looked at: expiring, decremented and migrating
	// ones, a list's head that is not due, and all of an overflow list that is walked.
	Visits uint64

	// Links is +1 on entering a list, tree or slot and +1 on leaving it. The due list and
	// migrations are not counted.
	Links uint64

	// Migrations counts moves of a timer to a lower wheel, or from an overflow list into
	// the wheel. A move straight to the due list is not counted.
	Migrations uint64

	// EmptySlots counts slots of the lowest wheel that PerTick found empty; 0 for schemes
	// 1 to 3.
	EmptySlots uint64
}

// Sub returns the operations counted since an earlier reading.
func (c Counts) Sub(earlier Counts) Counts {
	return Counts{
		Compares:   c.Compares - earlier.Compares,
		Visits:     c.Visits - earlier.Visits,
		Links:      c.Links - earlier.Links,
		Migrations: c.Migrations - earlier.Migrations,
		EmptySlots: c.EmptySlots - earlier.EmptySlots,
	}
}

// Add returns the operations of both.
func (c Counts) Add(d Counts) Counts { return c.Sub(Counts{}.Sub(d)) } // numbers wrap

// Place is where an outstanding timer is.
type Place struct {
	ID       ID
	Due      bool   // it is in the due list; all that follows is 0 but Position, its place there, and Parent, -1
	Deadline Tick   // when it will be due: rounded, if the scheme rounds
	Key      uint64 // what the scheme keeps for it: the ticks or rounds left, or the deadline
	Level    int    // the wheel, from 0, the lowest; Overflow for a list besides the wheel
	Slot     int    // in the wheel; in a tree, which child of its parent it is, from 0 on the left
	Position int    // in the list or slot, from 0 at its head; in a tree, as View counts, from 0 on top
	Parent   int    // in a tree, the Position of the timer above it; -1 on top and where there is no tree
}

// Overflow is the Level of a timer in a list besides the wheel.
const Overflow = -1

// Errors that schemes wrap. Their texts contain the scheme's name, the value and what
// is allowed.
var (
	ErrInterval = errors.New("interval out of range") // Start: 0, above the range, or past the clock's end
	ErrConfig   = errors.New("bad configuration")     // New: a negative size, a radix below 1, more than MaxSlots slots
	ErrHandle   = errors.New("stale handle")          // Restart: no outstanding timer has this handle
	ErrFull     = errors.New("storage full")          // Start: no record left and no room for more
)

// Optional interfaces, discovered by type assertion. The registry's schemes implement
// all except the last two. They also implement fmt.Stringer, which draws what View shows
// in at most some dozens of lines.
type (
	// Counter reports the operations counted so far. O(1).
	Counter interface{ Counts() Counts }

	// Checker verifies the structural invariants. Its error names the first that is
	// broken. O(n + M), iterative, without effect on the scheme.
	Checker interface{ Check() error }

	// Sized reports the number of outstanding timers, due ones that are not yet handed
	// out included. O(1).
	Sized interface{ Len() int }

	// Restarter stops a timer and starts it again in one operation, which counts as
	// one stop and one start. It returns an error wrapping ErrHandle if h is stale, and
	// one wrapping ErrInterval, leaving the timer as it was, if the interval is out of
	// range; or one wrapping ErrFull, leaving it too, if it needs another record, as its own has
	// been used for the last time, and there is no room. After success h is stale.
	Restarter interface {
		Restart(h Handle, interval Tick) (Handle, error)
	}

	// Identifier reports the ID of the timer that h names, and false if h is a handle
	// that Stop refuses. O(1).
	Identifier interface {
		ID(h Handle) (id ID, ok bool)
	}

	// OffHeaper reports the bytes that a scheme holds outside Go's heap, which the
	// runtime does not count. A scheme without this method holds none.
	OffHeaper interface{ OffHeap() int }

	// Nexter reports the ticks until the earliest outstanding timer is due, exactly and
	// without passing them: 0 if one is due already, and false if no timer is outstanding.
	Nexter interface {
		Next() (wait Tick, ok bool)
	}

	// Sleeper returns a lower bound of the wait, for a client that sleeps between ticks.
	// No timer is due in fewer than wait ticks; Advance(wait) passes them, and may find
	// none due. 0 if one is due already, and false if no timer is outstanding.
	// O(m + M/64), and independent of n.
	Sleeper interface {
		NextEvent() (wait Tick, ok bool)
	}

	// Viewer shows where the outstanding timers are, each once: the due ones first, in the
	// order in which they became due, then wheel by wheel from the lowest and slot by slot.
	// O(n + M), without effect on the scheme.
	Viewer interface {
		View(yield func(Place) bool)
	}

	// Releaser gives all memory outside Go's heap back at once; the collector does it when
	// nothing refers to the scheme any more. After Release the scheme must not be used.
	Releaser interface{ Release() }

	// Advancer passes ticks as PerTick does, until a timer is due or max ticks have
	// passed, but steps over ticks without work. It returns how many passed and how many
	// timers the last one moved to the due list. It passes one tick even if timers were
	// due before; at the clock's end, or if max is 0, none. Ticks that it steps over are
	// not counted, and what many ticks do to one timer may count as one visit.
	Advancer interface {
		Advance(max Tick) (passed Tick, due int)
	}

	// Bounder is a scheme that trades precision. Bound returns the worst error of a
	// timer of this interval over all clocks: the ticks by which it may be due too early
	// (less than the interval) and too late. The error depends only on the interval and
	// on the clock at its start. A scheme without Bound is exact.
	Bounder interface {
		Bound(interval Tick) (early, late Tick)
	}

	// Holder is a scheme that stops lazily. Held returns the number of records that it
	// holds, also of stopped timers that it has not discarded yet. A stopped timer counts
	// as leaving (Counts.Links) when it is discarded. O(1).
	Holder interface{ Held() int }
)
