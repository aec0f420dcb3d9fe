package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
	"timerlab/teach/lab"
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
	var m moduleJob
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that every scheme keeps the contract, or grade a student's",
		Long: `Check every scheme against every rule of the contract. With --module, grade the scheme of a
student's module, which "bench lab init" makes: all rules, in stages with points. The module's
code runs with your rights, in processes of its own: grade modules of others in a container.
This needs go installed; --time also needs the repository around the working directory.`,
		Example: "  bench verify\n  bench verify --schemes hashunsorted,hierarchical --format json\n" +
			"  bench verify --module mylab\n  bench verify --module mylab --format gradescope > results.json\n" +
			"  bench verify --module mylab --time",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("module") {
				return m.run(cmd, short, lab.Format(format))
			}
			if err := m.refused(cmd, format); err != nil {
				return err
			}
			infos, err := findSchemes(names)
			if err != nil {
				return err
			}
			return verifyAll(cmd, infos, short, format)
		},
	}
	schemesFlag(cmd, &names, "all")
	f := cmd.Flags()
	f.BoolVar(&short, "short", verifyFull, "fewer settings and shorter runs of each rule, as in go test -short")
	formatFlagOf(f, &format, verifyFormats(),
		"of the output: "+menu(report.Formats, ",")+"; with --module "+menu(lab.Formats, ","))
	m.flags(f)
	return cmd
}

// verifyAll runs the conformance suite on schemes and prints the verdicts. It takes one
// scheme after another, since a rule counts the process's allocations.
func verifyAll(cmd *cobra.Command, infos []*schemes.Info, short bool, format report.Format) error {
	check := schemetest.Verify
	if short {
		check = schemetest.VerifyShort
	}
	begun, broken := time.Now(), []string{}
	bar := newProgress(cmd)
	defer bar.finish()
	table := report.NewTable("scheme", "verdict", "violation")
	for i, info := range infos {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		bar.run(i, len(infos), "verifying "+info.Name)
		if violation := check(info); violation != nil {
			broken = append(broken, violation.Error())
			table.Add(info.Name, report.Wrong(), violation.Error())
		} else {
			table.Add(info.Name, "ok", "")
		}
	}
	bar.finish()
	var err error
	if w := cmd.OutOrStdout(); format != report.Text {
		err = table.Write(w, format)
	} else if len(broken) > 0 {
		_, err = fmt.Fprintln(w, strings.Join(broken, "\n"))
	} else {
		keep := map[bool]string{true: "keeps", false: "keep"}[len(infos) == 1]
		_, err = fmt.Fprintf(w, "verified in %.1f s: %s %s every rule of the contract\n",
			time.Since(begun).Seconds(), count(len(infos), "scheme"), keep)
	}
	if len(broken) > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d schemes: %w", len(broken), len(infos), errUnverified))
	}
	return err
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
	return chosen("scheme", "schemes", names, harness.Find, harness.Names())
}

// chosen finds values by their names, each of which a flag may have once.
func chosen[T any](what, flag string, names []string, find func(string) (T, error), have []string) ([]T, error) {
	var all []T
	for i, name := range names {
		v, err := find(name)
		if err != nil {
			return nil, unknown(what, name, have)
		}
		if slices.Contains(names[:i], name) {
			return nil, usagef("duplicate value %q in --%s", name, flag)
		}
		all = append(all, v)
	}
	return all, nil
}
