package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

func newReport() *cobra.Command {
	var out string
	var format report.Format
	cmd := verb("report", someFiles, func(cmd *cobra.Command, args []string) error {
		files := slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
			info, err := os.Stat(arg)
			return err == nil && info.IsDir()
		})
		page, folder := reportFiles, pageFolder
		switch len(files) {
		case 0:
			page, folder = reportFolders, folderOf
		case len(args):
		default:
			return usagef("report takes raw files or folders of results, got both")
		}
		if out == "" {
			var err error
			if out, err = folder(args); err != nil {
				return err
			}
		}
		return page(cmd, args, out, format)
	})
	pathFlag(cmd.Flags(), &out, "out", "", "`folder` for figures and pages (default the folder of the files)")
	cmd.Flags().Bool(pngFlag, false, "write the figures as PNG, too")
	outputFlag(cmd.Flags(), &format)
	return cmd
}

// pageFolder returns the folder for the pages of raw files: their own for files of the main job, else a folder beside
// them that is named after the first. So no other file replaces the page of the main job.
func pageFolder(raws []string) (string, error) {
	main := slices.DeleteFunc(slices.Clone(raws), func(path string) bool {
		return !strings.HasPrefix(filepath.Base(path), "bench-")
	})
	if len(main) > 0 {
		return folderOf(main)
	}
	_, err := folderOf(raws)
	return strings.TrimSuffix(raws[0], filepath.Ext(raws[0])) + "-page", err
}

// reportFiles writes figures and pages, and prints the findings.
func reportFiles(cmd *cobra.Command, raws []string, out string, format report.Format) error {
	t, err := loadOf(report.Schemes, raws)
	if err != nil {
		return err
	}
	study, files := report.NewStudy(t), []string{"README.md"}
	if study.ForClaims() {
		files = report.StudyFiles
	}
	if err := makeFolder(out, files...); err != nil {
		return err
	}
	if study.ForClaims() { // both count, and nothing is timed
		var judged, drawn error
		study.Claims, judged = judgeClaims(cmd, claims.All, t)
		study.Drawings, drawn = claims.Drawings(cmd.Context(), study.Claims)
		if err := errors.Join(judged, drawn); err != nil {
			return err
		}
	}
	command := pageCommand("report", raws, out) // also of the main job
	page := study.Page(command)
	page.Warnings = warnings(t)
	if study.Claims != nil {
		judged := study.ClaimsPage(command)
		judged.Warnings = page.Warnings
		if _, err := judged.Save(filepath.Join(out, "claims.md")); err != nil {
			return err
		}
	}
	err = errors.Join(savePage(cmd, page, filepath.Join(out, "README.md"), format, raws), wrongCells(t))
	if next := nextStep(study, raws); err == nil && format == report.Text && next != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "\nNext: %s\n", next)
	}
	return err
}

// nextStep returns what a reader of the main job's page may want to do next; "" for other files.
func nextStep(s *report.Study, raws []string) string {
	if len(raws) > 1 || !strings.HasPrefix(filepath.Base(raws[0]), "bench-") {
		return ""
	}
	if open := s.Open(); open > 0 {
		rounds := len(s.Table.Samples(results.Key{Op: units.SpinName}, units.NsPerOp))
		return fmt.Sprintf("%s not decided: go run ./cmd/bench --resume %s --rounds %d adds rounds to this file; go run "+
			"./cmd/bench pick compares all schemes on a workload of yours.", units.Plural(open, "zone"),
			results.CommandText(raws[0]), 2*max(rounds, results.LeastRounds))
	}
	return "go run ./cmd/bench pick compares all schemes on a workload of yours; --full measures other n."
}

// reportFolders writes the page that puts folders of results side by side. The folder of
// results that are not kept is left out.
func reportFolders(cmd *cobra.Command, paths []string, out string, format report.Format) error {
	var folders []*results.Table
	var kept []string
	for _, path := range paths {
		if filepath.Clean(path) == defaultOut {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %s is left out, as its results are not kept\n", defaultOut)
			continue
		}
		f, err := report.LoadFolder(filepath.Clean(path))
		if err != nil {
			return err
		}
		folders, kept = append(folders, withCommands(f)), append(kept, filepath.Clean(path)+"/")
	}
	if len(folders) == 0 {
		return usagef("no folder of results that are kept")
	}
	present, err := presentCode()
	if err != nil {
		return err
	}
	page := report.MachinesPage(folders, present, pageCommand("report", kept, out))
	var raws []string
	for _, s := range page.Sources {
		raws = append(raws, s.Path)
	}
	return savePage(cmd, page, filepath.Join(out, "README.md"), format, raws)
}

// folderOf returns the folder that all of these are in.
func folderOf(paths []string) (string, error) {
	parent := filepath.Dir(filepath.Clean(paths[0]))
	for _, path := range paths {
		if filepath.Dir(filepath.Clean(path)) != parent {
			return "", usagef("%s and %s are not in one folder (name the page's with --out)", paths[0], path)
		}
	}
	return parent, nil
}
