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
	AskCurve     Kind = "curve"
	AskFault     Kind = "fault"
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
	{AskCurve, "How do visits fall with M?"},
	{AskFault, "Which rule does a faulty scheme break?"},
}

// Question is a question about the present. What it leaves 0 is chosen from the state.
type Question struct {
	Kind     Kind
	Interval schemes.Tick // of a START that is asked about
	Seed     uint64       // which fault
}

// Prompt is a question as it is put.
type Prompt struct {
	Text    string
	Choices []string  // if one of them is the answer; otherwise it is a number
	Labels  []string  // of the choices, or of the points of a curve
	Points  []float64 // of a curve to be drawn: the values of M
	Program []string  // what a faulty scheme did
}

// Verdict is what the copy of the schemes says.
type Verdict struct {
	Right   bool
	Text    string
	Counted []float64 // of a curve
	Formula []float64
}

// copy returns a player at the same moment, which may be run on.
func (p *Player) copy() *Player {
	c := *p
	_ = c.rewind() // it has succeeded before
	c.runTo(position{p.tick, p.step})
	return &c
}

// asked returns the scheme that a question is about: the first of a fitting kind, or the
// first that runs at all.
func (p *Player) asked(fits func(*schemes.Info) bool) *lane {
	for _, l := range p.lanes {
		if l.refused == "" && fits(l.info) {
			return l
		}
	}
	return nil
}

func wheeled(i *schemes.Info) bool        { return i.Kind.HasSlots() || i.Kind.HasLevels() }
func hierarchy(i *schemes.Info) bool      { return i.Kind.HasLevels() }
func every(*schemes.Info) bool            { return true }
func searching(i *schemes.Info) bool      { return i.Sorted || i.Kind == schemes.Tree }
func number[T ~uint64 | ~int](n T) string { return fmt.Sprint(n) }

// Ask puts a question. It returns false if the present schemes give no answer to it.
func (p *Player) Ask(q *Question) (Prompt, bool) {
	if q.Interval == 0 {
		q.Interval = max(1, p.State.T*3/4)
	}
	prompt, answers := p.ask(q)
	return prompt, len(answers) > 0 || q.Kind == AskCurve
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
	case AskWork:
		return p.askWork()
	case AskFault:
		return askFault(q.Seed)
	}
	return p.askCurve(), nil
}

// Answer compares an answer with what a copy of the schemes does.
func (p *Player) Answer(q *Question, text string) (Verdict, error) {
	if q.Kind == AskCurve {
		return p.answerCurve(text)
	}
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
	switch q.Kind {
	case AskFault:
		v.Text = "It breaks the rule " + answers[0] + ": " + prompt.Labels[slices.Index(prompt.Choices, answers[0])]
	case AskWork:
		v.Text += " Steps: " + strings.Join(prompt.Labels, ", ") + "."
	}
	return v, nil
}

func (p *Player) askSlot(q *Question) (Prompt, []string) {
	l := p.copy().asked(wheeled)
	if l == nil {
		return Prompt{}, nil
	}
	const id = maxNumber
	prompt := Prompt{Text: fmt.Sprintf("A timer is started now for %s. In which slot does %s put it?",
		ticks(q.Interval), l.info.Name)}
	if _, err := l.scheme.Start(q.Interval, id); err != nil {
		return prompt, nil
	}
	place := l.find(id)
	if l.info.Kind.HasLevels() {
		prompt.Text += " Give the slot's number on its wheel."
	}
	return prompt, []string{number(place.Slot)}
}

// find returns the place of a timer.
func (l *lane) find(id schemes.ID) (found schemes.Place) {
	found.Level = -2 // nowhere
	l.scheme.(schemes.Viewer).View(func(place schemes.Place) bool {
		if place.ID == id {
			found = place
		}
		return place.ID != id
	})
	return found
}

func (p *Player) askExpiry() (Prompt, []string) {
	c := p.copy()
	prompt := Prompt{Text: "Which timer expires next? Give the number in its circle."}
	for l := c.asked(every); l != nil && c.tick < c.State.Ticks; {
		c.runTo(position{c.tick + 1, 2})
		if len(l.expired) > 0 {
			var answers []string
			for _, id := range l.expired {
				answers = append(answers, number(id))
			}
			return prompt, answers
		}
	}
	return prompt, nil
}

func (p *Player) askVisits() (Prompt, []string) {
	l := p.copy().asked(every)
	if l == nil {
		return Prompt{}, nil
	}
	l.perTick()
	return Prompt{Text: fmt.Sprintf("How many timers does the next PER_TICK of %s visit?", l.info.Name)},
		[]string{number(l.counts().Sub(l.last).Visits)}
}

func (p *Player) askCompares(q *Question) (Prompt, []string) {
	l := p.copy().asked(searching)
	if l == nil {
		return Prompt{}, nil
	}
	before := l.counts()
	if _, err := l.scheme.Start(q.Interval, maxNumber); err != nil {
		return Prompt{}, nil
	}
	return Prompt{Text: fmt.Sprintf("A timer is started now for %s. With how many timers does %s compare it?",
		ticks(q.Interval), l.info.Name)}, []string{number(l.counts().Sub(before).Compares)}
}

// askMigration asks for the first timer above the lowest wheel.
func (p *Player) askMigration() (Prompt, []string) {
	l := p.copy().asked(hierarchy)
	if l == nil {
		return Prompt{}, nil
	}
	var timer *schemes.Place
	for _, place := range l.places() {
		if !place.Due && place.Level > 0 {
			timer = &place
			break
		}
	}
	if timer == nil {
		return Prompt{}, nil
	}
	prompt := Prompt{Text: fmt.Sprintf("Timer %d waits on wheel %d. If it is not stopped, on which tick does it leave this wheel?",
		timer.ID, timer.Level)}
	for tick := p.tick + 1; tick < p.tick+maxTicks; tick++ {
		l.scheme.PerTick()
		if now := l.find(timer.ID); now.Due || now.Level != timer.Level {
			return prompt, []string{number(tick)}
		}
	}
	return prompt, nil
}

// askWork runs all schemes for workTicks more.
func (p *Player) askWork() (Prompt, []string) {
	const workTicks = 100
	s := p.State
	s.Ticks = max(s.Ticks, s.At+workTicks)
	c, err := New(s, p.file)
	if err != nil || len(c.lanes) < 2 {
		return Prompt{}, nil
	}
	var before []schemes.Counts
	for _, l := range c.lanes {
		before = append(before, l.counts())
	}
	c.runTo(position{s.At + workTicks, c.input.steps(s.At + workTicks)})
	prompt := Prompt{Text: fmt.Sprintf("Which scheme takes the fewest steps in the next %d ticks? "+
		"A step is a comparison, a visit, a link, a migration or an empty slot.", workTicks)}
	var answers []string
	least := ^uint64(0)
	for i, l := range c.lanes {
		if l.refused != "" {
			continue
		}
		prompt.Choices = append(prompt.Choices, l.info.Name)
		steps := Steps(l.counts().Sub(before[i]))
		prompt.Labels = append(prompt.Labels, fmt.Sprintf("%s %d", l.info.Name, steps))
		if steps < least {
			least, answers = steps, nil
		}
		if steps == least {
			answers = append(answers, l.info.Name)
		}
	}
	return prompt, answers
}
