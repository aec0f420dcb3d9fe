package hierarchical

import (
	"math"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// The variants of scheme 7 that choose the level by the size of the interval. They differ in how
// Start rounds a deadline. A variant that rounds has a Bound.
var (
	// ByInterval is exact.
	ByInterval = describe("interval", "Hierarchical wheels, level by interval", exact)

	// NoMigrate never migrates and rounds deadlines up: Nichols' variant, and Linux's since 4.8.
	NoMigrate = describe("nomigrate", "Hierarchical wheels without migration, rounded up", toSlot)

	// Once migrates once at most, to the level below, and rounds to the nearest.
	Once = describe("once", "Hierarchical wheels, one migration, rounded to nearest", toSlotBelow)
)

type rounding uint8

const (
	exact       rounding = iota
	toSlotBelow          // to the nearest multiple of the weight of level l-1: one migration at most
	toSlot               // up to a multiple of the weight of level l: no migration
)

func describe(suffix, title string, how rounding) schemes.Info {
	build := func(name string, cfg schemes.Config) (schemes.Scheme, error) {
		w, err := newWheels(name, cfg, reached(cfg))
		if err != nil {
			return nil, err
		}
		r := &ruled{w, how.rules(w.levels)}
		r.Range = reachOf(r.rules)
		if how == exact {
			return r, nil
		}
		return &bounded{r}, nil
	}
	v := variant(suffix, title, build, slotsOf, store.Bytes)
	v.Study = how != toSlot // Linux has no migration
	v.Range = func(cfg schemes.Config) schemes.Tick {
		if _, err := countSlots(radices(cfg)); err != nil {
			return longest(cfg)
		}
		return reachOf(how.rules(makeLevels(reached(cfg), reached(cfg), 0)))
	}
	return v
}

type rule struct {
	takes       schemes.Tick // the longest interval for this level
	granularity schemes.Tick // deadlines are rounded to a multiple of it
	lead        schemes.Tick // rounding adds up to lead, and subtracts up to granularity-1-lead
}

// rules returns the rule on each level.
//
// A level takes its span less the lead. The slot of the clock is then at most radix
// slots before the rounded deadline's: at worst the clock is in the last tick of
// its slot, weight-1 after its beginning, and weight-1 + takes + lead is less than
// radix+1 slots. And it is at least one slot before: an interval longer than the level
// below takes, plus this level's lead, which is no less than the one below, is more than
// a slot of this level. A wheel whose span exceeds the clock takes what the clock can
// hold.
func (how rounding) rules(levels []level) []rule {
	rules := make([]rule, len(levels))
	for l := range levels {
		r := rule{takes: math.MaxUint64, granularity: 1}
		switch how {
		case toSlot:
			r.granularity = levels[l].weight
			r.lead = r.granularity - 1
		case toSlotBelow:
			r.granularity = levels[max(l-1, 0)].weight
			r.lead = r.granularity / 2
		}
		if high, span := bits.Mul64(uint64(levels[l].weight), uint64(levels[l].radix)); high == 0 {
			r.takes = schemes.Tick(span) - r.lead
		}
		rules[l] = r
	}
	return rules
}

// reachOf returns the longest interval that some level takes. That is not always
// the highest: a wheel of one slot takes less than the one below it if it rounds.
func reachOf(rules []rule) (reach schemes.Tick) {
	for _, r := range rules {
		reach = max(reach, r.takes)
	}
	return reach
}

// byInterval returns the lowest level that takes the interval, which is within
// their reach. O(m).
func byInterval(rules []rule, interval schemes.Tick) int {
	l := 0
	for interval > rules[l].takes {
		l++
	}
	return l
}

// ruled is scheme 7 with a variant's rules. Invariant: a waiting timer's Key is the tick on which
// it will be due, its deadline or that rounded, and it is in the slot of its Key's digit on some
// level that fits.
type ruled struct {
	wheels
	rules []rule // the variant on each level
}

// Start puts the timer into its slot. O(m).
func (w *ruled) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if !w.Accepts(interval) {
		return w.StartSlow(w, interval, id)
	}
	head, due := w.spot(interval)
	i, r := w.Make(id, uint64(due))
	w.Insert(head, i, r)
	return r.Handle(), nil
}

// Restart moves the timer to its new slot. O(m).
func (w *ruled) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !w.Names(h) || !w.Renews(h, interval) {
		return w.RestartSlow(w, h, interval)
	}
	head, due := w.spot(interval)
	r := w.At(uint32(h))
	h = w.Renew(h, r, uint64(due))
	w.Insert(head, uint32(h), r)
	return h, nil
}

// spot returns the slot for a timer of this interval, which is in range, and the tick on which it
// will be due there. If rounding might lead past the clock's end, the deadline stays exact, and the
// timer waits by the digit rule. O(m).
func (w *ruled) spot(interval schemes.Tick) (head uint32, due schemes.Tick) {
	deadline := w.Now + interval
	l := byInterval(w.rules, interval)
	r := &w.rules[l]
	sum, past := bits.Add64(uint64(deadline), uint64(r.lead), 0)
	if past != 0 {
		return slotOf(w.levels, deadline), deadline
	}
	due = schemes.Tick(sum)
	if r.granularity&(r.granularity-1) == 0 {
		due &^= r.granularity - 1
	} else {
		due -= due % r.granularity
	}
	v := &w.levels[l]
	return v.first + v.digit(due), due
}

// Check verifies the wheels. O(n + M).
func (w *ruled) Check() error {
	return w.check(func(l int, slot uint32, deadline schemes.Tick) bool {
		// The deadline is in one of the level's next radix slots. The last of them is the pointer's own, where the
		// timer waits for the next revolution.
		v := &w.levels[l]
		ahead := deadline/v.weight - w.Now/v.weight // beyond radix if the deadline is in the past
		return ahead >= 1 && ahead <= schemes.Tick(v.radix) && v.first+v.digit(deadline) == slot
	})
}

// bounded is a variant that rounds. It is a separate type because having a Bound method marks a
// scheme that is not exact.
type bounded struct{ *ruled }

// Bound returns the worst error of a timer of this interval: the rounding error on its level. Some
// clock attains it. O(m).
func (b *bounded) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	if interval < 1 || interval > b.Range {
		return 0, 0
	}
	r := b.rules[byInterval(b.rules, interval)]
	return r.granularity - 1 - r.lead, r.lead
}

func (b *bounded) String() string { return b.draw("id(rounded deadline)") }
