package hierarchical

import (
	"fmt"
	"math"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// newWheels returns the empty wheels that cfg means.
func newWheels(name string, cfg schemes.Config) (wheels, error) {
	if _, err := countSlots(radices(cfg)); err != nil {
		return wheels{}, fmt.Errorf("%s: %w", name, err)
	}
	levels := makeLevels(radices(cfg), cfg.Now)
	top := levels[len(levels)-1]
	s, err := store.New(name, cfg, int(top.head+top.radix-store.Due-1))
	if err != nil {
		return wheels{}, err
	}
	s.Range = longest(cfg)
	return wheels{Store: s, levels: levels, lowest: &levels[0], placement: placement(levels)}, nil
}

// radices returns the slots of each wheel that cfg means.
func radices(cfg schemes.Config) []int {
	if len(cfg.Levels) == 0 {
		return schemes.DefaultLevels()
	}
	return cfg.Levels
}

// countSlots returns the slots of all wheels together.
func countSlots(radices []int) (int, error) {
	total := 0
	for l, radix := range radices {
		if radix < 1 || radix > schemes.MaxSlots {
			return 0, fmt.Errorf("level %d has %d slots (allowed 1 to %d): %w",
				l, radix, schemes.MaxSlots, schemes.ErrConfig)
		}
		if radix > schemes.MaxSlots-total {
			sum := int64(total) + int64(radix)
			return 0, fmt.Errorf("%d slots up to level %d (allowed 1 to %d): %w",
				sum, l, schemes.MaxSlots, schemes.ErrConfig)
		}
		total += radix
	}
	return total, nil
}

// makeLevels returns the wheels at the time now. Levels whose slots would outlast the clock
// are never reached and left out.
func makeLevels(radices []int, now schemes.Tick) []level {
	var levels []level
	weight, head := schemes.Tick(1), store.Due+1
	for _, radix := range radices {
		levels = append(levels, newLevel(weight, uint32(radix), head, now))
		head += uint32(radix)
		high, low := bits.Mul64(uint64(weight), uint64(radix))
		if high > 0 {
			break
		}
		weight = schemes.Tick(low)
	}
	return levels
}

// longest is the range: the product of the radices, or the whole clock if the
// product exceeds it.
func longest(cfg schemes.Config) schemes.Tick {
	reach := uint64(1)
	for _, radix := range radices(cfg) {
		if radix < 1 || reach > math.MaxUint64/uint64(radix) {
			return math.MaxUint64
		}
		reach *= uint64(radix)
	}
	return schemes.Tick(reach)
}
