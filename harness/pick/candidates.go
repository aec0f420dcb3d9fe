package pick

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Limits are what a candidate must keep.
type Limits struct {
	Memory int64         `json:"memory_bytes,omitempty"`  // for timers and slots; 0: no limit
	Tail   time.Duration `json:"tick_p99_9_ns,omitempty"` // of PerTick; 0: no limit
	Late   float64       `json:"late,omitempty"`          // how late a timer may be, as a share of its interval
	Only   []string      `json:"schemes,omitempty"`       // by name; none: all that are eligible
}

// Rejected is a candidate that does not race, and why.
type Rejected struct {
	run.Subject
	Why string `json:"why"`
}

// Eligible returns the schemes that may race: all of the registry but the variants that only
// study a claim and, unless timers may be late, those that round deadlines.
func (l Limits) Eligible() (all []*schemes.Info) {
	for _, info := range harness.Schemes {
		wanted := len(l.Only) == 0 || slices.Contains(l.Only, info.Name)
		if wanted && !info.Study && (l.Late > 0 || !rounds(info)) {
			all = append(all, info)
		}
	}
	return all
}

// rounds reports whether a scheme trades precision.
func rounds(info *schemes.Info) bool {
	_, ok := specimen(info).(schemes.Bounder)
	return ok
}

// specimen returns a small instance of a scheme, to see what it implements; nil: there is none.
func specimen(info *schemes.Info) schemes.Scheme {
	s, _ := info.New(schemes.Config{Slots: 1, Levels: []int{2, 2}})
	return s
}

// Subject is a scheme with its sizes.
type Subject = run.Subject

// Candidates returns the subjects that may race, those first that touch the fewest records by
// the paper's table of costs, and the subjects that may not.
func Candidates(w Workload, l Limits) (in []run.Subject, out []Rejected) {
	for _, info := range slices.Backward(l.Eligible()) { // faster variants come later in the registry
		for _, c := range sized(info, w) {
			if why := unfit(c, w, l); why != "" {
				out = append(out, Rejected{c, why})
			} else {
				in = append(in, c)
			}
		}
	}
	slices.SortStableFunc(in, func(a, b run.Subject) int { return cmp.Compare(touched(a, w), touched(b, w)) })
	return in, out
}

const (
	leastSlots = 256
	mostSlots  = 1 << 24 // some 512 MB of slots
)

// sized returns a scheme at the sizes that are worth trying.
func sized(info *schemes.Info, w Workload) (all []run.Subject) {
	switch {
	case info.Kind.HasLevels():
		for _, levels := range shapes(w.Longest) {
			all = append(all, run.Subject{Label: info.Name, Info: info, Levels: levels})
		}
		return all
	case info.Kind == schemes.Wheel: // a slot for every tick of the longest interval
		return slotted(info, powerOfTwo(uint64(w.Longest)))
	case info.Kind.HasSlots():
		return slotted(info, hashed(w)...)
	}
	return slotted(info, 0)
}

