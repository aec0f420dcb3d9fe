package player

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Race compares two schemes on the same operations, at one T after the other: which does less, and where that changes.
// Its link names the schemes and what differs from the default, in which T is M:
//
//	v=1&race=hashunsorted,hierarchical&m=2&T=363&stop=0.9@0.05
type Race struct {
	State State // of two schemes; Ticks is set for each Heat
	Dots  []Dot // by T
}

// Dot is what a heat at one T has counted.
type Dot struct {
	T       schemes.Tick
	Ended   uint64    // timers
	Looks   [2]uint64 // at timers, by scheme, after the prefill
	Refused error     // why nothing could be counted, or nil
}

// Each returns how often a scheme looked at a timer, on average.
func (d Dot) Each(scheme int) float64 { return ratio(d.Looks[scheme], d.Ended) }

// ahead returns by how much the second scheme looked more often, as a logarithm; below 0 it did less.
func (d Dot) ahead() float64 { return math.Log(d.Each(1) / d.Each(0)) }

// Looks is how often a scheme has looked at a timer: a comparison or a visit, of which a migration is one. These
// are what schemes differ by. Where c7 = c6, scheme 6 looks as often as scheme 7 if its wasted visits are as many as the
// migrations of scheme 7.
func Looks(c schemes.Counts) uint64 { return c.Compares + c.Visits }

// raceFields are the parts of a race's link: of a State's those that a Race has, and the schemes under the key race.
var raceFields = func() (all []field) {
	for _, key := range []string{"schemes", "n", "M", "m", "T", "stop", "workload", "seed"} {
		all = append(all, fields[slices.IndexFunc(fields, func(f field) bool { return f.key == key })])
	}
	all[0].key = "race"
	return all
}()

// IsRace reports whether a fragment is the link of a race.
func IsRace(fragment string) bool {
	return slices.ContainsFunc(strings.Split(strings.TrimPrefix(fragment, "#"), "&"),
		func(part string) bool { return strings.HasPrefix(part, "race=") })
}

// newRaceState returns the default, but for T.
func newRaceState() State {
	return State{Schemes: []*schemes.Info{harness.Schemes[5], harness.Schemes[6]}, Slots: 256, Wheels: 4, N: 1000,
		Dist: workload.Exp, Seed: 1, Step: WholeTick}
}

// ParseRace reads the fragment of a race, without its #. What is invalid in it is left at its default; the
// error then joins all that is wrong.
func ParseRace(fragment string) (*Race, error) {
	values, wrong := splitFragment(fragment, raceFields)
	s := newRaceState()
	wrong = append(wrong, s.set(raceFields, values)...)
	if len(s.Schemes) != 2 {
		wrong = append(wrong, fmt.Errorf("invalid race %q (use two schemes)", values["race"]))
		s.Schemes = newRaceState().Schemes
	}
	if s.N == 0 {
		wrong = append(wrong, fmt.Errorf("invalid n %q of a race (use a whole number from 1 to %d)", values["n"], maxTimers))
		s.N = newRaceState().N
	}
	s.T = cmp.Or(s.T, schemes.Tick(s.Slots))
	return &Race{State: s}, errors.Join(wrong...)
}

// String returns the race as a fragment without its #.
func (r *Race) String() string {
	text, base := "v=1", newRaceState()
	base.T = schemes.Tick(r.State.Slots)
	for _, f := range raceFields {
		if value := f.get(&r.State); value != f.get(&base) || f.key == "race" {
			text += "&" + f.key + "=" + value
		}
	}
	return text
}

// Open makes this the race of a fragment, and keeps the dots if only T differs.
func (r *Race) Open(fragment string) error {
	next, wrong := ParseRace(fragment)
	before := Race{State: r.State}
	before.State.T = next.State.T
	if len(r.State.Schemes) > 0 && before.String() == next.String() {
		next.Dots = r.Dots
	}
	*r = *next
	return wrong
}

// Dot returns what was counted at some T, if anything was.
func (r *Race) Dot(t schemes.Tick) (Dot, bool) {
	i, found := r.find(t)
	if !found {
		return Dot{T: t}, false
	}
	return r.Dots[i], true
}

