package player

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Questions is the number of questions of a quiz.
const Questions = 10

// quizzes are the kinds of question of a quiz with the schemes that they fit.
var quizzes = []struct {
	kind    Kind
	schemes []string
}{
	{AskExpiry, []string{"hashunsorted", "unordered", "hierarchical"}},
	{AskSlot, []string{"hashunsorted", "hierarchical", "simplewheel"}},
	{AskVisits, []string{"hashunsorted", "unordered", "ordered"}},
	{AskCompares, []string{"ordered", "tree", "hashsorted"}},
	{AskMigration, []string{"hierarchical"}},
	{AskWork, nil},
}

// seedOf turns a seed's text into a number.
func seedOf(text string) (seed uint64) {
	for _, b := range []byte(text) {
		seed = workload.Mix(schemes.Tick(seed), schemes.ID(b))
	}
	return seed
}

// QuizState returns the state of a question of a quiz, and the question. The same seed
// makes the same quiz everywhere. A question that its state does not answer is drawn again.
func QuizState(seed string, asked int) (State, Question) {
	number := seedOf(seed)
	for try := schemes.ID(0); ; try++ {
		s, q := drawQuestion(number, asked, try)
		s.Quiz, s.Asked = seed, asked
		p, err := New(s, nil)
		if err != nil {
			continue
		}
		if _, ok := p.Ask(&q); ok {
			return s, q
		}
	}
}

func drawQuestion(seed uint64, asked int, try schemes.ID) (State, Question) {
	drawn := schemes.ID(0)
	below := func(n int) int {
		drawn++
		return int(workload.Mix(schemes.Tick(seed+uint64(asked)), try<<8+drawn) % uint64(n))
	}
	s := freeState()
	quiz := quizzes[(int(seed%uint64(len(quizzes)))+asked)%len(quizzes)]
	s.Seed = uint64(1 + below(1_000_000))
	s.N, s.T, s.Slots = 8+below(9), schemes.Tick(16+below(25)), 8+8*below(2)
	s.Dist = workload.Dists()[1+below(2)]
	s.At, s.Ticks = schemes.Tick(5+below(60)), 200
	if quiz.schemes == nil {
		s.Schemes = []string{"ordered", "hashsorted", "hashunsorted", "hierarchical"}
	} else {
		s.Schemes = []string{quiz.schemes[below(len(quiz.schemes))]}
	}
	switch s.Schemes[0] {
	case "simplewheel":
		s.Slots, s.T, s.Dist = 64, schemes.Tick(12+below(16)), workload.Uniform()
	case "hierarchical":
		s.Levels = []int{4, 4, 4, 4, 4}
	}
	return s, Question{Kind: quiz.kind, Interval: schemes.Tick(4 + below(30))}
}
