package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"timerlab/harness/run"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
	"timerlab/harness/workload"
)

// pickJob is what the pick verb is asked.
type pickJob struct {
	preset, trace       string
	n                   uint64
	rate                float64 // a second
	residence, interval string
	stop, restart       string
	tick, tail, budget  time.Duration
	memory, longest     string
	late                string
	schemes             []string
	prices, plot        string
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

Distributions: const:30s (or every:30s), uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75),
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
	f.StringVar(&j.longest, "longest", "", "interval that must be possible, if it is longer than those that occur")
	f.StringVar(&j.late, "late", "", "by how much a timer may expire too late, as a part of its interval, as in 10% (default exact)")
	f.DurationVar(&j.budget, "budget", 45*time.Second, "time for the race, and for prices if they are not known")
	f.StringVar(&j.prices, "prices", "auto", "what steps cost on this machine: auto finds it once and keeps it, new finds it again, none predicts nothing, else a file that one of them wrote")
	f.StringVar(&j.plot, "plot", "", "file for a figure of the cost against M, .svg or .png")
	f.StringSliceVar(&j.schemes, "schemes", nil, "schemes by name, separated by commas (default all that are eligible)")
	f.Var(number{&j.hz, 1, 1_000_000}, "hz", "ticks that the kernel counts in a second, if its trace does not tell")
	seedFlag(f, &j.seed)
	f.BoolVar(&j.json, "json", false, "print the same as JSON")
	cmd.AddCommand(newSweep())
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
	in, out := pick.Candidates(w.Workload, limits)
	if len(in) == 0 {
		return nothingFits(out, w.N, limits)
	}
	if _, err := pick.Length(w.Workload); err != nil {
		return asUsage(err)
	}
	if !j.json {
		printPicture(cmd.OutOrStdout(), w)
	}
	p, err := j.race(cmd, w, limits, in)
	if len(p.Results) == 0 && err != nil {
		return err
	}
	p.out = append(p.out, out...)
	if err == nil || len(p.Winners()) > 0 { // what an interrupt has left is told, too
		err = errors.Join(p.print(cmd, w, j.json), err)
		if j.plot != "" && len(p.Winners()) > 0 {
			err = errors.Join(err, p.save(j.plot, w))
		}
	}
	if err == nil && len(p.Winners()) == 0 {
		err = fmt.Errorf("none of %s keeps the limits, want a larger --tail or --memory, or a longer --budget", count(len(in), "candidate"))
	}
	if err == nil && len(p.Failed) > 0 {
		err = fmt.Errorf("%s with a wrong outcome: %w", count(len(p.Failed), "candidate"), errUnverified)
	}
	return err
}

// picking is what comes out of a pick.
type picking struct {
	pick.Outcome
	out      []pick.LeftOut
	flips    []pick.Flip
	foreseen bool // flips are all that there are
	model    *pick.Model
	limits   pick.Limits
	command  string
	without  string // why nothing was predicted
}

// race finds prices if there are none, and lets those run that may win.
func (j *pickJob) race(cmd *cobra.Command, w picture, limits pick.Limits, in []pick.Candidate) (p picking, err error) {
	began := time.Now()
	bar := newProgress(cmd)
	defer bar.finish()
	p = picking{limits: limits, command: "go run ./cmd/bench pick" + changedFlags(cmd)}
	if p.model, p.without, err = j.model(cmd, bar.run); err != nil {
		return p, err
	}
	in, p.out = p.model.Prune(in, w.Workload, limits)
	trace, err := pick.Trace(w.Workload, j.seed)
	if err != nil {
		return p, asUsage(err)
	}
	left := max(j.budget-time.Since(began), j.budget/4) // a slow machine's prices must not leave nothing
	race := pick.Race{Workload: w.Workload, Trace: trace, Model: p.model, Budget: left, Limits: limits, Seed: j.seed}
	p.Outcome, err = race.Run(cmd.Context(), in, bar.run)
	if won := p.Winners(); len(won) > 0 {
		p.flips, p.foreseen = p.model.Flips(won[0], p.Outcome, w.Workload, limits)
	}
	return p, err
}

