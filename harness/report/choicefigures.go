package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// choicePart is the part of a choice that figures draw together.
type choicePart struct {
	partKey
	cells      []claims.ChoiceCell
	crossovers []claims.Crossing
}

// partKey is what the cells and T* of a part have in common: form, n, distribution and share of stops.
type partKey struct {
	*claims.Fit
	dist, stop string
}

// choiceParts returns the parts of a choice that have a series over T.
func choiceParts(c *claims.Choice) (all []choicePart) {
	for _, x := range c.Crossovers {
		key := partKey{x.Fit, x.Dist, x.Stop}
		at := slices.IndexFunc(all, func(k choicePart) bool { return k.partKey == key })
		if at < 0 {
			at, all = len(all), append(all, choicePart{partKey: key})
		}
		all[at].crossovers = append(all[at].crossovers, x)
	}
	for i := range all {
		for _, cell := range c.Cells {
			if all[i].partKey == (partKey{cell.Fit, cell.Dist, cell.Stop}) {
				all[i].cells = append(all[i].cells, cell)
			}
		}
	}
	return all
}

func (k partKey) String() string {
	return fmt.Sprintf("%s slots, n = %s, %s intervals, %s", k.Form, results.FormatCount(uint64(k.N)), k.dist,
		stops(k.stop))
}

// label is a part's, in the name of a file: the same whatever else is measured.
func (k partKey) label() string {
	return "-" + k.Form.String() + "-n" + results.FormatCount(uint64(k.N)) + "-" + k.dist + k.stopLabel()
}

// stopLabel is empty without stops.
func (k partKey) stopLabel() string {
	if k.stop == "0" {
		return ""
	}
	return "-stops-" + strings.Replace(k.stop, "@", "-after-", 1)
}

// regretFigures returns the regret maps of each part.
func regretFigures(c *claims.Choice, command string) (named []Named) {
	for _, k := range choiceParts(c) {
		for _, chosen := range []claims.Winner{7, 6} {
			f := k.regretMap(chosen, command)
			named = append(named, Named{fmt.Sprintf("regret-%d", chosen) + k.label(), f, f.Frame})
		}
	}
	return named
}

// regretMap maps what it costs to choose one scheme where the other one is cheaper, over T and the
// sizes of the wheels.
func (k choicePart) regretMap(chosen claims.Winner, command string) figures.WinnerMap {
	f := figures.WinnerMap{
		Frame: figures.Frame{
			Title: k.regretTitle(chosen),
			Caption: []string{
				fmt.Sprintf("%s, equal slots for both schemes.", k),
				fmt.Sprintf("A cell's number: the cost of a lifetime with scheme %d in multiples of the other's, "+
					"where that costs less. “=”: the difference is within the noise, %s, or its interval "+
					"contains 1.",
					chosen, results.FormatPercent(k.Noise)),
			},
			Command: command,
		},
		XLabel: "T, mean time a timer stays, ticks", YLabel: "M, slots, and m, levels",
	}
	for _, cell := range k.cells {
		f.T = append(f.T, float64(cell.T))
	}
	slices.Sort(f.T)
	f.T = slices.Compact(f.T)
	for _, x := range k.crossovers {
		bound := k.Ratio.Median * float64(len(x.Levels)*x.Slots)
		f.Rows = append(f.Rows, fmt.Sprintf("%d, m = %d", x.Slots, len(x.Levels)))
		f.Bound = append(f.Bound, bound)
		row := make([]figures.Cell, len(f.T))
		for _, cell := range k.cells {
			if cell.Slots == x.Slots && slices.Equal(cell.Levels, x.Levels) {
				row[slices.Index(f.T, float64(cell.T))] = regretCell(cell, chosen)
			}
		}
		f.Cells = append(f.Cells, row)
	}
	if k.NoModel != nil { // the bound takes c7/c6 from it
		f.Bound = nil
	}
	return f
}

// regretTitle says what the choice costs.
func (k choicePart) regretTitle(chosen claims.Winner) string {
	s := (&claims.Choice{Cells: k.cells}).Always(chosen, func(claims.ChoiceCell) bool { return true })
	text := fmt.Sprintf("Always choosing scheme %d, %s: ", chosen, stops(k.stop))
	if s.Named == 0 {
		return text + "no cell is outside the noise"
	}
	if s.Right == s.Named {
		return text + "never wrong outside the noise"
	}
	return text + fmt.Sprintf("right in %d of %d cells, at worst it costs %s", s.Right, s.Named, worstOf(s))
}

// worstOf writes the worst regret without its interval.
func worstOf(s claims.Score) string {
	if s.Worst.Median >= 1 {
		return results.FormatNumber(1+s.Worst.Median) + "× as much"
	}
	return percent(s.Worst.Median) + " more"
}

func regretCell(cell claims.ChoiceCell, chosen claims.Winner) figures.Cell {
	winner := map[claims.Winner]figures.Winner{6: figures.Six, 7: figures.Seven, claims.Tie: figures.Tie}[cell.Winner]
	if cell.Winner == claims.Tie || cell.Winner == chosen {
		return figures.Cell{Winner: winner}
	}
	return figures.Cell{Winner: winner, Ratio: 1 + cell.Regret(chosen)}
}
