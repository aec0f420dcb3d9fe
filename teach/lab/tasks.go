package lab

import (
	"errors"
	"fmt"
	"strings"
)

// ErrScheme is the error of a scheme for which there is no lab.
var ErrScheme = errors.New("no lab for scheme")

// task is what the templates need about the scheme to be written.
type task struct {
	Number    int
	Structure string
	Kind      string // of package schemes
	Sorted    bool
	Range     string // what longest is to return
	Fields    string // of the struct, as comments
	Sizes     string // what New makes of a Config
	Question  string
}

// Package returns the name of the student's package, and of the scheme.
func (t *task) Package() string { return fmt.Sprintf("scheme%d", t.Number) }

// Paper returns what the paper says of the scheme.
func (t *task) Paper() (string, error) {
	text, err := files.ReadFile(fmt.Sprintf("templates/paper%d.md", t.Number))
	return string(text), err
}

// Go returns the language version of the module.
func (t *task) Go() string { return goVersion }

func taskOf(number int) (*task, error) {
	for i := range tasks {
		if tasks[i].Number == number {
			return &tasks[i], nil
		}
	}
	var have []string
	for _, n := range Schemes() {
		have = append(have, fmt.Sprint(n))
	}
	return nil, fmt.Errorf("%w %d (have %s)", ErrScheme, number, strings.Join(have, ", "))
}

var tasks = []task{
	{
		Number: 6, Structure: "a hashed wheel with unsorted lists", Kind: "HashedWheel",
		Range: "scheme 6 accepts any interval: what is the largest Tick?",
		Fields: `	// the slots, and which of them the hand points at
	// where the timers are stored, and which places are free
	// the list of due timers
`,
		Sizes:    "It has cfg.Slots\n// slots; 0 means schemes.DefaultSlots.",
		Question: "256 slots: how many timers does one PerTick visit on average?",
	},
	{
		Number: 2, Structure: "a list sorted by deadline", Kind: "List", Sorted: true,
		Range: "scheme 2 accepts any interval: what is the largest Tick?",
		Fields: `	// the sorted list, linked both ways
	// where the timers are stored, and which places are free
	// the list of due timers
`,
		Sizes:    "cfg.Capacity is how\n// many timers to make room for.",
		Question: "one list: how many timers does one Start compare with on average?",
	},
	{
		Number: 7, Structure: "a hierarchy of wheels", Kind: "Hierarchy",
		Range: "the product of cfg.Levels, but not beyond the largest Tick; nil means schemes.DefaultLevels()",
		Fields: `	// the wheels, and where the hand of each is
	// where the timers are stored, and which places are free
	// the list of due timers
`,
		Sizes: "cfg.Levels has the\n// number of slots of each wheel, lowest first; nil means " +
			"schemes.DefaultLevels().",
		Question: "four wheels of 16 slots: how often does a timer migrate on average?",
	},
}