// told returns the prices of the file that the user names.
func (j *pickJob) told() (*pick.Model, error) {
	m, err := pick.LoadModel(j.prices)
	if err != nil {
		return nil, usagef("--prices: allowed auto, new, none or a file of prices: %w", err)
	}
	return m, nil
}

// longEnough is the least budget of which prices may take a part, about 20 s.
const longEnough = 40 * time.Second

// model returns the prices of this machine, or why there are none.
func (j *pickJob) model(cmd *cobra.Command, progress run.Progress) (m *pick.Model, why string, err error) {
	file := pick.CalibrationFile()
	switch j.prices {
	case "none":
		return nil, "--prices none", nil
	case "new":
	case "auto":
		if m, err := pick.LoadModel(file); err == nil {
			return m, "", nil
		}
		if j.budget < longEnough {
			return nil, fmt.Sprintf("no prices are known for this machine and commit, and --budget %v is too short to find them, want %v", j.budget, longEnough), nil
		}
	default:
		m, err = j.told()
		return m, "", err
	}
	m, err = pick.Calibration{Sets: pick.WorkingSets(), Lives: calibrationLives}.Run(cmd.Context(), progress)
	if err != nil || file == "" {
		return m, "", err
	}
	if err := pick.SaveModel(file, m); err != nil { // a full disk must not cost the pick
		fmt.Fprintf(cmd.ErrOrStderr(), "prices are not kept: %v\n", err)
	}
	return m, "", nil
}

// calibrationLives is how many lives a run of the calibration has: some milliseconds in
// the caches, some tens of them in memory.
const calibrationLives = 150_000

// nothingFits says why no candidate is left.
func nothingFits(out []pick.LeftOut, n int, l pick.Limits) error {
	if len(out) == 0 {
		return usagef("--schemes %s: none of them races, allowed %s, and hierarchical-nomigrate with --late", strings.Join(l.Only, ","), strings.Join(pick.Eligible(), ", "))
	}
	least := slices.MinFunc(out, func(a, b pick.LeftOut) int { return cmp.Compare(a.Memory(n), b.Memory(n)) })
	if l.Memory > 0 && least.Memory(n) > l.Memory {
		return usagef("--memory %s, but the least that any scheme takes for %d timers is %s", pick.FormatBytes(l.Memory), n, pick.FormatBytes(least.Memory(n)))
	}
	return fmt.Errorf("no scheme is left of %d: %v: %s", len(out), out[len(out)-1].Candidate, out[len(out)-1].Why)
}

// asUsage makes an error the user's if it is about the workload.
func asUsage(err error) error {
	for _, bad := range []error{workload.ErrSpec, workload.ErrDist, workload.ErrPreset} {
		if errors.Is(err, bad) {
			return usage(err)
		}
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
	if j.prices == "new" && j.budget < longEnough {
		return l, usagef("--prices new with --budget %v, allowed from %v", j.budget, longEnough)
	}
	if !slices.Contains([]string{"auto", "new", "none"}, j.prices) {
		if _, err := j.told(); err != nil { // before anything takes time
			return l, err
		}
	}
	if ext := filepath.Ext(j.plot); j.plot != "" && ext != ".svg" && ext != ".png" {
		return l, usagef("--plot %q, allowed a file that ends with .svg or .png", j.plot)
	}
	l = pick.Limits{Tail: j.tail, Only: j.schemes}
	if j.late != "" {
		digits, percent := strings.CutSuffix(j.late, "%")
		if l.Late, err = strconv.ParseFloat(digits, 64); err != nil || !percent || !(l.Late > 0 && l.Late <= 100) {
			return l, usagef("--late %q, allowed above 0%% to 100%%", j.late)
		}
		l.Late /= 100
	}
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
