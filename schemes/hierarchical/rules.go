package hierarchical

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// variant selects the level rule and rounding of Start. Nothing else differs between
// variants. The zero variant is the paper's: level by digit, no rounding.
type variant struct {
	byInterval  bool        // the level follows from the interval's size, not from the deadline's digits
	granularity granularity // what deadlines are rounded to
	rounding    rounding    // and how
	onDemand    bool        // New makes only the lowest level
}

// granularity: deadlines on level l are rounded to a multiple of it.
type granularity uint8

const (
	tick      granularity = iota // 1: exact
	slotBelow                    // the weight of level l-1: one migration at most
	slot                         // the weight of level l: no migration
)

type rounding uint8

const (
	down    rounding = iota
	nearest          // up if in the middle
	up
)

// rule is a variant on one level.
type rule struct {
	takes       schemes.Tick // by interval: the longest interval for this level
	granularity schemes.Tick // deadlines are rounded to a multiple of it
	lead        schemes.Tick // rounding adds up to lead, and subtracts up to granularity-1-lead
}

// rules returns the variant's rule on each level.
//
// A level takes its span less the lead. The slot of the clock is then at most radix
// slots before that of the rounded deadline: at worst the clock is in the last tick of
// its slot, weight-1 after its beginning, and weight-1 + takes + lead is less than
// radix+1 slots. And it is at least one slot before: an interval longer than the level
// below takes, plus this level's lead, which is no less than the one below, is more than
// a slot of this level. A wheel whose span exceeds the clock takes what the clock can
// hold.
func (v variant) rules(levels []level) []rule {
	rules := make([]rule, len(levels))
	for l := range levels {
		g := levels[v.roundingLevel(l)].weight
		r := rule{takes: math.MaxUint64, granularity: g, lead: v.lead(g)}
		if span := levels[l].span(); span < math.MaxUint64 {
			r.takes = span - r.lead
		}
		rules[l] = r
	}
	return rules
}

// roundingLevel returns the level to whose weight deadlines on level l are rounded.
func (v variant) roundingLevel(l int) int {
	switch v.granularity {
	case slot:
		return l
	case slotBelow:
		return max(l-1, 0)
	}
	return 0
}

func (v variant) lead(granularity schemes.Tick) schemes.Tick {
	switch v.rounding {
	case up:
		return granularity - 1
	case nearest:
		return granularity / 2
	}
	return 0
}

// round returns the deadline, rounded; false if that might lie past the clock's end. O(1):
// an AND for powers of two, else a division.
func (r *rule) round(deadline schemes.Tick) (schemes.Tick, bool) {
	sum, past := bits.Add64(uint64(deadline), uint64(r.lead), 0)
	t := schemes.Tick(sum)
	if r.granularity&(r.granularity-1) == 0 {
		return t &^ (r.granularity - 1), past == 0
	}
	return t - t%r.granularity, past == 0
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

// reachOf returns the longest interval that some level takes. That is not always
// the highest: a wheel of one slot takes less than the one below it if it rounds.
func reachOf(rules []rule) (reach schemes.Tick) {
	for _, r := range rules {
		reach = max(reach, r.takes)
	}
	return reach
}

// ruled is scheme 7 with a variant's rules. Invariant: a waiting timer's Key is the tick on which
// it will be due, its deadline or that rounded, and it is in the slot of its Key's digit on some
// level that fits.
type ruled struct {
	wheels
	variant variant
	rules   []rule       // the variant on each level
	reach   schemes.Tick // the longest interval that these levels take: less than the range if they are made on demand
	radices []int        // of all levels, if they are made on demand
}

func newRuled(name string, cfg schemes.Config, v variant) (*ruled, error) {
	if _, err := countSlots(radices(cfg)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w, err := newWheels(name, cfg, v.atFirst(radices(cfg)))
	if err != nil {
		return nil, err
	}
	w.Range = v.longest(cfg)
	r := &ruled{wheels: w, variant: v, rules: v.rules(w.levels), radices: slices.Clone(radices(cfg))}
	r.reach = reachOf(r.rules)
	return r, nil
}

// Start puts the timer into its slot. O(m), except when levels are made.
func (w *ruled) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if err := w.cover(interval); err != nil {
		return 0, err
	}
	head, due := w.spot(interval)
	return w.Begin(head, interval, id, uint64(due))
}

// Restart moves the timer to its new slot. It makes levels before it touches the timer, which
// stays if there is no room for them. O(m).
func (w *ruled) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if _, err := w.Renewable(h, interval); err != nil {
		return 0, err
	}
	if err := w.cover(interval); err != nil {
		return 0, err
	}
	head, due := w.spot(interval)
	return w.Move(h, head, interval, uint64(due))
}

