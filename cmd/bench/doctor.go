package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/compare"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// doctorJob measures the same code again and again.
type doctorJob struct {
	runs   uint64
	format report.Format
}

// doctorLimit is when the runs end. One takes some seconds.
const doctorLimit = 9 * time.Minute

// doctorRun is what is measured, in a process of its own each time.
const doctorRun = "run -n 1k,100k -M 4096 -m 2 -T 1k --schemes hashunsorted,hierarchical"

func newDoctor() *cobra.Command {
	j := doctorJob{}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether this machine can carry a verdict on times",
		Long: `Measure the same code in processes of its own and compare every two of them as check
does with --time 10%: false alarms, and the smallest slowdown that would be seen. Also
shows the cost of the clock, the frequency governor, huge pages, time that the hypervisor
took, and neighbours. Takes a minute or two by default and ten at most. Exit 1 if the
machine cannot carry a verdict.`,
		Example: "  bench doctor\n  bench doctor --runs 60 --format json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	cmd.Flags().Var(countWithin(&j.runs, 4, 200, "20"), "runs", "processes, as many as fit into nine minutes")
	formatFlag(cmd.Flags(), &j.format)
	return cmd
}

func (j doctorJob) run(cmd *cobra.Command) error {
	end := compare.Observe("/")
	runs, err := j.measure(cmd)
	if err != nil {
		return err
	}
	d, err := compare.Diagnose(runs, end())
	if err != nil {
		return err
	}
	if err := d.Page(commandLine(cmd)).Write(cmd.OutOrStdout(), j.format); err != nil {
		return err
	}
	if !d.OK() {
		return errors.New("this machine cannot carry a verdict on times")
	}
	return nil
}

// measure returns what each process measured.
func (j doctorJob) measure(cmd *cobra.Command) (runs []*results.Table, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "doctor")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(cmd.Context(), doctorLimit)
	defer cancel()
	bar := newProgress(cmd)
	defer bar.finish()
	for i := range int(j.runs) {
		bar.run(i, int(j.runs), "measuring the same code again")
		out := filepath.Join(dir, fmt.Sprint(i))
		child := exec.CommandContext(ctx, self, append(strings.Fields(doctorRun), "--out", out)...)
		said, err := child.CombinedOutput()
		switch {
		case cmd.Context().Err() != nil:
			return nil, cmd.Context().Err()
		case ctx.Err() != nil:
			return runs, nil // those that fit
		case err != nil:
			return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said)))
		}
		raws, _ := filepath.Glob(filepath.Join(out, "run-*.txt"))
		t, err := results.Load(raws...)
		if err != nil {
			return nil, err
		}
		runs = append(runs, t)
	}
	return runs, nil
}
