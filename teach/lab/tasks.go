package lab

import (
	"errors"
	"fmt"

	"timerlab/teach/lab/grade"
)

// ErrScheme is the error of a scheme for which there is no lab.
var ErrScheme = errors.New("no lab for scheme")

// task is what the templates need to know of the scheme to be written.
type task struct {
	Number    int
	Scheme    string // its name in the registry
	Structure string
	Kind      string // of package schemes
	Sorted    bool
	Range     string // what longest is to return
	Field     string // of the struct, as a comment
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

// Stages returns the stages, for the README.
func (t *task) Stages() []grade.Stage { return grade.Stages }

// Schemes returns the names of the schemes for which there is a lab, the usual one first.
func Schemes() (names []string) {
	for _, t := range tasks {
		names = append(names, t.Scheme)
	}
	return names
}

var tasks = []task{
	{
		Number: 6, Scheme: "hashunsorted", Kind: "HashedWheel", Structure: "a hashed wheel with unsorted lists",
		Range:    "scheme 6 accepts any interval: what is the largest Tick?",
		Field:    "the slots, and which of them the hand points at",
		Sizes:    "It has cfg.Slots\n// slots; 0 means schemes.DefaultSlots.",
		Question: "256 slots: how many timers does one PerTick visit on average?",
	},
	{
		Number: 2, Scheme: "ordered", Structure: "a list sorted by deadline", Kind: "List", Sorted: true,
		Range:    "scheme 2 accepts any interval: what is the largest Tick?",
		Field:    "the sorted list, linked both ways",
		Sizes:    "cfg.Capacity is how\n// many timers to make room for.",
		Question: "one list: how many timers does one Start compare with on average?",
	},
	{
		Number: 7, Scheme: "hierarchical", Structure: "a hierarchy of wheels", Kind: "Hierarchy",
		Range: "the product of cfg.Levels, but not beyond the largest Tick; nil means schemes.DefaultLevels()",
		Field: "the wheels, and where the hand of each is",
		Sizes: "cfg.Levels has the\n// number of slots of each wheel, lowest first; nil means " +
			"schemes.DefaultLevels().",
		Question: "four wheels of 16 slots: how often does a timer migrate on average?",
	},
}
