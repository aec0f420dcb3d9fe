// Package player runs schemes side by side on one timeline, forward and back, for a
// page that shows them. Every number that it reports comes from a scheme of the
// registry, from its Counts or its View, or from package cost.
package player

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// State is everything that the page shows. Its text is the fragment of a link, which has only what differs from the
// lesson that it names. So
//
//	v=1&lesson=7&M=32&edit=9:start:5&t=40
//
// is lesson 7 with 32 slots, at tick 40, after a timer that the reader has started on tick 9.
type State struct {
	Lesson  int             // whose state the text differs from; 0 is the free one
	Schemes []*schemes.Info // in the order shown
	Slots   int             // M
	Wheels  int             // m: without Levels, scheme 7 has m wheels that have M slots together
	Levels  workload.Levels // radices of scheme 7, lowest first; nil: from M and m

	N     int // timers that the workload keeps outstanding; 0: there is no workload
	T     schemes.Tick
	Dist  workload.Dist
	Stops workload.Stops
	Seed  uint64

	Now   schemes.Tick // the clock at tick 0
	Ticks schemes.Tick // the length of the run
	At    schemes.Tick // the present tick
	Step  int          // the steps of the present tick that are done; WholeTick: all
	Edits []Op         // operations of the reader's, by tick
}

// WholeTick is the Step at the end of a tick.
const WholeTick = -1

// Names returns the names of the schemes.
func (s *State) Names() (names []string) {
	for _, info := range s.Schemes {
		names = append(names, info.Name)
	}
	return names
}

// Radices returns the Levels of a scheme 7, lowest first.
func (s *State) Radices(info *schemes.Info) []int {
	if s.Levels != nil {
		return s.Levels
	}
	return cost.Levels(info, s.Slots, s.Wheels)
}

// Config returns the configuration of a scheme shown.
func (s *State) Config(info *schemes.Info) schemes.Config {
	return schemes.Config{Now: s.Now, Capacity: s.N, Slots: s.Slots, Levels: s.Radices(info), Heap: true}
}

// Spec returns the workload; valid if N is not 0.
func (s *State) Spec() workload.Spec {
	return workload.Spec{N: s.N, T: s.T, Dist: s.Dist, Stop: s.Stops.Share, StopAt: s.Stops.At, Seed: s.Seed,
		Ticks: s.Ticks}
}

type field struct {
	key string
	get func(*State) string
	set func(*State, string) error
}

// Limits of what the page runs. Going back runs a state again from its start.
const (
	maxTimers = 10_000
	maxSlots  = 1 << 16
	maxTicks  = 1 << 20
	maxOps    = 1_000_000
	maxSteps  = 100_000_000 // of one scheme, estimated
	maxWheels = 16
	maxNumber = 1 << 53 // which a script's numbers hold exactly
)

// fields are the parts of a State's text in their order. Keys are the flags of the
// command that measures, where it has one. The first says which state the others differ from.
var fields = []field{
	count("lesson", 0, int64(len(Lessons)), func(s *State) *int { return &s.Lesson }),
	{"schemes", func(s *State) string { return strings.Join(s.Names(), ",") }, func(s *State, text string) error {
		if text == "all" {
			s.Schemes = harness.Schemes[:7]
			return nil
		}
		var all []*schemes.Info
		for name := range strings.SplitSeq(text, ",") {
			info, err := harness.Find(name)
			if err != nil {
				return err
			}
			if slices.Contains(all, info) {
				return fmt.Errorf("duplicate scheme %q (use each once)", name)
			}
			all = append(all, info)
		}
		s.Schemes = all
		return nil
	}},
	count("M", 1, maxSlots, func(s *State) *int { return &s.Slots }),
	count("m", 1, maxWheels, func(s *State) *int { return &s.Wheels }),
	{"levels", func(s *State) string { return s.Levels.String() }, func(s *State, text string) error {
		levels, err := workload.Parse[workload.Levels](text)
		if err != nil {
			return fmt.Errorf("levels: %w", err)
		}
		if len(levels) > maxWheels || len(levels) > 0 && slices.Max(levels) > maxSlots {
			return fmt.Errorf("levels: %s is out of range (use at most %d wheels of at most %d slots)",
				text, maxWheels, maxSlots)
		}
		s.Levels = levels
		return nil
	}},
	count("n", 0, maxTimers, func(s *State) *int { return &s.N }),
	count("T", 1, maxTicks, func(s *State) *schemes.Tick { return &s.T }),
	{"workload", func(s *State) string { return s.Dist.String() },
		func(s *State, text string) error { return s.Dist.UnmarshalText([]byte(text)) }},
	{"stop", func(s *State) string { return s.Stops.String() }, func(s *State, text string) error {
		if err := s.Stops.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("stop: %w", err)
		}
		return nil
	}},
	count("seed", 0, maxNumber, func(s *State) *uint64 { return &s.Seed }),
	count("now", 0, maxNumber, func(s *State) *schemes.Tick { return &s.Now }),
	count("ticks", 1, maxTicks, func(s *State) *schemes.Tick { return &s.Ticks }),
	{"edit", func(s *State) string {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Edits), "[]"), " ", ",")
	}, func(s *State, text string) error {
		var edits []Op
		for part := range strings.SplitSeq(text, ",") {
			if part == "" {
				continue
			}
			e, err := ParseEdit(part)
			if err != nil {
				return err
			}
			if n := len(edits); n > 0 && e.Tick < edits[n-1].Tick {
				return fmt.Errorf("edit %q is earlier than the one before (ticks must not decrease)", part)
			}
			edits = append(edits, e)
		}
		s.Edits = edits
		return nil
	}},
	count("t", 0, maxTicks, func(s *State) *schemes.Tick { return &s.At }),
	count("step", WholeTick, maxOps, func(s *State) *int { return &s.Step }),
}

