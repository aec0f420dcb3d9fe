package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/reproduce"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
)

// reproduceJob compares two runs of the same cells, the second of which it measures unless it is given.
type reproduceJob struct {
	out    string
	rounds int
	format report.Format
	counts bool
}

func newReproduce() *cobra.Command {
	j := &reproduceJob{}
	cmd := verb("reproduce", takes(1, 2, "one or two raw files"), j.run)
	f := cmd.Flags()
	pathFlag(f, &j.out, "out", "", "`folder` for the new raw file and the page (default "+defaultOut+
		"/again-…; of two files only the page, and only if it is given)")
	roundsFlag(f, &j.rounds, "as many as RAW has")
	outputFlag(f, &j.format)
	f.BoolVar(&j.counts, "counts", false, "compare exact counts alone, each made once, in less than a minute")
	for _, other := range []string{"out", "rounds", "format"} {
		cmd.MarkFlagsMutuallyExclusive("counts", other)
	}
	return cmd
}

func (j *reproduceJob) run(cmd *cobra.Command, raws []string) error {
	first, err := loadRaws(raws[0])
	if err != nil {
		return err
	}
	if j.out != "" {
		if err := makeFolder(j.out, "reproduce.md", "differ.csv"); err != nil {
			return err
		}
	}
	given := len(raws) > 1
	switch {
	case j.counts && given:
		return usagef("--counts is for one raw file; got two, which reproduce compares without it")
	case j.counts:
		return recount(cmd, raws[0], first)
	case len(raws) == 1:
		again, err := j.measure(cmd, raws[0], first)
		if err != nil {
			return err
		}
		raws = append(raws, again)
	case cmd.Flags().Changed("rounds"):
		return usagef("--rounds is for one raw file, which is measured again; got two")
	}
	second, err := loadRaws(raws[1])
	if err == nil && given {
		err = first.CheckCopies(second)
	}
	if err != nil {
		return err
	}
	r := reproduce.Compare(first, second)
	page := report.ReproductionPage(r, pageCommand("reproduce", raws, j.out))
	if j.out != "" {
		if _, err := page.Save(filepath.Join(j.out, "reproduce.md")); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: reproduce.md and differ.csv are in %s\n", j.out)
	}
	if err := writePage(cmd, page, j.format); err != nil || r.OK() {
		return err
	}
	return fmt.Errorf("%w: no time could be compared", errNoVerdict)
}

// recountFor is how long counts are made again.
const recountFor = 50 * time.Second

// recount makes the exact counts of a raw file again, and prints how many are the same.
func recount(cmd *cobra.Command, raw string, t *results.Table) error {
	var plan run.Plan
	r, err := parseRequest(t.Sources[0].Args)
	if err == nil {
		plan, err = r.plan()
	}
	if err != nil {
		return usagef("%s: its counts cannot be made again (use a file that bench or bench run measured): %w", raw, err)
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), recountFor)
	defer cancel()
	again, bar := reproduce.Recount{First: t}, newProgress(cmd)
	bar.deadline, _ = ctx.Deadline()
	err = again.Run(ctx, plan, bar.run)
	bar.finish()
	switch err = cmp.Or(cmd.Context().Err(), err); {
	case err != nil:
		return err
	case again.All == 0:
		return usagef("%s: no cell has exact counts", raw)
	}
	for _, count := range again.Differ {
		fmt.Fprintln(cmd.OutOrStdout(), count)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d of %s of %s are identical.\n", again.Counts-len(again.Differ),
		units.Plural(again.Counts, "count"), units.Plural(again.Cells, "cell"))
	if left := again.All - again.Cells; left > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%s left out: other operations, not in this program's plan, or not done in %v.\n",
			units.Plural(left, "cell"), recountFor)
	}
	switch {
	case len(again.Differ) > 0:
		return fmt.Errorf("%s: %s not the same", raw, units.Plural(len(again.Differ), "count"))
	case again.Counts == 0:
		return fmt.Errorf("%w: no count could be compared", errNoVerdict)
	}
	return nil
}

// measure measures a raw file's cells again with this program, and returns the new raw file.
func (j *reproduceJob) measure(cmd *cobra.Command, raw string, t *results.Table) (again string, err error) {
	r, err := parseRequest(t.Sources[0].Args)
	if err != nil {
		return "", usagef("%s: %w; name a second file to compare it with", raw, err)
	}
	present, err := presentCode()
	if err != nil {
		return "", err
	}
	rounds := 0
	for _, k := range t.Keys { // the file's cells: its command may name others
		for _, unit := range t.Units(k) {
			rounds = max(rounds, len(t.ByRound(k, unit)))
		}
	}
	if j.out == "" {
		j.out = filepath.Join(defaultOut, "again-"+time.Now().UTC().Format("20060102T150405Z"))
	}
	flags := []string{"--out=" + j.out, fmt.Sprintf("--rounds=%d", cmp.Or(j.rounds, rounds))}
	if err := r.flags.Parse(append(flags, otherLayouts(t)...)); err != nil {
		return "", err
	}
	what := "by the same code"
	if changed, recorded := t.Changed(present); !recorded {
		what = "perhaps by other code, which the file does not record"
	} else if len(changed) > 0 {
		what = "by OTHER CODE, changed since: " + strings.Join(changed, ", ")
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: measured again into %s, %s\n", raw, j.out, what)
	if again, err = r.measure(cmd); err != nil {
		return "", fmt.Errorf("%s: %w", raw, err)
	}
	return again, nil
}
