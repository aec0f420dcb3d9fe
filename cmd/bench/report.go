package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

func newReport() *cobra.Command {
	var out string
	var format report.Format
	cmd := &cobra.Command{
		Use:   "report RAW...|FOLDER...",
		Short: "Judge raw files: print the findings, write figures and pages",
		Long: `Judge raw files of bench or bench run. Prints the findings and writes README.md, figures
and, if the files were measured for them, the verdicts on all claims as claims.md. Some
claims rest on times of the peers and of the services: name those files too. Folders of
results instead of files, one for each machine, are put side by side, in the README.md of the
folder that they are in.`,
		Example: "  bench report results/local/bench-*.txt\n  bench report results/local/run-*.txt --out /tmp/page\n" +
			"  bench report results/*/",
		Args: someFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			folders, err := areFolders(args)
			if err == nil && folders && !cmd.Flags().Changed("out") {
				out, err = folderOf(args)
			}
			switch {
			case err != nil:
				return err
			case folders:
				return reportFolders(cmd, args, out, format)
			}
			return reportFiles(cmd, args, out, format)
		},
	}
	cmd.Flags().StringVar(&out, "out", defaultOut, "folder for figures and pages")
	formatFlag(cmd.Flags(), &format)
	return cmd
}

// reportFiles writes figures and pages, and prints the findings.
func reportFiles(cmd *cobra.Command, raws []string, out string, format report.Format) error {
	t, err := loadOf(report.Schemes, raws)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil { // rather now than after the judging
		return err
	}
	study := report.NewStudy(t)
	if study.ForClaims() { // both count, and nothing is timed
		var judged, drawn error
		study.Claims, judged = judgeClaims(cmd, claims.All, t)
		study.Drawings, drawn = claims.Drawings(cmd.Context(), study.Claims)
		if err := errors.Join(judged, drawn); err != nil {
			return err
		}
	}
	command := made("report", raws, out) // also of the main job
	page := study.Page(command)
	if page.Warnings, err = warnings(t); err != nil {
		return err
	}
	paths, err := page.Save(filepath.Join(out, "README.md"))
	if err == nil && study.Claims != nil {
		judged := study.ClaimsPage(command)
		judged.Warnings = page.Warnings
		var more []string
		more, err = judged.Save(filepath.Join(out, "claims.md"))
		paths = append(paths, more...)
	}
	if err != nil {
		return err
	}
	return errors.Join(printPage(cmd, page, format, raws, paths), wrongCells(t))
}

// printPage prints a page and, for people, where it and its raw files are.
func printPage(cmd *cobra.Command, page *report.Page, format report.Format, raws, paths []string) error {
	w := cmd.OutOrStdout()
	if format != report.Text {
		return page.Write(w, format)
	}
	findings := strings.Join(append([]string{page.Findings}, page.Warnings...), "\n\n")
	page.Findings, page.Warnings = "", nil // at the end, where they are seen
	err := page.Write(w, format)
	figures := 0
	fmt.Fprintf(w, "raw results  %s\n", strings.Join(raws, ", "))
	for _, path := range paths {
		if filepath.Ext(path) == ".md" {
			fmt.Fprintf(w, "page         %s\n", path)
		} else {
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

// loadOf loads raw files, which must be of one kind.
func loadOf(kind report.Kind, raws []string) (*results.Table, error) {
	t, err := results.Load(raws...)
	if err != nil {
		return nil, err
	}
	if got := report.KindOf(t); got != kind {
		return nil, fmt.Errorf("%s: results of %s (bench %s reports them)", strings.Join(raws, ", "), got, verbOf[got])
	}
	return t, nil
}

// verbOf are the verbs that report each kind of results.
var verbOf = map[report.Kind]string{report.Schemes: "report", report.Peers: "peers", report.Services: "systems"}
