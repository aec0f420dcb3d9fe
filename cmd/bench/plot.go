package main

import (
	"fmt"
	"path/filepath"

	"timerlab/harness/results"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
)

func newPlot() *cobra.Command {
	var out string
	var png bool
	cmd := &cobra.Command{
		Use:   "plot RAW...",
		Short: "Draw the figures of raw files",
		Args:  someFiles,
		RunE: func(cmd *cobra.Command, raws []string) error {
			t, err := results.Load(raws...)
			if err != nil {
				return err
			}
			format := "svg"
			if png {
				format = "png"
			}
			paths, err := report.SaveFigures(out, format, report.New(t).Figures())
			for _, path := range paths {
				fmt.Fprintln(cmd.OutOrStdout(), path)
			}
			if err == nil && len(paths) == 0 {
				err = fmt.Errorf("%v: no figure, allowed: raw files with at least two n, or with the grid of schemes 6 and 7", raws)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", filepath.Join(defaultOut, "figures"), "folder for figures")
	cmd.Flags().BoolVar(&png, "png", false, "PNG instead of SVG")
	return cmd
}

func newReport() *cobra.Command {
	var out, readme string
	cmd := &cobra.Command{
		Use:   "report RAW...",
		Short: "Judge raw files and every claim: print the verdict, write figures and pages",
		Args:  someFiles,
		RunE: func(cmd *cobra.Command, raws []string) error {
			return writePage(cmd, out, raws, readme)
		},
	}
	cmd.Flags().StringVar(&out, "out", defaultOut, "folder for figures and pages")
	cmd.Flags().StringVar(&readme, "readme", "", "file to put the table of verdicts into, between its marks")
	return cmd
}

func someFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("%s takes one raw file or more, got none", cmd.Name())
	}
	return nil
}