// count is a whole number within bounds.
func count[T ~int | ~uint64](key string, low, high int64, of func(*State) *T) field {
	return field{key, func(s *State) string { return fmt.Sprint(*of(s)) }, func(s *State, text string) error {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < low || v > high {
			return fmt.Errorf("invalid %s %q (use a whole number from %d to %d)", key, text, low, high)
		}
		*of(s) = T(v)
		return nil
	}}
}

// String returns the state as a fragment without its #: its lesson, and what differs from the state of that.
func (s *State) String() string {
	base := lessonState(s.Lesson)
	text := fmt.Sprintf("v=1&lesson=%d", s.Lesson)
	for _, f := range fields {
		if value := f.get(s); value != f.get(&base) {
			text += "&" + f.key + "=" + value
		}
	}
	return text
}

// Parse reads a fragment, without its #. What is invalid in it is left as the lesson
// has it; the error then joins all that is wrong.
func Parse(fragment string) (State, error) {
	values, wrong := splitFragment(fragment, fields)
	s := State{Lesson: FirstLesson}
	wrong = append(wrong, s.set(fields[:1], values)...)
	s = lessonState(s.Lesson)
	wrong = append(wrong, s.set(fields[1:], values)...)
	if end := slices.IndexFunc(s.Edits, func(e Op) bool { return e.Tick > s.Ticks }); end >= 0 {
		wrong = append(wrong, fmt.Errorf("edit %v is after the last tick, %d", s.Edits[end], s.Ticks))
		s.Edits = s.Edits[:end]
	}
	if err := s.check(); err != nil {
		wrong = append(wrong, err)
		s = lessonState(s.Lesson)
	}
	return s, errors.Join(wrong...)
}

// splitFragment returns the values of a fragment by their keys, and what is wrong with it.
func splitFragment(fragment string, parts []field) (values map[string]string, wrong []error) {
	var keys []string
	for _, f := range parts {
		keys = append(keys, f.key)
	}
	values = map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(fragment, "#"), "&") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case part == "":
		case key == "v" && value != "1":
			wrong = append(wrong, fmt.Errorf("unknown version %q of a link (use v=1)", value))
		case key == "v":
		case !ok || !slices.Contains(keys, key):
			wrong = append(wrong, fmt.Errorf("unknown part %q of a link (have %s)", part, strings.Join(keys, ", ")))
		default:
			values[key] = value
		}
	}
	return values, wrong
}

func (s *State) set(parts []field, values map[string]string) (wrong []error) {
	for _, f := range parts {
		if text, ok := values[f.key]; ok {
			if err := f.set(s, text); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	return wrong
}

// check verifies what fields have to do with each other, above all that a page can run the state.
func (s *State) check() error {
	s.At = min(s.At, s.Ticks)
	if s.N == 0 {
		return nil
	}
	rate := float64(s.N) / float64(s.T)
	if ops := 2 * rate * float64(s.Ticks); ops > maxOps {
		return fmt.Errorf("about %.2g operations are too many for a page (use fewer timers or ticks: at most %d)",
			ops, maxOps)
	}
	for _, info := range s.Schemes {
		step := cost.Estimate(info, s.N, s.Slots, rate)
		if info.Kind == schemes.Tree && !info.IsBase() {
			step.Start = float64(s.N) // nothing may balance it
		}
		if steps := (step.Start*rate + step.Tick) * float64(s.Ticks); steps > maxSteps {
			return fmt.Errorf("%s would take about %.2g steps, too many for a page (use fewer timers or ticks: "+
				"at most %.2g steps)", info.Name, steps, float64(maxSteps))
		}
	}
	return s.Spec().Check()
}

// Parameters returns the values of the fields that a reader can set, as text, for a script.
func (s *State) Parameters() map[string]any {
	all := map[string]any{}
	for _, f := range fields {
		all[f.key] = f.get(s)
	}
	return all
}
