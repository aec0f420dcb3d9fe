package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// recorder opens the raw file that a verb measures into: a new one, or one that it continues.
type recorder struct {
	parts   []string // of the code, that are measured
	out     string
	resume  string
	shard   results.Shard
	layouts layouts
	round   int                                         // that this process measures; -1: it starts such processes
	earlier *results.Table                              // what the file to continue has; nil: it is new
	more    func(results.Machine) (*results.Raw, error) // continues the file
	machine results.Machine
}

func (r *recorder) flags(f *pflag.FlagSet) {
	pathFlag(f, &r.out, "out", defaultOut, "`folder` for results, the page and its figures")
	pathFlag(f, &r.resume, "resume", "",
		"raw `file` of an interrupted run to continue, with the flags that it records")
}

// resumeFlags are the flags that may be given with --resume. All others are those that the file records.
var resumeFlags = []string{"resume", "out", "rounds", "filter", "format", "layouts", "round"}

// makeFolder makes a folder of results if there is none, and finds out whether it can be written, before hours of
// measurement.
func makeFolder(path string) error {
	err := os.MkdirAll(path, 0o755)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(path, ""); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err != nil {
		return usagef("--out %s: %v (use a folder that can be written)", path, err)
	}
	return nil
}

// begin makes the folder of a new file, or reads the file to resume and sets the flags that its command had.
func (r *recorder) begin(cmd *cobra.Command) (err error) {
	if r.machine, err = thisMachine(r.parts); err != nil {
		return err
	}
	if r.resume == "" {
		return makeFolder(r.out)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(resumeFlags, f.Name) {
			err = usagef("--%s and --resume are mutually exclusive (a file is continued with the flags that it records)",
				f.Name)
		}
	})
	if err != nil {
		return err
	}
	t, more, err := results.LoadUnfinished(r.resume)
	if err != nil {
		return err
	}
	for i, kv := range r.machine {
		switch was, known := t.Machine[kv[0]]; {
		case !known, kv[0] == "layout": // where nothing was measured, the file does not say on what machine
		case kv[0] == "commit": // the code decides; within a file the keys must not change
			r.machine[i][1] = was
		case was != kv[1]:
			return fmt.Errorf("%s: its %s is %s, now it is %s (resume on the same machine with the same code)",
				r.resume, kv[0], was, kv[1])
		}
	}
	r.earlier, r.more = t, more
	if err := setRecorded(cmd, t.Sources[0]); err != nil {
		return fmt.Errorf("%s: %w", r.resume, err)
	}
	return nil
}

// measure measures the rounds of a plan into a raw file, each in a process of its own. In such a process it measures
// one round.
func (r *recorder) measure(cmd *cobra.Command, plan run.Plan) (raw string, err error) {
	if r.shard.Count > 0 {
		if plan.Split(&r.shard); len(plan.Groups) == 0 {
			return "", usagef("shard %v has no cell (use fewer shards)", r.shard)
		}
	}
	var programs []string
	raw, err = r.record(cmd, func(sink *results.Raw, progress run.Progress) (err error) {
		if r.round >= 0 {
			return r.measureRound(cmd, plan, sink, progress)
		}
		if programs, err = r.layouts.programs(cmd, plan.Rounds, progress); err != nil {
			return err
		}
		return errors.Join(sink.Rounds(plan.Rounds),
			sink.Note(fmt.Sprintf("seed %d, %d rounds, each a process, of %s; the clock resolves %v",
				plan.Seed, plan.Rounds, report.Plural(len(programs), "layout"), run.ClockLimit()/run.ClockSteps)))
	})
	if err != nil || r.round >= 0 {
		return raw, err
	}
	err = startRounds(cmd, programs, raw, plan.Rounds)
	if err == nil && r.shard.Count == 0 { // a shard may well have nothing but cells that are skipped
		err = checkMeasured(raw)
	}
	return raw, err
}

// checkMeasured returns an error if every cell was skipped.
func checkMeasured(raw string) error {
	t, _, err := results.LoadUnfinished(raw)
	if err != nil || report.KindOf(t) != "" || len(t.Missing) == 0 {
		return err
	}
	return usagef("every cell was skipped, as was %v: %s", t.Missing[0].Key, t.Missing[0].Why)
}

