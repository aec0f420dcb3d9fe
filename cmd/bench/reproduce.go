package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/compare"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// measuring are the verbs whose raw files a folder of results may have, by the names of the files.
var measuring = []string{"bench", "run", "peers", "systems"}

// reproduceJob measures again what raw files hold, or takes what was measured again, and compares.
type reproduceJob struct {
	out    string
	only   []string
	rounds uint64
	format report.Format
}

func newReproduce() *cobra.Command {
	j := &reproduceJob{}
	cmd := &cobra.Command{
		Use:   "reproduce FIRST [SECOND]",
		Short: "Measure results again, and say how far both runs agree",
		Long: `Measure results again, a folder or a raw file, by the commands that they record. It uses
this program if its code is the one measured, else the recorded commit in a git worktree,
and else it says that the code differs. It prints the share of cells whose second median is
in the first 95 % interval, for times and for ratios, and what perfectly repeatable rounds
would give. With a second folder or file it only compares. A folder may take hours: --only
and --rounds reduce it.`,
		Example: "  bench reproduce results/local/run-20261122T101500Z.txt\n  bench reproduce " +
			"results/amd-epyc-zen4-2core --only bench --rounds 7\n  bench reproduce results/mine results/local",
		Args: takes(1, 2, "one or two folders or raw files"),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&j.out, "out", "", "folder for the raw files that are measured (default "+defaultOut+"/again-…)")
	f.StringSliceVar(&j.only, "only", nil, "only the files of these verbs: "+strings.Join(measuring, ","))
	roundsFlag(f, &j.rounds, "those recorded")
	formatFlag(f, &j.format)
	return cmd
}

func (j *reproduceJob) run(cmd *cobra.Command, args []string) error {
	for _, verb := range j.only {
		if !slices.Contains(measuring, verb) {
			return unknown("verb", verb, measuring)
		}
	}
	if len(j.only) == 0 {
		j.only = measuring
	}
	first, err := j.rawFiles(args[0])
	if err != nil {
		return err
	}
	secondPath, err := j.second(cmd, args, first)
	if err != nil {
		return err
	}
	second, err := j.rawFiles(secondPath)
	if err != nil {
		return err
	}
	var all []compare.Reproduction
	for _, verb := range measuring {
		if len(first[verb]) == 0 || len(second[verb]) == 0 {
			continue
		}
		a, errA := results.Load(first[verb]...)
		b, errB := results.Load(second[verb]...)
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		all = append(all, compare.Reproduce(verb, a, b))
	}
	if len(all) == 0 {
		return fmt.Errorf("%s: no raw files of one verb in both", strings.Join(args, ", "))
	}
	made := results.CommandText("reproduce", args[0], secondPath)
	return compare.ReproductionPage(all, made).Write(cmd.OutOrStdout(), j.format)
}

// second returns the path of the second run, which it measures unless it is named.
func (j *reproduceJob) second(cmd *cobra.Command, args []string, first map[string][]string) (path string, err error) {
	if len(args) == 2 {
		return args[1], nil
	}
	path = j.out
	if path == "" {
		if err := os.MkdirAll(defaultOut, 0o755); err != nil {
			return "", err
		}
		if path, err = os.MkdirTemp(defaultOut, "again-"); err != nil {
			return "", err
		}
	}
	absolute, err := filepath.Abs(path) // since a program may run in another folder
	if err != nil {
		return "", err
	}
	for _, verb := range measuring {
		for _, raw := range first[verb] {
			if err := j.again(cmd, raw, absolute); err != nil {
				return "", fmt.Errorf("%s: %w; what was measured is in %s", raw, err, path)
			}
		}
	}
	return path, nil
}

// rawFiles returns the raw files of a path by verb: those of a folder, or one file.
func (j *reproduceJob) rawFiles(path string) (map[string][]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	byVerb := map[string][]string{}
	if info.IsDir() {
		for _, verb := range j.only {
			raws, _ := filepath.Glob(filepath.Join(path, verb+"-*.txt")) // the pattern is valid
			if len(raws) > 0 {
				byVerb[verb] = raws
			}
		}
	} else {
		t, err := results.Load(path)
		if err != nil {
			return nil, err
		}
		if verb := verbOf(t.Sources[0].Args); slices.Contains(j.only, verb) {
			byVerb[verb] = []string{path}
		}
	}
	if len(byVerb) == 0 {
		return nil, fmt.Errorf("%s: no raw files of %s", path, strings.Join(j.only, ", "))
	}
	return byVerb, nil
}

// verbOf returns the verb of recorded arguments, by which their raw file is named; "" if they are not known.
func verbOf(args []string) string {
	switch {
	case args == nil:
		return ""
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		return args[0]
	}
	return "bench"
}
