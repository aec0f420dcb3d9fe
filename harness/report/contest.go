package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness/run"
)

// Contest is the tables of ours and other people's timers.
type Contest struct{ Table *results.Table }

// Splice puts the tables between their marks in a file.
func (p Contest) Splice(path string) error {
	sources := p.Table.Sources
	var paths []string
	for _, s := range sources {
		paths = append(paths, s.Path)
	}
	return marksOf("peers").splice(path, "go run ./cmd/bench peers "+strings.Join(paths, " "), p.Markdown())
}

// CanSpliceContest returns what keeps Splice from a file.
func CanSpliceContest(path string) error {
	_, _, err := marksOf("peers").around(path)
	return err
}

// Wrong returns how many cells had a wrong outcome.
func (p Contest) Wrong() (n int) {
	for _, m := range p.Table.Missing {
		if m.Fail {
			n++
		}
	}
	return n
}

// Markdown returns a table for each work, and one of the targets.
func (p Contest) Markdown() string {
	var b strings.Builder
	for _, w := range run.Scenarios {
		if text := p.work(w.Name, w.Timed); text != "" {
			b.WriteString(text + "\n")
		}
	}
	b.WriteString("Median CPU time of an operation ± half of its 95 % interval; ± ? where fewer than 6 samples were taken. **Bold**: the best of a column, the floors left out. Worst: the longest single call, by the clock on the wall, and the memory of the whole process a timer, the client's 16 bytes included.\n")
	if rows := p.targets(); len(rows) > 0 {
		b.WriteString("\n" + table([]string{"target", "asked", "measured", ""}, rows))
	}
	return b.String()
}

// floors are measured for comparison alone.
var floors = []string{floor, bareRing, nothing}

const floor, bareRing, nothing = "floor", "barering", "nothing"

// work returns the table of one work, or "" if it was not measured: a row an entrant,
// a column a size.
func (p Contest) work(name, timed string) string {
	var columns, entrants []string
	cells := map[[2]string]results.Key{}
	for _, k := range p.keys(name) {
		column := "n = " + k.N + ", T = " + k.T
		columns, entrants = appendNew(columns, column), appendNew(entrants, entrantOf(k))
		cells[[2]string{entrantOf(k), column}] = k
	}
	if len(columns) == 0 {
		return ""
	}
	slices.SortFunc(columns, bySize)
	slices.SortStableFunc(entrants, func(a, b string) int { return rank(a) - rank(b) })
	rows := make([][]string, len(entrants))
	for i, entrant := range entrants {
		rows[i] = append(rows[i], entrant)
		for _, column := range columns {
			k, ok := cells[[2]string{entrant, column}]
			if !ok {
				rows[i] = append(rows[i], "-")
				continue
			}
			best := p.best(name, k) == k
			rows[i] = append(rows[i], p.cell(k, best))
		}
	}
	return fmt.Sprintf("**%s**: %s\n\n%s", name, timed, table(append([]string{""}, columns...), rows))
}

// keys returns the cells of a work, failed ones too.
func (p Contest) keys(work string) (keys []results.Key) {
	for _, k := range p.Table.Keys {
		if k.Op == work {
			keys = append(keys, k)
		}
	}
	for _, m := range p.Table.Missing {
		if m.Key.Op == work && !slices.Contains(keys, m.Key) {
			keys = append(keys, m.Key)
		}
	}
	return keys
}

func entrantOf(k results.Key) string {
	if k.Slots != "" {
		return k.Scheme + ", M = " + k.Slots
	}
	return k.Scheme
}

// rank puts ours first, then the baseline, then others, then floors.
func rank(entrant string) int {
	name, _, _ := strings.Cut(entrant, ",")
	order := []string{"hierarchical-chunked", "hashunsorted-chunked", "hierarchical", "hashunsorted", "valueheap"}
	switch at := slices.Index(order, name); {
	case at >= 0:
		return at
	case slices.Contains(floors, name):
		return len(order) + 1
	default:
		return len(order)
	}
}

