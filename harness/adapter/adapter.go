package adapter

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Version is the version of the protocol.
const Version = 1

// Variable names the environment variable that lists the adapters for the program of package peers: NAME=COMMAND, separated by
// commas.
const Variable = "TIMERLAB_ADAPTERS"

// promises are the words with which an adapter says what else its library does.
var promises = []string{"restart", "stale", "action", "order", "zero", "pertick", "now", "slots", "levels", "run",
	"range=", "late=", "early=", "clock="}

// Adapter is a library behind the protocol.
type Adapter struct {
	Name, Version string        // the library's
	Tick          time.Duration // of its own clock; 0: the clock is virtual

	ctx         context.Context
	command     []string
	hello       string            // its answer
	promises    map[string]string // with their values
	longest     schemes.Tick      // interval, unless range= names sizes
	early, late schemes.Tick      // that a timer may be: ticks or, with a clock of its own, nanoseconds
	process     *process
	patience    time.Duration
	lines       []string // asked and answered since New
}

// Open starts the command. It returns an error if that is not an adapter.
func Open(ctx context.Context, command ...string) (*Adapter, error) {
	if len(command) == 0 {
		return nil, errors.New("no command")
	}
	a := &Adapter{ctx: ctx, command: command, patience: patience, longest: math.MaxInt64,
		promises: map[string]string{}}
	if err := a.start(); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	if err := a.parse(); err != nil {
		a.Close()
		return nil, fmt.Errorf("%s answered %.100q: %w", command[0], a.hello, err)
	}
	return a, nil
}

