package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/measure"
	"timerlab/harness/pick"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

// pickJob is what the pick verb is asked.
type pickJob struct {
	preset, trace       string
	n                   uint64
	rate                float64 // a second
	residence, interval string
	stop, restart       string
	tick, tail, budget  time.Duration
	memory              string
	schemes             []string
	hz, seed            uint64
	json                bool
}

func newPick() *cobra.Command {
	j := &pickJob{seed: 1}
	cmd := &cobra.Command{
		Use:   "pick",
		Short: "Find the scheme and its sizes for a workload, by measuring",
		Long: `Find the scheme, and its sizes, that serve a workload at the least cost on this
machine. The workload is a preset (bench list presets), a trace of a real program (bench
trace), or told by flags: two of the timers outstanding, the rate at which they start,
and how long one stays give the third.

Distributions: const:30s, uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75),
pareto:1s,1.5 (least, exponent), mix:0.9*const:30s+0.1*exp:5m, quantiles:FILE.`,
		Example: "  bench pick --preset idle-heartbeat\n  bench pick -n 2M --interval const:30s --restart const:10s --tick 100ms --memory 256MiB --tail 5ms\n  bench pick --rate 50k --interval uniform:200ms,300ms --stop 0.99@lognormal:30ms,60ms --tick 1ms\n  bench pick --trace timers.txt.gz",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&j.preset, "preset", "", "workload of a known program")
	f.StringVar(&j.trace, "trace", "", "file with what a program's timers did; - is the standard input")
	f.VarP(number{&j.n, 1, workload.MaxOps}, "timers", "n", "timers outstanding")
	f.Var(ratePerSecond{&j.rate}, "rate", "timers that start in a second, restarts too")
	f.StringVar(&j.residence, "residence", "", "how long a timer stays, on average")
	f.StringVar(&j.interval, "interval", "", "distribution of the intervals")
	f.StringVar(&j.stop, "stop", "", "share of timers stopped @ distribution of the time after which")
	f.StringVar(&j.restart, "restart", "", "distribution of the time after which a timer is restarted")
	f.DurationVar(&j.tick, "tick", 0, "length of a tick (default 1ms, or the preset's or trace's)")
	f.StringVar(&j.memory, "memory", "", "most memory for timers and slots, as in 256MiB")
	f.DurationVar(&j.tail, "tail", 0, "longest time that 99.9 % of ticks may take")
	f.DurationVar(&j.budget, "budget", 45*time.Second, "time for the race")
	f.StringSliceVar(&j.schemes, "schemes", nil, "schemes by name, separated by commas (default all that are eligible)")
	f.Var(number{&j.hz, 1, 1_000_000}, "hz", "ticks that the kernel counts in a second, if its trace does not tell")
	seedFlag(f, &j.seed)
	f.BoolVar(&j.json, "json", false, "print the same as JSON")
	return cmd
}

// ratePerSecond is a number of timers a second, with SI suffixes.
type ratePerSecond struct{ value *float64 }

func (r ratePerSecond) Set(text string) error {
	digits, factor := text, 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9} {
		if d, ok := strings.CutSuffix(text, suffix); ok {
			digits, factor = d, f
		}
	}
	v, err := strconv.ParseFloat(digits, 64)
	if v *= factor; err != nil || !(v > 0) || v > 1e12 {
		return fmt.Errorf("%q, allowed above 0 to 1e12, as in 50k", text)
	}
	*r.value = v
	return nil
}

func (r ratePerSecond) String() string { return "" }
func (r ratePerSecond) Type() string   { return "number" }

// picture is the workload as it is understood.
type picture struct {
	demand.Numbers
	from    string
	tick    time.Duration
	lives   []workload.Life
	slots   int      // that the program uses today
	assumed []string // fields
}

