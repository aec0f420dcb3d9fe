package main

import (
	"fmt"
	"io"
	"math"
	"strings"
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
	cmd := &cobra.Command{
		Use:     "list [SCHEME|presets]",
		Short:   "List schemes and workloads, describe one scheme, or list presets with their sources",
		Example: "  bench list\n  bench list hierarchical\n  bench list presets",
		Args:    takes(0, 1, "at most one argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			switch {
			case len(args) == 0:
				return listAll(w, format)
			case args[0] == "presets":
				return listPresets(w)
			}
			info, err := schemeOf(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "%s (scheme %d): %s\n\n%s", info.Name, info.Number, info.Title, info.Doc)
			return err
		},
	}
	outputFlag(cmd.Flags(), &format)
	return cmd
}

func listAll(w io.Writer, format report.Format) error {
	t := report.NewTable("scheme", "name", "title", "slots by default", "longest interval, ticks")
	for _, info := range harness.Schemes {
		slots := 0
		if info.Kind.HasSlots() {
			slots = schemes.DefaultSlots
		} else if info.Kind.HasLevels() {
			slots = run.Subject{Info: info, Levels: schemes.DefaultLevels()}.TotalSlots()
		}
		longest := info.Range(schemes.Config{})
		cell := report.Cell{Text: fmt.Sprint(longest), Value: uint64(longest)}
		if longest == math.MaxUint64 {
			cell.Text = "unlimited"
		}
		t.Add(info.Number, info.Name, info.Title, slots, cell)
	}
	if err := t.Write(w, format); err != nil || format != report.Text {
		return err
	}
	_, err := fmt.Fprintf(w, "\nintervals for --workload: %s\n", menu(workload.Dists, ","))
	return err
}

// listPresets prints every preset, and where each of its fields is from.
func listPresets(out io.Writer) error {
	for _, p := range demand.Presets() {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		n := p.Numbers()
		fmt.Fprintf(w, "%s: %s\n", p.Name, p.About)
		fmt.Fprintf(w, "  n, tick\t%s timers, %v\n", workload.Count(p.N).String(), p.Tick)
		fmt.Fprintf(w, "  T, λ\t%.4g ticks, %.4g timers begun per tick\n", n.MeanStay, n.Rate)
		fmt.Fprintf(w, "  ended\t%.3g %% expire, %.3g %% are stopped, %.3g %% restarted\n", 100*n.Expired,
			100*n.Stopped, 100*n.Restarted)
		for _, c := range p.Classes {
			share := ""
			if c.Share < 1 {
				share = fmt.Sprintf("%.3g %% of timers: ", 100*c.Share)
			}
			fmt.Fprintf(w, "  %s\t%s%v\n", c.Name, share, c)
		}
		for _, note := range p.Notes {
			if fields := strings.Join(note.Fields, ", "); note.Source == "" {
				fmt.Fprintf(w, "  assumed\t%s\n", fields)
			} else {
				fmt.Fprintf(w, "  source\t%s: %s\n", note.Source, fields)
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}
