package claims

import (
	"strings"

	"timerlab/harness/results"
)

// setsOfCells are the cells that comparisons of times are made on, by the names in claims.txt.
var setsOfCells = map[string]func(results.Key) bool{
	"few":        isFew,
	"single":     isSingle,
	"oneOrTwo":   func(k results.Key) bool { return isTicks(k) && (k.N == "1" || k.N == "2") },
	"trees":      IsTrees,
	"trees10k":   both(IsTrees, timersFrom(10_000, 100_000)),
	"hash":       isHash(hashSlots),
	"curve":      both(notOwn, func(k results.Key) bool { return k.Dist != "" }),
	"curve100k":  onlyTimers("100k"),
	"levels":     both(forLevels, func(k results.Key) bool { return strings.Count(k.Levels, "x") < 5 }),
	"levels4":    both(forLevels, func(k results.Key) bool { return strings.Count(k.Levels, "x") == 3 }),
	"everyN":     func(results.Key) bool { return true },
	"n≥100k":     timersFrom(100_000, 1<<62),
	"n10k..100k": timersFrom(10_000, 100_000),
	"n=1M":       timersFrom(1_000_000, 1_000_000),
}

// ownSet is the key by which cells are known that only claims read: curves and the
// choice between 6 and 7 are drawn from others.
const ownSet = "/set=claims"

// Own reports whether only claims read this cell.
func Own(k results.Key) bool { return strings.Contains(k.Rest, ownSet) }

// IsTrees reports whether the cell compares trees and wheels by lifetimes.
func IsTrees(k results.Key) bool { return isTrees(k) && k.Op == lifetime && !isHash(heapSlots)(k) }

func notOwn(k results.Key) bool { return !Own(k) }

func isTrees(k results.Key) bool { return Own(k) && k.T == results.FormatCount(timedT) }
func isTicks(k results.Key) bool { return Own(k) && k.T == results.FormatCount(ticksT) }
func isFew(k results.Key) bool   { return Own(k) && k.T == results.FormatCount(fewTimers) }
func isVisit(k results.Key) bool { return Own(k) && k.T == results.FormatCount(visitT) }

// isSingle keeps the cells of ticks with next to no timers.
func isSingle(k results.Key) bool { return isTicks(k) && k.N == "1" }

func forLevels(k results.Key) bool { return isHash(256)(k) && k.N == results.FormatCount(20_000) }

func isHash(slots uint64) func(results.Key) bool {
	return func(k results.Key) bool { return isTrees(k) && k.Slots == results.FormatCount(slots) }
}

// timersFrom keeps the cells with n from least to most.
func timersFrom(least, most uint64) func(results.Key) bool {
	return func(k results.Key) bool { return timersOf(k) >= least && timersOf(k) <= most }
}

// onlyTimers keeps the cells of curves with n timers.
func onlyTimers(n string) func(results.Key) bool {
	return func(k results.Key) bool { return k.N == n && notOwn(k) }
}

// both keeps what two filters keep.
func both(a, b func(results.Key) bool) func(results.Key) bool {
	return func(k results.Key) bool { return a(k) && b(k) }
}
