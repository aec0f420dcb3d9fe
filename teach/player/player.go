package player

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Player is a state whose schemes stand at its present tick and step. A tick has the steps PerTick,
// Expire, and one for each operation; tick 0 has operations only. A scheme cannot run backward, so
// to go back is to run again from the start.
type Player struct {
	State State
	position
	input *input
	lanes []*lane
	laws  map[string][]Formula // by scheme
}

// position is a moment of the run: after some steps of a tick.
type position struct {
	tick schemes.Tick
	step int
}

func (a position) compare(b position) int { return cmp.Or(cmp.Compare(a.tick, b.tick), a.step-b.step) }

// Open returns the player of a fragment, without its #. What is wrong in the fragment is left as its lesson has it, and
// is the error beside the player. If the error is that nothing can run, there is no player.
func Open(fragment string) (*Player, error) {
	state, wrong := Parse(fragment)
	p, err := newPlayer(state)
	if err != nil {
		return nil, err
	}
	return p, errors.Join(wrong, p.checkEdits())
}

func newPlayer(s State) (*Player, error) {
	in, err := newInput(&s)
	for _, info := range s.Schemes {
		_, newErr := info.New(s.Config(info))
		err = errors.Join(err, newErr)
	}
	if err != nil {
		return nil, err
	}
	p := &Player{State: s, input: in, laws: map[string][]Formula{}}
	p.rewind()
	p.Seek(s.At, s.Step)
	return p, nil
}

// rewind puts new schemes at tick 0, before its first step. newPlayer has seen that they can be made.
func (p *Player) rewind() {
	p.lanes, p.position = nil, position{}
	for _, info := range p.State.Schemes {
		p.lanes = append(p.lanes, newLane(info, &p.State, p.input))
	}
}

// Seek goes to a step of a tick; WholeTick is the tick's end. It remembers the views before
// the last step, or before the whole tick if that is what is shown.
func (p *Player) Seek(tick schemes.Tick, step int) {
	s := &p.State
	s.At, s.Step = min(tick, s.Ticks), step
	if s.Step == 0 && s.At > 0 { // before PerTick: the end of the tick before
		s.At, s.Step = s.At-1, WholeTick
	} else if s.Step >= p.input.steps(s.At) {
		s.Step = WholeTick
	}
	before := position{s.At, max(0, s.Step-1)}
	if step = s.Step; step == WholeTick {
		step = p.input.steps(s.At)
	}
	if before.compare(p.position) < 0 {
		p.rewind()
	}
	p.runTo(before)
	for _, l := range p.lanes {
		l.Before = l.places()
	}
	p.runTo(position{s.At, step})
}

// runTo runs to a position that is not in the past.
func (p *Player) runTo(to position) {
	for p.compare(to) < 0 {
		if p.step == p.input.steps(p.tick) {
			p.tick, p.step = p.tick+1, 0
			continue
		}
		for _, l := range p.lanes {
			switch {
			case l.Refused != "":
			case p.tick > 0 && p.step == 0:
				l.perTick()
			case p.tick > 0 && p.step == 1:
				l.expire(p.tick)
			default:
				l.do(p.input.operations(p.tick, p.step)...)
				if p.tick == 0 && p.step == 0 && p.input.prefill > 0 {
					l.ready = l.counts()
					l.last, l.tick = l.ready, l.ready
				}
			}
		}
		p.step++
	}
}

// stops returns the steps of the present tick at which a reader stops who goes step by step: all but an
// Expire that hands out nothing, if operations follow.
func (p *Player) stops() (all []int) {
	last := p.input.steps(p.tick)
	due := last == 2 || slices.ContainsFunc(p.lanes, func(l *lane) bool {
		places := l.places() // due timers come first
		return len(l.Expired) > 0 || len(places) > 0 && places[0].Due
	})
	for step := min(1, int(p.tick)); step <= last; step++ {
		if due || step != 2 || p.tick == 0 {
			all = append(all, step)
		}
	}
	return all
}

