package main

import (
	"github.com/spf13/cobra"

	"timerlab/harness/compare"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

func newRank() *cobra.Command {
	var filter, unit string
	var format report.Format
	cmd := &cobra.Command{
		Use:   "rank RAW...",
		Short: "Rank schemes, timers or services over many cells",
		Long: `Rank the subjects of raw files: the geometric mean of their ratios to the best of each
cell, over the cells that all of them have, with its 95 % interval and the number of cells.
Each operation has a ranking of its own; they are never pooled. Controls, lower bounds and
cells for claims alone are left out. Where no cell has all subjects, --filter selects some
that share cells.`,
		Example: "  bench rank results/local/run-*.txt\n  bench rank raw.txt --filter '.name:Start /n:(1k OR 10k)' " +
			"--format csv",
		Args: someFiles,
		RunE: func(cmd *cobra.Command, raws []string) error {
			t, err := results.Load(raws...)
			if err != nil {
				return err
			}
			all, err := compare.Rank(t, filter, unit)
			if err != nil {
				return queryUsage(err)
			}
			page := compare.RankPage(all, unit, commandLine(cmd, raws...), t.Sources)
			page.Warnings = warnings(t)
			return page.Write(cmd.OutOrStdout(), format)
		},
	}
	filterFlag(cmd.Flags(), &filter)
	cmd.Flags().StringVar(&unit, "unit", results.NsPerOp, "unit to rank by; less is better")
	formatFlag(cmd.Flags(), &format)
	return cmd
}
