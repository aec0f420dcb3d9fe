package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/results"
	systemsbench "timerlab/systems/bench"
)

// kinds are, for each kind of results, the verb that reports it and its page, without verdicts on
// claims: these take a minute to count.
var kinds = map[report.Kind]struct {
	verb string
	page func(t *results.Table, made string) *report.Page
}{
	report.Schemes: {"report", func(t *results.Table, made string) *report.Page {
		return report.NewStudy(t).Page(made)
	}},
	report.Peers:    {"peers", report.PeersPage},
	report.Services: {"systems", systemsbench.Page},
}

// loadOf loads raw files, which must be of one kind.
func loadOf(kind report.Kind, raws []string) (*results.Table, error) {
	t, err := results.Load(raws...)
	if err != nil {
		return nil, err
	}
	if got := report.KindOf(t); got != kind {
		return nil, fmt.Errorf("%s: results of %s (bench %s reports them)", strings.Join(raws, ", "), got,
			kinds[got].verb)
	}
	return t, nil
}

// pageOf returns the page of raw files of any kind, with its warnings.
func pageOf(t *results.Table, made string) *report.Page {
	page := kinds[report.KindOf(t)].page(t, made)
	page.Warnings = warnings(t)
	return page
}

// printPage prints a page and, for people, where it and its raw files are.
func printPage(cmd *cobra.Command, page *report.Page, format report.Format, raws, paths []string) error {
	if format != report.Text {
		return writePage(cmd, page, format)
	}
	w := cmd.OutOrStdout()
	findings := strings.Join(append([]string{page.Findings}, page.Warnings...), "\n\n")
	page.Findings, page.Warnings = "", nil // at the end, where they are seen
	err := page.Write(w, format)
	figures := 0
	fmt.Fprintf(w, "raw results  %s\n", strings.Join(raws, ", "))
	for _, path := range paths {
		switch filepath.Ext(path) {
		case ".md":
			fmt.Fprintf(w, "page         %s\n", path)
		case ".csv":
			fmt.Fprintf(w, "all values   %s\n", path)
		default:
			figures++
		}
	}
	if figures > 0 {
		fmt.Fprintf(w, "figures      %s (%d)\n", filepath.Join(filepath.Dir(paths[0]), "figures"), figures)
	}
	fmt.Fprintf(w, "\n%s. %s\n", page.Title, findings)
	return err
}

// wrongCells is an error if cells had a wrong outcome.
func wrongCells(t *results.Table) error {
	if wrong := report.WrongCells(t); wrong > 0 {
		return fmt.Errorf("%s with a wrong outcome, shown as ERROR: %w", count(wrong, "cell"), errUnverified)
	}
	return nil
}
