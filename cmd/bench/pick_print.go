package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"timerlab/harness/results"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
)

func printPicture(out io.Writer, w picture) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "workload\t%s\n", w.from)
	fmt.Fprintf(t, "tick\t%v\n", w.tick)
	fmt.Fprintf(t, "n\t%s timers outstanding\n", results.FormatCount(uint64(w.N)))
	fmt.Fprintf(t, "λ\t%.4g timers begun a tick, %.4g a second\n", w.Rate, w.aSecond(w.Rate))
	fmt.Fprintf(t, "R = n/λ\ta timer stays %s\n", w.inTime(w.Residence))
	fmt.Fprintf(t, "interval\t%s on average, at most %s\n", w.inTime(w.Interval), w.inTime(float64(w.Longest)))
	fmt.Fprintf(t, "ended\t%.3g %% expire, %.3g %% are stopped, %.3g %% restarted\n", 100*w.Expired, 100*w.Stopped, 100*w.Restarted)
	if len(w.assumed) > 0 {
		fmt.Fprintf(t, "assumed\t%s\n", strings.Join(w.assumed, "; "))
	}
	_ = t.Flush()
	fmt.Fprintln(out)
}

// print prints what came out.
func (p picking) print(cmd *cobra.Command, w picture, asJSON bool) error {
	if asJSON {
		return p.printJSON(cmd.OutOrStdout(), w)
	}
	return p.printText(cmd.OutOrStdout(), w)
}

