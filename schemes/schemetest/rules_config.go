package schemetest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"

	"timerlab/schemes"
)

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func checkInfo(s *suite) error {
	i := s.info
	switch {
	case i.Number < 1 || i.Number > 7:
		return s.broken("Number is %d", i.Number)
	case !nameForm.MatchString(i.Name):
		return s.broken("Name is %q", i.Name)
	case i.Title == "" || i.Doc == "":
		return s.broken("Title is %q, Doc has %d bytes", i.Title, len(i.Doc))
	case i.New == nil || i.Range == nil:
		return s.broken("New or Range is nil")
	}
	return nil
}

// broken is a violation of the rule being checked that needs no operations.
func (s *suite) broken(format string, args ...any) error {
	return s.violation(s.rule.Name, fmt.Sprintf(format, args...), nil)
}

func checkInterfaces(s *suite) error {
	scheme, err := s.info.New(schemes.Config{})
	if err != nil {
		return s.broken("New failed: %v", err)
	}
	o := optionalOf(scheme)
	if s.info.IsBase() && (o.counter == nil || o.checker == nil || o.sized == nil || o.stringer == nil) {
		return s.broken("Counts %t, Check %t, Len %t, String %t",
			o.counter != nil, o.checker != nil, o.sized != nil, o.stringer != nil)
	}
	return nil
}

// checkDefault compares the zero Config with the one that spells the defaults
// out: ranges, outcome and, as the structures are the same, counts.
func checkDefault(s *suite) error {
	zero := schemes.Config{}
	full := schemes.Config{Slots: schemes.DefaultSlots, Levels: schemes.DefaultLevels()}
	if a, b := s.info.Range(zero), s.info.Range(full); a != b {
		return s.broken("Range of the zero Config is %d, of the defaults %d", a, b)
	}
	p, q := plain(s.info, zero), plain(s.info, full)
	if err := s.try(p, q); err != nil {
		return err
	}
	if a, b := s.countsOf(p), s.countsOf(q); a != b {
		return s.broken("one program counts %+v with the zero Config, %+v with the defaults", a, b)
	}
	return nil
}

// countsOf is the counts at the end of p, which passes or is another rule's
// matter.
func (s *suite) countsOf(p program) (c schemes.Counts) {
	m := s.machine(p)
	m.mute = true
	m.execute(s.info)
	if m.counter != nil {
		c = m.counter.Counts()
	}
	return c
}

func checkRejected(s *suite) error {
	cfgs := []schemes.Config{{Capacity: -1}, {Capacity: math.MinInt}}
	if usesSlots(s.info) {
		// The huge ones first: a scheme that does not look cannot even try to
		// allocate them.
		for _, m := range []int{-1, math.MinInt, math.MaxInt, min(1<<60, math.MaxInt), schemes.MaxSlots + 1} {
			cfgs = append(cfgs, schemes.Config{Slots: m})
		}
	}
	if usesLevels(s.info) {
		for _, l := range [][]int{
			{0}, {-1}, {256, 0}, {0, 256}, {4, -4, 4}, {math.MinInt}, {math.MaxInt}, {math.MaxInt, math.MaxInt, 2},
			{min(1<<60, math.MaxInt)}, {1, schemes.MaxSlots}, {1 << 30, 1 << 30, 1},
		} {
			cfgs = append(cfgs, schemes.Config{Levels: l})
		}
	}
	for _, cfg := range cfgs {
		if got, ok := refuses(s.info, cfg); !ok {
			return s.broken("%s: %s", describe(cfg), got)
		}
	}
	return nil
}

// refuses tells whether New refuses cfg as it should; a panic is no refusal.
func refuses(info *schemes.Info, cfg schemes.Config) (got string, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			got, ok = panicText(p), false
		}
	}()
	scheme, err := info.New(cfg)
	if err == nil || scheme != nil {
		return fmt.Sprintf("a scheme, error %v", err), false
	}
	return err.Error(), errors.Is(err, schemes.ErrConfig)
}

func checkIgnored(s *suite) error {
	base := tiny(s.info)[0]
	var cfgs []schemes.Config
	for _, bad := range []int{-1, 0, math.MinInt, math.MaxInt} {
		if cfg := base; !usesSlots(s.info) {
			cfg.Slots = bad
			cfgs = append(cfgs, cfg)
		}
		if cfg := base; !usesLevels(s.info) {
			cfg.Levels = []int{bad, bad}
			cfgs = append(cfgs, cfg)
		}
	}
	for _, cfg := range cfgs {
		if a, b := s.info.Range(cfg), s.info.Range(base); a != b {
			return s.broken("%s has the range %d instead of %d", describe(cfg), a, b)
		}
		if err := s.try(plain(s.info, cfg)); err != nil {
			return err
		}
	}
	return nil
}

// checkCopied changes Levels right after New: what runs afterwards must still
// be the scheme of the old ones.
func checkCopied(s *suite) error {
	if !usesLevels(s.info) {
		return nil
	}
	for _, cfg := range tiny(s.info) {
		levels := slices.Clone(cfg.Levels)
		changing := *s.info
		changing.New = func(cfg schemes.Config) (schemes.Scheme, error) {
			cfg.Levels = slices.Clone(levels)
			scheme, err := s.info.New(cfg)
			for i := range cfg.Levels {
				cfg.Levels[i] = cfg.Levels[i]*3 + 1
			}
			return scheme, err
		}
		if err := s.under(&changing).try(plain(s.info, cfg), reach(s.info, cfg)); err != nil {
			return err
		}
		if _, err := s.info.New(cfg); err != nil || !slices.Equal(cfg.Levels, levels) {
			return s.broken("New made Levels %v of %v, error %v", cfg.Levels, levels, err)
		}
	}
	return nil
}

// under is s with an Info changed for the rule being checked: whatever differs
// breaks this rule. The oracles stay those of the Info as it is.
func (s *suite) under(info *schemes.Info) *suite {
	return &suite{info: info, rules: s.rules, rule: s.rule, patience: s.patience, own: true, oracles: s.oracles}
}

func checkRange(s *suite) error {
	cfgs := append(configs(s.info), schemes.Config{})
	if usesLevels(s.info) {
		cfgs = append(cfgs, schemes.Config{Levels: wide}, schemes.Config{Levels: []int{65536, 65536, 65536, 65536}},
			schemes.Config{Levels: []int{65536, 65536, 65536, 65535}}, schemes.Config{Levels: []int{3, 65536, 65536, 65536, 65535}})
	}
	for _, cfg := range cfgs {
		got, want := s.info.Range(cfg), longestOf(s.info, cfg)
		if s.info.IsBase() && got != want || got == 0 {
			return s.broken("Range of %s is %d instead of %d", describe(cfg), got, want)
		}
	}
	return nil
}
