package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

func newList() *cobra.Command {
	return &cobra.Command{
		Use:   "list [SCHEME]",
		Short: "List schemes and workloads, or tell all about one scheme",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("list takes at most one scheme, got %q", args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
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
