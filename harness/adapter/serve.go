package adapter

import (
	"bufio"
	"encoding/json"
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
	timers  map[string]served     // by the driver's ID; ended ones too, as their handles must be refused
	names   map[schemes.ID]string // the driver's IDs by the scheme's
	actions map[string][]string   // operations, by the driver's ID
	events  []string              // of the answer
	tick    int                   // within a command; 0: expire
}

// served is a timer. A restart does not change the scheme's ID.
type served struct {
	handle schemes.Handle
	id     schemes.ID
}

// Serve answers the lines of a driver with a scheme, until they end. version is of the code behind it. The words in without
// are not promised; without pertick, ticks are passed with all expiries, as most libraries do.
func Serve(in io.Reader, out io.Writer, info *schemes.Info, version string, without ...string) error {
	s := &server{info: info}
	hello, err := s.hello(version, without)
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

func (s *server) hello(version string, without []string) (text string, err error) {
	if s.scheme, err = s.info.New(schemes.Config{}); err != nil {
		return "", err
	}
	text = fmt.Sprintf("hello %d %s %s", Version, s.info.Name, version)
	for _, word := range []string{"stale", "action", "order", "zero", "now", "pertick"} {
		if !slices.Contains(without, word) {
			text += " " + word
		}
	}
	if _, is := s.scheme.(schemes.Restarter); is {
		text += " restart"
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

// close ends the goroutines of a scheme that has some.
func (s *server) close() {
	if c, ok := s.scheme.(interface{ Close() }); ok {
		c.Close()
	}
}

// answer does what a line says. It panics if that is not in the protocol, as drivers are ours.
func (s *server) answer(words []string) string {
	s.events, s.tick = []string{"ok"}, 0
	switch words[0] {
	case "new":
		return s.new(words[1:])
	case "action":
		s.actions[words[1]] = strings.Split(strings.Join(words[2:], " "), "; ")
	case "tick":
		for n := parse(words[1]); n > 0; n-- {
			s.tick++
			s.scheme.PerTick()
			s.scheme.Expire(s.expire)
		}
	case "pertick":
		s.events = append(s.events, strconv.Itoa(s.scheme.PerTick()))
	case "expire":
		s.scheme.Expire(s.expire)
	default:
		return s.do(words)
	}
	return strings.Join(s.events, " ")
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

// new replaces the scheme.
func (s *server) new(words []string) string {
	var cfg schemes.Config
	for _, word := range words {
		var err error
		switch key, value, _ := strings.Cut(word, "="); key {
		case "now":
			cfg.Now = schemes.Tick(parse(value))
		case "slots":
			cfg.Slots, err = strconv.Atoi(value)
		case "levels":
			err = json.Unmarshal([]byte("["+value+"]"), &cfg.Levels)
		}
		check(err)
	}
	made, err := s.info.New(cfg)
	if errors.Is(err, schemes.ErrConfig) {
		return "error config " + err.Error()
	}
	check(err)
	s.close()
	s.scheme, s.timers, s.names, s.actions = made, map[string]served{}, map[schemes.ID]string{}, map[string][]string{}
	return "ok"
}

// do starts, stops or restarts a timer.
func (s *server) do(words []string) string {
	t, known := s.timers[words[1]]
	var err error
	switch words[0] {
	case "start":
		t.id = schemes.ID(len(s.names) + 1)
		t.handle, err = s.scheme.Start(schemes.Tick(parse(words[2])), t.id)
	case "stop":
		if known && s.scheme.Stop(t.handle) {
			return "yes"
		}
		return "no"
	case "restart":
		if !known {
			return "no"
		}
		t.handle, err = s.scheme.(schemes.Restarter).Restart(t.handle, schemes.Tick(parse(words[3])))
	default:
		panic("no operation: " + strings.Join(words, " "))
	}
	switch {
	case errors.Is(err, schemes.ErrHandle):
		return "no"
	case errors.Is(err, schemes.ErrInterval):
		return "error interval " + err.Error()
	case err != nil:
		return "error " + err.Error()
	}
	name := words[len(words)-2]
	s.timers[name], s.names[t.id] = t, name
	return "ok"
}

// expire is the action of every timer.
func (s *server) expire(id schemes.ID) {
	name, known := s.names[id]
	if !known {
		name = "0" // an ID that no start has
	}
	event := name
	if s.tick > 0 {
		event = fmt.Sprintf("%d:%s", s.tick, name)
	}
	between := "="
	for _, operation := range s.actions[name] {
		answer, _, _ := strings.Cut(s.do(strings.Fields(operation)), " ")
		event += between + answer
		between = ","
	}
	s.events = append(s.events, event)
}
