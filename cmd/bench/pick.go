package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/figures"
	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/workload"
	systemsbench "timerlab/systems/bench"
)

// pickJob is what the flags of pick ask for.
type pickJob struct {
	pick.Request
	pick.Options
	trace   string
	hz      uint64
	longest float64 // seconds
	memory  float64 // bytes
	plot    string
	verbose bool
	format  report.Format
}

// leastForServices is the least budget with which timer services are measured too, which takes some seconds.
const leastForServices = 10 * time.Second

func newPick() *cobra.Command {
	j := &pickJob{}
	cmd := &cobra.Command{
		Use:   "pick",
		Short: "Recommend a scheme and its sizes for a workload, by measuring",
		Long: `Recommend the scheme and sizes with the least cost for a workload on this machine, and say
whether leaving time.AfterFunc, which is measured too, is worth it. It takes up to a
minute, above two million timers half a minute per million.

The workload is a preset (bench list presets), a trace of a real program (bench trace), or given by
flags: of the timers outstanding, the rate at which they start and the mean time that one stays,
two give the third. The timers, rate and tick of a preset can be changed.

Distributions: 30s (constant), uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75),
pareto:1s,1.5 (minimum, exponent), mix:0.9*30s+0.1*exp:5m, quantiles:FILE.`,
		Example: `  bench pick --preset idle-heartbeat
  bench pick --preset idle-heartbeat -n 5k
  bench pick -n 500k --interval 30s --restart 10s --tick 10ms --memory 64MiB --tail 5ms
  bench pick --rate 50k --interval uniform:200ms,300ms --stop 0.99@lognormal:30ms,60ms
  bench pick --trace timers.txt.gz`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	j.flags(cmd.Flags())
	cmd.AddCommand(newSweep())
	return cmd
}

func (j *pickJob) flags(f *pflag.FlagSet) {
	f.StringVar(&j.Preset, "preset", "", "workload of a known program")
	f.StringVar(&j.trace, "trace", "", "file with the timer operations of a program; - is the standard input")
	f.VarP(countWithin(&j.N, 1, workload.MaxOps, ""), "timers", "n", "timers outstanding, such as 5000 or 50k")
	f.Var(newValue(&j.Rate, "number", "", parseScaled), "rate",
		"timers started a second, restarts included, such as 50k")
	f.StringVarP(&j.Mean, "mean", "T", "", "mean time that a timer stays")
	f.StringVar(&j.Interval, "interval", "", "distribution of the intervals")
	f.StringVar(&j.Stop, "stop", "", "share of timers stopped @ distribution of the time after which")
	f.StringVar(&j.Restart, "restart", "", "distribution of the time after which a timer is restarted")
	f.Var(newValue(&j.Tick, "duration", "", parseTick), "tick",
		"length of a tick, or 60Hz (default 1ms, or the preset's or trace's)")
	f.Var(newValue(&j.longest, "duration", "", workload.ParseSeconds), "longest",
		"interval that must be possible")
	hzFlag(f, &j.hz)
	f.Var(newValue(&j.memory, "bytes", "", parseScaled), "memory",
		"limit for timers and slots, such as 256MiB")
	f.DurationVar(&j.Tail, "tail", 0, "limit for the p99.9 time of a tick")
	f.Var(newValue(&j.Late, "percent", "", parsePercent), "late",
		"how late a timer may be, such as 10% of its interval")
	f.StringSliceVar(&j.Only, "schemes", nil, "schemes to consider, separated by commas (default all that are for use)")
	f.DurationVar(&j.Budget, "budget", 0, "time for the race (default 55s, above 2M timers in proportion); from "+
		leastForServices.String()+" on, time.AfterFunc and sharded are measured after it")
	f.StringVar(&j.plot, "plot", "", "file for a figure of the cost against M, .svg or .png")
	f.BoolVarP(&j.verbose, "verbose", "v", false, "print intervals, counts and all rejected candidates")
	seedFlag(f, &j.Seed)
	formatFlag(f, &j.format)
}

// parseScaled reads a positive number with a suffix.
func parseScaled(text string) (v float64, err error) {
	digits := strings.TrimRightFunc(text, unicode.IsLetter)
	v, err = strconv.ParseFloat(digits, 64)
	factor, ok := map[string]float64{
		"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
	}[strings.TrimSuffix(text[len(digits):], "B")]
	if v *= factor; err != nil || !ok || !(v > 0 && v <= 1<<50) {
		err = fmt.Errorf("invalid number %q (use a positive number, optionally with a suffix: 50k, 256MiB)", text)
	}
	return v, err
}

// parseTick reads a duration or a frequency.
func parseTick(text string) (time.Duration, error) {
	if digits, ok := strings.CutSuffix(strings.ToLower(text), "hz"); ok {
		hz, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(hz > 0 && hz <= 1e9) {
			err = fmt.Errorf("invalid frequency %q (use a number above 0 up to 1e9, as in 60Hz)", text)
		}
		return time.Duration(math.Round(1e9 / hz)), err
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		err = fmt.Errorf("invalid tick %q (use a duration above 0 or a frequency, such as 100ms or 60Hz)", text)
	}
	return d, err
}

func (j *pickJob) run(cmd *cobra.Command) error {
	if err := j.check(cmd); err != nil {
		return usage(err)
	}
	w, err := j.workload(cmd.InOrStdin())
	if err != nil {
		return pickUsage(err)
	}
	j.Memory = int64(j.memory)
	bar := newProgress(cmd)
	r, err := pick.Pick(cmd.Context(), w, j.Options, bar.run)
	if len(r.Results) == 0 || err != nil && len(r.Winners()) == 0 && !errors.Is(err, pick.ErrLimits) {
		bar.finish()
		return pickUsage(err)
	}
	var lives []report.Service
	if err == nil && r.Budget >= leastForServices {
		bar.run(99, 100, "time.AfterFunc and sharded")
		lives, err = systemsbench.Lives(w.N, w.Expired, w.Stopped, w.Restarted)
	}
	bar.finish()
	page := report.NewPick(r, lives, commandLine(cmd), j.verbose)
	err = errors.Join(page.Write(cmd.OutOrStdout(), j.format), err)
	if j.plot != "" && page.Best() != nil {
		err = errors.Join(err, figures.Save(j.plot, page.Figure()))
	}
	if err == nil && len(r.Failed) > 0 {
		err = fmt.Errorf("%s with a wrong outcome: %w", count(len(r.Failed), "candidate"), errUnverified)
	}
	return err
}

// workload returns the workload that the flags describe.
func (j *pickJob) workload(stdin io.Reader) (w pick.Workload, err error) {
	if j.trace == "" {
		w, err = j.Request.Workload()
	} else {
		t, readErr := readTrace(stdin, j.trace, int(j.hz), j.Seed)
		if readErr != nil {
			return w, readErr
		}
		w, err = pick.FromTrace(t, j.trace, j.Tick)
	}
	if err == nil && j.longest > 0 {
		w, err = w.SpanSeconds(j.longest)
	}
	return w, err
}

// check returns what is wrong with the flags, before anything takes time.
func (j *pickJob) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if err := checkPositive(flags, "tail", "budget"); err != nil {
		return err
	}
	for _, name := range []string{"preset", "timers", "rate", "mean", "interval", "stop", "restart"} {
		if j.trace != "" && flags.Changed(name) {
			return fmt.Errorf("--trace and --%s are mutually exclusive", name)
		}
	}
	ext := filepath.Ext(j.plot)
	switch {
	case j.hz > 0 && j.trace == "":
		return errors.New("--hz needs --trace (use --tick for the length of a tick)")
	case j.trace == "" && j.Request == pick.Request{Tick: j.Tick}:
		return errors.New("no workload (use --preset, --trace, or -n and --interval; bench pick --help has examples)")
	case j.plot != "" && ext != ".svg" && ext != ".png":
		return fmt.Errorf("invalid --plot %q (must end with .svg or .png)", j.plot)
	}
	if j.plot != "" { // what cannot be written must not be found after the race
		f, err := os.CreateTemp(filepath.Dir(j.plot), ".pick-*")
		if err != nil {
			return fmt.Errorf("invalid --plot %q: %w", j.plot, err)
		}
		if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
			return err
		}
	}
	_, err := findSchemes(j.Only)
	return err
}