func (j *pickJob) run(cmd *cobra.Command) error {
	limits, err := j.limits()
	if err != nil {
		return err
	}
	w, err := j.picture(cmd.InOrStdin())
	if err != nil {
		return err
	}
	limits.Slots = w.slots
	in, out := pick.Candidates(w.Numbers, limits)
	if len(in) == 0 {
		return nothingFits(out, w.N, limits)
	}
	if _, err := pick.Length(w.Numbers); err != nil {
		return asUsage(err)
	}
	if !j.json {
		printPicture(cmd.OutOrStdout(), w)
	}
	trace, err := pick.Trace(w.Numbers, w.lives, j.seed)
	if err != nil {
		return asUsage(err)
	}
	race := pick.Race{Trace: trace, Budget: j.budget, Limits: limits, Seed: j.seed}
	bar := newProgress(cmd)
	o, err := race.Run(cmd.Context(), in, bar.run)
	bar.finish()
	if err == nil || o.Rounds > 0 {
		err = errors.Join(j.print(cmd, w, o, out), err)
	}
	if err == nil && len(o.Failed) > 0 {
		err = fmt.Errorf("%s with a wrong outcome: %w", count(len(o.Failed), "candidate"), errUnverified)
	}
	return err
}

// nothingFits says why no candidate is left.
func nothingFits(out []pick.LeftOut, n int, l pick.Limits) error {
	if len(out) == 0 {
		return usagef("--schemes %s: none of them races, allowed %s", strings.Join(l.Only, ","), strings.Join(pick.Eligible(), ", "))
	}
	least := slices.MinFunc(out, func(a, b pick.LeftOut) int { return cmp.Compare(a.Memory(n), b.Memory(n)) })
	if l.Memory > 0 && least.Memory(n) > l.Memory {
		return usagef("--memory %s, but the least that any scheme takes for %d timers is %s", pick.FormatBytes(l.Memory), n, pick.FormatBytes(least.Memory(n)))
	}
	return fmt.Errorf("no scheme is left of %d: %v: %s", len(out), out[len(out)-1].Candidate, out[len(out)-1].Why)
}

// asUsage makes an error the user's if it is about the workload.
func asUsage(err error) error {
	if errors.Is(err, demand.ErrDemand) || errors.Is(err, demand.ErrDist) || errors.Is(err, workload.ErrSpec) {
		return usage(err)
	}
	return err
}

// limits reads what a candidate must keep within.
func (j *pickJob) limits() (l pick.Limits, err error) {
	if _, err := findSchemes(j.schemes); err != nil {
		return l, err
	}
	if j.tail < 0 || j.budget <= 0 || j.tick < 0 {
		return l, usagef("--tail %v, --budget %v, --tick %v: allowed above 0", j.tail, j.budget, j.tick)
	}
	l = pick.Limits{Tail: j.tail, Only: j.schemes}
	if j.memory != "" {
		l.Memory, err = parseBytes(j.memory)
	}
	return l, err
}

