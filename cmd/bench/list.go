package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"timerlab/harness/results"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

func newList() *cobra.Command {
	return &cobra.Command{
		Use:   "list [SCHEME|presets]",
		Short: "List schemes and workloads, tell all about one scheme, or list presets with their sources",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("list takes at most one scheme, got %q", args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "presets" {
				return listPresets(cmd.OutOrStdout())
			}
			if len(args) == 1 {
				return listOne(cmd, args[0])
			}
			return listAll(cmd)
		},
	}
}

func listOne(cmd *cobra.Command, name string) error {
	info, err := harness.Find(name)
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s (scheme %d): %s\n\n%s", info.Name, info.Number, info.Title, info.Doc)
	return nil
}

func listAll(cmd *cobra.Command) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SCHEME\tNAME\tTITLE\tRANGE BY DEFAULT, TICKS")
	for _, info := range harness.Schemes {
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\n", info.Number, info.Name, info.Title, info.Range(schemes.Config{}))
	}
	names := make([]string, 0, len(workload.Dists()))
	for _, d := range workload.Dists() {
		names = append(names, d.String())
	}
	fmt.Fprintf(w, "\nintervals for --workload: %s\n", strings.Join(names, ", "))
	return w.Flush()
}

// listPresets prints every preset, and where each of its fields is from.
func listPresets(out io.Writer) error {
	for _, p := range workload.Presets() {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		n := p.Numbers()
		fmt.Fprintf(w, "%s: %s\n", p.Name, p.About)
		fmt.Fprintf(w, "  n, tick\t%s timers, %v\n", results.FormatCount(uint64(p.N)), p.Tick)
		fmt.Fprintf(w, "  R, λ\t%.4g ticks, %.4g timers begun a tick\n", n.Residence, n.Rate)
		fmt.Fprintf(w, "  ended\t%.3g %% expire, %.3g %% are stopped, %.3g %% restarted\n", 100*n.Expired, 100*n.Stopped, 100*n.Restarted)
		for _, c := range p.Classes {
			fmt.Fprintf(w, "  %s\t%s\n", c.Name, describe(c))
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

// describe says what a kind of timer does.
func describe(c workload.Class) string {
	if c.Share < 1 {
		return fmt.Sprintf("%.3g %% of lives: %v", 100*c.Share, c)
	}
	return c.String()
}