// bySize orders columns by n, then T.
func bySize(a, b string) int {
	key := func(column string) (n, t uint64) {
		var x, y string
		_, _ = fmt.Sscanf(strings.ReplaceAll(column, ",", ""), "n = %s T = %s", &x, &y)
		n, _ = results.ParseCount(x)
		t, _ = results.ParseCount(y)
		return n, t
	}
	an, at := key(a)
	bn, bt := key(b)
	switch {
	case an != bn:
		return int(math.Copysign(1, float64(an)-float64(bn)))
	default:
		return int(int64(at) - int64(bt))
	}
}

// unitOf is what a work is compared by.
func unitOf(work string) string {
	switch work {
	case "Memory":
		return bytesPerTimer
	case "Worst":
		return longestTick
	}
	return nsPerOp
}

const (
	nsPerOp          = "ns/op"
	bytesPerTimer    = "B/timer"
	maxBytesPerTimer = "max-B/timer"
	longestStart     = "worst-start-ns"
	longestStop      = "worst-stop-ns"
	longestTick      = "worst-tick-ns"
)

// best returns the cell of the same size with the lowest median.
func (p Contest) best(work string, same results.Key) (best results.Key) {
	least := math.Inf(1)
	for _, k := range p.keys(work) {
		if k.N != same.N || k.T != same.T || slices.Contains(floors, k.Scheme) {
			continue
		}
		if e, err := p.Table.Median(k, unitOf(work)); err == nil && e.Median < least {
			best, least = k, e.Median
		}
	}
	return best
}

func (p Contest) cell(k results.Key, best bool) string {
	e, err := p.Table.Median(k, unitOf(k.Op))
	if err != nil {
		return p.why(k)
	}
	text := ns(e.Median)
	if k.Op == "Worst" {
		start, _ := p.Table.Median(k, longestStart)
		stop, _ := p.Table.Median(k, longestStop)
		bytes, _ := p.Table.Median(k, bytesPerTimer)
		return fmt.Sprintf("Start %s, Stop %s, PerTick %s; %.0f B", ns(start.Median), ns(stop.Median), text, bytes.Median)
	}
	if k.Op == "Memory" {
		text = fmt.Sprintf("%.1f B", e.Median)
		if most, err := p.Table.Median(k, maxBytesPerTimer); err == nil {
			text += fmt.Sprintf(", at most %.1f B", most.Median)
		}
	}
	if best {
		text = "**" + text + "**"
	}
	return text + spread(e)
}

// why tells a cell without a time.
func (p Contest) why(k results.Key) string {
	for _, m := range p.Table.Missing {
		if m.Key == k && !m.Fail {
			return "skipped: " + m.Why
		}
	}
	return "ERROR"
}

// Targets of the fastest forms.
type target struct {
	what   string
	bound  float64 // 0: told, not asked for
	show   func(float64) string
	value  func(Contest) (results.Estimate, error)
	detail func(Contest) string // behind what, if there is more to say
}

const (
	ourChunked = "hierarchical-chunked"
	ourLinked  = "hierarchical"
	ourHeap    = "valueheap"
)

func of(work, scheme, n, t string) results.Key {
	return results.Key{Op: work, Scheme: scheme, N: n, T: t}
}

// below is a target for the ratio of two entrants.
func below(bound float64, what, work, over, under, n, t string) target {
	return target{what: fmt.Sprintf("%s, n = %s, T = %s: %s over %s", what, n, t, over, under), bound: bound, show: ratio, value: func(p Contest) (results.Estimate, error) {
		return p.Table.Ratio(of(work, over, n, t), of(work, under, n, t), nsPerOp)
	}}
}

// bytes is a target for memory.
func bytes(bound float64, what, scheme, n, t, unit string) target {
	return target{what: fmt.Sprintf("%s, n = %s: %s", what, n, scheme), bound: bound,
		show:  func(v float64) string { return fmt.Sprintf("%.1f B", v) },
		value: func(p Contest) (results.Estimate, error) { return p.Table.Median(of("Memory", scheme, n, t), unit) }}
}

