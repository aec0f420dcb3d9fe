package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
)

func newList() *cobra.Command {
	var format report.Format
	cmd := verb("list", takes(0, 1, "at most one argument"), func(cmd *cobra.Command, args []string) error {
		w := cmd.OutOrStdout()
		switch {
		case len(args) > 0 && args[0] == "presets":
			out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			return errors.Join(presetsTemplate.Execute(out, demand.Presets()), out.Flush())
		case len(args) > 0:
			info, err := schemeOf(args[0])
			if err != nil {
				return usage(err)
			}
			_, err = fmt.Fprintf(w, "%s (scheme %d): %s\n\n%s", info.Name, info.Number, info.Title, info.Doc)
			return err
		}
		t := report.NewTable("scheme", "name", "title", "slots by default", "longest interval, ticks")
		for _, info := range harness.Schemes {
			longest := info.Range(schemes.Config{})
			cell := report.Cell{Text: fmt.Sprint(longest), Value: uint64(longest)}
			if longest == math.MaxUint64 {
				cell.Text = "unlimited"
			}
			t.Add(info.Number, info.Name, info.Title, run.Subject{Info: info}.TotalSlots(), cell)
		}
		if err := t.Write(w, format); err != nil || format != report.Text {
			return err
		}
		_, err := fmt.Fprintf(w, "\nintervals for --workload: %s\n", menu(workload.Dists, ","))
		return err
	})
	outputFlag(cmd.Flags(), &format)
	return cmd
}

//go:embed presets.tmpl
var presetsText string

// presetsTemplate prints every preset, and where each of its fields is from.
var presetsTemplate = report.NewTemplate("presets", presetsText)
