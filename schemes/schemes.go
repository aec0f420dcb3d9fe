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
	"fmt"
	"math"
	"strings"
)

// Tick is a number of ticks of the virtual clock: a moment (absolute, counted
// from the clock's zero) or an interval. The clock ends at 2^64-1.
type Tick uint64

// ID is the client's Request_ID. A scheme hands it back at expiry and never
// looks into it; one ID may be started many times, as independent timers.
type ID uint64

// Handle names one started timer of one scheme. The zero Handle names none.
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
	// stopped. A handle that is zero, foreign, stopped or expired is refused:
	// false, without effect.
	Stop(h Handle) bool

	// PerTick advances the clock by one tick, moves the timers that are now due
	// to the due list and returns how many it moved (PER_TICK_BOOKKEEPING). It
	// runs no action. At the clock's end it returns 0 and changes nothing.
	PerTick() int

	// Expire hands every due timer to action, each exactly once and after
	// forgetting it, those of earlier ticks first (EXPIRY_PROCESSING). The order
	// within one tick is unspecified but deterministic. action may call Start,
	// Stop, Restart, Len, Check, Counts and String, not PerTick, Advance or
	// Expire. If it panics, the panic goes through and the timers not yet
	// handed out are still due.
	Expire(action func(ID))
}

// Config sizes a scheme. Its zero value means the documented defaults; fields
// that a scheme does not use are ignored.
type Config struct {
	Now      Tick  // the clock's first value
	Capacity int   // n, outstanding timers expected: allocated up front; exceeding it grows, up to 2^32-1 records, slots included
	Slots    int   // M, for schemes 4, 5 and 6: any size from 1, default DefaultSlots; powers of two are the fast case
	Levels   []int // slots of each wheel, lowest first, for scheme 7: any radices from 1, default DefaultLevels
}

// MaxSlots bounds the slots of all wheels of one scheme together: 2^31, or 2^31-2
// where an int has 32 bits.
const MaxSlots = min(1<<31, math.MaxInt-1)

// DefaultSlots is the M that a zero Config.Slots means.
const DefaultSlots = 256

// DefaultLevels returns the radices that a nil Config.Levels means: four wheels
// of 256 slots, a range of 2^32 ticks.
func DefaultLevels() []int { return []int{256, 256, 256, 256} }

// Info describes one scheme to the registry. Kind, Sorted and Bytes may be left
// out: without them a scheme is run, but nothing is predicted about it.
type Info struct {
	Number int                          // 1 to 7, as in the paper, a variant's that of its base scheme; 0 for a scheme that is not the paper's
	Name   string                       // "hashunsorted"; a variant adds a suffix: "ordered-rear"
	Title  string                       // "Hashed wheel, unsorted lists"
	Doc    string                       // the text of the package's doc.go
	Kind   Kind                         // the structure in which timers wait
	Sorted bool                         // a List, or each slot, is in the order of deadlines: Start searches it, PerTick reads its first timer
	New    func(Config) (Scheme, error) // a bad Config is an error wrapping ErrConfig
	Range  func(Config) Tick            // the longest interval that New(config)'s scheme accepts
	Study  bool                         // made to test a claim, not for use: it is measured, but never recommended

	// Bytes returns the bytes that New(c)'s scheme holds while n timers wait: its
	// records, slots, entries and nodes, in Go's heap and outside. Memory is held in
	// segments, and what c.Capacity reserves is included. Without that, timers are
	// assumed to spread evenly over the slots. Not included are the handles that the
	// client keeps, and what stopped timers leave (see Holder). 0 for a bad c.
	Bytes func(n int, c Config) int64
}

// Kind is the structure in which a scheme's timers wait. It says which fields of
// a Config size the scheme and, with Info.Sorted, how its cost grows. The zero
// Kind is valid: nothing is assumed about the scheme.
type Kind uint8

const (
	Other       Kind = iota
	List             // one list: schemes 1 and, sorted, 2
	Tree             // a heap or search tree: scheme 3
	Wheel            // a slot for every tick of the range: scheme 4
	HashedWheel      // slots that ticks share, M apart: schemes 6 and, sorted, 5
	Hierarchy        // wheels of different granularity: scheme 7
)

// String returns the kind in lower case: "hashed wheel".
func (k Kind) String() string {
	names := [...]string{"other", "list", "tree", "wheel", "hashed wheel", "hierarchy"}
	if int(k) >= len(names) {
		return fmt.Sprintf("Kind(%d)", k)
	}
	return names[k]
}

