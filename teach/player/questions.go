package player

import (
	"fmt"

	"timerlab/schemes"
)

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

func wheeled(i *schemes.Info) bool            { return i.Kind.HasSlots() || i.Kind.HasLevels() }
func hierarchy(i *schemes.Info) bool          { return i.Kind.HasLevels() }
func anyScheme(*schemes.Info) bool            { return true }
func searching(i *schemes.Info) bool          { return i.Sorted || i.Kind == schemes.Tree }
func numberText[T ~uint64 | ~int](n T) string { return fmt.Sprint(n) }

func (p *Player) askSlot(q *Question) (Prompt, []string) {
	l := p.Copy().asked(wheeled)
	if l == nil {
		return Prompt{}, nil
	}
	const id = maxNumber
	prompt := Prompt{Text: fmt.Sprintf("A timer is started now for %s. In which slot does %s put it?",
		ticksText(q.Interval), l.info.Name)}
	if _, err := l.scheme.Start(q.Interval, id); err != nil {
		return prompt, nil
	}
	place := l.find(id)
	if l.info.Kind.HasLevels() {
		prompt.Text += " Give the slot's number on its wheel."
	}
	return prompt, []string{numberText(place.Slot)}
}

// nowhere is the Level of a timer that is not outstanding.
const nowhere = -2

// find returns the place of a timer.
func (l *lane) find(id schemes.ID) (found schemes.Place) {
	found.Level = nowhere
	l.scheme.(schemes.Viewer).View(func(place schemes.Place) bool {
		if place.ID == id {
			found = place
		}
		return place.ID != id
	})
	return found
}

func (p *Player) askExpiry() (Prompt, []string) {
	c := p.Copy()
	prompt := Prompt{Text: "Which timer expires next? Give its number."}
	for l := c.asked(anyScheme); l != nil && c.tick < c.State.Ticks; {
		c.runTo(position{c.tick + 1, 2})
		if len(l.expired) > 0 {
			var answers []string
			for _, id := range l.expired {
				answers = append(answers, numberText(id))
			}
			return prompt, answers
		}
	}
	return prompt, nil
}

func (p *Player) askVisits() (Prompt, []string) {
	l := p.Copy().asked(anyScheme)
	if l == nil {
		return Prompt{}, nil
	}
	l.perTick()
	return Prompt{Text: fmt.Sprintf("How many timers does the next PER_TICK of %s visit?", l.info.Name)},
		[]string{numberText(l.counts().Sub(l.last).Visits)}
}

func (p *Player) askCompares(q *Question) (Prompt, []string) {
	l := p.Copy().asked(searching)
	if l == nil {
		return Prompt{}, nil
	}
	before := l.counts()
	if _, err := l.scheme.Start(q.Interval, maxNumber); err != nil {
		return Prompt{}, nil
	}
	return Prompt{Text: fmt.Sprintf("A timer is started now for %s. With how many timers does %s compare it?",
		ticksText(q.Interval), l.info.Name)}, []string{numberText(l.counts().Sub(before).Compares)}
}

// askMigration asks for the first timer above the lowest wheel.
func (p *Player) askMigration() (Prompt, []string) {
	l := p.Copy().asked(hierarchy)
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
	prompt := Prompt{Text: fmt.Sprintf("Timer %d waits on wheel %d. If it is not stopped, on which tick does it leave "+
		"this wheel?", timer.ID, timer.Level)}
	for tick := p.tick + 1; tick < p.tick+maxTicks; tick++ {
		before := l.counts().Migrations
		if l.scheme.PerTick() == 0 && l.counts().Migrations == before {
			continue // nothing has moved
		}
		if now := l.find(timer.ID); now.Due || now.Level != timer.Level {
			return prompt, []string{numberText(tick)}
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
