package schemetest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"timerlab/schemes"
)

// The checks of what an Info says, of what New makes of a Config, and of the texts of errors.

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func checkInfo(s *suite) {
	i := s.info
	s.require(i.Number >= 0 && i.Number <= 7, "Number is %d; a scheme that is not in the paper has 0", i.Number)
	s.require(nameForm.MatchString(i.Name), "Name is %q", i.Name)
	s.require(i.Title != "" && i.Doc != "", "Title is %q, Doc has %d bytes", i.Title, len(i.Doc))
	s.require(i.New != nil && i.Range != nil, "New or Range is nil")
}

func checkInterfaces(s *suite) {
	all := []bool{has[schemes.Counter](s), has[schemes.Checker](s), has[schemes.Sized](s), has[fmt.Stringer](s)}
	s.require(!oneOfSeven(s.info) || !slices.Contains(all, false),
		"Counts %t, Check %t, Len %t, String %t", all[0], all[1], all[2], all[3])
}

func checkRange(s *suite) {
	cs := s.withDefault()
	if usesLevels(s.info) {
		cs = append(cs, withLevels(s.info, wide, wide[:4], []int{65536, 65536, 65536, 65535})...)
	}
	for _, c := range cs {
		got, want := c.longest(), c.required()
		s.require(got == want || got != 0 && !oneOfSeven(s.info), "Range of %s is %d instead of %d", c, got, want)
	}
}

// checkDefault compares the zero Config with the one that spells the defaults out:
// outcome and, as the structures are the same, counts.
func checkDefault(s *suite) {
	zero := setting{info: s.info}
	full := setting{s.info, schemes.Config{Slots: schemes.DefaultSlots, Levels: schemes.DefaultLevels()}}
	for _, text := range []func(*program){plain, around(600)} { // in one revolution, and in several
		s.each([]setting{zero, full}, text)
		a, b := s.countsOf(write(zero, text)), s.countsOf(write(full, text))
		s.require(a == b, "one program counts %+v with the zero Config, %+v with the defaults", a, b)
	}
}

// checkRejected tries the huge sizes first: a scheme that does not look cannot even
// try to allocate them. A scheme that is not of the paper may ignore Capacity.
func checkRejected(s *suite) {
	s.strict = true // a panic is no refusal
	bad := []setting{{s.info, schemes.Config{Capacity: -1}}, {s.info, schemes.Config{Capacity: math.MinInt}}}
	if usesSlots(s.info) {
		bad = append(bad, withSlots(s.info, -1, math.MinInt, math.MaxInt, schemes.MaxSlots+1)...)
	}
	if usesLevels(s.info) {
		bad = append(bad, withLevels(s.info, []int{-1}, []int{256, 0}, []int{0, 256}, []int{4, -4, 4},
			[]int{math.MaxInt}, []int{math.MaxInt, math.MaxInt, 2}, []int{1, schemes.MaxSlots}, []int{1 << 30, 1 << 30, 1})...)
	}
	for _, c := range bad {
		s.made = []string{c.String()}
		made, err := s.info.New(c.cfg)
		ignored := err == nil && c.cfg.Capacity < 0 && !ofPaper(s.info)
		s.require(ignored || made == nil && errors.Is(err, schemes.ErrConfig),
			"it made a scheme: %t, error: %v", made != nil, err)
	}
}

func checkIgnored(s *suite) {
	if s.info.Number == 0 && s.info.Kind == schemes.Other {
		return // which fields it uses is not known
	}
	base := s.few()[0]
	for _, bad := range []int{math.MinInt, 0, math.MaxInt} {
		c := base
		if !usesSlots(s.info) {
			c.cfg.Slots = bad
		}
		if !usesLevels(s.info) {
			c.cfg.Levels = []int{bad, bad}
		}
		s.require(c.longest() == base.longest(), "%s has the range %d instead of %d", c, c.longest(), base.longest())
		s.each([]setting{c}, plain)
	}
}

// checkCopied changes Levels right after New: what runs afterwards must still be the scheme of the old ones.
func checkCopied(s *suite) {
	s.strict = true
	changing := *s.info
	changing.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		passed := slices.Clone(cfg.Levels)
		cfg.Levels = slices.Clone(passed)
		made, err := s.info.New(cfg)
		s.require(slices.Equal(cfg.Levels, passed), "New made Levels %v of %v", cfg.Levels, passed)
		for i := range cfg.Levels {
			cfg.Levels[i] = cfg.Levels[i]*3 + 1
		}
		return made, err
	}
	for _, c := range s.few() {
		s.each([]setting{{&changing, c.cfg}}, plain, wholeRange)
	}
}

func checkErrorText(s *suite) {
	requireText := func(err error, call string, value any) {
		scheme, _, _ := strings.Cut(s.info.Name, "-")
		text := fmt.Sprint(err)
		s.require(strings.Contains(text, scheme) && strings.Contains(text, fmt.Sprint(value)), call+": %v", value, err)
	}
	made := s.scheme(s.few()[0].at(endOfClock - 1234))
	for _, interval := range []schemes.Tick{0, endOfClock - 77} {
		_, err := made.Start(interval, 1)
		requireText(err, "Start(interval %d)", interval)
	}
	if _, err := s.info.New(schemes.Config{Capacity: -4321}); err != nil || ofPaper(s.info) {
		requireText(err, "New with Capacity %d", -4321)
	}
}
