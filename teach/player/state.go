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

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// State is everything that the page shows, except what is in a trace file of the
// reader's. Its text is the fragment of a link.
type State struct {
	Lesson  int      // whose state the text differs from; 0 is the free one
	Schemes []string // by name, in the order shown
	Slots   int      // M
	Wheels  int      // m: without Levels, scheme 7 has m wheels of M/m slots
	Levels  []int    // radices of scheme 7, lowest first; nil: from M and m

	N            int // timers that the workload keeps outstanding; 0: there is no workload
	T            schemes.Tick
	Dist         workload.Dist
	Stop, StopAt float64
	Seed         uint64

	Now   schemes.Tick // the clock at tick 0
	Ticks schemes.Tick // the length of the run
	At    schemes.Tick // the present tick
	Step  int          // the steps of the present tick that are done; WholeTick: all
	Edits []Edit       // operations of the reader's, by tick
	Trace string       // the name of a trace file of the reader's, or ""
	Quiz  string       // the seed of a quiz, or ""
	Asked int          // which question of the quiz, from 0
}

// WholeTick is the Step at the end of a tick.
const WholeTick = -1

// Edit is an operation of the reader's, at the end of a tick's operations.
type Edit struct {
	Tick     schemes.Tick
	Kind     workload.Kind
	Timer    uint64       // of a Stop or Restart: the ID
	Interval schemes.Tick // of a Start or Restart
}

// String returns the edit as a link has it: 3:start:40, 5:stop:7, 6:restart:7:40.
func (e Edit) String() string {
	text := fmt.Sprintf("%d:%v", e.Tick, e.Kind)
	if e.Kind != workload.Start {
		text += fmt.Sprintf(":%d", e.Timer)
	}
	if e.Kind != workload.Stop {
		text += fmt.Sprintf(":%d", e.Interval)
	}
	return text
}

// Radices returns the slots of each wheel of scheme 7, lowest first.
func (s *State) Radices() []int {
	if s.Levels != nil {
		return s.Levels
	}
	return slices.Repeat([]int{max(1, s.Slots/max(1, s.Wheels))}, max(1, s.Wheels))
}

// Config returns the configuration of every scheme shown.
func (s *State) Config() schemes.Config {
	return schemes.Config{Now: s.Now, Capacity: s.N, Slots: s.Slots, Levels: s.Radices(), Heap: true}
}

// Spec returns the workload; valid if N is not 0.
func (s *State) Spec() workload.Spec {
	return workload.Spec{N: s.N, T: s.T, Dist: s.Dist, Stop: s.Stop, StopAt: s.StopAt, Seed: s.Seed, Ticks: s.Ticks}
}

// field is a part of a State's text.
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
	maxNumber = 1 << 53     // which a script's numbers hold exactly
)

// fields are the parts of a State's text in their order. Keys are the flags of the
// command that measures, where it has one.
var fields = []field{
	{"schemes", func(s *State) string { return strings.Join(s.Schemes, ",") }, setSchemes},
	count("M", 1, maxSlots, func(s *State) *int { return &s.Slots }),
	count("m", 1, 16, func(s *State) *int { return &s.Wheels }),
	{"levels", func(s *State) string { return joinRadices(s.Levels) }, setLevels},
	count("n", 0, maxTimers, func(s *State) *int { return &s.N }),
	count("T", 1, maxTicks, func(s *State) *schemes.Tick { return &s.T }),
	{"workload", func(s *State) string { return s.Dist.String() }, setDist},
	{"stop", func(s *State) string { return fraction(s.Stop, s.StopAt) }, setStop},
	count("seed", 0, maxNumber, func(s *State) *uint64 { return &s.Seed }),
	count("now", 0, maxNumber, func(s *State) *schemes.Tick { return &s.Now }),
	count("ticks", 1, maxTicks, func(s *State) *schemes.Tick { return &s.Ticks }),
	{"edit", func(s *State) string { return joinEdits(s.Edits) }, setEdits},
	{"trace", func(s *State) string { return s.Trace }, func(s *State, text string) error {
		return setName(&s.Trace, "trace", text)
	}},
	count("t", 0, maxTicks, func(s *State) *schemes.Tick { return &s.At }),
	count("step", WholeTick, maxOps, func(s *State) *int { return &s.Step }),
}

// heads are the parts that say which state the others differ from.
var heads = []field{
	count("lesson", 0, int64(len(Lessons)), func(s *State) *int { return &s.Lesson }),
	{"quiz", func(s *State) string { return s.Quiz }, func(s *State, text string) error {
		return setName(&s.Quiz, "quiz", text)
	}},
	count("question", 0, Questions-1, func(s *State) *int { return &s.Asked }),
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

// String returns the state as a fragment without its #: only what differs from the
// state of its lesson. It is empty for the first lesson's own.
func (s *State) String() string {
	base, first := s.base(), State{Lesson: FirstLesson}
	if s.Quiz != "" {
		first.Lesson = s.Lesson // the quiz says what the state is
	}
	var parts []string
	for _, f := range heads {
		if text := f.get(s); text != f.get(&first) {
			parts = append(parts, f.key+"="+text)
		}
	}
	for _, f := range fields {
		if text := f.get(s); text != f.get(&base) {
			parts = append(parts, f.key+"="+text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "v=1&" + strings.Join(parts, "&")
}

// Parse reads a fragment, without its #. What is invalid in it is left as the lesson
// has it; the error then joins all that is wrong.
func Parse(fragment string) (State, error) {
	values, wrong := splitFragment(fragment)
	s := State{Lesson: FirstLesson}
	wrong = append(wrong, s.set(heads, values)...)
	s = s.base()
	wrong = append(wrong, s.set(fields, values)...)
	if err := s.check(); err != nil {
		wrong = append(wrong, err)
		s = s.base()
	}
	return s, errors.Join(wrong...)
}

// base returns the state that a link's differs from: that of its quiz or lesson.
func (s *State) base() State {
	if s.Quiz != "" {
		state, _ := QuizState(s.Quiz, s.Asked)
		return state
	}
	return lessonState(s.Lesson)
}

// set sets the parts that have a value.
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

// Parameters returns the fields that a reader can set, and their values as text.
func (s *State) Parameters() (all [][2]string) {
	for _, f := range fields {
		all = append(all, [2]string{f.key, f.get(s)})
	}
	return all
}

// Question returns the question of the state's quiz or lesson.
func (s *State) Question() Question {
	if s.Quiz != "" {
		_, q := QuizState(s.Quiz, s.Asked)
		return q
	}
	if s.Lesson > 0 {
		return Lessons[s.Lesson-1].Question
	}
	return Question{Kind: AskVisits}
}