// HasSlots reports whether Config.Slots sizes schemes of this kind.
func (k Kind) HasSlots() bool { return k == Wheel || k == HashedWheel }

// HasLevels reports whether Config.Levels sizes schemes of this kind.
func (k Kind) HasLevels() bool { return k == Hierarchy }

// ForStudy returns the Info marked as made for study.
func (i Info) ForStudy() Info {
	i.Study = true
	return i
}

// IsBase reports whether this is a scheme of its own, as the seven are, not a
// variant of one: what follows from a scheme's structure, such as exact counts and
// the range, is asked of those alone.
func (i *Info) IsBase() bool { return !strings.Contains(i.Name, "-") }

// Counts are the operations of a scheme since it was made. They are exact and
// the same on every machine.
type Counts struct {
	Compares   uint64 // timers compared with on the way to a place in an ordered list or tree, the one that ends the search included; passed in a tree that closes a gap
	Visits     uint64 // timers that PerTick looked at: expiring, decremented, migrating ones, a list's head that is not due, and all of an overflow list that is walked
	Links      uint64 // +1 on entering a list, tree or slot, +1 on leaving it; the due list and migrations are free
	Migrations uint64 // moves of a timer to a lower wheel, or from an overflow list into the wheel; a move straight to the due list is none
	EmptySlots uint64 // slots of the lowest wheel that PerTick found empty; 0 for schemes 1 to 3
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
func (c Counts) Add(d Counts) Counts {
	return Counts{
		Compares:   c.Compares + d.Compares,
		Visits:     c.Visits + d.Visits,
		Links:      c.Links + d.Links,
		Migrations: c.Migrations + d.Migrations,
		EmptySlots: c.EmptySlots + d.EmptySlots,
	}
}

// Errors that schemes wrap. Their texts name the scheme, the value and what is
// allowed.
var (
	ErrInterval = errors.New("interval out of range") // Start: 0, above the range, or past the clock's end
	ErrConfig   = errors.New("bad configuration")     // New: a negative size, a radix below 1, more than MaxSlots slots
	ErrHandle   = errors.New("stale handle")          // Restart: no such timer, or no more
	ErrFull     = errors.New("storage full")          // Start: no record left and no room for more
)

// Optional interfaces, discovered by type assertion. The registry's schemes
// implement all but OffHeaper and the last two, and fmt.Stringer, which draws the structure in
// at most some dozens of lines.
type (
	// Counter tells the operations counted so far. O(1).
	Counter interface{ Counts() Counts }

	// Checker verifies the structural invariants and names the first that is
	// broken. O(n + M), iterative, without effect on the scheme.
	Checker interface{ Check() error }

	// Sized tells the timers outstanding, due ones not yet handed out included.
	// O(1).
	Sized interface{ Len() int }

	// Restarter stops a timer and starts it anew in one operation, which counts
	// as one stop and one start. A stale handle is ErrHandle, a bad interval
	// ErrInterval and the timer stays as it was; after success h is stale.
	Restarter interface {
		Restart(h Handle, interval Tick) (Handle, error)
	}

	// Identifier tells the ID of the timer that h names; false for a handle that Stop
	// refuses. O(1).
	Identifier interface {
		ID(h Handle) (id ID, ok bool)
	}

	// OffHeaper tells the bytes that a scheme holds outside Go's heap, which the
	// runtime does not count. Those without have none.
	OffHeaper interface{ OffHeap() int }

	// Nexter tells the ticks until the earliest outstanding timer is due, exactly
	// and without passing them: 0 if one is due already, false if there is none.
	Nexter interface {
		Next() (wait Tick, ok bool)
	}

	// Advancer passes ticks as PerTick does, until something is due or max of them
	// have passed, but steps over those on which nothing is to be done. It tells how
	// many passed and how many timers the last one moved to the due list. It passes
	// one tick even if timers were due before; at the clock's end, or for a max of
	// 0, none. What it steps over is in no count, and what many ticks do to one
	// timer may be one visit.
	Advancer interface {
		Advance(max Tick) (passed Tick, due int)
	}

	// Bounder is a scheme that trades precision: Bound tells the worst error of a
	// timer of this interval over all clocks, as the ticks that it may be due too
	// early (less than the interval) and too late. The error depends on the
	// interval and the clock at its start alone. A scheme without Bound is exact.
	Bounder interface {
		Bound(interval Tick) (early, late Tick)
	}

	// Holder is a scheme that stops lazily: Held tells the records that it holds,
	// those of stopped timers not yet discarded included. A stopped timer counts
	// as leaving (Counts.Links) when it is discarded. O(1).
	Holder interface{ Held() int }
)
