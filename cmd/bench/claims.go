package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

func newClaims() *cobra.Command {
	var ids []string
	var format report.Format
	cmd := verb("claims", nil, func(cmd *cobra.Command, raws []string) error {
		var t *results.Table // nil: no times
		var doubts []string
		if len(raws) > 0 {
			var err error
			if t, err = loadRaws(raws...); err != nil {
				return err
			}
			doubts = warnings(t)
		}
		chosen := slices.DeleteFunc(slices.Clone(claims.All), func(c claims.Claim) bool {
			return len(ids) > 0 && !slices.Contains(ids, c.ID)
		})
		judged, err := judgeClaims(cmd, chosen, t)
		return errors.Join(err, report.WriteVerdicts(cmd.OutOrStdout(), judged, doubts, len(ids) > 0, format))
	})
	addFlag(cmd.Flags(), &ids, "id", "",
		"claims by `id`, separated by commas, in full: every comparison (default all, a row each)",
		listOf(func(text string) (string, error) {
			c, err := claims.Find(text)
			return c.ID, err
		}))
	outputFlag(cmd.Flags(), &format)
	return cmd
}

// judgeClaims judges a list and shows how far it is. A run that went wrong leaves its claim out and is an error.
func judgeClaims(cmd *cobra.Command, list []claims.Claim, t *results.Table) ([]claims.Result, error) {
	bar := newProgress(cmd)
	defer bar.finish()
	done := func(n int) { bar.run(n, len(list), "judging claims") }
	judged, err := claims.JudgeAll(cmd.Context(), list, t, done)
	if err != nil && cmd.Context().Err() == nil {
		err = fmt.Errorf("%w: %w", errUnverified, err)
	}
	return judged, err
}
