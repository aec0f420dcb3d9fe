package run

import (
	"fmt"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Subject is a scheme with its sizes, as it takes part in a comparison.
type Subject struct {
	Label  string        `json:"scheme"` // the name in results: the scheme's, or that with units.Again
	Info   *schemes.Info `json:"-"`
	Slots  int           `json:"slots,omitempty"`  // M
	Levels []int         `json:"levels,omitempty"` // radices, if levels size the scheme

	Cold Cold   `json:"-"` // what the application does meanwhile, in cells of lifetimes
	Tag  string `json:"-"` // further keys of the name, such as "/set=claims", that keep rows apart
}

// NewSubject returns a scheme with M slots in all. Where levels size it, they are m levels: see cost.Levels.
func NewSubject(info *schemes.Info, slots, levels int) Subject {
	s := Subject{Label: info.Name, Info: info, Slots: slots}
	if info.Kind.HasLevels() {
		s.Levels = cost.Levels(info, slots, levels)
	}
	return s
}

// Config returns the scheme's configuration for n timers.
func (s Subject) Config(n int) schemes.Config {
	return schemes.Config{Capacity: n, Slots: s.Slots, Levels: s.Levels}
}

// String returns the scheme and its sizes: "hierarchical-chunked 256x64", "hashunsorted M=512".
func (s Subject) String() string {
	switch {
	case len(s.Levels) > 0:
		return s.Info.Name + " " + workload.Levels(s.Levels).String()
	case s.Slots > 0:
		return fmt.Sprintf("%s M=%d", s.Info.Name, s.Slots)
	}
	return s.Info.Name
}

// TotalSlots returns the slots that the scheme holds, of all wheels together; 0 if its Info has no Slots.
func (s Subject) TotalSlots() (sum int) {
	if s.Info.Slots == nil {
		return 0
	}
	for _, slots := range s.Info.Slots(s.Config(0)) {
		sum += slots
	}
	return sum
}

// Controls returns the subjects that every table has in addition to the schemes: the null scheme, and s a second time.
func Controls(s Subject) []Subject {
	again := s
	again.Label += units.Again
	return []Subject{{Label: drive.Null.Name, Info: &drive.Null, Slots: s.Slots}, again}
}

// Name returns the name of a benchmark without its operation. The keys are in fixed
// order; those after stop appear only where they are not the default.
func Name(w workload.Spec, s Subject) string {
	k := results.Key{
		Scheme: s.Label, N: workload.Count(w.N).String(), T: workload.Count(w.T).String(), Dist: w.Dist.String(),
		Stop: workload.Stops{Share: w.Stop, At: w.StopAt}.String(),
	}
	if w.Restart > 0 {
		k.Restart = workload.Stops{Share: w.Restart, At: w.RestartAt}.String()
	}
	if w.Arrivals != workload.Hold {
		k.Arrivals = w.Arrivals.String()
	}
	if s.Slots > 0 {
		k.Slots = workload.Count(s.Slots).String()
	}
	if len(s.Levels) > 0 {
		k.Levels = workload.Levels(s.Levels).String()
	}
	if s.Cold.Touched > 0 {
		k.Rest += fmt.Sprintf("/touched=%dMiB", s.Cold.Touched)
	}
	if s.Cold.Collected > 0 {
		k.Rest += fmt.Sprintf("/collected=%dMiB", s.Cold.Collected)
	}
	k.Rest += s.Tag
	return strings.TrimPrefix(k.String(), "/")
}

// Batched returns the workload with its operations in batches of 1 % of n, but at least 16, so that a batch is long
// compared with a reading of the clock and n varies little: at n = 100 by 16 %. For the run's length see Lasting.
func Batched(w workload.Spec, lifetimes int, subjects []Subject) workload.Spec {
	const least = 16
	w.Every = max(1, w.T/100, least*w.T/schemes.Tick(w.N))
	return Lasting(w, lifetimes, subjects)
}

// Lasting returns the workload with a run in which approximately this many timers end,
// rounded up to whole revolutions of the largest lowest wheel of a hierarchy: timers
// migrate when that wheel completes one, and a run without that would not pay for it.
func Lasting(w workload.Spec, lifetimes int, subjects []Subject) workload.Spec {
	revolution := schemes.Tick(1)
	for _, s := range subjects {
		if len(s.Levels) > 0 {
			revolution = max(revolution, schemes.Tick(s.Levels[0]))
		}
	}
	return w.Lasting(lifetimes, revolution)
}