// ForwardStep goes to the next stop: after PerTick, Expire if anything is due, or an operation.
func (p *Player) ForwardStep() {
	stops := p.stops()
	if i := slices.IndexFunc(stops, func(stop int) bool { return stop > p.step }); i >= 0 {
		p.Seek(p.tick, stops[i])
	} else if p.tick < p.State.Ticks {
		p.Seek(p.tick+1, 1)
	}
}

// BackStep goes to the stop before.
func (p *Player) BackStep() {
	before := slices.DeleteFunc(p.stops(), func(stop int) bool { return stop >= p.step })
	if len(before) > 0 {
		p.Seek(p.tick, slices.Max(before))
	} else if p.tick > 0 {
		p.Seek(p.tick-1, WholeTick)
	}
}

// refuse returns why an edit cannot be made at the present, or nil.
func (p *Player) refuse(e Op) error {
	longest, outstanding := schemes.Tick(maxNumber), e.Kind == workload.Start
	for _, l := range p.lanes {
		if l.Refused == "" { // otherwise the drawing says what is too long
			longest = min(longest, l.Info.Range(p.State.Config(l.Info)))
		}
		_, found := l.find(schemes.ID(e.Timer))
		outstanding = outstanding || found
	}
	if !outstanding {
		return fmt.Errorf("timer %d is not outstanding on tick %d (use the number in a circle)", e.Timer, p.tick)
	}
	if e.Kind != workload.Stop && (e.Interval < 1 || e.Interval > longest) {
		return fmt.Errorf("interval %d is out of range (use 1 to %d)", e.Interval, longest)
	}
	return nil
}

// checkEdits returns which of the state's edits have no effect, and why.
func (p *Player) checkEdits() error {
	var wrong []error
	c, edits := *p, p.State.Edits
	c.rewind()
	for i, e := range edits {
		step := p.input.steps(e.Tick)
		for _, o := range edits[i:] {
			if o.Tick == e.Tick {
				step--
			}
		}
		c.runTo(position{e.Tick, step})
		if err := c.refuse(e); err != nil {
			wrong = append(wrong, fmt.Errorf("edit %v has no effect: %w", e, err))
		}
	}
	return errors.Join(wrong...)
}

// Edit adds an operation at the present, at the end of its tick. Later edits are dropped: the run forks here.
func (p *Player) Edit(e Op) error {
	if err := p.refuse(e); err != nil {
		return err
	}
	s := p.State
	s.Edits = slices.DeleteFunc(slices.Clone(s.Edits), func(old Op) bool { return old.Tick > s.At })
	e.Tick, s.Step = s.At, WholeTick
	s.Edits = append(s.Edits, e)
	next, err := newPlayer(s)
	if err == nil {
		*p = *next
	}
	return err
}

// Bucket is some ticks of the run, for the timeline and the chart.
type Bucket struct {
	End        schemes.Tick
	Expired    uint64           // timers, on the scheme on which most do: on one tick all that are exact expire the same
	Migrations uint64           // on all schemes
	Counts     []schemes.Counts // since the prefill, by scheme
}

// History returns the whole run: tick 0, and then at most 400 parts of equal length. It runs a copy of every
// scheme once.
func (p *Player) History() (run []Bucket) {
	const maxBuckets = 400
	all, width := *p, (p.State.Ticks+maxBuckets-1)/maxBuckets
	all.rewind()
	var migrations uint64 // before the bucket
	expired := make([]uint64, len(all.lanes))
	for end := schemes.Tick(0); ; end = min(end+width, p.State.Ticks) {
		all.runTo(position{end, p.input.steps(end)})
		b := Bucket{End: end}
		for i, l := range all.lanes {
			b.Counts = append(b.Counts, l.counts().Sub(l.ready))
			b.Migrations += b.Counts[i].Migrations
			b.Expired = max(b.Expired, l.Outcome.Expired-expired[i])
			expired[i] = l.Outcome.Expired
		}
		b.Migrations -= migrations
		migrations += b.Migrations
		if run = append(run, b); end == p.State.Ticks {
			return run
		}
	}
}

// Steps is the sum of all counts: the elementary steps that a scheme took.
func Steps(c schemes.Counts) uint64 {
	return c.Compares + c.Visits + c.Links + c.Migrations + c.EmptySlots
}
