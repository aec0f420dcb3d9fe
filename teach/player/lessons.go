package player

import (
	_ "embed"
	"fmt"
	"strings"

	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// FirstLesson is that of a fragment that names none.
const FirstLesson = 1

// Lesson is a curated state with a text, a question and what its answer shows.
type Lesson struct {
	Number   int
	Title    string
	Text     string       // HTML, at most 150 words; paragraphs of class do say what to do
	State    string       // as a fragment, relative to the state of a free page
	Kind     string       // of its question
	Interval schemes.Tick // of a START that is asked about
	Reveal   string       // HTML
}

// lessonState returns the state of a lesson, from which a link says the differences. Lesson 0 is the free one.
func lessonState(lesson int) State {
	s := State{Lesson: lesson, Schemes: []*schemes.Info{&hashunsorted.Info}, Slots: 16, Wheels: 2, N: 12, T: 20,
		Dist: workload.Exp, Seed: 1, Ticks: 200, Step: WholeTick}
	if lesson > 0 {
		values, _ := splitFragment(Lessons[lesson-1].State, fields)
		_ = s.set(fields, values) // a test sets them too
	}
	return s
}

//go:embed lessons.txt
var lessons string

// Lessons are the lessons of the page, in their order.
var Lessons = readLessons(lessons)

// readLessons reads a text whose first paragraph says how it is written. It is ours, so a test finds what is
// wrong in it.
func readLessons(text string) (all []Lesson) {
	for _, part := range strings.Split(text, "\n# ")[1:] {
		head, body, _ := strings.Cut(part, "\n\n")
		l := Lesson{Number: len(all) + 1}
		var question string
		l.Title, head, _ = strings.Cut(head, "\n")
		l.State, question, _ = strings.Cut(head, "\n")
		l.Text, l.Reveal, _ = strings.Cut(strings.TrimSpace(body), "\n---\n")
		_, _ = fmt.Sscan(question, &l.Kind, &l.Interval) // there may be no interval
		all = append(all, l)
	}
	return all
}
