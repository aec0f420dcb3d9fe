package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func newVerify() *cobra.Command {
	var names []string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that every scheme keeps the contract",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return verifyAll(cmd, names) },
	}
	cmd.Flags().StringSliceVar(&names, "schemes", nil, "schemes by name, separated by commas (default all)")
	return cmd
}

// verifyAll runs the conformance suite on the schemes named, one after another,
// since one of its rules counts the process's allocations.
func verifyAll(cmd *cobra.Command, names []string) error {
	infos, err := findSchemes(names)
	if err != nil {
		return err
	}
	begun, failed := time.Now(), 0
	for _, info := range infos {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if err := schemetest.Verify(info); err != nil {
			failed++
			fmt.Fprintln(cmd.OutOrStdout(), err)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d schemes: %w", failed, len(infos), errUnverified)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "verified in %.1f s: %s keep every rule of the contract\n", time.Since(begun).Seconds(), count(len(infos), "scheme"))
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// findSchemes returns the schemes of these names; none means all.
func findSchemes(names []string) ([]*schemes.Info, error) {
	if len(names) == 0 {
		return harness.Schemes, nil
	}
	var infos []*schemes.Info
	for _, name := range names {
		info, err := harness.Find(name)
		if err != nil {
			return nil, usage(fmt.Errorf("--schemes: %w", err))
		}
		if slices.Contains(infos, info) {
			return nil, usagef("--schemes: %s comes twice, allowed once", name)
		}
		infos = append(infos, info)
	}
	return infos, nil
}