// parseBytes reads a number of bytes such as 256MiB.
func parseBytes(text string) (int64, error) {
	digits, factor := strings.TrimSuffix(text, "B"), 1.0
	for suffix, f := range map[string]float64{"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "k": 1e3, "M": 1e6, "G": 1e9} {
		if d, ok := strings.CutSuffix(digits, suffix); ok {
			digits, factor = d, f
			break
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	if n *= factor; err != nil || !(n >= 1) || n > 1<<50 {
		return 0, usagef("--memory %q, allowed a number of bytes such as 256MiB or 2GB", text)
	}
	return int64(n), nil
}

// picture reads the workload from where it is told.
func (j *pickJob) picture(stdin io.Reader) (w picture, err error) {
	told := j.n > 0 || j.rate > 0 || j.residence != "" || j.interval != "" || j.stop != "" || j.restart != ""
	switch {
	case j.preset != "" && j.trace != "", told && (j.preset != "" || j.trace != ""):
		return w, usagef("--preset, --trace and flags that tell a workload: allowed one of them")
	case j.preset != "":
		w, err = j.fromPreset()
	case j.trace != "":
		w, err = j.fromTrace(stdin)
	case told:
		w, err = j.fromFlags()
	default:
		return w, usagef("which workload? allowed --preset, --trace, or -n and --interval (bench pick --help)")
	}
	return w, asUsage(err)
}

func (j *pickJob) fromPreset() (w picture, err error) {
	p, err := demand.Find(j.preset)
	if err != nil {
		return w, err
	}
	if j.tick > 0 {
		p.Tick = j.tick
	}
	w = picture{Numbers: p.Numbers(), from: fmt.Sprintf("preset %s: %s", p.Name, p.About), tick: p.Tick, lives: p.Lives(), slots: p.Slots, assumed: p.Assumed()}
	return w, p.Check()
}

// mostDrawn is how many lives of a trace are kept, drawn at random, each as likely.
const mostDrawn = 1 << 16

func (j *pickJob) fromTrace(stdin io.Reader) (w picture, err error) {
	random := rand.New(rand.NewPCG(j.seed, 7))
	var lives []workload.Life
	seen := 0
	s, err := readTrace(stdin, j.trace, int(j.hz), func(l tracefile.Life) {
		seen++
		at := len(lives)
		if at < mostDrawn {
			lives = append(lives, workload.Life{})
		} else if at = random.IntN(seen); at >= mostDrawn {
			return
		}
		stay := max(l.Stay, 1)
		interval := max(l.Interval, stay) // the kernel's may be late
		if l.Fate == tracefile.Expired {
			interval = stay
		} else if interval == stay { // it ended as it would have expired
			interval++
		}
		lives[at] = workload.Life{Interval: interval, Stay: stay, Share: 1, Restarts: l.Fate == tracefile.Restarted}
	})
	if err != nil {
		return w, err
	}
	if len(lives) == 0 {
		return w, fmt.Errorf("%s: no timer ends within the trace, so what they do is not known", j.trace)
	}
	if s.Longest > workload.MaxTicks {
		return w, fmt.Errorf("%s: an interval of %d ticks, allowed %d", j.trace, s.Longest, workload.MaxTicks)
	}
	lives = withLeft(s, lives, seen)
	tick := s.Tick
	if j.tick > 0 {
		tick = j.tick
	}
	if tick == 0 {
		return w, usagef("%s does not tell how long a tick is, want --tick", j.trace)
	}
	n := max(1, int(math.Round(s.N())))
	w = picture{Numbers: demand.NumbersOf(n, lives), from: "trace " + j.trace, tick: tick, lives: lives}
	if open := float64(s.Outstanding) / float64(s.Started); open > 0.01 {
		w.assumed = append(w.assumed, fmt.Sprintf("that the %.2g %% of timers that are outstanding at the trace's end expire", 100*open))
	}
	if text := left(s); strings.ContainsAny(text, ",;") {
		w.assumed = append(w.assumed, "that nothing else is missing: "+text)
	}
	return w, nil
}

// withLeft returns lives, which were drawn from so many that ended, with those of the
// timers that are outstanding at the trace's end, as if these expired: without them the
// longest ones would be missing. Their shares sum to 1.
func withLeft(s *tracefile.Stat, lives []workload.Life, ended int) []workload.Life {
	all := float64(ended + s.Outstanding)
	for i := range lives {
		lives[i].Share = float64(ended) / float64(len(lives)) / all
	}
	byInterval := map[schemes.Tick]int{}
	s.Left(func(l tracefile.Life) {
		byInterval[min(max(l.Interval, 1), workload.MaxTicks)]++
	})
	for _, interval := range slices.Sorted(maps.Keys(byInterval)) {
		lives = append(lives, workload.Life{Interval: interval, Stay: interval, Share: float64(byInterval[interval]) / all})
	}
	return lives
}

func (j *pickJob) fromFlags() (w picture, err error) {
	if j.interval == "" {
		return w, usagef("no --interval, want a distribution such as const:30s")
	}
	c := demand.Class{Name: "told by flags", Share: 1}
	if c.Interval, err = demand.ParseDist(j.interval); err != nil {
		return w, err
	}
	if j.stop != "" {
		share, dist, ok := strings.Cut(j.stop, "@")
		if c.Stops, err = strconv.ParseFloat(share, 64); err != nil || !ok {
			return w, usagef("--stop %q, allowed a share of timers @ a distribution, as in 0.99@lognormal:30ms,60ms", j.stop)
		}
		if c.Stop, err = demand.ParseDist(dist); err != nil {
			return w, err
		}
	}
	if j.restart != "" {
		if c.Restart, err = demand.ParseDist(j.restart); err != nil {
			return w, err
		}
	}
	tick := j.tick
	if tick == 0 {
		tick = time.Millisecond
	}
	d := demand.Demand{N: 1, Tick: tick, Classes: []demand.Class{c}}
	if err := d.Check(); err != nil {
		return w, err
	}
	lives := d.Lives()
	one := demand.NumbersOf(1, lives)
	if d.N, err = j.timers(one.Residence * tick.Seconds()); err != nil {
		return w, err
	}
	w = picture{Numbers: demand.NumbersOf(d.N, lives), from: "told by flags", tick: tick, lives: lives}
	if j.tick == 0 {
		w.assumed = append(w.assumed, "tick")
	}
	return w, d.Check()
}

// timers returns n by Little's law, where the distributions say how long a timer stays.
func (j *pickJob) timers(stays float64) (int, error) {
	if j.residence != "" {
		told, err := demand.ParseSeconds(j.residence)
		if err != nil {
			return 0, usagef("--residence %v", err)
		}
		if math.Abs(told-stays) > 0.01*stays {
			return 0, usagef("--residence %s, but with these intervals, stops and restarts a timer stays %.4gs on average; want one of them", j.residence, stays)
		}
	}
	n, _, _, err := demand.Little(float64(j.n), j.rate, stays)
	if err != nil {
		return 0, err
	}
	if n < 1 || n > workload.MaxOps {
		return 0, usagef("n = rate × residence = %.4g/s × %.4gs = %.4g timers, allowed 1 to %d", j.rate, stays, n, workload.MaxOps)
	}
	return int(math.Round(n)), nil
}

// inTime writes ticks, and what they last.
func (w picture) inTime(ticks float64) string {
	return fmt.Sprintf("%.4g ticks, %v", ticks, roundDuration(time.Duration(min(ticks*float64(w.tick), math.MaxInt64/2))))
}

// aSecond returns how many times a second something happens that happens so often a
// tick.
func (w picture) aSecond(aTick float64) float64 {
	return aTick * float64(time.Second) / float64(w.tick)
}

func printPicture(out io.Writer, w picture) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "workload\t%s\n", w.from)
	fmt.Fprintf(t, "tick\t%v\n", w.tick)
	fmt.Fprintf(t, "n\t%s timers outstanding\n", measure.FormatCount(uint64(w.N)))
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
func (j *pickJob) print(cmd *cobra.Command, w picture, o pick.Outcome, out []pick.LeftOut) error {
	command := "go run ./cmd/bench pick" + changedFlags(cmd)
	if j.json {
		return printJSON(cmd.OutOrStdout(), w, o, out, command)
	}
	return printPick(cmd.OutOrStdout(), w, o, out, command)
}

func printPick(dst io.Writer, w picture, o pick.Outcome, out []pick.LeftOut, command string) error {
	winners := o.Winners()
	t := tabwriter.NewWriter(dst, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tscheme and sizes\ta timer's life\tover the first\tof a CPU\tmemory\ttick p50\tp99.9\tmax\tfor each life\t")
	for i, c := range o.Results {
		if c.Dropped != "" {
			continue
		}
		place := fmt.Sprint(i + 1)
		if len(winners) > 1 && slices.ContainsFunc(winners, func(w pick.Result) bool { return w.Candidate.String() == c.Candidate.String() }) {
			place = "tie"
		}
		fmt.Fprintf(t, "%s\t%v\t%s\t%s\t%.2g %%\t%s\t%v\t%v\t%v\t%s\n", place, c.Candidate, inNanos(c.Life), overFirst(c.Ratio),
			100*c.Life.Median*w.aSecond(w.Rate)/1e9, pick.FormatBytes(c.Bytes), roundDuration(c.P50), roundDuration(c.Tail), roundDuration(c.Worst), steps(c))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(dst, "\n%d rounds; a run of the same scheme differs from another by %.1f %%.\n", o.Rounds, 100*o.Noise)
	if ticks, err := pick.Length(w.Numbers); err == nil {
		for _, c := range o.Results {
			if c.Dropped == "" && c.Still(ticks, w.Longest) {
				fmt.Fprintf(dst, "A run has %d ticks, fewer than a slot of %v's upper wheels lasts: what those migrate is not in its time.\n", ticks, c.Candidate)
			}
		}
	}
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
	printLeftOut(dst, o, out)
	if len(winners) > 0 {
		fmt.Fprintf(dst, "\n%s\n", indent(winners[0].Snippet(w.N)))
	}
	_, err := fmt.Fprintf(dst, "\nagain: %s\n", command)
	return err
}

// tieBreak says what may decide between those that are as fast.
func tieBreak(tied []pick.Result) string {
	short := slices.MinFunc(tied, func(a, b pick.Result) int { return cmp.Compare(a.Worst, b.Worst) })
	small := slices.MinFunc(tied, func(a, b pick.Result) int { return cmp.Compare(a.Bytes, b.Bytes) })
	return fmt.Sprintf("The longest tick is shortest with %v (%v), memory least with %v (%s).",
		short.Candidate, roundDuration(short.Worst), small.Candidate, pick.FormatBytes(small.Bytes))
}

func indent(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }

func inNanos(e measure.Estimate) string {
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return fmt.Sprintf("%.3g ns ± ?", e.Median)
	}
	return fmt.Sprintf("%.3g ns (%.3g to %.3g)", e.Median, e.Lo, e.Hi)
}

func overFirst(e measure.Estimate) string {
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return fmt.Sprintf("%.2f ± ?", e.Median)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", e.Median, e.Lo, e.Hi)
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

func printLeftOut(dst io.Writer, o pick.Outcome, out []pick.LeftOut) {
	fmt.Fprintf(dst, "\nleft out:\n")
	for _, c := range o.Results {
		if c.Dropped != "" {
			fmt.Fprintf(dst, "  %v: %s\n", c.Candidate, c.Dropped)
		}
	}
	for _, c := range out {
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
	Winners []string    `json:"winners"`
	Ranking []pickedRow `json:"ranking"`
	LeftOut []pickedOut `json:"left_out"`
	Rounds  int         `json:"rounds"`
	Noise   float64     `json:"noise"`
	Command string      `json:"command"`
	Snippet string      `json:"snippet,omitempty"`
}

type pickedRow struct {
	Scheme   string    `json:"scheme"`
	Slots    int       `json:"slots,omitempty"`
	Levels   []int     `json:"levels,omitempty"`
	LifeNs   float64   `json:"life_ns"`
	Interval []float64 `json:"life_ns_interval,omitempty"` // left out with fewer than 6 rounds
	Ratio    float64   `json:"ratio"`
	RatioInt []float64 `json:"ratio_interval,omitempty"`
	CPU      float64   `json:"cpu_share"`
	Bytes    int64     `json:"bytes"`
	P50Ns    int64     `json:"tick_p50_ns"`
	P999Ns   int64     `json:"tick_p99_9_ns"`
	MaxNs    int64     `json:"tick_max_ns"`
}

type pickedOut struct {
	Scheme string `json:"scheme"`
	Why    string `json:"why"`
}

func printJSON(dst io.Writer, w picture, o pick.Outcome, out []pick.LeftOut, command string) error {
	p := picked{Winners: []string{}, Rounds: o.Rounds, Noise: o.Noise, Command: command}
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
	interval := func(e measure.Estimate) []float64 {
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
		p.Ranking = append(p.Ranking, pickedRow{
			c.Info.Name, c.Slots, c.Levels, c.Life.Median, interval(c.Life), c.Ratio.Median, interval(c.Ratio),
			c.Life.Median * w.aSecond(w.Rate) / 1e9, c.Bytes, int64(c.P50), int64(c.Tail), int64(c.Worst),
		})
	}
	for _, c := range out {
		p.LeftOut = append(p.LeftOut, pickedOut{c.Candidate.String(), c.Why})
	}
	e := json.NewEncoder(dst)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
