package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Volumes of verifying.
const (
	verifyFull  = false
	verifyShort = true // as go test -short: fewer settings and shorter runs of each rule
)

func newVerify() *cobra.Command {
	var names []string
	var format report.Format
	var short bool
	cmd := &cobra.Command{
		Use:     "verify",
		Short:   "Check that every scheme keeps the contract",
		Example: "  bench verify\n  bench verify --schemes hashunsorted,hierarchical --format json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			infos, err := findSchemes(names)
			if err != nil {
				return err
			}
			return verifyAll(cmd, infos, short, format)
		},
	}
	schemesFlag(cmd, &names, "all")
	cmd.Flags().BoolVar(&short, "short", verifyFull,
		"fewer settings and shorter runs of each rule, as in go test -short")
	formatFlag(cmd.Flags(), &format)
	return cmd
}

// verifyAll runs the conformance suite on schemes, nil meaning all, and prints the
// verdicts.
func verifyAll(cmd *cobra.Command, infos []*schemes.Info, short bool, format report.Format) error {
	if infos == nil {
		infos = harness.Schemes
	}
	begun := time.Now()
	table, broken, err := verify(cmd, infos, short)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if format != report.Text {
		err = table.Write(w, format)
	}
	for _, violation := range broken {
		if format == report.Text {
			fmt.Fprintln(w, violation)
		}
	}
	if len(broken) > 0 {
		return errors.Join(err, fmt.Errorf("%d of %d schemes: %w", len(broken), len(infos), errUnverified))
	}
	if format == report.Text {
		keep := map[bool]string{true: "keeps", false: "keep"}[len(infos) == 1]
		_, err = fmt.Fprintf(w, "verified in %.1f s: %s %s every rule of the contract\n",
			time.Since(begun).Seconds(), count(len(infos), "scheme"), keep)
	}
	return err
}

// verify returns the verdicts as a table, and the violations. It takes one scheme after
// another, since a rule counts the process's allocations.
func verify(cmd *cobra.Command, infos []*schemes.Info, short bool) (table *report.Table, broken []error, err error) {
	check := schemetest.Verify
	if short {
		check = schemetest.VerifyShort
	}
	bar := newProgress(cmd)
	defer bar.finish()
	table = report.NewTable("scheme", "verdict", "violation")
	for i, info := range infos {
		if err := cmd.Context().Err(); err != nil {
			return nil, nil, err
		}
		bar.run(i, len(infos), "verifying "+info.Name)
		if violation := check(info); violation != nil {
			broken = append(broken, violation)
			table.Add(info.Name, report.Wrong(), violation.Error())
		} else {
			table.Add(info.Name, "ok", "")
		}
	}
	return table, broken, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// schemesFlag adds --schemes.
func schemesFlag(cmd *cobra.Command, names *[]string, byDefault string) {
	cmd.Flags().StringSliceVar(names, "schemes", nil, "schemes by name, separated by commas (default "+byDefault+")")
	_ = cmd.RegisterFlagCompletionFunc("schemes", cobra.FixedCompletions(harness.Names(),
		cobra.ShellCompDirectiveNoFileComp))
}

// findSchemes returns the schemes of these names; all if the flag was not given and
// names are nil.
func findSchemes(names []string) ([]*schemes.Info, error) {
	if names == nil {
		return harness.Schemes, nil
	}
	if len(names) == 0 {
		return nil, usagef("--schemes is empty (give names, separated by commas)")
	}
	var infos []*schemes.Info
	for _, name := range names {
		info, err := harness.Find(name)
		if err != nil {
			return nil, unknown("scheme", name, harness.Names())
		}
		if slices.Contains(infos, info) {
			return nil, usagef("duplicate value %q in --schemes", name)
		}
		infos = append(infos, info)
	}
	return infos, nil
}
