package player

import (
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// TickCost is the mean cost of a tick of scheme 6 with some number of slots, in the paper's instructions.
type TickCost struct {
	Paper, Refined float64 // the formulas' values
	Counted        float64
}

// CostOfTick counts what a tick costs with some number of slots, from the steady state of the workload on and without
// the reader's edits.
func (s State) CostOfTick(slots int) (TickCost, error) {
	const ticks = 100 // which take no time that a reader feels
	s.Schemes, s.Slots, s.Edits = []*schemes.Info{&hashunsorted.Info}, slots, nil
	s.Ticks, s.At, s.Step = ticks, ticks, WholeTick
	p, err := newPlayer(s)
	if err != nil {
		return TickCost{}, err
	}
	laws := p.formulas(p.lanes[0])
	return TickCost{laws[1].Value, laws[2].Value, laws[2].Counted}, nil
}