// pickUsage makes an error the user's if it is about the request.
func pickUsage(err error) error {
	user := []error{workload.ErrSpec, workload.ErrDist, workload.ErrPreset, pick.ErrUnfit}
	if slices.ContainsFunc(user, func(bad error) bool { return errors.Is(err, bad) }) {
		return usage(err)
	}
	return err
}

// A sweep has this many random workloads besides the presets.
const randomCases = 100

type sweepJob struct {
	out, filter string
	shard       shardFlag
	budget      time.Duration
	seed, most  uint64
	format      report.Format
}

func newSweep() *cobra.Command {
	j := &sweepJob{most: 10_000_000}
	cmd := &cobra.Command{
		Use:   "sweep (--out FILE | FILE...)",
		Short: "Compare picks with a measurement of every candidate, on many workloads",
		Long: `Pick for all presets and for 100 random workloads, measure every candidate and more sizes
thoroughly, and print how far each pick is from the best. It takes some hours, and less for a part
of it. Interrupted, it continues with the same file. FILEs of a sweep, which may be of any machine,
are printed without measuring; with --format csv, all workloads are.`,
		Example: `  bench pick sweep --out sweep.json
  bench pick sweep --shard 2/4 --out sweep-2.json
  bench pick sweep sweep-1.json sweep-2.json > pick.md`,
		RunE: j.run,
	}
	f := cmd.Flags()
	f.StringVar(&j.out, "out", "", "`file` of the sweep, which is created or continued")
	f.DurationVar(&j.budget, "budget", 0, "time for each pick (default that of bench pick)")
	f.StringVar(&j.filter, "filter", "", "only workloads whose name contains this")
	f.TextVar(&j.shard, "shard", shardFlag{}, "only this `part` of the workloads, as in 2/4; env: that of a job array's task")
	f.VarP(countWithin(&j.most, 10, workload.MaxOps, ""), "timers", "n", "the most timers of a random workload")
	seedFlag(f, &j.seed)
	formatFlag(f, &j.format)
	return cmd
}

