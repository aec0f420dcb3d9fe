package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"timerlab/harness/results"

	"github.com/spf13/cobra"

	"timerlab/harness/claims"
)

func newClaims() *cobra.Command {
	var ids []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "claims [RAW...]",
		Short: "Judge every claim of the paper: predicted, measured, verdict",
		Long: `Judge every claim of the paper. Claims about counts are judged on runs made for
them, which takes seconds and is the same on every machine. Claims about times are
judged on the raw files given, and are UNDECIDED without them.`,
		RunE: func(cmd *cobra.Command, raws []string) error {
			list, err := chosenClaims(ids)
			if err != nil {
				return err
			}
			t, err := loadTimes(raws)
			if err != nil {
				return err
			}
			results, err := judgeClaims(cmd, list, t)
			w := cmd.OutOrStdout()
			switch {
			case asJSON:
				return errors.Join(err, writeJSON(w, results))
			case len(ids) > 0:
				for _, r := range results {
					describeClaim(w, r)
				}
			default:
				writeClaims(w, results)
			}
			return err
		},
	}
	cmd.Flags().StringSliceVar(&ids, "id", nil, "claims by id, separated by commas, in full: every comparison and what was counted (default all, a row each)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// chosenClaims returns the claims of these ids; none means all.
func chosenClaims(ids []string) ([]claims.Claim, error) {
	if len(ids) == 0 {
		return claims.All, nil
	}
	var list []claims.Claim
	for _, id := range ids {
		c, err := claims.Find(id)
		if err != nil {
			return nil, usage(fmt.Errorf("--id: %w", err))
		}
		list = append(list, c)
	}
	return list, nil
}

// loadTimes loads raw files; no file is no table.
func loadTimes(raws []string) (*results.Table, error) {
	if len(raws) == 0 {
		return nil, nil
	}
	return results.Load(raws...)
}

// judgeClaims judges a list and shows how far it is. A run that went wrong leaves
// its claim out and is an error.
func judgeClaims(cmd *cobra.Command, list []claims.Claim, t *results.Table) ([]claims.Result, error) {
	bar := newProgress(cmd)
	defer bar.finish()
	results, err := claims.JudgeAll(cmd.Context(), list, t, func(done int) { bar.run(done, len(list), "claims judged") })
	if err != nil && cmd.Context().Err() == nil {
		err = fmt.Errorf("%w: %w", errUnverified, err)
	}
	return results, err
}

func writeJSON(w io.Writer, results []claims.Result) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(results)
}

// writeClaims prints a row a claim with the comparison that decides it, and below it
// what was compared, and what holds instead or is missing.
func writeClaims(w io.Writer, results []claims.Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tVERDICT\tSCHEME\tPREDICTED\tMEASURED\tCLAIM")
	for _, r := range results {
		p, _ := r.Deciding()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Verdict, r.Scheme, p.Prediction(), p.Measured, r.Sentence)
		for _, note := range r.Notes() {
			fmt.Fprintf(t, "\t\t\t\t\t→ %s\n", note)
		}
	}
	t.Flush()
	fmt.Fprintf(w, "\n%s\n", claims.Summary(results))
	for _, left := range claims.NotJudged {
		fmt.Fprintf(w, "not judged: %s: %s\n", left.ID, left.Why)
	}
}

// describeClaim prints all about one claim.
func describeClaim(w io.Writer, r claims.Result) {
	fmt.Fprintf(w, "%s  %s\n%s\n\nscheme: %s\nsource: %s\n", r.ID, r.Verdict, r.Sentence, r.Scheme, r.Source)
	for _, line := range []struct{ name, text string }{{"instead", r.WhatHolds()}, {"missing", r.Missing}, {"figure", r.Figure}} {
		if line.text != "" {
			fmt.Fprintf(w, "%s: %s\n", line.name, line.text)
		}
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "VERDICT\tPREDICTED\tMEASURED\tWHAT")
	var reasons []string
	for _, p := range r.Points {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", p.Verdict(), p.Prediction(), p.Measured, p.What)
		reasons = appendNew(reasons, p.Why)
	}
	t.Flush()
	for _, reason := range reasons {
		fmt.Fprintf(w, "tolerance: %s\n", reason)
	}
	fmt.Fprintf(w, "\n%s\n\n", strings.Join(r.Rows, "\n"))
}

// appendNew appends text unless it is there.
func appendNew(list []string, text string) []string {
	for _, other := range list {
		if other == text {
			return list
		}
	}
	return append(list, text)
}
