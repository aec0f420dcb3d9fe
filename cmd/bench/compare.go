package main

import (
	"math"

	"github.com/spf13/cobra"

	"timerlab/harness/compare"
	"timerlab/harness/report"
)

func newCompare() *cobra.Command {
	var q compare.Query
	var threshold float64
	var format report.Format
	cmd := &cobra.Command{
		Use:   "compare BASE [NEW...]",
		Short: "Compare raw files: medians, the interval of their ratio, p",
		Long: `Compare raw files, the first of which is the base: medians, the ratio with its 95 %
interval, and p of the Mann-Whitney U-test, as benchstat computes it. A row has changed
if p, adjusted for the number of rows of its unit (Holm), is below 0.05; counts are exact.
Rows that one file lacks are listed. A file may be label=path, and files of one label are
pooled. With --col, columns are values of another key than the file.`,
		Example: "  bench compare old.txt new.txt\n  bench compare old.txt new.txt --filter '.name:Start /n:1k' " +
			"--threshold 5%\n  bench compare raw.txt --filter .unit:ns/op --col '/scheme@(tree hashunsorted)' " +
			"--row .name,/n",
		Args: takes(1, math.MaxInt, "a raw file as the base, and others"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := compare.Load(args...)
			if err != nil {
				return err
			}
			c, err := compare.Compare(files, q)
			if err != nil {
				return queryUsage(err)
			}
			return c.Page(threshold, commandLine(cmd, args...)).Write(cmd.OutOrStdout(), format)
		},
	}
	f := cmd.Flags()
	filterFlag(f, &q.Filter)
	f.StringVar(&q.Row, "row", ".fullname", "keys that name a row, as in benchstat")
	f.StringVar(&q.Col, "col", ".file", "keys that name a column, as in benchstat; the first value is the base")
	f.Var(newValue(&threshold, "percent", "", parsePercent), "threshold", "list only rows that differ by at least this")
	formatFlag(f, &format)
	return cmd
}