func (j *sweepJob) run(cmd *cobra.Command, files []string) error {
	if (len(files) > 0) == (j.out != "") {
		return usagef("%d files of a sweep and --out %q (use --out with a file to measure, or name files to print)",
			len(files), j.out)
	}
	if err := checkPositive(cmd.Flags(), "budget"); err != nil {
		return usage(err)
	}
	var cases []pick.Case
	var names []string
	for i, c := range pick.Cases(randomCases, int(j.most), j.seed) {
		inShard := j.shard.Count == 0 || i%j.shard.Count == j.shard.Index-1
		if inShard && strings.Contains(c.Name, j.filter) {
			cases, names = append(cases, c), append(names, c.Name)
		}
	}
	if len(cases) == 0 {
		return usagef("no workload matches --filter %q (use part of a preset's name or of random-001)", j.filter)
	}
	var failed error
	s, err := pick.ReadSweep(files...)
	if err != nil {
		return err
	}
	if j.out != "" {
		machine, err := thisMachine(pickCode)
		if err != nil {
			return err
		}
		s, err = pick.ContinueSweep(j.out, pick.Terms{Machine: machine, Seed: j.seed, Budget: j.budget})
		if errors.Is(err, pick.ErrTerms) {
			err = fmt.Errorf("%w (use another file)", err)
		}
		if err != nil {
			return err
		}
		bar := newProgress(cmd)
		failed = s.Judge(cmd.Context(), j.out, cases, bar.run)
		bar.finish()
	}
	return errors.Join(report.NewPickSweep(s, names).Write(cmd.OutOrStdout(), j.format), failed)
}
