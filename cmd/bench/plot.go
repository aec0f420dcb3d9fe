package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
)

func newPlot() *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use:     "plot RAW...",
		Short:   "Draw the figures of raw files",
		Example: "  bench plot results/local/run-*.txt\n  bench plot results/local/run-*.txt --format png --out /tmp/figures",
		Args:    someFiles,
		RunE: func(cmd *cobra.Command, raws []string) error {
			if format != "svg" && format != "png" {
				return usagef("unknown format %q (have svg, png)", format)
			}
			t, err := loadOf(report.Schemes, raws)
			if err != nil {
				return err
			}
			if out == "" {
				folder, err := pageFolder(raws)
				if err != nil {
					return err
				}
				out = filepath.Join(folder, "figures")
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
	cmd.Flags().StringVar(&out, "out", "", "folder for figures (default figures, where bench report writes the page)")
	cmd.Flags().StringVar(&format, "format", "svg", "of the figures: svg,png")
	return cmd
}
