package player

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Frame is what the page shows at one moment.
type Frame struct {
	Tick      schemes.Tick
	Step      int    // done of this tick
	Steps     int    // of this tick
	Sentence  string // what the last step did
	Operation string // whose source is shown: Start, Stop, Restart, PerTick, Expire
	Lanes     []LaneFrame
}

// LaneFrame is one scheme at one moment.
type LaneFrame struct {
	Info     *schemes.Info
	Refused  string // why the scheme cannot run this, or ""
	Places   []schemes.Place
	Before   []schemes.Place // before the last step, or before the tick
	Expired  []schemes.ID    // on this tick, so far
	Last     schemes.Counts  // of the last step
	OfTick   schemes.Counts
	Total    schemes.Counts // since the prefill
	Formulas []Formula
	Outcome  workload.Outcome
}

// Frame returns the present.
func (p *Player) Frame() Frame {
	f := Frame{Tick: p.tick, Step: p.step, Steps: p.input.steps(p.tick)}
	var phase string
	f.Operation, phase = p.lastStep()
	for _, l := range p.lanes {
		lf, now := l.LaneFrame, l.counts()
		lf.Places, lf.Formulas = l.places(), p.formulas(l)
		lf.Last, lf.OfTick, lf.Total = now.Sub(l.last), now.Sub(l.tick), now.Sub(l.ready)
		lf.Outcome.Outstanding = lf.Outcome.Started - lf.Outcome.Stopped - lf.Outcome.Expired
		f.Lanes = append(f.Lanes, lf)
	}
	f.Sentence = p.sentence(&f, phase)
	return f
}

// lastStep returns the operation that the last step was, and the step in words.
func (p *Player) lastStep() (operation, words string) {
	step := p.step - 1
	switch {
	case p.State.Step == WholeTick && p.tick > 0:
		return "PerTick", ""
	case p.tick > 0 && step == 0:
		return "PerTick", "PER_TICK_BOOKKEEPING"
	case p.tick > 0 && step == 1:
		return "Expire", "EXPIRY_PROCESSING"
	case p.tick == 0 && step <= 0 && p.input.prefill > 0:
		return "Start", fmt.Sprintf("The workload's %d timers are started", p.input.prefill)
	case step < 0:
		return "Start", "No timer yet"
	}
	switch o := p.input.operations(p.tick, step)[0]; o.Kind {
	case workload.Stop:
		return "Stop", fmt.Sprintf("STOP_TIMER of timer %d", o.Timer)
	case workload.Restart:
		return "Restart", fmt.Sprintf("Timer %d is restarted for %s", o.Timer, ticksText(o.Interval))
	default:
		return "Start", fmt.Sprintf("START_TIMER of timer %d for %s", o.Timer, ticksText(o.Interval))
	}
}

// sentence says what has just happened, for readers who hear the page.
func (p *Player) sentence(f *Frame, phase string) string {
	text := fmt.Sprintf("Tick %d. ", f.Tick)
	if phase != "" {
		text += phase + ". "
	} else if n := f.Steps - 2; p.tick > 0 && n > 0 {
		text += units.Plural(n, "operation") + ". "
	}
	lanes := slices.DeleteFunc(slices.Clone(f.Lanes), func(l LaneFrame) bool { return l.Refused != "" })
	if len(lanes) > 2 {
		lanes = lanes[:1] // more is too much to hear
	}
	expiring := phase == "" || f.Operation == "Expire"
	differ := len(lanes) > 1 && expiryText(lanes[0].Expired) != expiryText(lanes[1].Expired)
	if expiring && !differ && len(lanes) > 0 {
		text += capital(expiryText(lanes[0].Expired)) + ". "
	}
	for _, l := range lanes {
		words := countTexts(l.Last)
		if p.State.Step == WholeTick {
			words = countTexts(l.OfTick)
		}
		if expiring && differ {
			words = append([]string{expiryText(l.Expired)}, words...)
		}
		if len(words) == 0 {
			continue
		}
		if len(f.Lanes) > 1 {
			text += capital(Name(l.Info)) + ": "
		}
		text += strings.Join(words, ", ") + ". "
	}
	return strings.TrimSpace(text)
}

// expiryText says which timers have expired.
func expiryText(expired []schemes.ID) string {
	ids := strings.Fields(strings.Trim(fmt.Sprint(expired), "[]"))
	switch n := len(ids); {
	case n == 0:
		return "nothing expires"
	case n == 1:
		return "timer " + ids[0] + " expires"
	case n > 6:
		return fmt.Sprintf("%d timers expire", n)
	default:
		return "timers " + strings.Join(ids[:n-1], ", ") + " and " + ids[n-1] + " expire"
	}
}

// countTexts says what has been counted, kind by kind.
func countTexts(c schemes.Counts) (words []string) {
	for _, part := range []struct {
		n    uint64
		what string
	}{{c.Compares, "comparison"}, {c.Visits, "visit"}, {c.Migrations, "migration"}, {c.Links, "link"},
		{c.EmptySlots, "empty slot"}} {
		if part.n > 0 {
			words = append(words, units.Plural(part.n, part.what))
		}
	}
	return words
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// inTitles is what titles say of a scheme's kind, which the paper's number says.
var inTitles = []string{"Hashed wheel, ", "Hierarchical wheels, ", "Hierarchical wheels ", "Ordered list, ", "Simple wheel, ", "Simple wheel ", "Tree: "}

// Name returns what a reader of the paper calls a scheme: scheme 6, unsorted slots. What is no scheme of the paper's has
// its title.
func Name(info *schemes.Info) string {
	text := info.Title
	for _, part := range inTitles {
		text = strings.TrimPrefix(text, part)
	}
	text = strings.Replace(strings.ToLower(text[:1])+text[1:], "sorted lists", "sorted slots", 1)
	if info.Number == 0 {
		return text
	}
	return fmt.Sprintf("scheme %d, %s", info.Number, text)
}

// ticksText writes a number of ticks: 1 tick, 5 ticks.
func ticksText(n schemes.Tick) string {
	if n >= math.MaxInt64 {
		return "2⁶⁴ − 1 ticks"
	}
	return units.Plural(uint64(n), "tick")
}