// record opens the raw file, measures into it and closes it. An error says where the results are and how to continue.
func (r *recorder) record(cmd *cobra.Command, measure func(*results.Raw, run.Progress) error) (raw string, err error) {
	raw, sink, err := r.open(cmd)
	if err != nil {
		return raw, err
	}
	bar := newProgress(cmd)
	err = measure(sink, bar.run)
	bar.finish()
	err = errors.Join(err, sink.Close())
	if err != nil && !errors.Is(err, run.ErrOutcome) {
		return raw, fmt.Errorf("%w; continue with --resume %s", whereKept(err, raw), raw)
	}
	return raw, whereKept(err, raw)
}

// open opens the raw file. A new one has the command that measures, and is named by the
// verb, the time and the shard, so that none is replaced.
func (r *recorder) open(cmd *cobra.Command) (raw string, sink *results.Raw, err error) {
	if r.resume != "" {
		if sink, err = r.more(r.machine); err == nil && r.round < 0 {
			err = sink.Resumed(commandArgs(cmd)...)
		}
		return r.resume, sink, err
	}
	suffix := ".txt"
	if r.shard.Count > 0 {
		suffix = "-shard-" + strings.Replace(r.shard.String(), "/", "-of-", 1) + suffix
	}
	err = os.ErrExist
	for at := time.Now().UTC(); errors.Is(err, os.ErrExist); at = at.Add(time.Second) { // two runs may begin in one
		raw = filepath.Join(r.out, cmd.Name()+"-"+at.Format("20060102T150405Z")+suffix)
		sink, err = results.CreateRaw(raw, r.machine, r.shard, commandArgs(cmd)...)
	}
	return raw, sink, err
}

// whereKept adds to an error where the results are that were measured before it.
func whereKept(err error, raw string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; what was measured is in %s", err, raw)
}

// Raw files and pages record the command that made them. A raw file is continued, and measured
// again, by the command that it records.

// commandLine returns the command that runs, with the flags that the user gave.
func commandLine(cmd *cobra.Command, args ...string) string {
	return commandText(append(commandArgs(cmd), args...)...)
}

// pageCommand returns the command that makes the page of raw files, in a folder unless that is "".
func pageCommand(verb string, raws []string, out string) string {
	args := slices.Concat([]string{verb}, raws)
	if out != "" {
		args = append(args, "--out", out)
	}
	return commandText(args...)
}

// commandText returns a command of this program, as one types it in the repository.
func commandText(args ...string) string {
	return strings.TrimSuffix("go run ./cmd/bench "+results.CommandText(args...), " ")
}

// commandArgs returns the verb and the flags that were given, by the user or by the file that is
// resumed.
func commandArgs(cmd *cobra.Command) []string {
	args := strings.Fields(cmd.CommandPath())[1:]
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "resume" || f.Name == "round" {
			return
		}
		args = append(args, "--"+f.Name+"="+f.Value.String())
	})
	return args
}

// recordedPlan returns the plan of the command that measured a file, of run or the main job.
func recordedPlan(s results.Source) (run.Plan, error) {
	job, grid := &mainJob{}, &grid{}
	root, verb := &cobra.Command{Use: "bench"}, &cobra.Command{Use: "run", Run: func(*cobra.Command, []string) {}}
	job.flags(root)
	grid.flags(verb)
	root.AddCommand(verb)
	if len(s.Args) > 0 && s.Args[0] == verb.Use {
		if err := setRecorded(verb, s); err != nil {
			return run.Plan{}, err
		}
		return grid.plan()
	}
	err := setRecorded(root, s)
	return job.plan(), err
}

// setRecorded sets the flags of the command that measured a file, of the same verb, that were not given.
func setRecorded(cmd *cobra.Command, s results.Source) error {
	verb, flags, err := cmd.Root().Find(s.Args)
	if s.Args == nil || err != nil || verb != cmd {
		return fmt.Errorf("recorded command %q is not one of %s", s.Command, cmd.CommandPath())
	}
	for _, flag := range flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		if cmd.Flags().Changed(name) || slices.Contains([]string{"out", "resume", "format"}, name) {
			continue
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return fmt.Errorf("recorded command %q: %w", s.Command, err)
		}
	}
	return nil
}
