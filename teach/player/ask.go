package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"timerlab/schemes"
)

// Kind is what a question asks for.
type Kind string

// The kinds of question. Each is answered by a copy of the schemes that is run on.
const (
	AskSlot      Kind = "slot"
	AskExpiry    Kind = "expiry"
	AskVisits    Kind = "visits"
	AskCompares  Kind = "compares"
	AskMigration Kind = "migration"
	AskWork      Kind = "work"
)

// Kinds are all kinds, with the words by which a page offers them.
var Kinds = []struct {
	Kind  Kind
	Title string
}{
	{AskExpiry, "Which timer expires next?"},
	{AskSlot, "In which slot does a START put its timer?"},
	{AskVisits, "How many timers does the next tick visit?"},
	{AskCompares, "How many comparisons does a START take?"},
	{AskMigration, "When does a timer migrate next?"},
	{AskWork, "Which scheme does least work?"},
}

// Question is a question about the present. What it leaves 0 is chosen from the state.
type Question struct {
	Kind     Kind
	Interval schemes.Tick // of a START that is asked about
}

// Prompt is a question as it is put.
type Prompt struct {
	Text    string
	Choices []string // if one of them is the answer; otherwise it is a number
	Labels  []string // of the choices, for the verdict
}

// Verdict is what the copy of the schemes says.
type Verdict struct {
	Right bool
	Text  string
}

// Copy returns a player at the same moment, which may be run on.
func (p *Player) Copy() *Player {
	c := *p
	_ = c.rewind() // it has succeeded before
	c.runTo(position{p.tick, p.step})
	return &c
}

// Ask puts a question. It returns false if the present schemes give no answer to it.
func (p *Player) Ask(q *Question) (Prompt, bool) {
	if q.Interval == 0 {
		q.Interval = max(1, p.State.T*3/4)
	}
	prompt, answers := p.ask(q)
	return prompt, len(answers) > 0
}

// ask returns the question and all answers that are right, the first of which is shown.
func (p *Player) ask(q *Question) (Prompt, []string) {
	switch q.Kind {
	case AskSlot:
		return p.askSlot(q)
	case AskExpiry:
		return p.askExpiry()
	case AskVisits:
		return p.askVisits()
	case AskCompares:
		return p.askCompares(q)
	case AskMigration:
		return p.askMigration()
	}
	return p.askWork()
}

// Answer compares an answer with what a copy of the schemes does.
func (p *Player) Answer(q *Question, text string) (Verdict, error) {
	prompt, answers := p.ask(q)
	if len(answers) == 0 {
		return Verdict{}, fmt.Errorf("no answer to %q here", prompt.Text)
	}
	text = strings.TrimSpace(text)
	if prompt.Choices == nil {
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			return Verdict{}, fmt.Errorf("invalid answer %q (use a whole number)", text)
		}
	}
	v := Verdict{Right: slices.Contains(answers, text), Text: "The code says " + answers[0] + "."}
	if q.Kind == AskWork {
		v.Text += " Steps: " + strings.Join(prompt.Labels, ", ") + "."
	}
	return v, nil
}