// cover makes the missing levels for this interval, if a timer of it can be started.
func (w *ruled) cover(interval schemes.Tick) error {
	if w.Refuses(interval, w.Range) {
		return w.BadInterval(interval, w.Range)
	}
	if interval > w.reach && !w.addLevels(interval) {
		return fmt.Errorf("%s: interval %d, no room for the levels of more than %d: %w",
			w.Name, interval, w.reach, schemes.ErrFull)
	}
	return nil
}

// spot returns the slot for a timer of this interval, and the tick on which it will be due
// there. If rounding might lead past the clock's end, the deadline stays exact, and the
// timer waits by the digit rule. O(m).
func (w *ruled) spot(interval schemes.Tick) (head uint32, due schemes.Tick) {
	deadline := w.Now + interval
	l := 0
	if w.variant.byInterval {
		l = byInterval(w.rules, interval)
	} else {
		l = byDigit(w.levels, deadline)
	}
	due, ok := w.rules[l].round(deadline)
	if !ok {
		return place(w.levels, deadline), deadline
	}
	v := &w.levels[l]
	return v.head + v.digit(due), due
}

// longest is the range of the variant.
func (v variant) longest(cfg schemes.Config) schemes.Tick {
	if v.onDemand {
		return math.MaxUint64
	}
	if _, err := countSlots(radices(cfg)); err != nil || !v.byInterval {
		return longest(cfg)
	}
	return reachOf(v.rules(makeLevels(radices(cfg), 0)))
}

// bytes is Info.Bytes of the variant. Of levels that are made on demand it counts those of
// the Config.
func (v variant) bytes(n int, cfg schemes.Config) int64 {
	slots, err := countSlots(radices(cfg))
	if err != nil || cfg.Capacity < 0 {
		return 0
	}
	return store.Bytes(n, cfg, slots)
}

// Check verifies the wheels. O(n + M).
func (w *ruled) Check() error {
	if reach := reachOf(w.variant.rules(w.levels)); w.reach != reach {
		return fmt.Errorf("%s: the reach is %d, the levels take %d", w.Name, w.reach, reach)
	}
	return w.check(func(l int, slot uint32, deadline schemes.Tick) bool {
		v := &w.levels[l]
		return v.fits(deadline, w.Now) && v.head+v.digit(deadline) == slot
	})
}

// String draws the wheels, the highest first.
func (w *ruled) String() string {
	if w.variant.granularity == tick {
		return w.draw("id(deadline)")
	}
	return w.draw("id(rounded deadline)")
}

// bounded is a variant that rounds. It is a separate type because having a Bound method marks a
// scheme that is not exact.
type bounded struct{ *ruled }

// Bound returns the worst error of a timer of this interval. By interval it is the
// rounding error on its level. By digit the worst case is on the highest level, just
// before the clock enters a new slot of it: any timer that is due in that slot waits
// there, however short its interval, and rounding subtracts all of it but one tick, or the
// granularity less one. Some clock attains this, except for an interval that leaves the
// clock less than two slots of that level. O(m).
func (b *bounded) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	switch {
	case interval < 1 || interval > b.reach:
		return 0, 0
	case !b.variant.byInterval:
		return min(interval, b.rules[len(b.rules)-1].granularity) - 1, 0
	}
	r := b.rules[byInterval(b.rules, interval)]
	return r.granularity - 1 - r.lead, r.lead
}
