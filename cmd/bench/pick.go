package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
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
	if err == nil || len(o.Winners()) > 0 { // what an interrupt has left is told, too
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
