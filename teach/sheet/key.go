package sheet

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/teach/player"
)

// reasons are how an answer is found, by the kind of the question.
var reasons = map[player.Kind]string{
	player.AskExpiry:    "It is due on the earliest tick.",
	player.AskVisits:    "All of an unsorted list or slot; of a sorted one, the due ones and the first that is not.",
	player.AskCompares:  "Those on the way to its place, the one that ends the search included.",
	player.AskMigration: "The first tick on which the hand of that wheel reaches its slot.",
}

// answer is what the code says, and how it is found.
func (t *task) answer() string {
	q := &t.question
	if q.Kind == player.AskCurve {
		return t.curve()
	}
	answers := t.player.Answers(q)
	text := "**" + strings.Join(answers, "** or **") + "**. "
	switch q.Kind {
	case player.AskSlot:
		return text + t.slot()
	case player.AskFault:
		return text + t.prompt.Labels[slices.Index(t.prompt.Choices, answers[0])]
	case player.AskWork:
		return text + "Steps: " + strings.Join(t.prompt.Labels, ", ") + "."
	}
	return text + reasons[q.Kind]
}

// slot says how the slot of a new timer is computed.
func (t *task) slot() string {
	s := &t.player.State
	now := s.Now + s.At
	due := now + t.question.Interval
	if info := t.player.Frame().Lanes[0].Info; !info.Kind.HasLevels() {
		return fmt.Sprintf("(now + interval) mod M = (%d + %d) mod %d.", now, t.question.Interval, s.Slots)
	}
	return fmt.Sprintf("In the wheels' digits, highest first, the clock shows %s and the timer is due at %s. The "+
		"first digit that differs names the wheel, and the deadline's digit the slot.",
		digits(uint64(now), s.Radices()), digits(uint64(due), s.Radices()))
}

// digits writes a tick in the radices of wheels, highest first.
func digits(tick uint64, radices []int) string {
	var all []string
	for _, r := range radices {
		all = append(all, fmt.Sprint(tick%uint64(r)))
		tick /= uint64(r)
	}
	slices.Reverse(all)
	return strings.Join(all, ".")
}

// curve is the counts and the formula for each M.
func (t *task) curve() string {
	none := strings.Repeat("1,", len(t.prompt.Points)-1) + "1" // an answer that is not looked at
	v, err := t.player.Answer(&t.question, none)
	if err != nil {
		return err.Error()
	}
	var rows []string
	for i, m := range t.prompt.Labels {
		rows = append(rows, fmt.Sprintf("M = %s: %.1f (formula %.1f)", m, v.Counted[i], v.Formula[i]))
	}
	return "Counted: " + strings.Join(rows, ", ") + ". About T/M, but at least 1."
}
