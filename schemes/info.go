package schemes

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Info describes one scheme to the registry. Kind, Sorted, Slots and Bytes may be left
// out: without them a scheme is run, but nothing is predicted about it.
type Info struct {
	Number int                          // 1 to 7, as in the paper, also of variants; 0 for other schemes
	Name   string                       // "hashunsorted"; a variant adds a suffix: "ordered-rear"
	Title  string                       // "Hashed wheel, unsorted lists"
	Doc    string                       // the text of the package's doc.go, then of its variants.md
	Kind   Kind                         // the structure in which timers wait
	Sorted bool                         // a List or slot is sorted: Start searches it, PerTick reads its first timer
	New    func(Config) (Scheme, error) // a bad Config is an error wrapping ErrConfig
	Range  func(Config) Tick            // the longest interval that New(config)'s scheme accepts
	Slots  func(Config) []int           // slots of each wheel that New(config)'s scheme holds, lowest first; nil: none
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

// Span returns the ticks that wheels of these Levels reach together: their product, or the clock's end
// if that is less. A slot of level l lasts Span(levels[:l]) ticks.
func Span(levels []int) Tick {
	span := uint64(1)
	for _, radix := range levels {
		high, low := bits.Mul64(span, uint64(radix))
		if high > 0 {
			return math.MaxUint64
		}
		span = low
	}
	return Tick(span)
}

// IsBase reports whether this is a scheme of its own, as the seven are, not a variant
// of one. Only base schemes must have what follows from a scheme's structure, such as
// exact counts and the range.
func (i *Info) IsBase() bool { return !strings.Contains(i.Name, "-") }
