package pick

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	"timerlab/harness/workload"

	"timerlab/harness/results"

	"timerlab/harness/cost"
	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
	"timerlab/schemes/unordered"
)

// Candidate is a scheme with its sizes.
type Candidate struct {
	Info   *schemes.Info
	Slots  int   // M, of schemes 4 to 6
	Levels []int // radices of scheme 7
}

// String returns the scheme and its sizes, as in "hierarchical-chunked 256x256x256x64".
func (c Candidate) String() string {
	switch {
	case len(c.Levels) > 0:
		return c.Info.Name + " " + results.Radices(c.Levels)
	case c.Slots > 0:
		return fmt.Sprintf("%s M=%s", c.Info.Name, FormatSlots(c.Slots))
	}
	return c.Info.Name
}

// FormatSlots writes M: a power of two from 1024 on with a binary suffix.
func FormatSlots(slots int) string {
	switch {
	case slots >= 1<<20 && slots%(1<<20) == 0:
		return fmt.Sprintf("%dMi", slots>>20)
	case slots >= 1<<10 && slots%(1<<10) == 0:
		return fmt.Sprintf("%dKi", slots>>10)
	}
	return fmt.Sprint(slots)
}

// Config returns the configuration for n timers.
func (c Candidate) Config(n int) schemes.Config {
	return schemes.Config{Capacity: n, Slots: c.Slots, Levels: c.Levels}
}

// Total returns the slots of all wheels together; 0 of a scheme without.
func (c Candidate) Total() int {
	sum := c.Slots
	for _, radix := range c.Levels {
		sum += radix
	}
	return sum
}

// LeftOut is a candidate that does not race, and why.
type LeftOut struct {
	Candidate
	Why string
}

// Limits are what a candidate must keep within.
type Limits struct {
	Memory int64         // bytes for timers and slots; 0: no limit
	Tail   time.Duration // the 99.9th percentile of PerTick's time; 0: no limit
	Slots  int           // M that the program uses today, which enters the race too; 0: none
	Late   float64       // by how much a timer may expire too late, as a part of its interval; 0: exact
	Only   []string      // schemes by name; none: all that are eligible
}

// eligible are the schemes that enter a race: the paper's seven, and the variants
// that do the same work faster, those that mostly win first. The others are there to test
// claims.
var eligible = []*schemes.Info{
	&hierarchical.Chunked, &hashunsorted.Chunked, &hierarchical.Info, &hashunsorted.Info, &simplewheel.Info,
	&tree.Quaternary, &tree.Info, &hashsorted.Info, &ordered.Rear, &ordered.Info, &unordered.Info,
}

// rounding are the schemes that enter if timers may be late.
var rounding = []*schemes.Info{&hierarchical.NoMigrate}

// Eligible returns the names of the schemes that may race.
func Eligible() (names []string) {
	for _, info := range eligible {
		names = append(names, info.Name)
	}
	return names
}

// Candidates returns who may race, and who may not.
func Candidates(w Workload, l Limits) (in []Candidate, out []LeftOut) {
	infos := eligible
	if l.Late > 0 {
		infos = slices.Concat(rounding, eligible)
	}
	for _, info := range infos {
		if len(l.Only) > 0 && !slices.Contains(l.Only, info.Name) {
			continue
		}
		for _, c := range sized(info, w.Numbers, l) {
			if why := unfit(c, w, l); why != "" {
				out = append(out, LeftOut{c, why})
			} else {
				in = append(in, c)
			}
		}
	}
	return in, out
}

const (
	leastSlots = 256
	mostSlots  = 1 << 24 // 512 MB of heads
)

// sized returns a scheme at the sizes that are worth trying.
func sized(info *schemes.Info, n workload.Numbers, l Limits) (all []Candidate) {
	switch info.Number {
	case 1, 2, 3:
		return []Candidate{{Info: info}}
	case 4: // a slot for every tick of the longest interval
		return []Candidate{{Info: info, Slots: power(uint64(n.Longest))}}
	case 7:
		for _, levels := range shapes(n.Longest) {
			all = append(all, Candidate{Info: info, Levels: levels})
		}
		return all
	}
	for _, slots := range hashed(n, l) {
		all = append(all, Candidate{Info: info, Slots: slots})
	}
	return all
}

// power returns the least power of two that is not less.
func power(x uint64) int {
	if x > 1<<40 {
		return 1 << min(41, bits.UintSize-2)
	}
	return 1 << bits.Len64(max(x, 1)-1)
}

// hashed returns the M of hashed wheels. Beyond the longest interval more slots bring
// nothing; far below the mean stay, timers are visited many times; around n a slot has
// one timer.
func hashed(n workload.Numbers, l Limits) (all []int) {
	add := func(slots int) {
		if slots = min(max(slots, leastSlots), mostSlots); !slices.Contains(all, slots) {
			all = append(all, slots)
		}
	}
	longest := power(uint64(n.Longest))
	stay := power(uint64(n.Residence))
	add(min(longest, 4*stay))
	add(min(longest, stay))
	add(min(longest, stay/4))
	add(longest)
	add(min(longest, power(uint64(n.N))))
	if l.Slots > 0 && !slices.Contains(all, l.Slots) {
		all = append(all, l.Slots)
	}
	slices.Sort(all)
	return all
}

