package adapter

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/schemes"
)

// Version is the protocol's.
const Version = 1

// Promises are the words with which an adapter says what else its library does.
var Promises = []string{"restart", "stale", "action", "order", "zero", "pertick", "now", "slots", "levels", "run"}

// Adapter is a library behind the protocol.
type Adapter struct {
	Name, Version string        // the library's
	Tick          time.Duration // of its own clock; 0: the clock is virtual
	Early, Late   schemes.Tick  // by how much a timer may be due before or after its deadline

	ctx         context.Context
	command     []string
	hello       string        // its answer
	early, late time.Duration // the same, of a clock of its own
	longest     string        // interval: a number of ticks, "slots" or "levels"
	promises    []string
	process     *process
	patience    time.Duration
	lines       []string // asked and answered since New
}

// Open starts the command. It returns an error if that is not an adapter.
func Open(ctx context.Context, command ...string) (a *Adapter, err error) {
	if len(command) == 0 {
		return nil, errors.New("no command")
	}
	a = &Adapter{ctx: ctx, command: command, patience: patience, longest: strconv.FormatUint(math.MaxInt64, 10)}
	if err := a.start(); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	if err := a.parse(a.hello); err != nil {
		a.Close()
		return nil, fmt.Errorf("%s answered %q: %w", command[0], clip(a.hello), err)
	}
	return a, nil
}

// start starts the process, which says what it said before.
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
		p.fail("panic", "it answered %q to hello, and %q before", clip(hello), clip(a.hello))
	}
	a.hello = hello
	return nil
}

// caught makes a *Failure that was panicked with the error.
func caught(err *error) {
	switch f := recover().(type) {
	case nil:
	case *Failure:
		*err = f
	default:
		panic(f)
	}
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// parse reads the answer to hello.
func (a *Adapter) parse(answer string) error {
	words := strings.Fields(answer)
	if len(words) < 4 || words[0] != "hello" || words[1] != strconv.Itoa(Version) {
		return fmt.Errorf("want hello %d NAME VERSION, and what it promises", Version)
	}
	if a.Name, a.Version = words[2], words[3]; !nameForm.MatchString(a.Name) {
		return fmt.Errorf("%s: no name (use lower-case letters, digits and single dashes)", a.Name)
	}
	for _, word := range words[4:] {
		key, value, is := strings.Cut(word, "=")
		var err error
		switch {
		case !is && slices.Contains(Promises, word):
			a.promises = append(a.promises, word)
		case key == "range" && (value == "slots" || value == "levels"):
			a.longest = value
		case key == "range":
			var n uint64
			if n, err = number(value); (n == 0 || n > math.MaxInt64) && err == nil {
				err = errors.New("no range (use 1 to 2^63-1)")
			}
			a.longest = value
		case key == "late" && strings.HasSuffix(value, "ms"):
			a.late, err = time.ParseDuration(value)
		case key == "early" && strings.HasSuffix(value, "ms"):
			a.early, err = time.ParseDuration(value)
		case key == "late":
			a.Late, err = ticks(value)
		case key == "early":
			a.Early, err = ticks(value)
		case key == "clock":
			a.Tick, err = time.ParseDuration(value)
			if err == nil && (a.Tick < time.Millisecond || a.Tick > 20*time.Millisecond) {
				err = errors.New("no tick (use 1ms to 20ms, as some hundreds pass)")
			}
		default:
			return fmt.Errorf("%s is no promise (have %s, range=, late=, early=, clock=)", word, strings.Join(Promises, ", "))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
	}
	of := func(words ...string) bool { return slices.ContainsFunc(words, a.promise) }
	switch {
	case a.Tick > 0 && (a.Early > 0 || a.Late > 0) || a.Tick == 0 && (a.early != 0 || a.late != 0) || a.early < 0 || a.late < 0:
		return errors.New("early= and late= are in ms with clock=, else in ticks")
	case a.Tick > 0 && of("order", "run", "now", "slots", "levels", "pertick"):
		return errors.New("with clock=, there is no order, run, now, slots, levels and pertick")
	case a.promise("action") && !a.promise("stale"):
		return errors.New("action needs stale: an action may stop a timer that has ended")
	case (a.longest == "slots" || a.longest == "levels") && !a.promise(a.longest):
		return fmt.Errorf("range=%s needs %[1]s", a.longest)
	}
	return nil
}

func number(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }

func ticks(text string) (schemes.Tick, error) {
	n, err := number(text)
	return schemes.Tick(n), err
}

// promise reports whether a word is promised, also late for any bound, and sizes for slots or levels.
func (a *Adapter) promise(word string) bool {
	switch word {
	case "late":
		return a.Early > 0 || a.Late > 0
	case "sizes":
		return a.promise("slots") || a.promise("levels")
	}
	return slices.Contains(a.promises, word)
}

// Promises reports whether the adapter promises all of these words.
func (a *Adapter) Promises(words ...string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !a.promise(word) })
}

// Info describes the library as a scheme.
func (a *Adapter) Info() *schemes.Info {
	info := &schemes.Info{Name: a.Name, Title: a.Name + " " + a.Version, Doc: strings.Join(a.command, " "), New: a.new}
	switch {
	case a.promise("slots"):
		info.Kind = schemes.HashedWheel
	case a.promise("levels"):
		info.Kind = schemes.Hierarchy
	}
	info.Range = func(cfg schemes.Config) schemes.Tick { // numbers of the protocol are below 2^63
		switch {
		case a.longest == "slots":
			return schemes.Tick(cmp.Or(cfg.Slots, schemes.DefaultSlots))
		case a.longest == "levels" && len(cfg.Levels) == 0:
			return schemes.Span(schemes.DefaultLevels())
		case a.longest == "levels":
			return min(schemes.Span(cfg.Levels), math.MaxInt64)
		}
		longest, _ := ticks(a.longest) // parse has read it
		return longest
	}
	return info
}

// Variable is the environment variable with which the program of package peers is told of adapters to measure: NAME=COMMAND,
// with commas between.
const Variable = "TIMERLAB_ADAPTERS"

// Digest returns a digest of the files that the command names.
func (a *Adapter) Digest() string {
	sum := sha256.New()
	for i, word := range a.command {
		if path, err := exec.LookPath(word); err == nil && i == 0 {
			word = path
		}
		if data, err := os.ReadFile(word); err == nil {
			sum.Write(data)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6])
}

// Close ends the process.
func (a *Adapter) Close() { a.process.end() }

// ask sends a line and returns the answer. Both are kept.
func (a *Adapter) ask(line string) (answer string) {
	a.keep("> " + line)
	answer = a.process.ask(line, a.patience)
	a.keep("< " + answer)
	return answer
}

const mostLines = 1000 // that are kept: a program that breaks a rule is far shorter

func (a *Adapter) keep(line string) {
	if len(a.lines) < mostLines {
		a.lines = append(a.lines, line)
	}
}

// unexpected fails with an answer that is not in the protocol.
func (a *Adapter) unexpected(line, answer string) {
	a.process.fail("panic", "it answered %q to %q", clip(answer), clip(line))
}
