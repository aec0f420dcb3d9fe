package schemetest

import (
	"cmp"
	"slices"

	"timerlab/schemes"
)

// orderOf is the order in which a program hands out, with or without looking.
func (s *suite) orderOf(p program, mute bool) []schemes.ID {
	m := s.machine(p)
	m.mute = mute
	m.execute(s.info)
	return m.order
}

// checkNoEffect does programs with and without looking at the scheme.
func checkNoEffect(s *suite) error {
	return s.sameOrder("looked at", true)
}

// checkDeterministic does programs again.
func checkDeterministic(s *suite) error {
	return s.sameOrder("done again", false)
}

func (s *suite) sameOrder(how string, mute bool) error {
	differ := func(p program) bool {
		return !slices.Equal(s.orderOf(p, false), s.orderOf(p, mute))
	}
	for i, cfg := range tiny(s.info) {
		for _, p := range []program{crowd(s.info, cfg), decode(s.info, noise(uint64(i), 400))} {
			if !differ(p) && !differ(p) {
				continue
			}
			p = shrink(p, differ)
			lines := []string{describe(p.cfg)}
			for i := range p.ops {
				lines = append(lines, p.ops[i].String())
			}
			return s.violation(s.rule.Name, "the order of handing out changes when the program is "+how, lines)
		}
	}
	return nil
}

// crowd makes many timers due together, some by way of stops and actions.
func crowd(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	longest := min(info.Range(cfg), 5)
	for i := range schemes.Tick(40) {
		l := w.start(1 + i*3%longest)
		if i%4 == 1 {
			w.stop(l)
		}
	}
	w.group(3, 1, func(int, []label) []op { return []op{w.later(1), w.later(longest)} })
	w.tick(5)
	w.expire()
	w.tickExpire(5)
	return w.program
}

// checkSeparate does two programs on two schemes in turns.
func checkSeparate(s *suite) error {
	for _, cfg := range tiny(s.info) {
		a, b := s.machine(crowd(s.info, cfg)), s.machine(gather(s.info, at(cfg, 77)))
		if f := inTurns(s.info, a, b); f != nil {
			return s.violation(s.rule.Name, "two schemes used in turns: "+f.got, []string{describe(a.program.cfg), describe(b.program.cfg)})
		}
	}
	return nil
}

// inTurns does the programs of two machines operation by operation.
func inTurns(info *schemes.Info, a, b *machine) (f *failure) {
	defer func() {
		if p := recover(); p != nil {
			if f = cmp.Or(a.failure, b.failure); f == nil {
				f = &failure{rule: rulePanic, got: panicText(p)}
			}
		}
	}()
	a.open(info)
	b.open(info)
	for i := range max(len(a.program.ops), len(b.program.ops)) {
		for _, m := range []*machine{a, b} {
			if i < len(m.program.ops) {
				m.do(&m.program.ops[i])
			}
		}
	}
	a.finish()
	b.finish()
	return nil
}
