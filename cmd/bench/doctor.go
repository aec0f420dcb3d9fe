package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// What the doctor measures, in some processes one after the other, in some seconds.
const (
	doctorRun       = "run -n 1k -M 4096 -m 2 -T 1k --schemes hashunsorted,hierarchical --rounds 6 --layouts 0"
	doctorProcesses = 3
)

func newDoctor() *cobra.Command {
	var format report.Format
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether this machine can carry a verdict on times",
		Long: `Say in seconds whether this machine can carry a verdict on a change of times by 10 %.
Measures the same code in three runs and shows the noise band, how far two runs
differ, a fixed loop and the frequency governor. Exit 3 if it cannot carry a verdict. Exact
counts need no such machine.`,
		Example: "  bench doctor\n  bench doctor --format json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runs, err := repeat(cmd)
			if err != nil {
				return err
			}
			d := gate.Diagnose(runs, results.ThisMachine().Get("governor"))
			if err := writePage(cmd, d.Page(commandLine(cmd)), format); err != nil || d.OK() {
				return err
			}
			return fmt.Errorf("%w: this machine is too noisy", errNoVerdict)
		},
	}
	outputFlag(cmd.Flags(), &format)
	return cmd
}

// repeat returns what each process measured.
func repeat(cmd *cobra.Command) (runs []*results.Table, err error) {
	dir, err := os.MkdirTemp("", "doctor")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bar := newProgress(cmd)
	defer bar.finish()
	for i := range doctorProcesses {
		bar.run(i, doctorProcesses, "measuring the same code again")
		var said strings.Builder
		raw, err := measureInto(cmd.Context(), filepath.Join(dir, fmt.Sprint(i)), strings.Fields(doctorRun), &said)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
		}
		t, err := results.Load(raw)
		if err != nil {
			return nil, err
		}
		runs = append(runs, t)
	}
	return runs, nil
}
