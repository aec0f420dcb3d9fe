package schemetest

import (
	"cmp"
	"time"

	"timerlab/schemes"
)

// How the check of a rule runs programs, and how much of them.

// settings are those of the scheme, or with -short every third.
func (s *suite) settings() []setting { return some(s, settings(s.info), 0) }

// few are the settings with few slots.
func (s *suite) few() []setting { return narrow(s.settings(), fewSlots) }

// withDefault are the settings and the zero Config.
func (s *suite) withDefault() []setting { return append(s.settings(), setting{info: s.info}) }

// some returns all, or with -short every third from the one at from.
func some[T any](s *suite, all []T, from int) (third []T) {
	if !s.short {
		return all
	}
	for i := from % 3; i < len(all); i += 3 {
		third = append(third, all[i])
	}
	return third
}

// atClocks returns each setting at each of these clocks, with -short at one of them;
// without any, at its own.
func (s *suite) atClocks(cs []setting, clocks ...schemes.Tick) (all []setting) {
	for i, c := range cs {
		here := clocks
		switch {
		case len(clocks) == 0:
			here = some(s, c.clocks(), i)
		case s.short:
			here = clocks[i%len(clocks):][:1]
		}
		for _, now := range here {
			all = append(all, c.at(now))
		}
	}
	return all
}

// scaled returns the length of a run: n, or with -short a tenth.
func (s *suite) scaled(n int) int {
	if s.short {
		return n / 10
	}
	return n
}

// longRun is how long a rule repeats operations on a slow scheme; on a quick one
// that many take a fraction of a second.
const longRun = 2 * time.Second

// goesOn counts a step of a long run and reports whether to go on: until n were
// done or, if the scheme is slow, longRun has passed.
func (s *suite) goesOn(done, n int) bool {
	const look = 64
	return done < s.scaled(n) && (s.steps.Add(1)%look != 0 || time.Since(s.began) < longRun)
}

// each makes a check that writes and runs programs for every setting.
func each(in func(*suite) []setting, texts ...func(*writer)) func(*suite) {
	return func(s *suite) { s.each(in(s), texts...) }
}

// at returns the settings at these clocks, as atClocks.
func at(in func(*suite) []setting, clocks ...schemes.Tick) func(*suite) []setting {
	return func(s *suite) []setting { return s.atClocks(in(s), clocks...) }
}

func (s *suite) each(in []setting, texts ...func(*writer)) {
	for _, c := range in {
		for _, text := range texts {
			s.try(write(c, text))
		}
	}
}

// machine makes a machine for p under the rule being checked.
func (s *suite) machine(p program) *machine {
	m := &machine{suite: s, program: p, mute: s.mute}
	if s.twin != nil {
		m.twin = &machine{suite: s, program: *s.twin}
	}
	s.running.Store(m)
	return m
}

// try runs a program. If it fails, the check ends with what is left of the program
// when it is shrunk. A scheme that does not fail the same way twice is reported as
// it failed first.
func (s *suite) try(p program) {
	m := s.machine(p)
	v := m.execute()
	if v == nil {
		return
	}
	again := func(m *machine) *Violation {
		if w := m.execute(); w != nil && w.kind() == v.kind() {
			return w
		}
		return nil
	}
	p.ops = p.ops[:min(int(m.at.Load())+1, len(p.ops))]
	m = s.machine(shrink(p, func(q program) bool { return again(s.machine(q)) != nil }))
	m.trail = &trail{lines: []string{m.program.String()}}
	v = cmp.Or(again(m), v)
	v.Trail = clip(m.trail.lines)
	panic(v)
}

// has reports whether the scheme has the optional methods of I.
func has[I any](s *suite) bool {
	_, ok := s.scheme(setting{info: s.info}).(I)
	return ok
}

// with makes the check of a rule about optional methods: schemes without them pass.
func with[I any](check func(*suite)) func(*suite) {
	return func(s *suite) {
		if has[I](s) {
			check(s)
		}
	}
}
