package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"timerlab/harness/workload/tracefile"
)

func newTrace() *cobra.Command {
	trace := &cobra.Command{
		Use:     "trace VERB",
		Example: "  bench trace stat timers.txt.gz",
		Short:   "Read what the timers of a real program did",
		Long: `Read a trace of a real program: text, with one operation a line; compressed with gzip or not; - is
the standard input. A trace is read line by line and may be larger than memory.

A Go program can write one with package harness/workload/record.`,
		Args: noArgs,
		RunE: needsVerb,
	}
	stat := &cobra.Command{
		Use:     "stat FILE",
		Short:   "Print ratios and quantiles of a trace",
		Example: "  bench trace stat timers.txt.gz\n  zcat parts*.gz | bench trace stat -",
		Args:    takes(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := readTrace(cmd, args[0], 1)
			if err != nil {
				return err
			}
			return t.WriteText(cmd.OutOrStdout())
		},
	}
	trace.AddCommand(stat)
	return trace
}

// readTrace reads a file, or the standard input if its name is -.
func readTrace(cmd *cobra.Command, name string, seed uint64) (*tracefile.Stat, error) {
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	t, err := tracefile.Read(in, seed)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return t, err
}
