package report

import (
	"fmt"
	"math"

	"timerlab/harness/choice"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// answer is what a user should take who measures nothing, by the number of timers, and what that costs.
func (p studyPage) answer() *Table {
	t := NewTable("timers", "take", "regret, mean", "worst")
	add := func(when, take string, s choice.FreeScore) {
		if s.Mean.N > 0 {
			t.Add(when, take, more(s.Mean), percent(s.Worst))
		}
	}
	if f := p.Free; f != nil {
		const million = 1_000_000
		few := "any number"
		if f.ArraysFrom < choice.NoArrays {
			few = fmt.Sprintf("fewer than %v", workload.Count(f.ArraysFrom))
		}
		add(few, "scheme 7, lists, four wheels of 1024", f.Score(choice.ListsThenArrays, 0, f.ArraysFrom-1))
		add(fmt.Sprintf("from %v", workload.Count(f.ArraysFrom)), "scheme 7, arrays, four wheels of 1024",
			f.Score(choice.ListsThenArrays, f.ArraysFrom, math.MaxInt))
		add("a million, and the longest tick matters", "the same, migrating ahead of time", f.Score(choice.Ahead, million, math.MaxInt))
	}
	if h := p.Heap; h != nil && h.Extra[0].Upto > 0 {
		e := h.Extra[0]
		t.Add(fmt.Sprintf("up to %v", workload.Count(e.Upto)), "or a 4-ary heap: it costs little more, if all expire",
			Cell{Text: units.FormatNanos(e.Most) + " a timer at most", Value: e.Most}, "")
	}
	return t
}

// freeTable shows what advice costs where sizes are free, by n.
func freeTable(f *choice.Free) *Table {
	t := NewTable("advice", "regret, mean")
	for _, n := range f.Timers {
		t.Heads = append(t.Heads, atN(n).String())
	}
	t.Heads = append(t.Heads, "worst", "there")
	for a := range choice.NumAdvice {
		s := f.Score(a, 0, math.MaxInt)
		if s.Mean.N == 0 {
			continue
		}
		row := []any{a.String(), more(s.Mean)}
		for _, n := range f.Timers {
			if mean := f.Score(a, n, n).Mean; mean.N > 0 {
				row = append(row, Cell{Text: percent(mean.Median), Value: mean})
			} else {
				row = append(row, None(""))
			}
		}
		t.Add(append(row, percent(s.Worst), fmt.Sprintf("n = %v, T = %v, %v, stop = %v", workload.Count(s.At.N), workload.Count(s.At.T),
			s.At.Dist, workload.Stops{Share: s.At.Stop, At: s.At.StopAt}))...)
	}
	return t
}
