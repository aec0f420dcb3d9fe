package player

import (
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// CostOfTick returns what a tick of scheme 6 costs with some number of slots, in the paper's instructions: by the paper's
// formula, by the refined one, and as counted from the workload's steady state on, without the reader's edits.
func (s State) CostOfTick(slots int) (paper, refined, counted float64, err error) {
	ticks := min(100, s.Ticks) // which take no time that a reader feels
	s.Schemes, s.Slots, s.Edits = []*schemes.Info{&hashunsorted.Info}, slots, nil
	s.Ticks, s.At, s.Step = ticks, ticks, WholeTick
	p, err := newPlayer(s)
	if err != nil {
		return 0, 0, 0, err
	}
	laws := p.formulas(p.lanes[0])
	return laws[1].Value, laws[2].Value, laws[2].Counted, nil
}
