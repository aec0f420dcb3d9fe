package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"timerlab/harness/compare"
	"timerlab/harness/report"
)

// areFolders reports whether all arguments are folders. Folders and files together are an
// error.
func areFolders(args []string) (bool, error) {
	folders := 0
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			folders++
		}
	}
	if folders > 0 && folders < len(args) {
		return false, usagef("report takes raw files or folders of results, got both")
	}
	return folders > 0, nil
}

// reportFolders writes the page that puts folders of results side by side. The folder of
// results that are not kept is left out.
func reportFolders(cmd *cobra.Command, paths []string, out string, format report.Format) error {
	var folders []compare.Folder
	var kept []string
	for _, path := range paths {
		if filepath.Clean(path) == defaultOut {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %s is left out, as its results are not kept\n", defaultOut)
			continue
		}
		f, err := compare.LoadFolder(filepath.Clean(path))
		if err != nil {
			return err
		}
		folders, kept = append(folders, f), append(kept, filepath.Clean(path)+"/")
	}
	if len(folders) == 0 {
		return usagef("no folder of results that are kept")
	}
	present, err := presentCode()
	if err != nil {
		return err
	}
	page := compare.MachinesPage(folders, present, made("report", kept, out))
	var raws []string
	for _, s := range page.Sources {
		raws = append(raws, s.Path)
	}
	written, err := page.Save(filepath.Join(out, "README.md"))
	if err != nil {
		return err
	}
	return printPage(cmd, page, format, raws, written)
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
