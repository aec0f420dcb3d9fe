package lab

import (
	"encoding/json"
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

var tasks = readTasks()

func readTasks() (all []task) {
	text, err := files.ReadFile("tasks.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err) // it is embedded
	}
	return all
}
