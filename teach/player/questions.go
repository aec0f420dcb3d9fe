package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness"
	"timerlab/schemes"
)

// questions are all kinds of questions. One is put to a copy of the player, which it may run on, and to a scheme of it.
// The prompt is empty if it cannot be about this scheme, and has no answers if there are none at this moment.
var questions = map[string]func(p *Player, l *lane, interval schemes.Tick) Prompt{
	"expiry": (*Player).askExpiry, "slot": (*Player).askSlot, "visits": (*Player).askVisits,
	"compares": (*Player).askCompares, "migration": (*Player).askMigration, "work": (*Player).askWork,
}

// Prompt is a question as it is put.
type Prompt struct {
	Text    string
	Choices []string // if one of them is the answer; otherwise it is a number
	steps   []string // of the choices, for the verdict
	answers []string // all that are right, as a copy of the schemes says
}

// Ask puts the question of the lesson to a copy of the schemes. It returns false if they give no answer to it, or the
// state is the free one.
func (p *Player) Ask() (prompt Prompt, ok bool) {
	if p.State.Lesson == 0 {
		return prompt, false
	}
	lesson, c := Lessons[p.State.Lesson-1], *p
	c.rewind()
	c.runTo(p.position)
	for _, l := range c.lanes {
		if l.Refused == "" && prompt.Text == "" {
			prompt = questions[lesson.Kind](&c, l, lesson.Interval)
		}
	}
	return prompt, len(prompt.answers) > 0
}

// Answer reports whether an answer is right, and says which are.
func (p *Prompt) Answer(text string) (right bool, verdict string, err error) {
	text = strings.TrimSpace(text)
	if p.Choices == nil {
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			return false, "", fmt.Errorf("invalid answer %q (use a whole number)", text)
		}
	}
	if info, err := harness.Find(text); err == nil {
		text = Name(info) // of a package
	}
	verdict = "The code says " + strings.Join(p.answers, ", or ") + "."
	if len(p.steps) > 0 {
		verdict += " Steps of " + strings.Join(p.steps, "; ") + "."
	}
	return slices.Contains(p.answers, text), verdict, nil
}

// probe is the ID of a timer that is started for a question.
const probe = maxNumber

func (p *Player) askSlot(l *lane, interval schemes.Tick) Prompt {
	if !l.Info.Kind.HasSlots() && !l.Info.Kind.HasLevels() {
		return Prompt{}
	}
	prompt := Prompt{Text: fmt.Sprintf("A timer is started now for %s. In which slot is it put in %s?",
		ticksText(interval), Name(l.Info))}
	if l.Info.Kind.HasLevels() {
		prompt.Text += " Give the slot's number on its wheel."
	}
	if _, err := l.scheme.Start(interval, probe); err == nil {
		place, _ := l.find(probe)
		prompt.answers = []string{fmt.Sprint(place.Slot)}
	}
	return prompt
}

func (p *Player) askExpiry(l *lane, _ schemes.Tick) Prompt {
	prompt := Prompt{Text: "Which timer expires next? Give its number."}
	for p.tick < p.State.Ticks && len(prompt.answers) == 0 {
		p.runTo(position{p.tick + 1, 2})
		prompt.answers = strings.Fields(strings.Trim(fmt.Sprint(l.Expired), "[]"))
	}
	return prompt
}

func (p *Player) askVisits(l *lane, _ schemes.Tick) Prompt {
	l.perTick()
	return Prompt{Text: fmt.Sprintf("How many timers does the next PER_TICK visit in %s?", Name(l.Info)),
		answers: []string{fmt.Sprint(l.counts().Sub(l.last).Visits)}}
}

func (p *Player) askCompares(l *lane, interval schemes.Tick) Prompt {
	before, deadline := l.counts(), p.State.Now+p.tick+interval
	same := func(p schemes.Place) bool { return p.Deadline == deadline } // before or after that timer?
	if !l.Info.Sorted && l.Info.Kind != schemes.Tree || slices.ContainsFunc(l.places(), same) {
		return Prompt{}
	}
	if _, err := l.scheme.Start(interval, probe); err != nil {
		return Prompt{}
	}
	return Prompt{Text: fmt.Sprintf("A timer is started now for %s. With how many timers is it compared in %s?",
		ticksText(interval), Name(l.Info)), answers: []string{fmt.Sprint(l.counts().Sub(before).Compares)}}
}

// askMigration asks for the first timer above the lowest wheel.
func (p *Player) askMigration(l *lane, _ schemes.Tick) (prompt Prompt) {
	places := l.places()
	i := slices.IndexFunc(places, func(p schemes.Place) bool { return !p.Due && p.Level > 0 })
	if i < 0 || !l.Info.Kind.HasLevels() { // ordered-durations calls its lists levels, but nothing migrates
		return prompt
	}
	timer := places[i]
	prompt.Text = fmt.Sprintf("Timer %d waits on wheel %d. If it is not stopped, on which tick does it leave this wheel?",
		timer.ID, timer.Level)
	for tick := p.tick + 1; tick < p.tick+maxTicks; tick++ {
		before := l.counts().Migrations
		if l.scheme.PerTick() == 0 && l.counts().Migrations == before {
			continue // nothing has moved
		}
		if now, ok := l.find(timer.ID); !ok || now.Due || now.Level != timer.Level {
			prompt.answers = []string{fmt.Sprint(tick)}
			break
		}
	}
	return prompt
}

// askWork runs all schemes for workTicks more, beyond the end of the run if need be. It does not ask if all
// are the best, or one that is not is within 15 % of it: another seed might change the answer.
func (p *Player) askWork(*lane, schemes.Tick) (prompt Prompt) {
	const workTicks = 100
	s := p.State
	s.Ticks = max(s.Ticks, s.At+workTicks)
	c, err := newPlayer(s)
	if err != nil || len(c.lanes) < 2 {
		return prompt
	}
	var before []schemes.Counts
	for _, l := range c.lanes {
		before = append(before, l.counts())
	}
	c.runTo(position{s.At + workTicks, c.input.steps(s.At + workTicks)})
	prompt.Text = fmt.Sprintf("Which scheme takes the fewest steps in the next %d ticks? "+
		"A step is a comparison, a visit, a link, a migration or an empty slot.", workTicks)
	least, second := ^uint64(0), ^uint64(0)
	for i, l := range c.lanes {
		if l.Refused != "" {
			continue
		}
		steps := Steps(l.counts().Sub(before[i]))
		prompt.Choices = append(prompt.Choices, Name(l.Info))
		prompt.steps = append(prompt.steps, fmt.Sprintf("%s: %d", Name(l.Info), steps))
		switch {
		case steps < least:
			least, second, prompt.answers = steps, least, []string{Name(l.Info)}
		case steps == least:
			prompt.answers = append(prompt.answers, Name(l.Info))
		default:
			second = min(second, steps)
		}
	}
	if second == ^uint64(0) || float64(second) < 1.15*float64(least) {
		prompt.answers = nil
	}
	return prompt
}