func (r *Race) find(t schemes.Tick) (int, bool) {
	return slices.BinarySearchFunc(r.Dots, t, func(d Dot, t schemes.Tick) int { return cmp.Compare(d.T, t) })
}

// Keep adds a dot.
func (r *Race) Keep(d Dot) {
	if i, found := r.find(d.T); !found {
		r.Dots = slices.Insert(r.Dots, i, d)
	}
}

// The T of a race, in octaves of M.
const (
	LeastOctave = -6
	MostOctave  = 4
)

// at returns the T of an octave, which need not be whole.
func (r *Race) at(octave float64) schemes.Tick {
	return schemes.Tick(max(1, math.Round(float64(r.State.Slots)*math.Exp2(octave))))
}

// Crossing returns the T at which the scheme that does less changes, to one per cent; or the T that must be counted
// first, or 0 and 0 if one scheme does less at each T. It counts at each octave, and halves the first
// in which the order changes. So what it finds does not depend on the dots of a reader.
func (r *Race) Crossing() (t float64, missing schemes.Tick) {
	var low, high, before Dot
	for octave := LeastOctave; octave <= MostOctave; octave++ {
		d, ok := r.Dot(r.at(float64(octave)))
		if !ok {
			return 0, d.T
		}
		if d.Refused != nil || d.T == before.T {
			continue
		}
		if high.T == 0 && before.T > 0 && before.ahead()*d.ahead() < 0 {
			low, high = before, d
		}
		before = d
	}
	for float64(high.T) > 1.02*float64(low.T) && high.T > low.T+1 {
		middle := math.Sqrt(float64(low.T) * float64(high.T))
		d, ok := r.Dot(max(low.T+1, schemes.Tick(middle)))
		switch {
		case !ok:
			return 0, d.T
		case d.Refused != nil:
			return 0, 0
		case d.ahead()*low.ahead() > 0:
			low = d
		default:
			high = d
		}
	}
	if high.T == 0 {
		return 0, 0
	}
	return float64(low.T) + float64(high.T-low.T)*low.ahead()/(low.ahead()-high.ahead()), 0
}

// Lengths of a heat.
const (
	heatLifetimes = 20_000  // that end, about, unless
	heatTicks     = 1 << 22 // are not enough for them
	fewLifetimes  = 1000    // too few to tell
	heatSlices    = 16
)

// Heat is a race at one T while it runs: the harness drives both schemes through one stream of operations.
type Heat struct {
	Dot    // so far
	State  State
	Now    schemes.Tick // of State.Ticks
	stream *workload.Stream
	drives [2]*drive.Drive
	filled [2]schemes.Counts
}

// Start returns the heat of the race at some T, in which all timers have started.
func (r *Race) Start(t schemes.Tick) (*Heat, error) {
	h := &Heat{Dot: Dot{T: t}, State: r.State}
	s := &h.State
	s.T = t
	s.Ticks = s.heatTicks()
	if err := s.check(); err != nil {
		return nil, err
	}
	if ended := float64(s.N) * float64(s.Ticks) / float64(s.T); ended < fewLifetimes {
		return nil, fmt.Errorf("of n = %d timers that stay T = %d ticks only %.0f end in %d ticks (use more timers or a smaller T)",
			s.N, s.T, ended, s.Ticks)
	}
	lives := s.Spec().Lives()
	longest := workload.NumbersOf(1, lives).Longest
	var err error
	if h.stream, err = (workload.Mixture{N: s.N, Lives: lives, Seed: s.Seed}).Stream(); err != nil {
		return nil, err
	}
	fill := h.stream.Fill()
	for i, info := range s.Schemes {
		if limit := info.Range(s.Config(info)); longest > limit {
			return nil, fmt.Errorf("at T = %d the longest interval is %s, but %s takes at most %s", t, ticksText(longest),
				info.Name, ticksText(limit))
		}
		scheme, err := info.New(s.Config(info))
		if err != nil {
			return nil, err
		}
		d := drive.New(scheme, fill)
		if err := d.Fill(); err != nil {
			return nil, err
		}
		h.drives[i], h.filled[i] = d, d.Counts()
	}
	return h, nil
}