// contestTargets are what the fastest forms were built to reach. Their bounds were
// set before they were measured.
var contestTargets = []target{
	below(0.15, "steady state", "Hold", ourChunked, ourHeap, "1M", "10k"),
	below(0.25, "steady state", "Hold", ourChunked, ourHeap, "1M", "1M"),
	below(0.12, "steady state", "Hold", ourChunked, ourHeap, "10M", "10k"),
	below(0.35, "steady state", "Hold", ourChunked, ourLinked, "10M", "10k"),
	below(0.35, "random stop and start", "PairCold", ourChunked, ourHeap, "1M", "10k"),
	below(3, "start and stop", "PairHot", ourChunked, bareRing, "1M", "10k"),
	below(0.5, "steady state", "Hold", ourLinked, ourHeap, "1k", "10k"),
	below(0.5, "steady state", "Hold", ourLinked, ourHeap, "100k", "10k"),
	below(1.25, "steady state", "Hold", ourChunked, ourLinked, "1k", "10k"),
	below(1.25, "steady state", "Hold", ourChunked, ourLinked, "100k", "10k"),
	{"closest third party in Go, every cell from n = 100k", 0.2, ratio,
		func(p Contest) (results.Estimate, error) { _, e, err := p.closest(); return e, err },
		func(p Contest) string {
			k, _, _ := p.closest()
			return fmt.Sprintf(": %s, %s, n = %s, T = %s", k.Scheme, k.Op, k.N, k.T)
		}},
	bytes(33, "memory", ourLinked, "10M", "10k", bytesPerTimer),
	bytes(40, "memory", ourChunked, "10M", "10k", bytesPerTimer),
	bytes(72, "memory, at most while all restart twice", ourChunked, "10M", "10k", maxBytesPerTimer),
	{what: "idle tick, n = 1k, T = 1M: " + ourChunked + " less nothing", bound: 2, show: ns, value: Contest.idle},
	below(0, "steady state", "Hold", ourChunked, floor, "1M", "10k"),
	below(0, "steady state", "Hold", ourChunked, floor, "10M", "10k"),
}

// closest returns the cell of a third party in Go with the largest ratio of our
// chunked form to it, over all cells of the works on which they are compared.
func (p Contest) closest() (cell results.Key, worst results.Estimate, err error) {
	err = results.ErrNoSamples
	for _, k := range p.Table.Keys {
		jvm := strings.HasPrefix(k.Scheme, "netty-") || strings.HasPrefix(k.Scheme, "jdk-")
		if !slices.Contains([]string{"PairHot", "PairCold", "Hold", "Churn"}, k.Op) || rank(entrantOf(k)) != rank("another") || k.N == "1k" || jvm {
			continue
		}
		if e, ratioErr := p.Table.Ratio(of(k.Op, ourChunked, k.N, k.T), k, nsPerOp); ratioErr == nil && e.Median > worst.Median {
			cell, worst, err = k, e, nil
		}
	}
	return cell, worst, err
}

// idle returns what a tick costs beyond the client's own part.
func (p Contest) idle() (results.Estimate, error) {
	base := p.Table.ByRound(of("Idle", nothing, "1k", "1M"), nsPerOp)
	var more []float64
	for round, v := range p.Table.ByRound(of("Idle", ourChunked, "1k", "1M"), nsPerOp) {
		if own, ok := base[round]; ok {
			more = append(more, v-own)
		}
	}
	if len(more) == 0 {
		return results.Estimate{}, results.ErrNoSamples
	}
	slices.Sort(more)
	return results.Summarize(more), nil
}

// targets returns a row for each target that was measured.
func (p Contest) targets() (rows [][]string) {
	for _, t := range contestTargets {
		e, err := t.value(p)
		if errors.Is(err, results.ErrNoSamples) {
			continue
		}
		what, asked, verdict := t.what, "≤ "+t.show(t.bound), "met"
		if t.detail != nil {
			what += t.detail(p)
		}
		switch {
		case t.bound == 0:
			asked, verdict = "-", ""
		case e.Median > t.bound:
			verdict = "**missed**"
		}
		rows = append(rows, []string{what, asked, interval(e, t.show), verdict})
	}
	return rows
}
