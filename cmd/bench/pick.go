package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/report/picks"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
	systemsload "timerlab/systems/load"
)

// pickJob is what the flags of pick ask for.
type pickJob struct {
	pick.Request
	race          pick.Race
	hz            int
	schemes       []*schemes.Info
	trace         string
	budget        time.Duration // of the race and the services; 0: the default
	verbose, code bool
	requests      time.Duration // if above 0, this process sends them to another one
	format        report.Format
}

const servicesTime = 30 * time.Second // for timer services, by default

// leastForServices is the least budget with which they are measured. Tests make it less.
var leastForServices = 10 * time.Second

const requestsFlag = "requests"

func newPick() *cobra.Command {
	j := &pickJob{}
	cmd := verb("pick", noArgs, j.run)
	j.flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("timers", "rate")
	for _, name := range []string{"preset", "timers", "rate", "interval", "stop", "restart"} {
		cmd.MarkFlagsMutuallyExclusive("trace", name)
	}
	cmd.AddCommand(newSweep())
	return cmd
}

func (j *pickJob) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&j.Preset, "preset", "", "workload of a known program, by its `name`")
	pathFlag(f, &j.trace, "trace", "", "`file` with the timer operations of a program, in lines such as 0 start 17 30000 "+
		"or as Linux prints them (see bench trace --help); - is the standard input")
	addFlag(f, &j.N, "timers,n", "", "`count` of timers outstanding, as in 50k", whole[uint64](1, workload.MaxOps))
	addFlag(f, &j.Rate, "rate", "", "`number` of timers started a second, restarts included, as in 50k", scaled[float64])
	f.StringVar(&j.Interval, "interval", "", "`distribution` of the intervals")
	f.StringVar(&j.Stop, "stop", "", "`share@distribution` of the timers that are stopped and when: 0.9@exp:1s stops 90 % of timers after 1 s on average")
	f.StringVar(&j.Restart, "restart", "", "`distribution` of the time after which a timer is restarted")
	addFlag(f, &j.Tick, "tick", "", "`length` of a tick (default 1ms, or the preset's or trace's)", duration)
	hzFlag(f, &j.hz)
	addFlag(f, &j.race.Limits.Memory, "memory", "", "limit in `bytes` for timers and slots, such as 256MiB", scaled[int64])
	addFlag(f, &j.race.Limits.Tail, "tail", "", "limit for the p99.9 `time` of a tick", duration)
	addFlag(f, &j.race.Limits.Late, "late", "", "admit schemes that round deadlines, if by their bound no timer is off, late or "+
		"early, by more than this `share` of its interval, such as 5%", percent)
	schemesFlag(f, &j.schemes, " (default all that are for use)")
	addFlag(f, &j.budget, "budget", "", "`time` for all, two fifths of it for the race, of which reading a trace may take half "+
		"(default 50s, above 1M timers 10s more per million); services are measured on the clock from "+leastForServices.String()+" on", duration)
	f.BoolVar(&j.code, "code", false, "print a Go program that runs the workload with the scheme")
	f.BoolVarP(&j.verbose, "verbose", "v", false, "print intervals, counts and all rejected candidates")
	seedFlag(f, &j.race.Seed)
	outputFlag(f, &j.format)
	f.DurationVar(&j.requests, requestsFlag, 0, "send requests")
	_ = f.MarkHidden(requestsFlag)
}

