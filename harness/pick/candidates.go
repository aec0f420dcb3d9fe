package pick

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	"timerlab/harness"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/schemes/ordered"
)

// Limits are what a candidate must keep.
type Limits struct {
	Memory int64         `json:"memory_bytes,omitempty"`  // for timers and slots; 0: no limit
	Tail   time.Duration `json:"tick_p99_9_ns,omitempty"` // of PerTick; 0: no limit
	Late   float64       `json:"late,omitempty"`          // share of its interval by which a timer may be off, either way; 0: none
	Only   []string      `json:"schemes,omitempty"`       // by name; none: all that are eligible
}

// Rejected is a candidate that does not race, and why.
type Rejected struct {
	run.Subject
	Why string `json:"why"`
}

// Eligible returns the schemes that may race: all of the registry but variants that only study a claim. Variants that
// round deadlines may race if timers may be off, also those of a study.
func (l Limits) Eligible() (all []*schemes.Info) {
	for _, info := range harness.Schemes {
		may := !info.Study
		if _, rounds := specimen(info).(schemes.Bounder); rounds {
			may = l.Late > 0
		}
		if may && (len(l.Only) == 0 || slices.Contains(l.Only, info.Name)) {
			all = append(all, info)
		}
	}
	return all
}

// specimen returns a small instance of a scheme, to see what it implements; nil: there is none.
func specimen(info *schemes.Info) schemes.Scheme {
	s, _ := info.New(schemes.Config{Slots: 1, Levels: []int{16, 16}})
	return s
}

// bound returns the shares of its interval by which a timer of the workload may be due early, and late, at worst.
func (w Workload) bound(c run.Subject) (early, late float64) {
	if _, rounds := specimen(c.Info).(schemes.Bounder); !rounds {
		return 0, 0
	}
	s, err := c.Info.New(c.Config(0))
	if err != nil {
		return 0, 0 // it will not run
	}
	if held, ok := s.(schemes.Releaser); ok {
		defer held.Release()
	}
	for _, l := range w.Lives {
		e, t := s.(schemes.Bounder).Bound(l.Interval)
		early, late = max(early, float64(e)/float64(l.Interval)), max(late, float64(t)/float64(l.Interval))
	}
	return early, late
}

// lazy reports whether a scheme restarts lazily.
func lazy(info *schemes.Info) bool {
	_, is := specimen(info).(schemes.Holder)
	return is
}

// candidates returns the subjects that may race, and the subjects that cannot serve the workload. A thorough race has some
// more sizes.
func candidates(w Workload, l Limits, more int) (in []run.Subject, out []Rejected) {
	for _, info := range l.Eligible() {
		for _, c := range sized(info, w, more) {
			if why := unfit(c, w, l); why != "" {
				out = append(out, Rejected{c, why})
			} else {
				in = append(in, c)
			}
		}
	}
	return in, out
}

const (
	manyStarts = 1000    // a tick
	manyTimers = 100_000 // from which a lowest wheel beyond the second-level cache may pay
	fewStarts  = 0.1     // a tick, below which ticks on which nothing happens cost most: a larger lowest wheel makes them cheaper
	leastSlots = 64
	mostSlots  = 1 << 24 // some 512 MB of slots
	slotsEach  = 8       // for each timer, at most: of more, nearly all are empty
	fewSlots   = 1 << 18 // that are tried for any number of timers: they take some megabytes
)

// sized returns a scheme at the sizes that are worth trying.
func sized(info *schemes.Info, w Workload, more int) (all []run.Subject) {
	if info.Kind.HasLevels() {
		for _, levels := range shapes(w, more) {
			all = append(all, run.Subject{Label: info.Name, Info: info, Levels: levels})
		}
		return all
	}
	sizes := []int{0}
	if info.Kind == schemes.Wheel { // a slot for every tick of the longest interval
		sizes = []int{powerOfTwo(uint64(w.Longest))}
	} else if info.Kind.HasSlots() {
		sizes = hashed(w, more)
	}
	for _, slots := range sizes {
		all = append(all, run.Subject{Label: info.Name, Info: info, Slots: slots})
	}
	return all
}

// powerOfTwo returns the least power of two that is not less than x.
func powerOfTwo(x uint64) int {
	if x > 1<<40 {
		return 1 << min(41, bits.UintSize-2)
	}
	return 1 << bits.Len64(max(x, 1)-1)
}

// spans returns the interval that all but one in a thousand lives stay within, and the longest of
// all lives, which is less than the longest that is possible.
func (w Workload) spans() (most, all schemes.Tick) {
	shares := map[schemes.Tick]float64{}
	for _, l := range w.Lives {
		shares[schemes.Tick(powerOfTwo(uint64(l.Interval)))] += l.Share
		all = max(all, l.Interval)
	}
	most = schemes.Tick(powerOfTwo(uint64(all)))
	for rare := shares[most]; rare < 0.001 && most > 1; rare += shares[most] {
		most /= 2
	}
	return min(most, all), all
}

