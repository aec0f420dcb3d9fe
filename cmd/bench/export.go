package main

import (
	"bytes"
	"io"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// exportFormat is a format for other programs.
type exportFormat string

const (
	bmf  exportFormat = "bmf"
	html exportFormat = "html"
)

func newExport() *cobra.Command {
	var out string
	var format exportFormat
	cmd := &cobra.Command{
		Use:   "export RAW... --format bmf|html",
		Short: "Write results for Bencher, or as one HTML file",
		Long: `Write raw files in a format for other programs: bmf is the Bencher Metric Format, JSON
with the median and the interval of each benchmark and measure; html is one file with the
page of the results, its figures in it and tables that a click on a heading sorts. Verbs
that read results have csv and json themselves, with --format.`,
		Example: "  bench export results/local/bench-*.txt --format html --out page.html\n" +
			"  bench export raw.txt --format bmf | bencher run --adapter json --file /dev/stdin",
		Args: someFiles,
		RunE: func(cmd *cobra.Command, raws []string) error {
			if format == "" {
				return usagef("--format is missing (use bmf or html)")
			}
			t, err := results.Load(raws...)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := format.write(&b, t, commandLine(cmd, raws...)); err != nil {
				return err
			}
			if out != "" {
				return maybe.WriteFile(out, b.Bytes(), 0o644)
			}
			_, err = cmd.OutOrStdout().Write(b.Bytes())
			return err
		},
	}
	cmd.Flags().Var(newValue(&format, "format", "", oneOf("format", bmf, html)), "format", "bmf,html")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default standard output)")
	return cmd
}

func (f exportFormat) write(w io.Writer, t *results.Table, made string) error {
	if f == bmf {
		return report.WriteJSON(w, report.BMF(t))
	}
	return pageOf(t, made).HTML(w)
}
