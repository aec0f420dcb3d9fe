// Package sheet makes worksheets on paper: the page's questions for a seed, each with a
// drawing, and the answers that the code gives.
package sheet

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"timerlab/harness/workload"
	"timerlab/teach/player"
)

// Questions is the number of questions: one of each kind.
var Questions = len(player.Kinds)

// seedForm is what the page takes as the seed of a quiz.
var seedForm = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,40}$`)

// ValidSeed reports whether a seed can be a sheet's name: up to 40 letters of English, digits,
// and - _ .
func ValidSeed(seed string) bool { return seedForm.MatchString(seed) }

// Write writes the worksheet of a seed in Markdown, or with key the answers to it. The same
// seed makes the same sheet on every machine.
func Write(w io.Writer, seed string, key bool) error {
	var b strings.Builder
	title := "Timers: worksheet " + seed
	if key {
		title = "Timers: answers to worksheet " + seed
	}
	fmt.Fprintf(&b, "# %s\n\n", title)
	if key {
		fmt.Fprintf(&b, "The page runs questions 1 to %d: page.html#v=1&quiz=%s\n\n", Questions-1, seed)
	} else {
		fmt.Fprintf(&b, introduction, Questions)
	}
	for i := range Questions {
		t, err := newTask(seed, i)
		if err != nil {
			return err
		}
		if key {
			fmt.Fprintf(&b, "%d. %s\n", i+1, t.answer())
			continue
		}
		fmt.Fprintf(&b, "\n## %d\n\n%s", i+1, t.text())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const introduction = `Name: ______________________  Points: ____ of %d

A timer that is started for 5 ticks is due in the fifth tick from now. START puts a timer into a scheme, and
PER_TICK is what the scheme does on a tick. A drawing shows where the timers wait: 7 (3) is timer 7, and the number
in parentheses is what the scheme keeps for it, as the drawing's second line says. Brackets mark the slot at which a
wheel's hand points. On each tick the hand moves to the next slot, and the timers there are visited.
`

// task is a question at a moment of a run.
type task struct {
	player   *player.Player
	question player.Question
	prompt   player.Prompt
}

// newTask returns a question of the page's quiz with this seed. The last one is about a
// curve, which the quiz leaves out.
func newTask(seed string, i int) (*task, error) {
	state, question := player.QuizState(seed, i)
	if i == Questions-1 {
		question = player.Question{Kind: player.AskCurve}
	}
	p, err := player.New(state, nil)
	if err != nil {
		return nil, err
	}
	t := &task{player: p, question: question}
	t.prompt, _ = p.Ask(&t.question)
	return t, nil
}

// text is the question with all that is needed to answer it.
func (t *task) text() string {
	switch t.question.Kind {
	case player.AskFault:
		return t.prompt.Text + "\n\n" + code(t.prompt.Program) + "\n" + choices(t.prompt.Choices, t.prompt.Labels)
	case player.AskWork:
		return t.workload() + t.prompt.Text + " Estimate.\n\n" + choices(t.prompt.Choices, nil)
	case player.AskCurve:
		return t.curveText()
	}
	frame := t.player.Frame()
	return code(drawing(&t.player.State, &frame)) + "\n" + t.prompt.Text + "\n\nAnswer: ________\n"
}

// workload describes what the schemes are run with.
func (t *task) workload() string {
	s := &t.player.State
	spread := "exponential"
	if s.Dist == workload.Uniform() {
		spread = "uniform"
	}
	return fmt.Sprintf("%d timers are outstanding, and each that expires is followed by a new one. Intervals are %s, "+
		"%d ticks on average. Wheels have %d slots. ", s.N, spread, s.T, s.Slots)
}

func code(lines []string) string { return "```\n" + strings.Join(lines, "\n") + "\n```\n" }

// choices is a list to mark one of.
func choices(names, sentences []string) string {
	var b strings.Builder
	for i, name := range names {
		fmt.Fprintf(&b, "- ☐ %s", name)
		if sentences != nil {
			b.WriteString(": " + sentences[i])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// curveText asks for numbers in a table.
func (t *task) curveText() string {
	labels := t.prompt.Labels
	return fmt.Sprintf("How often does scheme 6 visit a timer from its start to its end, for each M? Timers stay T = "+
		"%d ticks on average.\nSketch the curve, then write down the numbers.\n\n| M | %s |\n|---|%s\n| visits |%s\n",
		t.player.State.T, strings.Join(labels, " | "),
		strings.Repeat("---|", len(labels)), strings.Repeat("   |", len(labels)))
}
