package hierarchical

import (
	"fmt"
	"math"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/module"
	"timerlab/schemes/internal/slab"
)

// variant is how a variant starts timers; all else is the same in every variant. The
// zero variant is the paper's: level by digit, nothing rounded.
type variant struct {
	byInterval  bool        // the interval's size tells the level, not the deadline's digits
	granularity granularity // what deadlines are rounded to
	rounding    rounding    // and how
	onDemand    bool        // only the lowest level is there from the start
}

// granularity is what the deadline of a timer on level l becomes a multiple of.
type granularity uint8

const (
	tick      granularity = iota // of 1: exact
	slotBelow                    // of the weight of level l-1: one migration at most
	slot                         // of the weight of level l: none
)

type rounding uint8

const (
	down    rounding = iota
	nearest          // up if in the middle
	up
)

// rule is a form on one level.
type rule struct {
	takes       schemes.Tick // the longest interval that is for this level, if the interval tells
	granularity schemes.Tick // deadlines become multiples of this
	lead        schemes.Tick // rounding adds up to this, and takes off up to grain-1-lead
}

// rules returns the form's rule on each level.
//
// What a level takes is its span less the lead. The slot of the clock is then at
// most radix slots before that of the rounded deadline: at worst the clock is in
// the last tick of its slot, weight-1 behind its beginning, and weight-1 + takes +
// lead is less than radix+1 slots. And it is at least one slot before: a longer
// interval than the level below takes, plus this level's lead, which is no less
// than the one below, is more than a slot of this level. A wheel whose span
// exceeds the clock takes what the clock can hold.
func (f variant) rules(levels []level) []rule {
	rules := make([]rule, len(levels))
	for l := range levels {
		g := levels[f.grainLevel(l)].weight
		r := rule{takes: math.MaxUint64, granularity: g, lead: f.lead(g)}
		if span := levels[l].span(); span < math.MaxUint64 {
			r.takes = span - r.lead
		}
		rules[l] = r
	}
	return rules
}

// grainLevel returns the level whose weight deadlines on level l are rounded to.
func (f variant) grainLevel(l int) int {
	switch f.granularity {
	case slot:
		return l
	case slotBelow:
		return max(l-1, 0)
	}
	return 0
}

func (f variant) lead(grain schemes.Tick) schemes.Tick {
	switch f.rounding {
	case up:
		return grain - 1
	case nearest:
		return grain / 2
	}
	return 0
}

// round returns the multiple of the grain for this deadline; false: it might lie
// past the clock's end. O(1): an AND for powers of two, else a division.
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

// startByRule is Start where the form wants it. O(m), but for the moments when
// levels are made.
func (w *wheels) startByRule(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, err := w.Module.Start(interval, w.longest, id, 1)
	if err != nil {
		return 0, err
	}
	if err := w.cover(interval); err != nil {
		w.Free(i)
		return 0, err
	}
	head, due := w.spot(interval)
	w.At(i).Key = uint64(due)
	return w.Enter(head, i), nil
}

// restartByRule is Restart where the form wants it. It makes levels before it
// touches the timer, which stays if there is no room for them.
func (w *wheels) restartByRule(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if _, err := w.Restartable(h, interval, w.longest); err != nil {
		return 0, err
	}
	if err := w.cover(interval); err != nil {
		return 0, err
	}
	head, due := w.spot(interval)
	return w.RestartIn(head, h, interval, w.longest, uint64(due))
}

// cover makes the levels for this interval that are not there yet.
func (w *wheels) cover(interval schemes.Tick) error {
	if interval > w.reach && !w.addLevels(interval) {
		return fmt.Errorf("hierarchical-ondemand: interval %d, no room for the levels of more than %d: %w", interval, w.reach, schemes.ErrFull)
	}
	return nil
}

// spot returns the slot for a timer of this interval, and the tick on which it
// will be due there. A deadline so late that rounding might lead past the clock's
// end stays exact, and waits by the digit rule. O(m).
func (w *wheels) spot(interval schemes.Tick) (head uint32, due schemes.Tick) {
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

// longest is the range of the form's scheme.
func (f variant) longest(cfg schemes.Config) schemes.Tick {
	if f.onDemand {
		return math.MaxUint64
	}
	if _, err := countSlots(radices(cfg)); err != nil || !f.byInterval {
		return longest(cfg)
	}
	return reachOf(f.rules(makeLevels(radices(cfg), 0)))
}

// bytes is Info.Bytes of the form's scheme. Of levels that are made on demand it counts
// those of the Config.
func (f variant) bytes(n int, cfg schemes.Config) int64 {
	slots, err := countSlots(radices(cfg))
	if err != nil || cfg.Capacity < 0 {
		return 0
	}
	if first := radices(cfg)[0]; f.onDemand && first < slots {
		return module.Bytes(n, cfg, first) + slab.AddedBytes(slots-first)
	}
	return module.Bytes(n, cfg, slots)
}

func (f variant) legend() string {
	if f.granularity == tick {
		return "deadline"
	}
	return "rounded deadline"
}

// bounded is wheels that round. It is a type of its own because Bound tells a
// scheme that errs from an exact one by being there.
type bounded struct{ wheels }

// Bound returns the worst error of a timer of this interval. By interval it is
// what rounding does on its level. By digit the worst is on the highest level,
// just before the clock enters a new slot of it: any timer that expires in that
// slot waits there, however short its interval, and rounding takes off all of it
// but the tick into the slot, or the grain less one. Some clock attains it, save
// for an interval that leaves the clock less than two slots of that level. O(m).
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