// start starts the process. One that is started after another must say the same of itself.
func (a *Adapter) start() (err error) {
	defer caught(&err)
	p, err := startProcess(a.ctx, a.command)
	if err != nil {
		return err
	}
	a.process = p
	const slow = 4 // a virtual machine and its libraries have to be loaded
	hello := p.ask(fmt.Sprintf("hello %d", Version), slow*patience)
	if a.hello != "" && a.hello != hello {
		p.fail("panic", "it answered %.100q to hello, and %.100q before", hello, a.hello)
	}
	a.hello = hello
	return nil
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// parse reads the answer to hello.
func (a *Adapter) parse() error {
	words := strings.Fields(a.hello)
	if len(words) < 4 || words[0] != "hello" || words[1] != strconv.Itoa(Version) {
		return fmt.Errorf("want hello %d NAME VERSION, and what it promises", Version)
	}
	if a.Name, a.Version = words[2], words[3]; !nameForm.MatchString(a.Name) {
		return fmt.Errorf("%s: no name (use lower-case letters, digits and single dashes)", a.Name)
	}
	for _, word := range words[4:] {
		key, value, valued := strings.Cut(word, "=")
		if valued {
			key += "="
		}
		if !slices.Contains(promises, key) {
			return fmt.Errorf("%s is no promise (have %s)", word, strings.Join(promises, ", "))
		}
		a.promises[key] = value
	}
	for _, v := range values {
		if text, is := a.promises[v.key]; is && !v.parse(a, text) {
			return fmt.Errorf("%s%s: %s", v.key, text, v.use)
		}
	}
	switch {
	case a.Promises("action") && !a.Promises("stale"):
		return errors.New("action needs stale: an action may stop a timer that has ended")
	case a.Tick > 0 && slices.ContainsFunc([]string{"order", "run", "now", "sizes", "pertick"}, a.Promises):
		return errors.New("with clock=, there is no order, run, now, slots, levels and pertick")
	}
	return nil
}

// values are the promises with a value. The clock comes first, as it decides on the unit of the others.
var values = []struct {
	key, use string
	parse    func(a *Adapter, text string) bool
}{
	{"clock=", "use 1ms to 20ms, as some hundreds pass", func(a *Adapter, text string) bool {
		var err error
		a.Tick, err = time.ParseDuration(text)
		return err == nil && a.Tick >= time.Millisecond && a.Tick <= 20*time.Millisecond
	}},
	{"range=", "use 1 to 2^63-1, or slots or levels, which have to be promised, too", func(a *Adapter, text string) bool {
		n, err := number(text)
		a.longest = schemes.Tick(n)
		return err == nil && n > 0 && n <= math.MaxInt64 || (text == "slots" || text == "levels") && a.Promises(text)
	}},
	{"early=", useBound, func(a *Adapter, text string) bool { return a.parseBound(text, &a.early) }},
	{"late=", useBound, func(a *Adapter, text string) bool { return a.parseBound(text, &a.late) }},
}

const useBound = "early= and late= are in ms with clock=, else in ticks"

func (a *Adapter) parseBound(text string, to *schemes.Tick) bool {
	digits, ms := strings.CutSuffix(text, "ms")
	n, err := number(digits)
	if *to = schemes.Tick(n); ms {
		*to *= schemes.Tick(time.Millisecond)
	}
	return err == nil && ms == (a.Tick > 0)
}

func number(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }

// Promises reports whether a word is promised. late is any bound in ticks, and sizes is slots or levels.
func (a *Adapter) Promises(word string) bool {
	switch word {
	case "late":
		return a.Tick == 0 && (a.early > 0 || a.late > 0)
	case "sizes":
		return a.Promises("slots") || a.Promises("levels")
	}
	_, is := a.promises[word]
	return is
}

// Info describes the library as a scheme.
func (a *Adapter) Info() *schemes.Info {
	info := &schemes.Info{Name: a.Name, Title: a.Name + " " + a.Version, Doc: strings.Join(a.command, " ")}
	info.New, info.Range = a.new, a.rangeOf
	switch {
	case a.Promises("slots"):
		info.Kind = schemes.HashedWheel
	case a.Promises("levels"):
		info.Kind = schemes.Hierarchy
	}
	return info
}

// rangeOf returns the longest interval. Numbers of the protocol are below 2^63.
func (a *Adapter) rangeOf(cfg schemes.Config) schemes.Tick {
	switch a.promises["range="] {
	case "slots":
		return schemes.Tick(cmp.Or(cfg.Slots, schemes.DefaultSlots))
	case "levels":
		if len(cfg.Levels) == 0 {
			cfg.Levels = schemes.DefaultLevels()
		}
		return min(schemes.Span(cfg.Levels), math.MaxInt64)
	}
	return a.longest
}

// Verify checks the library against the rules that can be seen from outside, within a time, by and large, or with short within a
// tenth of it. progress is called before each rule.
func (a *Adapter) Verify(ctx context.Context, short bool, within time.Duration, progress func(done, of int, rule string)) (
	[]schemetest.Verdict, error) {
	if a.Tick > 0 {
		return a.verifyReal(progress), nil
	}
	if short {
		within /= 10
	}
	alone, err := Open(ctx, a.command...) // another process, which says when a timer is due that is alone
	if err != nil {
		return nil, err
	}
	defer alone.Close()
	return schemetest.VerifyOutside(a.Info(), alone.Info(), a.Promises, within, progress), nil
}

// Digest returns a digest of the files that the command names by their paths.
func (a *Adapter) Digest() string {
	sum := sha256.New()
	for _, word := range a.command {
		if data, err := os.ReadFile(word); err == nil {
			sum.Write(data)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6])
}

// Close ends the process.
func (a *Adapter) Close() { a.process.end() }

// ask sends a line and returns the answer. Both are kept.
func (a *Adapter) ask(line string) string {
	const mostLines = 1000 // a program that breaks a rule is far shorter
	a.lines = append(a.lines, "> "+line)
	answer := a.process.ask(line, a.patience)
	a.lines = append(a.lines, "< "+answer)
	a.lines = a.lines[:min(len(a.lines), mostLines)]
	return answer
}

// order sends a line whose answer is ok.
func (a *Adapter) order(line string) {
	if answer := a.ask(line); answer != "ok" {
		a.unexpected(line, answer)
	}
}

// unexpected fails with an answer that is not in the protocol.
func (a *Adapter) unexpected(line, answer string) {
	a.process.fail("panic", "it answered %.100q to %.100q", answer, line)
}

// event is an expiry: at, a tick within the command or a time since the start, the timer, and the answers to its action.
type event struct {
	at      uint64
	id      uint64
	answers []string
}

// events reads the events of an answer, which begin after some words. Those of expire have no at.
func (a *Adapter) events(line, answer string, after int) (all []event) {
	words := strings.Fields(answer)
	if len(words) < after || words[0] != "ok" {
		a.unexpected(line, answer)
	}
	for _, word := range words[after:] {
		text, answers, acted := strings.Cut(word, "=")
		if line == "expire" {
			text = "0:" + text
		}
		at, id, _ := strings.Cut(text, ":")
		var e event
		var err, err2 error
		e.at, err = number(at)
		if e.id, err2 = number(id); err != nil || err2 != nil {
			a.unexpected(line, answer)
		}
		if acted {
			e.answers = strings.Split(answers, ",")
		}
		all = append(all, e)
	}
	return all
}
