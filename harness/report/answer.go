package report

import (
	"fmt"

	"timerlab/harness/choice"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// answer is what a user should take who measures nothing, and what that costs.
func (p studyPage) answer() *Table {
	t := NewTable("timers", "take", "regret, mean", "worst")
	if f := p.Free; f != nil {
		add := func(when, take string, a choice.Advice, in func(choice.FreeWorkload) bool) {
			if s := f.Score(a, in); s.Mean.N > 0 {
				t.Add(when, take, more(s.Mean), percent(s.Worst))
			}
		}
		row := func(a choice.Advice) func(choice.FreeWorkload) bool {
			return func(w choice.FreeWorkload) bool { return w.Row == a }
		}
		add("n ≥ 1M, or n ≥ 50k and n > 50 J; fewer than 90 % are stopped", "scheme 7, arrays, four wheels of 1024", choice.Answer, row(choice.Arrays))
		add("else, if all intervals are equal", "scheme 6, lists, 4 J ≤ M, if M ≤ 8 n", choice.Answer, row(choice.Six))
		add("else", "scheme 7, lists, four wheels of 1024", choice.Answer, row(choice.Lists))
		add("a million, and the longest tick matters", "scheme 7, arrays, migrating ahead of time", choice.Ahead,
			func(w choice.FreeWorkload) bool { return w.N >= 1_000_000 })
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
		s := f.Score(a, choice.Any)
		if s.Mean.N == 0 {
			continue
		}
		row := []any{a.String(), more(s.Mean)}
		for _, n := range f.Timers {
			if mean := f.Score(a, func(w choice.FreeWorkload) bool { return w.N == n }).Mean; mean.N > 0 {
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