// shapes returns the radices of hierarchies of 2 to 6 levels that span an interval:
// equal ones, those with a lowest wheel of 256, and the shape of Tokio's and Linux's
// wheels, 64 a level.
func shapes(longest schemes.Tick) (all [][]int) {
	width := max(bits.Len64(uint64(longest)), 2)
	add := func(levels []int) {
		for _, radix := range levels {
			if radix > 1<<16 {
				return
			}
		}
		if len(levels) > 1 && !slices.ContainsFunc(all, func(l []int) bool { return slices.Equal(l, levels) }) {
			all = append(all, levels)
		}
	}
	for levels := 2; levels <= 6 && width/levels >= 3; levels++ { // below 8 slots a wheel does little but migrate
		add(equal(width, levels))
	}
	add(steps(width, 8))
	add(steps(width, 6))
	if len(all) == 0 { // so short that one wheel would do
		add(equal(width, 2))
	}
	return all
}

// equal divides so many bits among levels, the lower ones taking what is left over.
func equal(width, levels int) (radices []int) {
	for l := range levels {
		bits := width / levels
		if l < width%levels {
			bits++
		}
		radices = append(radices, 1<<bits)
	}
	return radices
}

// steps takes so many bits a level, and what is left for the highest.
func steps(width, each int) (radices []int) {
	for ; width > 0; width -= each {
		radices = append(radices, 1<<min(width, each))
	}
	return radices
}

// Still reports whether a wheel on which intervals of up to longest wait does not move in
// a run of so many ticks, so that its migrations are not part of it.
func (c Candidate) Still(ticks, longest schemes.Tick) bool {
	lasts := schemes.Tick(1) // a slot of the wheel
	for _, radix := range c.Levels[:max(len(c.Levels)-1, 0)] {
		if lasts *= schemes.Tick(radix); lasts > ticks && lasts <= longest {
			return true
		}
	}
	return false
}

// Memory returns an estimate of the bytes that a candidate takes for n timers: 32 a
// timer and 32 a slot, 36 and 68 for chunks, and a heap's entry of 16.
func (c Candidate) Memory(n int) int64 {
	timer, slot := int64(32), int64(32)
	switch {
	case c.chunked():
		timer, slot = 36, 68
	case c.Info.Number == 3:
		timer = 48
	}
	return timer*int64(n) + slot*int64(c.Total())
}

func (c Candidate) chunked() bool {
	return c.Info == &hashunsorted.Chunked || c.Info == &hierarchical.Chunked
}

// slowest is how many records a candidate may touch for a timer's life, by the paper's
// table of costs, an estimate from above. A wheel touches about 4, a heap of four
// billion, down and up, 64: more than that need not be measured.
const slowest = 64

// unfit returns why a candidate cannot serve the workload, or "".
func unfit(c Candidate, w Workload, l Limits) string {
	n := w.Numbers
	if reach := c.Info.Range(c.Config(0)); n.Longest > reach {
		return fmt.Sprintf("intervals of up to %d ticks, its range is %d", n.Longest, reach)
	}
	if c.Total() > mostSlots {
		return fmt.Sprintf("%s slots, at most %s are tried", FormatSlots(c.Total()), FormatSlots(mostSlots))
	}
	if bytes := c.Memory(n.N); l.Memory > 0 && bytes > l.Memory {
		return fmt.Sprintf("it would take %s, allowed %s", FormatBytes(bytes), FormatBytes(l.Memory))
	}
	if slices.Contains(rounding, c.Info) {
		if why := lateness(c, w, l.Late); why != "" {
			return why
		}
	}
	// The first step of a tick is the tick itself, which all have.
	steps := cost.Estimate(c.Info, n.N, c.used(w), n.Rate)
	if life := steps.Start + (steps.Tick-1)/n.Rate; life > slowest && n.N > 1000 {
		return fmt.Sprintf("predicted to touch %.3g records for each timer, by the paper's table of costs", life)
	}
	return ""
}

// lateness returns why a candidate that trades precision may not serve the workload, or
// "".
func lateness(c Candidate, w Workload, late float64) string {
	s, err := c.Info.New(c.Config(0))
	if err != nil {
		return err.Error()
	}
	b, ok := s.(schemes.Bounder)
	if !ok {
		return ""
	}
	for _, l := range w.Lives {
		before, after := b.Bound(l.Interval)
		switch allowed := schemes.Tick(late * float64(l.Interval)); {
		case before > 0:
			return fmt.Sprintf("an interval of %d ticks would be up to %d early", l.Interval, before)
		case after > allowed:
			return fmt.Sprintf("an interval of %d ticks would be up to %d late, allowed %d", l.Interval, after, allowed)
		}
	}
	return ""
}

// FormatBytes writes a number of bytes to three digits.
func FormatBytes(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	value, k := float64(n), 0
	for value >= 1000 && k < len(units)-1 {
		value /= 1024
		k++
	}
	return fmt.Sprintf("%.3g %s", value, units[k])
}
