package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
)

func newPlot() *cobra.Command {
	var out string
	var png bool
	cmd := &cobra.Command{
		Use:     "plot RAW...",
		Short:   "Draw the figures of raw files",
		Example: "  bench plot results/local/run-*.txt\n  bench plot results/local/run-*.txt --png --out /tmp/figures",
		Args:    someFiles,
		RunE: func(cmd *cobra.Command, raws []string) error {
			t, err := loadOf(report.Schemes, raws)
			if err != nil {
				return err
			}
			format := "svg"
			if png {
				format = "png"
			}
			paths, err := report.SaveFigures(out, format, report.NewStudy(t).Page("").Figures())
			for _, path := range paths {
				fmt.Fprintln(cmd.OutOrStdout(), path)
			}
			if err == nil && len(paths) == 0 {
				err = fmt.Errorf("%s: no figure (needs at least two n, or the grid of schemes 6 and 7)",
					strings.Join(raws, ", "))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", filepath.Join(defaultOut, "figures"), "folder for figures")
	cmd.Flags().BoolVar(&png, "png", false, "PNG instead of SVG")
	return cmd
}