// hashed returns the M of hashed wheels. More slots than the longest interval has ticks hardly ever bring
// anything; with far fewer than the mean stay, timers are visited many times; with about n, a
// slot has one timer.
func hashed(w Workload, more int) (all []int) {
	most, longest := w.spans()
	stay, n := powerOfTwo(uint64(w.MeanStay)), powerOfTwo(uint64(w.N))
	sizes := []int{stay / 4, stay, 4 * stay, 16 * stay, n / 4, n, powerOfTwo(uint64(most)), powerOfTwo(uint64(longest))}
	if more > 0 {
		sizes = append(sizes, stay/16, stay/2, 2*stay, n/16, n/2, 2*n, 4*n)
	}
	for _, slots := range sizes {
		all = append(all, min(max(min(slots, powerOfTwo(uint64(longest))), leastSlots), mostSlots))
	}
	if w.Rate > manyStarts { // slots that are used again later are cold, but their lists are shorter
		all = append(all, max(leastSlots, min(64*powerOfTwo(uint64(longest)), powerOfTwo(uint64(w.N)), mostSlots)))
	}
	if w.Slots > 0 {
		all = append(all, w.Slots)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// shapes returns the radices of hierarchies: for most intervals and for all, 2 to 6 equal levels,
// in which the lower ones get the remainder, a large lowest wheel, and 256 or, as in Tokio
// and Linux, 64 slots a level. Further levels span the longest interval that is possible; they cost little.
func shapes(w Workload, more int) (all [][]int) {
	most, longest := w.spans()
	for _, span := range []schemes.Tick{most, longest} {
		width := max(bits.Len64(uint64(span)), 2)
		for levels := 2; levels <= 6+2*more; levels++ {
			if width/levels >= 3-more || width < 6 && levels == 2 { // below 8 slots a wheel does little but migrate
				all = append(all, split(width, levels))
			}
		}
		lowest := []int{8, 10, 11, 12, 13}
		if w.N >= manyTimers || w.Rate < fewStarts {
			lowest = append(lowest, 15, 16)
		}
		if more > 0 {
			lowest = append(lowest, 5, 7, 9, 14, 15)
		}
		for _, low := range lowest {
			if rest := width - low; rest > 0 {
				all = append(all, append([]int{1 << low}, split(rest, (rest+9)/10)...))
			}
		}
		for _, each := range []int{8, 6, 5}[:2+more] {
			radices := []int{}
			for left := width; left > 0; left -= each {
				radices = append(radices, 1<<min(each, left))
			}
			all = append(all, radices)
		}
	}
	for i := range all {
		for reach := schemes.Span(all[i]); reach < w.Longest || len(all[i]) < 2; reach *= 256 {
			all[i] = append(all[i], powerOfTwo(uint64(max(2, min(256, w.Longest/reach+1)))))
		}
	}
	slices.SortFunc(all, slices.Compare)
	all = slices.CompactFunc(all, slices.Equal)
	return slices.DeleteFunc(all, func(r []int) bool { return slices.Max(r) > 1<<16 })
}

// split divides a number of bits into the radices of equal levels.
func split(width, levels int) []int {
	radices := make([]int, levels)
	for l := range radices {
		radices[l] = 1 << ((width + levels - 1 - l) / levels)
	}
	return radices
}

// mostLists is how many lists ordered-durations may have. A tick on which a timer is due looks at the first timer of each list,
// which takes 1 to 2 ns: with 64 lists, as long as two or three lives. Random intervals have more: the lives are then points of their
// distribution, of which there are hundreds, and a program would make a list with nearly every start.
//
// A race is not fair to few lists either, where timers expire: it fills a scheme with timers for what is left of their
// intervals, and as long as those are outstanding there are far more lists than in a program.
const mostLists = 64

// intervals returns how many different intervals the lives have.
func (w Workload) intervals() int {
	seen := map[schemes.Tick]bool{}
	for _, l := range w.Lives {
		seen[l.Interval] = true
	}
	return len(seen)
}

// memory estimates the bytes that a candidate holds for n timers; 0: unknown.
func memory(c run.Subject, n int) int64 {
	if c.Info.Bytes == nil {
		return 0
	}
	return c.Info.Bytes(n, c.Config(n))
}

// estimateMargin is how far an estimate of memory may exceed the limit: what is nearer runs, and
// is judged by the bytes that it is measured to hold.
const estimateMargin = 2

// unfit returns why a candidate cannot serve the workload, or "".
func unfit(c run.Subject, w Workload, l Limits) string {
	if reach := c.Info.Range(c.Config(0)); w.Longest > reach {
		return fmt.Sprintf("its range is %d ticks, the longest interval %d", reach, w.Longest)
	}
	if c.TotalSlots() > mostSlots {
		return fmt.Sprintf("%d slots, more than the %d that are tried", c.TotalSlots(), mostSlots)
	}
	if intervals := w.intervals(); c.Info == &ordered.Durations && intervals > mostLists {
		return fmt.Sprintf("it has a list for each of %d intervals, more than the %d that are tried", intervals, mostLists)
	}
	if slots := c.TotalSlots(); slots > max(fewSlots, slotsEach*w.N) {
		return fmt.Sprintf("%d slots, more than %d for each timer", slots, slotsEach)
	}
	if early, late := w.bound(c); max(early, late) > l.Late {
		return fmt.Sprintf("a timer may be off by %s of its interval, more than %s",
			units.FormatPercent(max(early, late)), units.FormatPercent(l.Late))
	}
	if bytes := float64(memory(c, w.N)); l.Memory > 0 && bytes > estimateMargin*float64(l.Memory) {
		return fmt.Sprintf("it needs about %s, the limit is %s",
			units.FormatBytes(bytes), units.FormatBytes(float64(l.Memory)))
	}
	return ""
}
