package player

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/cost"
	"timerlab/schemes"
)

// curveSlots are the values of M of the curve that readers draw.
var curveSlots = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256}

// curveTolerance is the mean factor by which a drawn curve may be off, as log₂.
const curveTolerance = 0.75

func (p *Player) askCurve() Prompt {
	prompt := Prompt{Text: fmt.Sprintf("Draw how often scheme 6 visits a timer, from its start to its end, for each "+
		"M. Timers stay T = %d ticks on average.", p.State.T), Points: curveSlots}
	for _, m := range curveSlots {
		prompt.Labels = append(prompt.Labels, fmt.Sprint(m))
	}
	return prompt
}

// answerCurve compares a curve with one run of scheme 6 for each M.
func (p *Player) answerCurve(text string) (v Verdict, err error) {
	drawn := strings.Split(text, ",")
	if len(drawn) != len(curveSlots) {
		return v, fmt.Errorf("a curve of %d points (draw all %d)", len(drawn), len(curveSlots))
	}
	if v, err = p.curve(); err != nil {
		return v, err
	}
	off := 0.0
	for i, text := range drawn {
		y, err := strconv.ParseFloat(text, 64)
		if err != nil || !(y > 0 && y < 1e9) {
			return v, fmt.Errorf("invalid point %q of a curve (use a number above 0)", text)
		}
		off += math.Abs(math.Log2(y/v.Counted[i])) / float64(len(drawn))
	}
	v.Right = off <= curveTolerance
	v.Text = fmt.Sprintf("Your curve is off by a factor of %.1f on average.", math.Exp2(off))
	return v, nil
}

// curve counts the visits of a timer for each M, and computes them.
func (p *Player) curve() (v Verdict, err error) {
	s := p.State
	if s.N == 0 {
		s.N = freeState().N
	}
	s.Schemes, s.Edits, s.Ticks = []string{"hashunsorted"}, nil, max(s.Ticks, 20*s.T)
	s.Ticks = min(s.Ticks, schemes.Tick(maxSteps/10/s.N))
	lives := s.Spec().Lives()
	for _, m := range curveSlots {
		s.Slots, s.At, s.Step = int(m), 0, WholeTick
		c, err := New(s, nil)
		if err != nil {
			return v, err
		}
		c.runTo(position{s.Ticks, c.input.steps(s.Ticks)})
		l := c.lanes[0]
		ended := l.digest.Stopped + l.digest.Expired
		v.Counted = append(v.Counted, max(ratio(l.counts().Sub(l.ready).Visits, ended), 1e-3))
		v.Formula = append(v.Formula, cost.Visits6(lives, s.Slots))
	}
	if slices.ContainsFunc(v.Counted, math.IsNaN) {
		return v, fmt.Errorf("no timer ends in %d ticks (use a longer run)", s.Ticks)
	}
	return v, nil
}
