package player

import (
	"fmt"
	"strings"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Rule is a rule of the contract. Its sentence is that of package schemetest, which a
// test compares.
type Rule struct{ Name, Sentence string }

// Rules are those that the faults below break.
var Rules = []Rule{
	{"exact", "A timer is due in the interval-th following PerTick, never early, never late; with a Bound, on " +
		"the tick that interval and clock alone decide."},
	{"interval-zero", "Start refuses interval 0 with ErrInterval and changes nothing."},
	{"stop", "Stop forgets a timer, wherever it is among others, and reports that it prevented the expiry."},
	{"stop-due", "A due timer that is not yet handed out can be stopped."},
	{"stop-stale", "Stop refuses the handle of a timer stopped or handed out, also when its storage holds another " +
		"timer, without effect."},
	{"expire", "Expire hands out every due timer exactly once, those of earlier ticks first, and nothing is " +
		"lost by waiting with it."},
}

// faulty is scheme 6 with one fault. The scheme below it is right.
type faulty struct {
	schemes.Scheme
	breaks string // the rule
	due    bool   // since the last Expire
	gone   map[schemes.Handle]bool
}

func newFaulty(breaks string) (*faulty, error) {
	info, err := harness.Find("hashunsorted")
	if err != nil {
		return nil, err
	}
	s, err := info.New(schemes.Config{Slots: 8, Heap: true})
	return &faulty{Scheme: s, breaks: breaks, gone: map[schemes.Handle]bool{}}, err
}

func (f *faulty) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	switch f.breaks {
	case "exact":
		if interval > 0 && interval%8 == 0 { // whole revolutions, counted from 0
			interval += 8
		}
	case "interval-zero":
		interval = max(1, interval)
	}
	return f.Scheme.Start(interval, id)
}

func (f *faulty) Stop(h schemes.Handle) bool {
	switch {
	case f.breaks == "stop":
		return true
	case f.breaks == "stop-due" && f.due:
		return false
	case f.breaks == "stop-stale" && f.gone[h]:
		return true
	}
	f.gone[h] = true
	return f.Scheme.Stop(h)
}

func (f *faulty) PerTick() int {
	n := f.Scheme.PerTick()
	f.due = f.due || n > 0
	return n
}

func (f *faulty) Expire(action func(schemes.ID)) {
	n := 0
	f.Scheme.Expire(func(id schemes.ID) {
		if n++; f.breaks != "expire" || n != 2 { // the second of a tick is lost
			action(id)
		}
	})
	f.due = false
}

// program is a short run in which every fault shows: an operation a line.
type program struct {
	scheme  schemes.Scheme
	lines   []string
	handles []schemes.Handle
}

func (p *program) start(interval schemes.Tick) {
	h, err := p.scheme.Start(interval, schemes.ID(len(p.handles)+1))
	line := fmt.Sprintf("Start(interval %d, id %d)", interval, len(p.handles)+1)
	p.handles = append(p.handles, h)
	if err != nil {
		p.lines = append(p.lines, line+" → refused")
		return
	}
	p.lines = append(p.lines, fmt.Sprintf("%s → h%d", line, len(p.handles)))
}

func (p *program) stop(timer int) {
	p.lines = append(p.lines, fmt.Sprintf("Stop(h%d) = %v", timer, p.scheme.Stop(p.handles[timer-1])))
}

// tick advances the clock n times, expiring after each.
func (p *program) tick(n int) {
	for range n {
		due := p.scheme.PerTick()
		line := fmt.Sprintf("PerTick() = %d", due)
		if due > 0 {
			line += p.expire()
		}
		p.lines = append(p.lines, line)
	}
}

func (p *program) expire() string {
	var ids []string
	p.scheme.Expire(func(id schemes.ID) { ids = append(ids, fmt.Sprint("id ", id)) })
	return ", Expire() → " + strings.Join(ids, ", ")
}

// play runs the program on a scheme. seed varies what no fault depends on.
func (p *program) play(seed uint64) {
	other := schemes.Tick(3 + workload.Mix(1, schemes.ID(seed))%3)
	p.start(0)
	p.start(2)
	p.start(2)
	p.start(other)
	p.start(8)
	p.stop(4)
	p.stop(4)
	due := p.scheme.PerTick()
	p.lines = append(p.lines, fmt.Sprintf("PerTick() = %d", due))
	due = p.scheme.PerTick()
	p.lines = append(p.lines, fmt.Sprintf("PerTick() = %d", due))
	p.start(1)
	p.stop(2)
	p.lines = append(p.lines, strings.TrimPrefix(p.expire(), ", "))
	p.start(1)
	p.start(1)
	p.tick(6)
}

// askFault shows what a faulty scheme did, and asks which rule it broke.
func askFault(seed uint64) (Prompt, []string) {
	breaks := Rules[workload.Mix(2, schemes.ID(seed))%uint64(len(Rules))].Name
	prompt := Prompt{Text: "A faulty scheme 6 did this. Which rule of the contract does it break?"}
	for _, r := range Rules {
		prompt.Choices, prompt.Labels = append(prompt.Choices, r.Name), append(prompt.Labels, r.Sentence)
	}
	f, err := newFaulty(breaks)
	if err != nil {
		return prompt, nil
	}
	run := &program{scheme: f}
	run.play(seed)
	prompt.Program = run.lines
	return prompt, []string{breaks}
}