// heatTicks returns the length of a heat. Migrations come when a wheel has turned, so it is a multiple of the turns that
// most timers may wait for.
func (s *State) heatTicks() schemes.Tick {
	turn := schemes.Tick(1)
	for _, info := range s.Schemes {
		if !info.Kind.HasLevels() {
			continue
		}
		radices := s.Radices(info)
		for l := 1; l < max(2, len(radices)); l++ {
			if span := schemes.Span(radices[:l]); l == 1 || span <= 16*s.T {
				turn = max(turn, span)
			}
		}
	}
	ticks := s.Spec().Lasting(heatLifetimes, turn).Ticks
	return min(ticks, max(1, heatTicks/turn)*turn)
}

// Run runs a slice of the heat, and reports whether it was the last. The outcome of each slice is verified.
func (h *Heat) Run() (over bool, err error) {
	slice := (h.State.Ticks + heatSlices - 1) / heatSlices
	piece := h.stream.Next(min(slice, h.State.Ticks-h.Now))
	for i, d := range h.drives {
		if err := errors.Join(d.Continue(piece), d.Run(nil), d.Verify()); err != nil {
			return false, fmt.Errorf("%s: %w", h.State.Schemes[i].Name, err)
		}
		h.Looks[i] = Looks(d.Counts().Sub(h.filled[i]))
	}
	h.Now, h.Ended = piece.Ticks, h.Ended+piece.Lifetimes()
	return h.Now == h.State.Ticks, nil
}

// Flag says where the schemes cross.
type Flag struct {
	Name string
	T    float64
}

// Flags returns the crossing that is counted, the paper's bound, and the measured one, as far as each is known. The
// measurements are of the mean interval in M up to which scheme 6 costs less; 0: there are none.
func (r *Race) Flags(measured float64) (flags []Flag) {
	s := &r.State
	if t, _ := r.Crossing(); t > 0 {
		flags = append(flags, Flag{"counted", t})
	}
	usual := newRaceState()
	if names := s.Names(); slices.Contains(names, usual.Names()[0]) && slices.Contains(names, usual.Names()[1]) {
		flags = append(flags, Flag{"the paper's bound", cost.PaperCrossover(1, s.Slots, s.Wheels)})
		if measured > 0 {
			spec := s.Spec()
			spec.T = schemes.Tick(s.Slots)
			w := workload.NumbersOf(1, spec.Lives())
			flags = append(flags, Flag{"measured", measured * float64(s.Slots) * w.MeanStay / w.Interval})
		}
	}
	return flags
}

// Who returns what the race calls a scheme.
func Who(info *schemes.Info) string {
	if info.IsBase() {
		return fmt.Sprintf("scheme %d", info.Number)
	}
	return info.Name
}

// InM writes a T as a multiple of M, in two digits.
func (r *Race) InM(t float64) string {
	return fmt.Sprintf("%.2g M", t/float64(r.State.Slots))
}

// Sentence says what has been counted at the present T and, if the crossing is to be shown, where it is.
func (r *Race) Sentence(crossing bool) string {
	d, ok := r.Dot(r.State.T)
	text := ""
	switch {
	case d.Refused != nil:
		text = fmt.Sprintf("No count: %v. ", d.Refused)
	case ok:
		text = fmt.Sprintf("At T = %s, %s looks at a timer %.3g times, %s %.3g times. ", r.InM(float64(d.T)),
			Who(r.State.Schemes[0]), d.Each(0), Who(r.State.Schemes[1]), d.Each(1))
	}
	t, missing := r.Crossing()
	if !crossing || missing > 0 {
		return text
	}
	counted := slices.DeleteFunc(slices.Clone(r.Dots), func(d Dot) bool { return d.Refused != nil })
	if len(counted) == 0 {
		return text
	}
	less := Who(r.State.Schemes[0])
	if counted[len(counted)-1].ahead() < 0 {
		less = Who(r.State.Schemes[1])
	}
	if t == 0 {
		return text + fmt.Sprintf("They do not cross: %s does less at each T.", less)
	}
	return text + fmt.Sprintf("They cross at T = %s, %.0f ticks: above, %s does less.", r.InM(t), t, less)
}
