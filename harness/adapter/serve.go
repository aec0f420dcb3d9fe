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
	hello   string // its answer
	scheme  schemes.Scheme
	timers  map[string]served   // by the driver's ID; ended ones too, as their handles must be refused
	names   []string            // the driver's IDs, by the scheme's; 0 is no timer
	actions map[string][]string // operations, by the driver's ID
	events  []string            // of the answer
	tick    int                 // within a command; 0: expire
}

// served is a timer. A restart does not change the scheme's ID.
type served struct {
	handle schemes.Handle
	id     schemes.ID
}

// Serve answers the lines of a driver with a scheme, until they end. version is of the code behind it. The words in without
// are not promised; without pertick, ticks are passed with all expiries, as most libraries do.
func Serve(in io.Reader, out io.Writer, info *schemes.Info, version string, without ...string) error {
	s, err := newServer(info, version, without)
	if err != nil {
		return err
	}
	defer s.close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		if _, err := fmt.Fprintln(out, s.answer(lines.Text())); err != nil {
			return err
		}
	}
	return lines.Err()
}

func newServer(info *schemes.Info, version string, without []string) (*server, error) {
	scheme, err := info.New(schemes.Config{})
	if err != nil {
		return nil, err
	}
	promises := []string{"stale", "action", "order", "zero", "now", "pertick"}
	if _, is := scheme.(schemes.Restarter); is {
		promises = append(promises, "restart")
	}
	switch {
	case info.Kind == schemes.Wheel:
		promises = append(promises, "slots", "range=slots")
	case info.Kind.HasSlots():
		promises = append(promises, "slots")
	case info.Kind.HasLevels():
		promises = append(promises, "levels", "range=levels")
	case info.Range != nil && info.Range(schemes.Config{}) < math.MaxInt64:
		promises = append(promises, fmt.Sprintf("range=%d", info.Range(schemes.Config{})))
	}
	promises = slices.DeleteFunc(promises, func(word string) bool { return slices.Contains(without, word) })
	hello := fmt.Sprintf("hello %d %s %s %s", Version, info.Name, version, strings.Join(promises, " "))
	return &server{info: info, hello: hello, scheme: scheme}, nil
}

// close ends the goroutines of a scheme that has some.
func (s *server) close() {
	if c, ok := s.scheme.(interface{ Close() }); ok {
		c.Close()
	}
}

// answer does what a line says. It panics if that is not in the protocol, as drivers are ours.
func (s *server) answer(line string) string {
	words := strings.Fields(line)
	s.events, s.tick = []string{"ok"}, 0
	switch words[0] {
	case "hello":
		return s.hello
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
		key, value, _ := strings.Cut(word, "=")
		if key == "levels" {
			value = "[" + value + "]"
		}
		check(json.Unmarshal(fmt.Appendf(nil, "{%q: %s}", key, value), &cfg)) // its keys are the fields
	}
	made, err := s.info.New(cfg)
	if errors.Is(err, schemes.ErrConfig) {
		return "error config " + err.Error()
	}
	check(err)
	s.close()
	s.scheme, s.timers, s.names, s.actions = made, map[string]served{}, []string{"0"}, map[string][]string{}
	return "ok"
}

// do starts, stops or restarts a timer.
func (s *server) do(words []string) string {
	t, known := s.timers[words[1]]
	last := schemes.Tick(parse(words[len(words)-1])) // the interval, unless it stops
	var err error
	switch words[0] {
	case "start":
		t.id, s.names = schemes.ID(len(s.names)), append(s.names, words[1])
		t.handle, err = s.scheme.Start(last, t.id)
	case "stop":
		if known && s.scheme.Stop(t.handle) {
			return "yes"
		}
		return "no"
	case "restart":
		if !known {
			return "no"
		}
		t.handle, err = s.scheme.(schemes.Restarter).Restart(t.handle, last)
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
	name := s.names[0] // of an ID that no start has
	if id < schemes.ID(len(s.names)) {
		name = s.names[id]
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
