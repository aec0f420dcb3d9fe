package adapter

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/schemes"
)

// server is an adapter of a scheme.
type server struct {
	info    *schemes.Info
	scheme  schemes.Scheme
	timers  map[string]*served // by name, ended ones too, as their handles must be refused
	byID    map[schemes.ID]*served
	expired []string // since the answer before, as events of an answer
	tick    int      // within a command
}

// served is a timer.
type served struct {
	name   string
	handle schemes.Handle
	action []string // operations
}

// Serve answers the lines of a driver with a scheme, until they end. version is of the code behind it. Without steps, ticks are
// passed with all expiries, as most libraries do, and the two steps of a scheme are not promised. Nor are the words in without.
func Serve(in io.Reader, out io.Writer, info *schemes.Info, version string, steps bool, without ...string) error {
	s := &server{info: info}
	hello, err := s.hello(version, steps, without)
	if err != nil {
		return err
	}
	defer s.close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		answer := hello
		if line := lines.Text(); !strings.HasPrefix(line, "hello") {
			answer = s.answer(strings.Fields(line))
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (s *server) hello(version string, steps bool, without []string) (string, error) {
	made, err := s.info.New(schemes.Config{})
	if err != nil {
		return "", err
	}
	s.scheme = made // to be closed
	text := fmt.Sprintf("hello %d %s %s", Version, s.info.Name, version)
	for _, word := range []string{"stale", "action", "order", "zero", "now"} {
		if !slices.Contains(without, word) {
			text += " " + word
		}
	}
	if _, is := made.(schemes.Restarter); is {
		text += " restart"
	}
	if steps {
		text += " pertick"
	}
	switch {
	case s.info.Kind == schemes.Wheel:
		text += " slots range=slots"
	case s.info.Kind.HasSlots():
		text += " slots"
	case s.info.Kind.HasLevels():
		text += " levels range=levels"
	case s.info.Range != nil && s.info.Range(schemes.Config{}) < math.MaxInt64:
		text += fmt.Sprintf(" range=%d", s.info.Range(schemes.Config{}))
	}
	return text, nil
}

// answer does what a line says. It panics if that is not in the protocol, as drivers are ours.
func (s *server) answer(words []string) string {
	defer func() { s.expired, s.tick = s.expired[:0], 0 }()
	switch words[0] {
	case "new":
		return s.new(words[1:])
	case "action":
		s.timer(words[1]).action = strings.Split(strings.Join(words[2:], " "), "; ")
		return "ok"
	case "tick":
		for n := parse(words[1]); n > 0; n-- {
			s.tick++
			s.scheme.PerTick()
			s.scheme.Expire(s.expire)
		}
		return strings.Join(append([]string{"ok"}, s.expired...), " ")
	case "pertick":
		return fmt.Sprintf("ok %d", s.scheme.PerTick())
	case "expire":
		s.scheme.Expire(s.expire)
		return strings.Join(append([]string{"ok"}, s.expired...), " ")
	}
	return s.do(words)
}

func parse(text string) uint64 {
	n, err := number(text)
	check(err)
	return n
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// close ends the goroutines of a scheme that has some.
func (s *server) close() {
	if c, ok := s.scheme.(interface{ Close() }); ok {
		c.Close()
	}
}

// new makes the scheme anew.
func (s *server) new(words []string) string {
	var cfg schemes.Config
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "now":
			cfg.Now = schemes.Tick(parse(value))
		case "slots":
			n, err := strconv.Atoi(value)
			check(err)
			cfg.Slots = n
		case "levels":
			for _, text := range strings.Split(value, ",") {
				n, err := strconv.Atoi(text)
				check(err)
				cfg.Levels = append(cfg.Levels, n)
			}
		}
	}
	made, err := s.info.New(cfg)
	if errors.Is(err, schemes.ErrConfig) {
		return "error config " + err.Error()
	}
	check(err)
	s.close()
	s.scheme, s.timers, s.byID = made, map[string]*served{}, map[schemes.ID]*served{}
	return "ok"
}

// timer returns the timer of a name, a new one if there is none.
func (s *server) timer(name string) *served {
	if s.timers[name] == nil {
		s.timers[name] = &served{name: name}
	}
	return s.timers[name]
}

// do starts, stops or restarts a timer.
func (s *server) do(words []string) string {
	switch words[0] {
	case "start":
		t, id := s.timer(words[1]), schemes.ID(len(s.byID)+1)
		h, err := s.scheme.Start(schemes.Tick(parse(words[2])), id)
		if err != nil {
			return refusal(err)
		}
		t.handle, s.byID[id] = h, t
		return "ok"
	case "stop":
		if t := s.timers[words[1]]; t != nil && s.scheme.Stop(t.handle) {
			return "yes"
		}
		return "no"
	case "restart":
		t := s.timers[words[1]]
		if t == nil {
			return "no"
		}
		h, err := s.scheme.(schemes.Restarter).Restart(t.handle, schemes.Tick(parse(words[3])))
		if err != nil {
			return refusal(err)
		}
		if old := *t; words[2] != t.name {
			t.name, t.action = words[2], s.timer(words[2]).action
			s.timers[old.name], s.timers[t.name] = &old, t
		}
		t.handle = h
		return "ok"
	}
	panic("no operation: " + strings.Join(words, " "))
}

func refusal(err error) string {
	switch {
	case errors.Is(err, schemes.ErrHandle):
		return "no"
	case errors.Is(err, schemes.ErrInterval):
		return "error interval " + err.Error()
	}
	return "error " + err.Error()
}

// expire is the action of every timer.
func (s *server) expire(id schemes.ID) {
	text := "0" // an ID that no start has
	if t := s.byID[id]; t != nil {
		text = t.name
		for i, operation := range t.action {
			answer, _, _ := strings.Cut(s.do(strings.Fields(operation)), " ")
			text += map[bool]string{true: "=", false: ","}[i == 0] + answer
		}
	}
	if s.tick > 0 {
		text = fmt.Sprintf("%d:%s", s.tick, text)
	}
	s.expired = append(s.expired, text)
}