func (p picking) printText(dst io.Writer, w picture) error {
	o := p.Outcome
	winners := o.Winners()
	t := tabwriter.NewWriter(dst, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tscheme and sizes\ta timer's life\tlower quartile\tover the first\tpredicted\tof a CPU\tmemory\ttick p50\tp99.9\tmax\tfor each life\t")
	for i, c := range o.Results {
		if c.Dropped != "" {
			continue
		}
		place := fmt.Sprint(i + 1)
		if len(winners) > 1 && slices.ContainsFunc(winners, func(w pick.Result) bool { return w.Candidate.String() == c.Candidate.String() }) {
			place = "tie"
		}
		fmt.Fprintf(t, "%s\t%v\t%s\t%.3g ns\t%s\t%s\t%.2g %%\t%s\t%v\t%v\t%v\t%s\n", place, c.Candidate, inNanos(c.Life), c.Quartile, overFirst(c.Ratio), predicted(c),
			100*c.Life.Median*w.aSecond(w.Rate)/1e9, pick.FormatBytes(c.Bytes), inTick(c, c.P50), inTick(c, c.Tail), inTick(c, c.Worst), steps(c))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(dst, "\n%s; a run of the same scheme differs from another by %s. Ranked by the lower quartile of the runs, as what disturbs one only makes it longer.\n", count(o.Rounds, "round"), noisy(o))
	if o.Shared > 0 {
		fmt.Fprintf(dst, "Made again, as something else computed on the same core: %s.\n", count(o.Shared, "run"))
	}
	p.printModel(dst)
	p.printStill(dst, w)
	switch {
	case len(winners) == 0:
		fmt.Fprintf(dst, "\nNo scheme is left.\n")
	case len(winners) == 1:
		fmt.Fprintf(dst, "\nPick %v.\n%s\n", winners[0].Candidate, why(winners[0], w))
	default:
		names := make([]string, len(winners))
		for i, c := range winners {
			names[i] = c.Candidate.String()
		}
		fmt.Fprintf(dst, "\nA tie: what these differ by is within the noise, or too few rounds tell.\n  %s\n%s\n%s\n", strings.Join(names, "\n  "), tieBreak(winners), why(winners[0], w))
	}
	p.printCut(dst)
	p.printFlips(dst, w)
	p.printLeftOut(dst)
	if len(winners) > 0 {
		fmt.Fprintf(dst, "\n%s\n", indent(winners[0].Snippet(w.N)))
	}
	_, err := fmt.Fprintf(dst, "\nagain: %s\n", p.command)
	return err
}

// tieBreak says what may decide between those that are as fast.
func tieBreak(tied []pick.Result) string {
	small := slices.MinFunc(tied, func(a, b pick.Result) int { return cmp.Compare(a.Bytes, b.Bytes) })
	text := fmt.Sprintf("memory is least with %v (%s).", small.Candidate, pick.FormatBytes(small.Bytes))
	timed := slices.DeleteFunc(slices.Clone(tied), func(c pick.Result) bool { return c.Worst == 0 })
	if len(timed) == 0 { // interrupted before that was measured
		return "M" + text[1:]
	}
	short := slices.MinFunc(timed, func(a, b pick.Result) int { return cmp.Compare(a.Worst, b.Worst) })
	return fmt.Sprintf("The longest tick is shortest with %v (%v), ", short.Candidate, roundDuration(short.Worst)) + text
}

func indent(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }

func inNanos(e results.Estimate) string {
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return fmt.Sprintf("%.3g ns ± ?", e.Median)
	}
	return fmt.Sprintf("%.3g ns (%.3g to %.3g)", e.Median, e.Lo, e.Hi)
}

func overFirst(e results.Estimate) string {
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return fmt.Sprintf("%.2f ± ?", e.Median)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", e.Median, e.Lo, e.Hi)
}

// inTick writes a time of PerTick, if its times were measured.
func inTick(c pick.Result, d time.Duration) string {
	if c.Worst == 0 {
		return "-"
	}
	return roundDuration(d).String()
}

// steps says what a scheme counted for a timer's life.
func steps(c pick.Result) string {
	var parts []string
	for _, s := range []struct {
		n    uint64
		what string
	}{{c.Counts.Visits, "visits"}, {c.Counts.Migrations, "migrations"}, {c.Counts.Compares, "compares"}} {
		if s.n > 0 {
			parts = append(parts, fmt.Sprintf("%.2g %s", float64(s.n)/1000, s.what))
		}
	}
	return strings.Join(parts, ", ")
}

// why explains a scheme's cost in the paper's terms.
func why(c pick.Result, w picture) string {
	visits, migrations := float64(c.Counts.Visits)/1000, float64(c.Counts.Migrations)/1000
	switch c.Info.Number {
	case 7:
		return fmt.Sprintf("Scheme 7: a timer is placed once and migrates %.2g times, where the paper's bound is m = %d.", migrations, len(c.Levels))
	case 5:
		return fmt.Sprintf("Scheme 5: a START is compared with %.2g timers of its slot, n/M = %.3g of them.", float64(c.Counts.Compares)/1000, float64(w.N)/float64(c.Slots))
	case 6:
		return fmt.Sprintf("Scheme 6: PER_TICK visits a timer %.2g times in its life of %.4g ticks, when the pointer comes round to its slot, every M = %d ticks.", visits, w.Residence, c.Slots)
	case 4:
		return fmt.Sprintf("Scheme 4: every interval is within M = %d, so a timer is placed once and looked at only when it expires.", c.Slots)
	case 3:
		return fmt.Sprintf("Scheme 3: a heap, %.2g comparisons in a timer's life.", float64(c.Counts.Compares)/1000)
	}
	return fmt.Sprintf("Scheme %d: with so few timers nothing is simpler.", c.Info.Number)
}

// noisy writes by how much runs differ, if two were compared.
func noisy(o pick.Outcome) string {
	if o.Noise == 0 {
		return "an unknown part"
	}
	return fmt.Sprintf("%.1f %%", 100*o.Noise)
}

// printCut names those for which there was no time, so that nothing was seen that speaks
// against them.
func (p picking) printCut(dst io.Writer) {
	var names []string
	for _, c := range p.Results {
		if c.Cut {
			names = append(names, c.Candidate.String())
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(dst, "There was no time to tell whether these are as fast (--budget): %s.\n", strings.Join(names, ", "))
	}
}

// predicted writes what the model said.
func predicted(c pick.Result) string {
	if c.Predicted == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g ns", c.Predicted)
}

// printModel says how far the model was off, or why there is none.
func (p picking) printModel(dst io.Writer) {
	if p.model == nil {
		fmt.Fprintf(dst, "Nothing was predicted: %s.\n", p.without)
		return
	}
	fmt.Fprintf(dst, "Predictions were off by %.0f %%, half of those that ran by more; they decide only who runs, and the flip points.\n", 100*p.Model)
}

// still reports whether upper wheels of a candidate do not move in a run, and what the
// model says that they would take, in ns a life.
func (p picking) still(c pick.Result, w picture) (still bool, ns float64) {
	ticks, err := pick.Length(w.Workload)
	if err != nil || !c.Still(ticks, w.Longest) {
		return false, 0
	}
	return true, p.model.Unseen(c, w.Workload)
}

// printStill names those whose upper wheels did not move in a run.
func (p picking) printStill(dst io.Writer, w picture) {
	for _, c := range p.Results {
		still, ns := p.still(c, w)
		if !still || c.Dropped != "" {
			continue
		}
		fmt.Fprintf(dst, "A run is shorter than a slot of %v's upper wheels lasts: what those migrate is not in its time", c.Candidate)
		if ns > 0 {
			fmt.Fprintf(dst, "; predicted %.2g ns a life", ns)
		}
		fmt.Fprintln(dst, ".")
	}
}

// printFlips says where another candidate would win.
func (p picking) printFlips(dst io.Writer, w picture) {
	if p.model == nil || len(p.Winners()) == 0 {
		return
	}
	picked := p.Winners()[0]
	if !p.foreseen {
		fmt.Fprintf(dst, "\nWhere something else would win is not predicted: nothing is known of %v, or the model is too far off.\n", picked.Candidate)
		return
	}
	fmt.Fprintf(dst, "\nwhere something else would take %.0f %% less than %v, or more, predicted:\n", 100*p.Margin(), picked.Candidate)
	for _, f := range p.flips {
		fmt.Fprintf(dst, "  %s\n", w.flip(f))
	}
	for _, axis := range []string{"T", "n"} {
		for _, below := range []bool{true, false} {
			if !slices.ContainsFunc(p.flips, func(f pick.Flip) bool { return f.Axis == axis && (f.Factor < 1) == below }) {
				fmt.Fprintf(dst, "  %s %s: nowhere\n", axis, map[bool]string{true: "smaller", false: "larger"}[below])
			}
		}
	}
}

// flip writes a flip point with the value that the workload has there.
func (w picture) flip(f pick.Flip) string {
	side := "from"
	if f.Factor < 1 {
		side = "down at"
	}
	var at string
	switch f.Axis {
	case "T":
		at = fmt.Sprintf("T %s %.3g × (R = %s)", side, f.Factor, w.inTime(w.Residence*f.Factor))
	case "n":
		at = fmt.Sprintf("n %s %.3g", side, float64(w.N)*f.Factor)
	default:
		verb := "falls behind"
		if f.Good {
			verb = "is as good"
		}
		return fmt.Sprintf("M from %s: %s %s", pick.FormatSlots(int(f.Factor)), f.Better.Info.Name, verb)
	}
	if f.Why != "" {
		return at + ": " + f.Why
	}
	return fmt.Sprintf("%s: %v, in %.2g of the time", at, f.Better, f.Ratio)
}

func (p picking) printLeftOut(dst io.Writer) {
	if len(p.out) == 0 && !slices.ContainsFunc(p.Results, func(c pick.Result) bool { return c.Dropped != "" }) {
		return
	}
	fmt.Fprintf(dst, "\nleft out:\n")
	for _, c := range p.Results {
		if c.Dropped != "" {
			fmt.Fprintf(dst, "  %v: %s\n", c.Candidate, c.Dropped)
		}
	}
	for _, c := range p.out {
		fmt.Fprintf(dst, "  %v: %s\n", c.Candidate, c.Why)
	}
}

// picked is what --json prints.
type picked struct {
	Workload struct {
		From           string   `json:"from"`
		TickSeconds    float64  `json:"tick_seconds"`
		N              int      `json:"n"`
		RatePerTick    float64  `json:"rate_per_tick"`
		ResidenceTicks float64  `json:"residence_ticks"`
		IntervalTicks  float64  `json:"mean_interval_ticks"`
		LongestTicks   uint64   `json:"longest_interval_ticks"`
		Expired        float64  `json:"expired"`
		Stopped        float64  `json:"stopped"`
		Restarted      float64  `json:"restarted"`
		Assumed        []string `json:"assumed,omitempty"`
	} `json:"workload"`
	Winners  []string     `json:"winners"`
	Ranking  []pickedRow  `json:"ranking"`
	LeftOut  []pickedOut  `json:"left_out"`
	Flips    []pickedFlip `json:"flips,omitempty"`
	Rounds   int          `json:"rounds"`
	Model    float64      `json:"model_error"`                 // median of |predicted/measured - 1|; 0: nothing was predicted
	Without  string       `json:"nothing_predicted,omitempty"` // why
	Foreseen bool         `json:"flips_known"`
	Margin   float64      `json:"flips_margin"` // part of its time that another one must save
	Noise    float64      `json:"noise"`
	Shared   int          `json:"runs_made_again"` // as something else computed on the same core
	Command  string       `json:"command"`
	Snippet  string       `json:"snippet,omitempty"`
}

type pickedRow struct {
	Scheme   string    `json:"scheme"`
	Slots    int       `json:"slots,omitempty"`
	Levels   []int     `json:"levels,omitempty"`
	LifeNs   float64   `json:"life_ns"`
	Interval []float64 `json:"life_ns_interval,omitempty"` // left out with fewer than 6 rounds
	Quartile float64   `json:"life_ns_lower_quartile"`     // by which they are ranked
	Ratio    float64   `json:"ratio"`
	RatioInt []float64 `json:"ratio_interval,omitempty"`
	Model    float64   `json:"predicted_ns,omitempty"`
	CPU      float64   `json:"cpu_share"`
	Bytes    int64     `json:"bytes"`
	P50Ns    int64     `json:"tick_p50_ns"`
	P999Ns   int64     `json:"tick_p99_9_ns"`
	MaxNs    int64     `json:"tick_max_ns"`
	Still    bool      `json:"upper_wheels_still,omitempty"` // in a run, so that what they migrate is not in life_ns
	Unseen   float64   `json:"unseen_ns,omitempty"`          // what that takes, predicted
}

type pickedOut struct {
	Scheme string `json:"scheme"`
	Why    string `json:"why"`
}

// pickedFlip is where something else would take less than the first winner, by the margin.
type pickedFlip struct {
	Axis   string  `json:"axis"`   // T, n or M
	Factor float64 `json:"factor"` // times the workload's; of M, slots
	Scheme string  `json:"scheme,omitempty"`
	Ratio  float64 `json:"ratio,omitempty"` // of its time over the winner's
	Why    string  `json:"why,omitempty"`
	Good   bool    `json:"good,omitempty"` // of M: from here on the scheme is as good, not behind
}

func (x picking) printJSON(dst io.Writer, w picture) error {
	o := x.Outcome
	p := picked{Winners: []string{}, Rounds: o.Rounds, Noise: o.Noise, Shared: o.Shared, Model: o.Model, Without: x.without, Foreseen: x.foreseen, Margin: o.Margin(), Command: x.command}
	for _, f := range x.flips {
		flip := pickedFlip{Axis: f.Axis, Factor: f.Factor, Ratio: f.Ratio, Why: f.Why, Good: f.Good}
		if f.Why == "" {
			flip.Scheme = f.Better.String()
		}
		p.Flips = append(p.Flips, flip)
	}
	p.Workload.From, p.Workload.TickSeconds, p.Workload.N = w.from, w.tick.Seconds(), w.N
	p.Workload.RatePerTick, p.Workload.ResidenceTicks, p.Workload.IntervalTicks = w.Rate, w.Residence, w.Interval
	p.Workload.LongestTicks, p.Workload.Assumed = uint64(w.Longest), w.assumed
	p.Workload.Expired, p.Workload.Stopped, p.Workload.Restarted = w.Expired, w.Stopped, w.Restarted
	for i, c := range o.Winners() {
		p.Winners = append(p.Winners, c.Candidate.String())
		if i == 0 {
			p.Snippet = c.Snippet(w.N)
		}
	}
	interval := func(e results.Estimate) []float64 {
		if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
			return nil
		}
		return []float64{e.Lo, e.Hi}
	}
	for _, c := range o.Results {
		if c.Dropped != "" {
			p.LeftOut = append(p.LeftOut, pickedOut{c.Candidate.String(), c.Dropped})
			continue
		}
		still, unseen := x.still(c, w)
		p.Ranking = append(p.Ranking, pickedRow{
			c.Info.Name, c.Slots, c.Levels, c.Life.Median, interval(c.Life), c.Quartile, c.Ratio.Median, interval(c.Ratio), c.Predicted,
			c.Life.Median * w.aSecond(w.Rate) / 1e9, c.Bytes, int64(c.P50), int64(c.Tail), int64(c.Worst), still, unseen,
		})
	}
	for _, c := range x.out {
		p.LeftOut = append(p.LeftOut, pickedOut{c.Candidate.String(), c.Why})
	}
	e := json.NewEncoder(dst)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// roundDuration leaves three digits, but no less than seconds.
func roundDuration(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 && unit < time.Second {
		unit *= 10
	}
	return d.Round(unit)
}