// slotted returns a scheme with each of these numbers of slots.
func slotted(info *schemes.Info, sizes ...int) (all []run.Subject) {
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

// hashed returns the M of hashed wheels. More slots than the longest interval has ticks bring
// nothing; with far fewer than the mean stay, timers are visited many times; with about n, a
// slot has one timer.
func hashed(w Workload) (all []int) {
	longest, stay := powerOfTwo(uint64(w.Longest)), powerOfTwo(uint64(w.Residence))
	for _, slots := range []int{4 * stay, stay, stay / 4, longest, powerOfTwo(uint64(w.N))} {
		all = append(all, min(max(min(slots, longest), leastSlots), mostSlots))
	}
	if w.Slots > 0 {
		all = append(all, w.Slots)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// shapes returns the radices of hierarchies that span an interval: 2 to 6 equal levels, in which
// the lower ones get the remainder, a lowest wheel of 256, and 64 slots a level as in Tokio and
// Linux.
func shapes(longest schemes.Tick) (all [][]int) {
	width := max(bits.Len64(uint64(longest)), 2)
	add := func(levels int, bitsOf func(level int) int) {
		radices := make([]int, levels)
		for l := range radices {
			radices[l] = 1 << bitsOf(l)
		}
		known := slices.ContainsFunc(all, func(r []int) bool { return slices.Equal(r, radices) })
		if levels > 1 && slices.Max(radices) <= 1<<16 && !known {
			all = append(all, radices)
		}
	}
	for levels := 2; levels <= 6; levels++ {
		if width/levels >= 3 || width < 6 && levels == 2 { // below 8 slots a wheel does little but migrate
			add(levels, func(l int) int { return (width + levels - 1 - l) / levels })
		}
	}
	for _, each := range []int{8, 6} {
		add((width+each-1)/each, func(l int) int { return min(each, width-l*each) })
	}
	return all
}

// memory estimates the bytes that a candidate holds for n timers; 0: unknown.
func memory(c run.Subject, n int) int64 {
	if c.Info.Bytes == nil {
		return 0
	}
	return c.Info.Bytes(n, c.Config(n))
}

const (
	// estimateMargin is how far an estimate of memory may exceed the limit: what is nearer
	// runs, and is judged by the bytes that it was measured to hold.
	estimateMargin = 1.2

	// mostTouched is how many records a candidate may touch for each timer, by an estimate
	// from above. A wheel touches about 4, a heap of four billion timers 64.
	mostTouched = 64
)

// unfit returns why a candidate cannot serve the workload, or "".
func unfit(c run.Subject, w Workload, l Limits) string {
	if reach := c.Info.Range(c.Config(0)); w.Longest > reach {
		return fmt.Sprintf("its range is %d ticks, the longest interval %d", reach, w.Longest)
	}
	if c.TotalSlots() > mostSlots {
		return fmt.Sprintf("%d slots, more than the %d that are tried", c.TotalSlots(), mostSlots)
	}
	if bytes := float64(memory(c, w.N)); l.Memory > 0 && bytes > estimateMargin*float64(l.Memory) {
		return fmt.Sprintf("it needs about %s, the limit is %s",
			results.FormatBytes(bytes), results.FormatBytes(float64(l.Memory)))
	}
	if n := touched(c, w); n > mostTouched && w.N > 1000 {
		return fmt.Sprintf("%s records touched per timer, by the paper's table of costs", results.FormatNumber(n))
	}
	if l.Late > 0 && rounds(c.Info) {
		return tooLate(c, w, l.Late)
	}
	return ""
}

// touched estimates the records that a timer costs. The first of a tick is the tick itself,
// which every scheme has.
func touched(c run.Subject, w Workload) float64 {
	steps := cost.Estimate(c.Info, w.N, usedSlots(c, w), w.Rate)
	return steps.Start + (steps.Tick-1)/w.Rate
}

// usedSlots returns the slots in which timers wait: at most the ticks of the longest interval
// and, of sorted slots with fixed phases, one at worst.
func usedSlots(c run.Subject, w Workload) int {
	if w.Script != nil && c.Info.Sorted {
		return 1
	}
	return max(1, int(min(schemes.Tick(c.Slots), w.Longest)))
}

// tooLate returns why a candidate that trades precision cannot serve the workload, or "".
func tooLate(c run.Subject, w Workload, late float64) string {
	s, err := c.Info.New(c.Config(0))
	if err != nil {
		return err.Error()
	}
	b := s.(schemes.Bounder)
	for _, l := range w.Lives {
		if early, after := b.Bound(l.Interval); early > 0 || after > schemes.Tick(late*float64(l.Interval)) {
			return fmt.Sprintf("an interval of %d ticks may expire %d early and %d late", l.Interval, early, after)
		}
	}
	return ""
}