func (j *pickJob) run(cmd *cobra.Command, _ []string) error {
	if j.requests > 0 {
		return systemsload.Requests(cmd.OutOrStdout(), j.requests)
	}
	if j.hz > 0 && j.trace == "" {
		return usagef("--hz needs --trace (use --tick for the length of a tick)")
	}
	if j.trace == "" && j.Request == (pick.Request{Tick: j.Tick}) {
		return usagef("no workload (use --preset, --trace, or -n and --interval; bench pick --help has examples)")
	}
	begun := time.Now()
	w, err := j.workload(cmd)
	if err != nil {
		return pickUsage(err)
	}
	race, services := j.budgets(w)
	budget := race + services
	if j.trace != "" {
		race -= min(time.Since(begun), race/2)
	}
	j.race.Workload, j.race.Budget = w, race
	for _, info := range j.schemes {
		j.race.Limits.Only = append(j.race.Limits.Only, info.Name)
	}
	bar := newProgress(cmd)
	r, err := pick.Pick(cmd.Context(), j.race, func(done, all int, what string) { bar.run(100*done/max(all, 1), 100, what) })
	bar.finish()
	r.Budget = budget
	command := commandLine(cmd)
	if err := cmd.Flags().Set("budget", (2 * budget).String()); err != nil {
		return err
	}
	page := picks.New(r, command, commandLine(cmd), j.verbose)
	if page.Best == nil && !errors.Is(err, pick.ErrLimits) {
		return pickUsage(err)
	}
	page.WithCode = j.code
	if j.format == report.Text { // before the services: the rest takes as long again
		if err := page.WriteRace(cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	if err == nil && services > 0 {
		var costs systemsload.Costs
		if costs, err = onTheClock(cmd, w, page.Best.Subject, services); costs.Turns > 0 {
			page.Add(costs, err != nil)
		}
	}
	if j.format == report.Text {
		err = errors.Join(page.WriteServices(cmd.OutOrStdout()), err)
	} else {
		err = errors.Join(page.Write(cmd.OutOrStdout(), j.format), err)
	}
	if err == nil && len(r.Failed) > 0 {
		err = fmt.Errorf("%s with a wrong outcome: %w", units.Plural(len(r.Failed), "candidate"), errUnverified)
	}
	return err
}

// budgets returns the time for a race, and for services. Of a budget that is given, the race has two fifths: of
// the default, too, at up to a million timers. A program whose clock passes many ticks at once has all its timers in a wheel
// that it turns itself: services, which wake it for each timer, are not measured.
func (j *pickJob) budgets(w pick.Workload) (race, services time.Duration) {
	switch {
	case w.Step > 1, 0 < j.budget && j.budget < leastForServices:
		return cmp.Or(j.budget, pick.BudgetFor(w.N)+servicesTime), 0 // the race has all of it
	case j.budget == 0:
		return pick.BudgetFor(w.N), servicesTime
	}
	return j.budget * 2 / 5, j.budget * 3 / 5
}

// onTheClock measures what the timers of a workload cost with services, and in a loop with the best candidate.
func onTheClock(cmd *cobra.Command, w pick.Workload, best run.Subject, budget time.Duration) (systemsload.Costs, error) {
	self, err := os.Executable()
	if err != nil {
		return systemsload.Costs{}, err
	}
	bar := newProgress(cmd)
	defer bar.finish()
	return systemsload.Load{
		N: w.N, Rate: w.PerSecond(w.Rate), Tick: w.Tick, Lives: w.Lives, OneInterval: w.OneInterval,
		Loop: best, Budget: budget, Requests: []string{self, "pick", "--" + requestsFlag},
	}.Costs(cmd.Context(), func(service string, turn, turns int) { bar.run(turn, turns, "the timers on the clock, "+service) })
}

// workload returns the workload that the flags describe.
func (j *pickJob) workload(cmd *cobra.Command) (pick.Workload, error) {
	if j.trace == "" {
		return j.Request.Workload()
	}
	t, err := readTrace(cmd, j.trace, j.hz, j.race.Seed)
	if err != nil {
		return pick.Workload{}, err
	}
	return pick.FromTrace(t, j.trace, j.Tick)
}

// pickUsage makes an error the user's if it is about the request.
func pickUsage(err error) error {
	user := []error{workload.ErrSpec, workload.ErrDist, demand.ErrPreset, pick.ErrUnfit}
	if slices.ContainsFunc(user, func(bad error) bool { return errors.Is(err, bad) }) {
		return usage(err)
	}
	return err
}

// A sweep has this many random workloads besides the presets, of at most this many timers.
const (
	randomCases = 100
	mostTimers  = 500_000 // for more, the thorough race alone takes minutes; presets have up to two million
)

func newSweep() *cobra.Command {
	var out, filter string
	var budget time.Duration
	var seed uint64
	var format report.Format
	cmd := verb("sweep", nil, func(cmd *cobra.Command, files []string) error {
		if len(files) > 1 || (len(files) > 0) == (out != "") {
			return usagef("%d files of a sweep and --out %q (use --out with a file to measure, or name a file to print)",
				len(files), out)
		}
		var cases []pick.Case
		var names []string
		for _, c := range pick.Cases(randomCases, mostTimers, seed) {
			if strings.Contains(c.Name, filter) {
				cases, names = append(cases, c), append(names, c.Name)
			}
		}
		if len(cases) == 0 {
			return usagef("no workload matches --filter %q (use part of a preset's name or of random-001)", filter)
		}
		write := func(judged pick.Judgement) error {
			judged.Verdicts = slices.DeleteFunc(slices.Clone(judged.Verdicts), func(v pick.Verdict) bool {
				return !strings.Contains(v.Name, filter)
			})
			return picks.NewJudgement(judged, names).Write(cmd.OutOrStdout(), format)
		}
		if len(files) > 0 {
			judged, err := pick.ReadJudgement(files[0])
			if err != nil {
				return err
			}
			return write(judged)
		}
		machine, err := thisMachine("pick")
		if err != nil {
			return err
		}
		judged := pick.Judgement{Machine: machine, Seed: seed, Budget: budget}
		if err = makeFolder(filepath.Dir(out)); err != nil {
			return err
		}
		if err = judged.Continue(out); errors.Is(err, pick.ErrTerms) {
			err = fmt.Errorf("%w (use another file)", err)
		}
		if err != nil {
			return err
		}
		bar := newProgress(cmd)
		err = judged.Judge(cmd.Context(), out, cases, bar.run)
		bar.finish()
		return errors.Join(write(judged), err)
	})
	f := cmd.Flags()
	pathFlag(f, &out, "out", "", "`file` of the sweep, which is created or continued")
	addFlag(f, &budget, "budget", "", "`time` for each pick (default as for bench pick)", duration)
	f.StringVar(&filter, "filter", "", "only workloads whose name contains this `text`")
	seedFlag(f, &seed)
	outputFlag(f, &format)
	return cmd
}
