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
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Race runs two schemes on the same operations, at one T after the other: which looks at timers less often, and where does that
// change? Its link names the schemes, and what differs from the default, in which T is M:
//
//	v=1&race=hashunsorted,hierarchical&m=2&T=363&stop=0.9@0.05
type Race struct {
	State State // of two schemes
	Dots  map[schemes.Tick]Dot
	heat  *Player // at one T, while it runs
}

// Dot is what was counted at one T. A look is a visit, of which a migration is one, or a comparison: for schemes 6 and 7
// with c7 = c6 the two are equal where the wasted visits are as many as the migrations, as in package cost.
type Dot struct {
	Looks   [2]uint64 // by scheme
	Ended   [2]uint64 // timers, by scheme: one that rounds ends some at another time
	Refused string    // why there is no count, or ""
}

// Each returns how often a scheme looks at a timer, on average.
func (d Dot) Each(scheme int) float64 { return ratio(d.Looks[scheme], d.Ended[scheme]) }

// ahead is above 0 if the first scheme looks less often. With one look more it is finite where there is none.
func (d Dot) ahead() float64 { return math.Log(float64(d.Looks[1]+1) / float64(d.Looks[0]+1)) }

// raceFields are the parts of a race's link: schemes to seed of a State's.
var raceFields = slices.Concat([]field{{"race", fields[1].get, fields[1].set}}, fields[2:10])

// raceDefault returns the state of a race whose link has no more than its name, but for T.
func raceDefault() State {
	return State{Schemes: harness.Schemes[5:7], Slots: 256, Wheels: 4, N: 1000, Dist: workload.Exp, Seed: 1, Step: WholeTick}
}

// Open makes this the race of a fragment, without its #. If only T differs, the dots stay. What is invalid in the
// fragment is left at its default; the error then joins all that is wrong.
func (r *Race) Open(fragment string) error {
	values, wrong := splitFragment(fragment, raceFields)
	s := raceDefault()
	wrong = append(wrong, s.set(raceFields, values)...)
	if len(s.Schemes) != 2 {
		wrong = append(wrong, fmt.Errorf("invalid race %q (use two schemes)", values["race"]))
		s.Schemes = raceDefault().Schemes
	}
	if s.N < 1 {
		wrong = append(wrong, fmt.Errorf("invalid n \"%d\" (use a whole number from 1 to %d)", s.N, maxTimers))
		s.N = raceDefault().N
	}
	s.T = cmp.Or(s.T, schemes.Tick(s.Slots))
	before, next := *r, Race{State: s, Dots: map[schemes.Tick]Dot{}}
	if before.State.T = s.T; r.Dots != nil && before.String() == next.String() {
		next.Dots = r.Dots
	}
	*r = next
	return errors.Join(wrong...)
}

// String returns the race as a fragment, without its #.
func (r *Race) String() string {
	base := raceDefault()
	base.T = schemes.Tick(r.State.Slots)
	text := "v=1&race=" + strings.Join(r.State.Names(), ",")
	for _, f := range raceFields[1:] {
		if value := f.get(&r.State); value != f.get(&base) {
			text += "&" + f.key + "=" + value
		}
	}
	return text
}

// Run runs a part of the heat at some T, unless it is over. It returns what is counted, and the share of the heat that is over.
func (r *Race) Run(t schemes.Tick) (d Dot, share float64) {
	if d, over := r.Dots[t]; over {
		return d, 1
	}
	if r.heat == nil || r.heat.State.T != t {
		var err error
		if r.heat, err = r.start(t); err != nil {
			d.Refused = err.Error()
			r.Dots[t], r.heat = d, nil
			return d, 1
		}
	}
	p := r.heat
	const parts = 16
	p.Seek(p.tick+(p.State.Ticks+parts-1)/parts, WholeTick)
	for i, l := range p.lanes {
		c := l.counts().Sub(l.ready)
		d.Looks[i], d.Ended[i] = c.Compares+c.Visits, l.Outcome.Stopped+l.Outcome.Expired
	}
	if p.tick == p.State.Ticks {
		r.Dots[t], r.heat = d, nil
	}
	return d, float64(p.tick) / float64(p.State.Ticks)
}

