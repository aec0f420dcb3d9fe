package schemes

import (
	"fmt"
	"slices"
	"strings"
)

// Info describes one scheme to the registry. Kind, Sorted and Bytes may be left
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
	Study  bool                         // made to test a claim, not for use: it is measured, but never recommended
	Ahead  bool                         // timers migrate ahead of time: Levels are revolutions, see Wheels

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

// Wheels returns the slots of each wheel of New's scheme, if it has these Levels: as many, or, if
// timers migrate ahead of time, those of two revolutions on all wheels but the highest.
func (i *Info) Wheels(levels []int) []int {
	slots := slices.Clone(levels)
	for l := range slots[:max(len(slots), 1)-1] {
		if i.Ahead {
			slots[l] *= 2
		}
	}
	return slots
}

// ForStudy returns the Info marked as made for study.
func (i Info) ForStudy() Info {
	i.Study = true
	return i
}

// IsBase reports whether this is a scheme of its own, as the seven are, not a variant
// of one. Only base schemes must have what follows from a scheme's structure, such as
// exact counts and the range.
func (i *Info) IsBase() bool { return !strings.Contains(i.Name, "-") }