// start returns a heat: 20,000 timers end in it, about. As migrations come when a wheel has turned, it is a multiple of the
// turns that matter.
func (r *Race) start(t schemes.Tick) (*Player, error) {
	s := r.State
	s.T = t
	turn := schemes.Tick(1)
	for _, info := range s.Schemes {
		radices := s.Radices(info)
		for l := 1; info.Kind.HasLevels() && l <= len(radices); l++ {
			if span := schemes.Span(radices[:l]); l == 1 || span <= min(16*t, maxTicks) {
				turn = max(turn, span)
			}
		}
	}
	s.Ticks = min(s.Spec().Lasting(20_000, turn).Ticks, maxTicks/turn*turn)
	if ended := float64(s.N) * float64(s.Ticks) / float64(t); ended < 1000 {
		return nil, fmt.Errorf("of n = %d timers that stay T = %d ticks %.0f end in %d ticks (use more timers or a smaller T)",
			s.N, t, ended, s.Ticks)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	p, err := newPlayer(s)
	for i := 0; err == nil && i < len(p.lanes); i++ {
		if l := p.lanes[i]; l.Refused != "" {
			err = fmt.Errorf("%s: %s", l.Info.Name, l.Refused)
		}
	}
	return p, err
}

// The range of T, in octaves of M.
const (
	LeastOctave = -6
	MostOctave  = 4
)

// Crossing returns the T where it changes which scheme looks less often, to 2 %, and which one it is beyond; T is 0 if it is the
// same one at each T, and less is negative if it is none. If another T must be counted first, it is missing. It takes the octaves of M, and halves the first
// in which the order changes: the dots of a reader change nothing.
func (r *Race) Crossing() (t float64, less int, missing schemes.Tick) {
	var from, low, high float64
	for octave := LeastOctave; octave <= MostOctave; octave++ {
		t := max(1, math.Round(math.Ldexp(float64(r.State.Slots), octave)))
		d, ok := r.Dots[schemes.Tick(t)]
		switch {
		case !ok:
			return 0, 0, schemes.Tick(t)
		case d.ahead() == 0: // or refused
			continue
		case from > 0 && high == 0 && d.ahead()*r.ahead(from) < 0:
			low, high = from, t
		}
		from = t
	}
	for high > max(1.02*low, low+1) {
		t := max(low+1, math.Floor(math.Sqrt(low*high)))
		switch d, ok := r.Dots[schemes.Tick(t)]; {
		case !ok:
			return 0, 0, schemes.Tick(t)
		case d.ahead()*r.ahead(low) > 0:
			low = t
		default:
			high = t
		}
	}
	if high == 0 {
		low, high = 0, from
	}
	switch {
	case high == 0:
		return 0, -1, 0
	case r.ahead(high) < 0:
		less = 1
	}
	if low == 0 {
		return 0, less, 0
	}
	return low + (high-low)*r.ahead(low)/(r.ahead(low)-r.ahead(high)), less, 0
}

func (r *Race) ahead(t float64) float64 { return r.Dots[schemes.Tick(t)].ahead() }

// Flag says where the schemes cross.
type Flag struct {
	Name string
	T    float64
}

// Flags returns where the schemes cross by counting, by the paper's bound and by measurement, as far as each is known.
// What is measured is J in M, up to which a timer takes less time in scheme 6; 0: it is not known.
func (r *Race) Flags(measured float64) (flags []Flag) {
	s := &r.State
	if t, _, _ := r.Crossing(); t > 0 {
		flags = append(flags, Flag{"counted", t})
	}
	if names := s.Names(); slices.Contains(names, "hashunsorted") && slices.Contains(names, "hierarchical") {
		flags = append(flags, Flag{"the paper's bound", cost.PaperCrossover(1, s.Slots, s.Wheels)})
		spec := s.Spec()
		spec.T = schemes.Tick(s.Slots)
		if w := workload.NumbersOf(1, spec.Lives()); measured > 0 {
			flags = append(flags, Flag{"measured time", measured * float64(s.Slots) * w.MeanStay / w.Interval})
		}
	}
	return flags
}

// Who returns what the race calls its first or second scheme.
func (r *Race) Who(scheme int) string {
	if info := r.State.Schemes[scheme]; !info.IsBase() {
		return info.Name
	}
	return fmt.Sprintf("scheme %d", r.State.Schemes[scheme].Number)
}

// InM writes a T as a multiple of M, in two digits below 100.
func (r *Race) InM(t float64) string {
	format := "%.2g M"
	if t /= float64(r.State.Slots); t >= 99.5 {
		format = "%.0f M"
	}
	return strings.TrimPrefix(fmt.Sprintf(format, t), "1 ")
}

// counted reports whether there is a count at any T.
func (r *Race) counted() bool {
	for _, d := range r.Dots {
		if d.Refused == "" {
			return true
		}
	}
	return false
}

// Sentence says what is counted at the present T and, if it is to be shown, where the schemes cross.
func (r *Race) Sentence(crossing bool) string {
	text, d := "", r.Dots[r.State.T]
	if d.Refused != "" {
		text = fmt.Sprintf("There is no count at T = %d: %s ", r.State.T, d.Refused)
	} else if d.Ended[0] > 0 {
		text = fmt.Sprintf("At T = %s %s looks %.3g times at a timer, %s %.3g times. ", r.InM(float64(r.State.T)),
			r.Who(0), d.Each(0), r.Who(1), d.Each(1))
	}
	switch t, less, missing := r.Crossing(); {
	case !crossing || missing > 0:
	case t == 0 && less >= 0:
		text += fmt.Sprintf("At each T counted %s does less.", r.Who(less))
	case t == 0 && r.counted():
		text += "At each T counted they do the same."
	case t == 0:
		text += "No T could be counted."
	default:
		text += fmt.Sprintf("They cross at T = %s, about %.0f ticks; beyond, %s does less.", r.InM(t), t, r.Who(less))
	}
	return text
}
